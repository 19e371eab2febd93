package hakam

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"sync"

	"google.golang.org/grpc/status"

	"github.com/hakam-referee/hakam/clients/go/hakamv1"
)

// A Game holds the newest state of one game. It speaks for one seat ([WithSeat]), or else for
// whichever is to act. It is safe for concurrent use; moves are played one after the other.
//
// Messages that it returns are to be read only: others may hold them, too.
type Game struct {
	client      *Client
	language    hakamv1.Language
	seat        *int32
	credentials map[int32][]byte
	// playing has an element while a move is played or a newer state taken over.
	playing chan struct{}

	mu     sync.RWMutex
	now    position
	events []*hakamv1.Event
	// story is nil where the handle did not see the game from its start.
	story *story
}

type position struct {
	state State
	turn  *hakamv1.Turn
}

// A State is a state of a game in one of its two forms, as it is stored.
type State struct {
	plain  *hakamv1.State
	sealed []byte
}

// PlainState is a state that shows all; for a trusted backend.
func PlainState(state *hakamv1.State) State { return State{plain: state} }

// SealedState is a state that only the service can read.
func SealedState(sealed []byte) State { return State{sealed: sealed} }

// Plain is the state; nil if it is sealed.
func (s State) Plain() *hakamv1.State { return s.plain }

// Sealed is the sealed state; nil if it is plain.
func (s State) Sealed() []byte { return s.sealed }

// answered takes the state out of an answer.
func answered(answer interface {
	GetState() *hakamv1.State
	GetSealedState() []byte
}) State {
	return State{answer.GetState(), answer.GetSealedState()}
}

// State is the newest state, to be stored.
func (g *Game) State() State { return g.position().state }

// Turn says where the game stands: who is to act, what chance is due, how it ended.
func (g *Game) Turn() *hakamv1.Turn { return g.position().turn }

// Ply is the number of moves and chance events so far.
func (g *Game) Ply() int32 { return g.Turn().GetPly() }

// Over reports whether the game has ended.
func (g *Game) Over() bool { return g.Turn().HasOutcome() }

// Outcome is the result; nil until the game is over.
func (g *Game) Outcome() *hakamv1.Outcome { return g.Turn().GetOutcome() }

// Events are the events that this handle has seen, in order: those of the moves that were played
// through it, and of the start if it started the game.
func (g *Game) Events() []*hakamv1.Event {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return slices.Clone(g.events)
}

// Credential is the credential of a seat; nil if the handle has none.
func (g *Game) Credential(seat int32) []byte { return g.credentials[seat] }

func (g *Game) position() position {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.now
}

// A MovesOption asks for more in [Game.Moves].
type MovesOption func(*hakamv1.ListMovesRequest)

// WithEffects asks what each move would do, as far as its player may know.
func WithEffects() MovesOption {
	return func(r *hakamv1.ListMovesRequest) { r.SetListEffects(true) }
}

// Moves returns every legal move of the seat to act. The first is a safe one to play for a player who
// is away. There are none once the game is over and while chance is due. A handle of another seat is
// refused with NOT_YOUR_TURN.
func (g *Game) Moves(ctx context.Context, opts ...MovesOption) ([]*hakamv1.ListedMove, error) {
	now := g.position()
	if !now.turn.HasToAct() {
		return nil, nil
	}
	request := &hakamv1.ListMovesRequest{}
	g.speak(request, now)
	for _, opt := range opts {
		opt(request)
	}
	answer, err := g.client.service.ListMoves(ctx, request)
	return answer.GetMoves(), err
}

// Check returns the verdict on a move. That it is illegal is an answer and no error.
func (g *Game) Check(ctx context.Context, move *hakamv1.Move) (*hakamv1.ValidateMoveResponse, error) {
	request := hakamv1.ValidateMoveRequest_builder{Move: move}.Build()
	g.speak(request, g.position())
	return g.client.service.ValidateMove(ctx, request)
}

// View returns what the handle's seat sees; without [WithSeat] what the seat to act sees, or a
// spectator where nobody is to act.
func (g *Game) View(ctx context.Context) (*hakamv1.View, error) {
	now := g.position()
	if seat := g.speaker(now); seat != nil {
		return g.view(ctx, now, Seat(*seat))
	}
	return g.view(ctx, now, Spectator())
}

// ViewOf returns what a viewer sees: [Seat] or [Spectator]. Of a sealed game, a seat's view needs its
// credential.
func (g *Game) ViewOf(ctx context.Context, viewer *hakamv1.Viewer) (*hakamv1.View, error) {
	return g.view(ctx, g.position(), viewer)
}

func (g *Game) view(ctx context.Context, now position, viewer *hakamv1.Viewer) (*hakamv1.View, error) {
	request := hakamv1.GetViewRequest_builder{Viewer: viewer}.Build()
	if viewer.HasSeat() {
		g.about(request, now, g.credentials[viewer.GetSeat()])
	} else {
		g.about(request, now, nil)
	}
	answer, err := g.client.service.GetView(ctx, request)
	return answer.GetView(), err
}

// A PlayOption asks for more in [Game.Play].
type PlayOption func(*hakamv1.ApplyMoveRequest)

// ExpectPly says which position the move is for, such as the one on the player's screen. If the game
// has gone on, the move is refused with [ErrStaleMove] and nothing is played.
func ExpectPly(ply int32) PlayOption {
	return func(r *hakamv1.ApplyMoveRequest) { r.SetExpectedPly(ply) }
}

