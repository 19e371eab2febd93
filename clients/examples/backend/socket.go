package main

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
	"google.golang.org/protobuf/encoding/protojson"

	hakam "github.com/hakam-referee/hakam/clients/go"
	"github.com/hakam-referee/hakam/clients/go/hakamv1"
)

const (
	// patience is how long a player's device may take for a hello, a message or a ping.
	patience = 10 * time.Second
	// heartbeat is how often it is asked whether it is there.
	heartbeat = 30 * time.Second
)

// errGone is a player's device that went away, or never was one.
var errGone = errors.New("gone")

// hello is the first message of a player's. It is no part of the address, which would be logged.
type hello struct {
	Token string `json:"token"`
	// Language is en or ar.
	Language string `json:"language"`
	// Seen is the ply up to which he has the events; absent: none.
	Seen *int32 `json:"seen"`
}

// moved is every other message of a player's: his move for the ply that he sees.
type moved struct {
	Ply  int32  `json:"ply"`
	Move string `json:"move"`
}

// shown is what a player gets whenever the match has gone on: his own view, his legal moves if it is
// his turn, and the events since the last time.
type shown struct {
	Seat   int32             `json:"seat"`
	Ply    int32             `json:"ply"`
	View   json.RawMessage   `json:"view"`
	Moves  []json.RawMessage `json:"moves"`
	Events []json.RawMessage `json:"events"`
}

// refusal is why his move was not played. What is shown now comes after it.
type refusal struct {
	Refused struct {
		Reason string `json:"reason"`
		Clause string `json:"clause,omitempty"`
		Text   string `json:"text"`
	} `json:"refused"`
}

// serve serves one socket, until it or the backend ends.
func serve(w http.ResponseWriter, r *http.Request, table *table, news *news) {
	socket, err := websocket.Accept(w, r, nil)
	if err != nil {
		return // Accept has answered
	}
	defer socket.CloseNow()
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	player, seen, err := welcome(ctx, socket, table)
	if errors.Is(err, errNoSeat) {
		socket.Close(websocket.StatusPolicyViolation, err.Error())
		return
	}
	if err == nil {
		s := &session{socket, table, player, seen}
		err = s.run(ctx, news)
	}
	if !errors.Is(err, errGone) && ctx.Err() == nil {
		slog.Error("socket", "error", err)
	}
}

// welcome waits for the hello, and finds whose it is.
func welcome(ctx context.Context, socket *websocket.Conn, table *table) (player, int32, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var said hello
	if err := wsjson.Read(ctx, socket, &said); err != nil {
		return player{}, 0, errGone
	}
	found, err := table.player(ctx, said.Token)
	if said.Language == "ar" {
		found.language = hakamv1.Language_LANGUAGE_AR
	}
	if said.Seen == nil {
		return found, -1, err
	}
	return found, *said.Seen, err
}

// A session is one socket of a player's; he may have several.
type session struct {
	socket *websocket.Conn
	table  *table
	player player
	seen   int32
}

func (s *session) run(ctx context.Context, news *news) error {
	heard, stop := news.subscribe(s.player.match)
	defer stop()
	ended, refused := make(chan error, 1), make(chan refusal)
	go func() { ended <- s.hear(ctx, refused) }()
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	if err := s.show(ctx); err != nil {
		return err
	}
	for {
		var err error
		select {
		case err = <-ended:
		case no := <-refused:
			if err = s.send(ctx, no); err == nil {
				err = s.show(ctx)
			}
		case <-heard:
			err = s.show(ctx)
		case <-beat.C:
			err = s.ping(ctx)
		}
		if err != nil {
			return err
		}
	}
}

// hear plays the player's moves as they come, and passes on why one was refused.
func (s *session) hear(ctx context.Context, refused chan<- refusal) error {
	for {
		var said moved
		if err := wsjson.Read(ctx, s.socket, &said); err != nil {
			return errGone
		}
		if err := s.table.play(ctx, s.player, said.Ply, said.Move); err != nil {
			select {
			case refused <- refuse(err):
			case <-ctx.Done():
				return errGone
			}
		}
	}
}

func refuse(err error) (no refusal) {
	why, ok := errors.AsType[*hakam.Error](err)
	if !ok || !errors.Is(err, hakam.ErrIllegalMove) && !errors.Is(err, hakam.ErrInvalidRequest) {
		slog.Error("move", "error", err)
		no.Refused.Reason, no.Refused.Text = "NOT_NOW", "not now"
		return no
	}
	no.Refused.Reason, no.Refused.Clause, no.Refused.Text = why.Reason, why.Violation.GetClause(), why.Text
	return no
}

// show sends what the player may see of the newest position, and nothing else of it.
func (s *session) show(ctx context.Context) error {
	newest, err := s.table.newest(ctx, s.player.match)
	if err != nil {
		return err
	}
	game, err := s.table.game(ctx, newest, s.player)
	if err != nil {
		return err
	}
	view, err := game.View(ctx)
	if err != nil {
		return err
	}
	out := shown{Seat: s.player.seat, Ply: game.Ply(), Moves: []json.RawMessage{}}
	if out.View, err = protojson.Marshal(view); err != nil {
		return err
	}
	if newest.turn.HasToAct() && newest.turn.GetToAct() == s.player.seat {
		if out.Moves, err = moves(ctx, game); err != nil {
			return err
		}
	}
	if out.Events, err = s.table.events(ctx, s.player.match, s.seen, out.Ply); err != nil {
		return err
	}
	if err := s.send(ctx, out); err != nil {
		return err
	}
	s.seen = out.Ply
	return nil
}

// moves are the legal ones with their effects, which a front end can animate.
func moves(ctx context.Context, game *hakam.Game) ([]json.RawMessage, error) {
	listed, err := game.Moves(ctx, hakam.WithEffects())
	if err != nil {
		return nil, err
	}
	written := make([]json.RawMessage, len(listed))
	for i, move := range listed {
		if written[i], err = protojson.Marshal(move); err != nil {
			return nil, err
		}
	}
	return written, nil
}

func (s *session) send(ctx context.Context, message any) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := wsjson.Write(ctx, s.socket, message); err != nil {
		return errGone
	}
	return nil
}

func (s *session) ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := s.socket.Ping(ctx); err != nil {
		return errGone
	}
	return nil
}
