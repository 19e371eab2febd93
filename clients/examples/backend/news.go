package main

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// channel is the one of PostgreSQL's NOTIFY by which backends tell one another of a match's id.
const channel = "match"

// everyMatch stands for the id of any match.
const everyMatch = ""

// news wakes whoever waits for a match to go on, whichever backend took it there. It says that there
// is something to read and not what, so nothing is lost where two come at once.
type news struct {
	mu   sync.Mutex
	ears map[chan struct{}]string
}

func newNews() *news { return &news{ears: map[chan struct{}]string{}} }

// subscribe returns what becomes readable when there is news of a match, and how to end it.
func (n *news) subscribe(match string) (heard <-chan struct{}, stop func()) {
	ear := make(chan struct{}, 1)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ears[ear] = match
	return ear, func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		delete(n.ears, ear)
	}
}

func (n *news) tell(match string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for ear, of := range n.ears {
		if of == match || of == everyMatch || match == everyMatch {
			select {
			case ear <- struct{}{}:
			default: // it has not read the last news yet
			}
		}
	}
}

// listen passes on what the backends tell through PostgreSQL.
func (n *news) listen(ctx context.Context, database string) {
	for ctx.Err() == nil {
		if err := n.hear(ctx, database); ctx.Err() == nil {
			slog.Error("news", "error", err)
			time.Sleep(time.Second)
		}
	}
}

func (n *news) hear(ctx context.Context, database string) error {
	connection, err := pgx.Connect(ctx, database)
	if err != nil {
		return err
	}
	defer connection.Close(context.WithoutCancel(ctx))
	if _, err := connection.Exec(ctx, "LISTEN "+channel); err != nil {
		return err
	}
	n.tell(everyMatch) // nobody knows what was missed before
	for {
		heard, err := connection.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		n.tell(heard.Payload)
	}
}