// WithViews asks for views of the next state, at most 7, beside the answer. Of a sealed game they may
// be those of the seat that moves and of a spectator.
func WithViews(viewers ...*hakamv1.Viewer) PlayOption {
	return func(r *hakamv1.ApplyMoveRequest) { r.SetViewers(viewers) }
}

// WithMoves asks for the legal moves of the next state beside the answer. Of a sealed game they are
// given only if the seat that moved is to act again.
func WithMoves() PlayOption {
	return func(r *hakamv1.ApplyMoveRequest) { r.SetListMoves(true) }
}

// Play plays a move, typed or as [Notation], and keeps the next state. The answer says what happened.
//
// The move is for the position that the handle holds when Play is called, or for that of [ExpectPly]:
// of two calls at once for one position the second is refused with [ErrStaleMove]. If Play fails, the
// handle is as before, and the same move may be tried again.
//
// Where chance is supplied and due, the move is its outcome.
func (g *Game) Play(
	ctx context.Context, move *hakamv1.Move, opts ...PlayOption,
) (*hakamv1.ApplyMoveResponse, error) {
	seen := g.Ply()
	if err := g.lock(ctx); err != nil {
		return nil, err
	}
	defer g.unlock()
	now := g.position()
	request := hakamv1.ApplyMoveRequest_builder{Move: move}.Build()
	if move.HasChance() || g.seat == nil && now.turn.HasChanceDue() {
		g.about(request, now, g.client.keeper)
	} else {
		g.speak(request, now)
	}
	request.SetExpectedPly(seen)
	for _, opt := range opts {
		opt(request)
	}
	answer, err := g.client.service.ApplyMove(ctx, request)
	if err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.now = position{answered(answer), answer.GetTurn()}
	g.events = append(g.events, answer.GetEvents()...)
	g.story.add(answer.GetMove())
	return answer, nil
}

// Update takes over a state that others have brought further, and reports whether it is newer than the
// one that the handle holds; an older one changes nothing. The events between the two are not seen.
func (g *Game) Update(ctx context.Context, newer State) (bool, error) {
	if err := g.lock(ctx); err != nil {
		return false, err
	}
	defer g.unlock()
	turn, err := g.ask(ctx, newer)
	if err != nil || turn.GetPly() <= g.Ply() {
		return false, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.now = position{newer, turn}
	g.story = nil
	return true, nil
}

// ask asks where a game stands, as a spectator may know without any credential.
func (g *Game) ask(ctx context.Context, state State) (*hakamv1.Turn, error) {
	request := hakamv1.GetViewRequest_builder{Viewer: Spectator(), Language: g.language}.Build()
	g.bring(request, state, nil)
	answer, err := g.client.service.GetView(ctx, request)
	return answer.GetView().GetTurn(), err
}

// lock waits for its turn to change the game.
func (g *Game) lock(ctx context.Context) error {
	select {
	case g.playing <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fromStatus(status.FromContextError(ctx.Err()))
	}
}

func (g *Game) unlock() { <-g.playing }

// A request about a state.
type request interface {
	SetState(*hakamv1.State)
	SetSealedState([]byte)
	SetCredential([]byte)
	SetExpectedPly(int32)
	SetLanguage(hakamv1.Language)
}

// speak makes a request one of the seat for which the handle speaks.
func (g *Game) speak(r interface {
	request
	SetSeat(int32)
}, now position,
) {
	if g.seat != nil {
		r.SetSeat(*g.seat)
	}
	if seat := g.speaker(now); seat != nil {
		g.about(r, now, g.credentials[*seat])
	} else {
		g.about(r, now, nil)
	}
}

// speaker is the handle's seat, else the one to act, if there is any.
func (g *Game) speaker(now position) *int32 {
	if g.seat == nil && now.turn.HasToAct() {
		return new(now.turn.GetToAct())
	}
	return g.seat
}

// about makes a request one about a position.
func (g *Game) about(r request, now position, credential []byte) {
	g.bring(r, now.state, credential)
	r.SetExpectedPly(now.turn.GetPly())
	r.SetLanguage(g.language)
}

// bring puts a state into a request. A plain one wants no credential but the keeper's.
func (g *Game) bring(r request, state State, credential []byte) {
	if state.sealed != nil {
		r.SetSealedState(state.sealed)
		r.SetCredential(credential)
	} else {
		r.SetState(state.plain)
		r.SetCredential(g.client.keeper)
	}
}

// Notation is a move as one line of text; the service's docs have the grammar.
func Notation(text string) *hakamv1.Move {
	return hakamv1.Move_builder{Notation: &text}.Build()
}

// Seat is the player of a seat as a viewer.
func Seat(seat int32) *hakamv1.Viewer { return hakamv1.Viewer_builder{Seat: &seat}.Build() }

// Spectator is a viewer who holds no seat.
func Spectator() *hakamv1.Viewer {
	return hakamv1.Viewer_builder{Spectator: &hakamv1.Spectator{}}.Build()
}

// Digest is the SHA-256 of a view, in hex, by which those who see the same can tell that they do.
func Digest(view *hakamv1.View) string {
	sum := digest(view)
	return hex.EncodeToString(sum[:])
}

func digest(view *hakamv1.View) [sha256.Size]byte {
	return sha256.Sum256([]byte("hakam/view/v1" + view.GetText()))
}
