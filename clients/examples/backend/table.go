package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	hakam "github.com/hakam-referee/hakam/clients/go"
	"github.com/hakam-referee/hakam/clients/go/hakamv1"
)

//go:embed schema.sql
var schema string

// errNoSeat is a match without a free seat, or one that does not exist, or a token that is nobody's.
var errNoSeat = errors.New("no such seat")

// A table keeps matches. All that it knows is in the database.
type table struct {
	db    *pgxpool.Pool
	hakam *hakam.Client
	pace  pace
}

// A position is the newest state of a match, or the next one that is to be kept.
type position struct {
	match string
	state *hakamv1.State
	turn  *hakamv1.Turn
}

// A player is whoever showed the token of a seat.
type player struct {
	match    string
	seat     int32
	language hakamv1.Language
}

// prepare makes what the database needs, once even where several backends start together.
func (t *table) prepare(ctx context.Context) error {
	return pgx.BeginFunc(ctx, t.db, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtext('hakam backend'))"); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, schema)
		return err
	})
}

// create begins a match in which bots have some seats and the others are free, and returns its id.
func (t *table) create(ctx context.Context, rules *hakamv1.Rules, bots []int32) (string, error) {
	board, err := t.hakam.Board(ctx, rules)
	if err != nil {
		return "", err
	}
	game, err := t.hakam.NewGame(ctx, rules)
	if err != nil {
		return "", err
	}
	first := position{rand.Text(), game.State().Plain(), game.Turn()}
	state, turn, err := first.encode()
	if err != nil {
		return "", err
	}
	return first.match, pgx.BeginFunc(ctx, t.db, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "INSERT INTO match (id, ply, state, turn) VALUES ($1, $2, $3, $4)",
			first.match, first.turn.GetPly(), state, turn); err != nil {
			return err
		}
		for seat := range board.GetBoard().GetSeats() {
			if _, err := tx.Exec(ctx, "INSERT INTO seat (match, seat, bot) VALUES ($1, $2, $3)",
				first.match, seat, slices.Contains(bots, seat)); err != nil {
				return err
			}
		}
		if err := t.note(ctx, tx, first, "", game.Events()); err != nil {
			return err
		}
		return t.announce(ctx, tx, first)
	})
}

