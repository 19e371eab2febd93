package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	hakam "github.com/hakam-referee/hakam/clients/go"
)

const (
	// watchers is how many matches one backend plays for at once.
	watchers = 4
	// look is how often a watcher looks for a clock that has run out; news wake it earlier.
	look = 250 * time.Millisecond
	// lease is how long a watcher has for one move, before another takes over.
	lease = "5 seconds"
)

// pace is how long the seat to act has before the safe move is played for it.
type pace struct{ turn, bot time.Duration }

// watch plays the safe move where a clock has run out: for bots, and for players who are away. Every
// backend watches all matches; who comes first claims a move, and if he dies the claim ends.
func (t *table) watch(ctx context.Context, news *news) {
	heard, stop := news.subscribe(everyMatch)
	defer stop()
	for {
		for {
			played, err := t.playDue(ctx)
			if err != nil && ctx.Err() == nil {
				slog.Error("clock", "error", err)
			}
			if !played || err != nil {
				break
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-heard:
		case <-time.After(look):
		}
	}
}

// playDue plays one move that is due, and reports whether there was any.
func (t *table) playDue(ctx context.Context) (bool, error) {
	due, err := read(t.db.QueryRow(ctx, `
		UPDATE match SET due = now() + $1::interval WHERE id = (
			SELECT id FROM match WHERE due <= now() ORDER BY due LIMIT 1 FOR UPDATE SKIP LOCKED)
		RETURNING id, state, turn`, lease))
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	game, err := t.hakam.Resume(ctx, hakam.PlainState(due.state), hakam.AtTurn(due.turn))
	if err != nil {
		return true, err
	}
	moves, err := game.Moves(ctx)
	if err != nil {
		return true, err
	}
	answer, err := game.Play(ctx, moves[0].GetMove())
	if err != nil {
		return true, err
	}
	// If the player came back in time after all, his move stands and this one is dropped.
	_, err = t.keep(ctx, due, answer)
	return true, err
}