// join takes the first free seat of a match and returns its token, of which only the hash is kept. The
// clock runs from when no seat is free.
func (t *table) join(ctx context.Context, match string) (seat int32, token string, err error) {
	token = rand.Text()
	err = pgx.BeginFunc(ctx, t.db, func(tx pgx.Tx) error {
		newest, err := read(tx.QueryRow(ctx, "SELECT id, state, turn FROM match WHERE id = $1 FOR UPDATE", match))
		if err != nil {
			return err
		}
		err = tx.QueryRow(ctx, `
			UPDATE seat SET sha256 = $2 WHERE match = $1 AND seat = (
				SELECT min(seat) FROM seat WHERE match = $1 AND NOT bot AND sha256 IS NULL)
			RETURNING seat`, match, hash(token)).Scan(&seat)
		if err != nil {
			return err
		}
		return t.announce(ctx, tx, newest)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		err = errNoSeat
	}
	return seat, token, err
}

// player finds whose token it is.
func (t *table) player(ctx context.Context, token string) (p player, err error) {
	err = t.db.QueryRow(ctx, "SELECT match, seat FROM seat WHERE sha256 = $1", hash(token)).Scan(&p.match, &p.seat)
	if errors.Is(err, pgx.ErrNoRows) {
		err = errNoSeat
	}
	return p, err
}

func hash(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// newest reads the newest position of a match.
func (t *table) newest(ctx context.Context, match string) (position, error) {
	return read(t.db.QueryRow(ctx, "SELECT id, state, turn FROM match WHERE id = $1", match))
}

// game is the handle by which a player sees a position.
func (t *table) game(ctx context.Context, at position, p player) (*hakam.Game, error) {
	return t.hakam.Resume(ctx, hakam.PlainState(at.state),
		hakam.AtTurn(at.turn), hakam.WithSeat(p.seat), hakam.InLanguage(p.language))
}

// play plays a player's move for the ply that he saw. What goes wrong with it, Hakam says.
func (t *table) play(ctx context.Context, p player, seen int32, notation string) error {
	for {
		newest, err := t.newest(ctx, p.match)
		if err != nil {
			return err
		}
		game, err := t.game(ctx, newest, p)
		if err != nil {
			return err
		}
		answer, err := game.Play(ctx, hakam.Notation(notation), hakam.ExpectPly(seen))
		if err != nil {
			return err
		}
		// If somebody else was faster, the move is for a ply that is gone: ask again and hear so.
		if kept, err := t.keep(ctx, newest, answer); kept || err != nil {
			return err
		}
	}
}

// keep puts what follows a position in its place, and reports whether it was still the newest. Nobody
// is told anything of an answer that was not kept.
func (t *table) keep(ctx context.Context, after position, answer *hakamv1.ApplyMoveResponse) (bool, error) {
	next := position{after.match, answer.GetState(), answer.GetTurn()}
	state, turn, err := next.encode()
	if err != nil {
		return false, err
	}
	kept := false
	err = pgx.BeginFunc(ctx, t.db, func(tx pgx.Tx) error {
		done, err := tx.Exec(ctx, "UPDATE match SET ply = $3, state = $4, turn = $5 WHERE id = $1 AND ply = $2",
			next.match, after.turn.GetPly(), next.turn.GetPly(), state, turn)
		if kept = done.RowsAffected() == 1; !kept {
			return err
		}
		if err := t.note(ctx, tx, next, answer.GetNotation(), answer.GetEvents()); err != nil {
			return err
		}
		return t.announce(ctx, tx, next)
	})
	return kept, err
}

// note keeps how a position was reached.
func (t *table) note(ctx context.Context, tx pgx.Tx, to position, move string, events []*hakamv1.Event) error {
	list := make([]json.RawMessage, len(events))
	for i, event := range events {
		written, err := protojson.Marshal(event)
		if err != nil {
			return err
		}
		list[i] = written
	}
	_, err := tx.Exec(ctx, "INSERT INTO step (match, ply, move, events) VALUES ($1, $2, $3, $4)",
		to.match, to.turn.GetPly(), move, list)
	return err
}

// events are those after one ply, up to another.
func (t *table) events(ctx context.Context, match string, after, to int32) ([]json.RawMessage, error) {
	rows, err := t.db.Query(ctx, `
		SELECT event FROM step, jsonb_array_elements(events) WITH ORDINALITY AS each (event, place)
		WHERE match = $1 AND ply > $2 AND ply <= $3 ORDER BY ply, place`, match, after, to)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[json.RawMessage])
}

// announce starts the clock of the seat to act, if all have joined, and tells every backend when the
// transaction ends that there is news of the match.
func (t *table) announce(ctx context.Context, tx pgx.Tx, of position) error {
	var toAct *int32
	if of.turn.HasToAct() {
		toAct = new(of.turn.GetToAct())
	}
	if _, err := tx.Exec(ctx, `
		UPDATE match SET due = (
			SELECT now() + CASE WHEN bot THEN $3::interval ELSE $4::interval END
			FROM seat WHERE match = $1 AND seat = $2 AND NOT EXISTS (
				SELECT FROM seat WHERE match = $1 AND NOT bot AND sha256 IS NULL))
		WHERE id = $1`, of.match, toAct, t.pace.bot, t.pace.turn); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "SELECT pg_notify($1, $2)", channel, of.match)
	return err
}

// read reads a row of match, state and turn.
func read(row pgx.Row) (position, error) {
	at := position{state: &hakamv1.State{}, turn: &hakamv1.Turn{}}
	var state, turn []byte
	if err := row.Scan(&at.match, &state, &turn); err != nil {
		return at, err
	}
	return at, errors.Join(proto.Unmarshal(state, at.state), proto.Unmarshal(turn, at.turn))
}

func (p position) encode() (state, turn []byte, err error) {
	if state, err = proto.Marshal(p.state); err != nil {
		return nil, nil, err
	}
	turn, err = proto.Marshal(p.turn)
	return state, turn, err
}
