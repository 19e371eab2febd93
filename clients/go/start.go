package hakam

import (
	"context"
	"crypto/rand"
	"crypto/sha256"

	"github.com/hakam-referee/hakam/clients/go/hakamv1"
)

// A NewGameOption sets up a game that begins: one of those below, or a [GameOption].
type NewGameOption interface {
	begin(*hakamv1.NewGameRequest, *Game)
}

// A GameOption sets up the handle of a game, new or resumed.
type GameOption func(*Game)

func (o GameOption) begin(_ *hakamv1.NewGameRequest, g *Game) { o(g) }

type newGameOption func(*hakamv1.NewGameRequest)

func (o newGameOption) begin(r *hakamv1.NewGameRequest, _ *Game) { o(r) }

// WithSeat makes the handle speak for one seat only.
func WithSeat(seat int32) GameOption {
	return func(g *Game) { g.seat = &seat }
}

// WithCredential gives the handle the credential of a seat for which it speaks.
func WithCredential(seat int32, credential []byte) GameOption {
	return func(g *Game) { g.credentials[seat] = credential }
}

// InLanguage asks for texts in another language than the client's, such as a player's.
func InLanguage(language hakamv1.Language) GameOption {
	return func(g *Game) { g.language = language }
}

// AtTurn tells [Client.Resume] where the game stands, as the answer said that brought the state, which
// spares it a call. Resume then does not ask whether the state is valid; the next call does.
func AtTurn(turn *hakamv1.Turn) GameOption {
	return func(g *Game) { g.now.turn = turn }
}

// WithSeed brings the seed: 32 bytes from a cryptographic generator. Without it the service draws one.
func WithSeed(seed []byte) NewGameOption {
	return newGameOption(func(r *hakamv1.NewGameRequest) { r.SetSeed(seed) })
}

// WithPreparedSeed brings the sealed seed of [Client.PrepareGame].
func WithPreparedSeed(prepared []byte) NewGameOption {
	return newGameOption(func(r *hakamv1.NewGameRequest) { r.SetPreparedSeed(prepared) })
}

// WithEntropy brings what the players add to the seed, in their order.
func WithEntropy(entropy ...[]byte) NewGameOption {
	return newGameOption(func(r *hakamv1.NewGameRequest) { r.SetEntropy(entropy) })
}

// WithSuppliedChance says that the outcomes of chance are brought as moves: real sticks, a real deck.
func WithSuppliedChance() NewGameOption {
	return newGameOption(func(r *hakamv1.NewGameRequest) {
		r.SetSupplied(&hakamv1.NewGameSuppliedChance{})
	})
}

// Sealed asks for a sealed state, and for credentials of all seats that the service draws. The handle
// has them: [Game.Credential].
func Sealed() NewGameOption {
	return newGameOption(func(r *hakamv1.NewGameRequest) {
		r.SetSeal(true)
		r.SetMakeCredentials(true)
	})
}

// SealedFor asks for a sealed state whose players chose their credentials: the hash of each, in seat
// order, as by [CredentialHash].
func SealedFor(hashes ...[]byte) NewGameOption {
	return newGameOption(func(r *hakamv1.NewGameRequest) {
		r.SetSeal(true)
		r.SetCredentialSha256(hashes)
	})
}

// NewCredential draws the credential of a seat.
func NewCredential() []byte {
	credential := make([]byte, sha256.Size)
	rand.Read(credential) // never fails
	return credential
}

// CredentialHash is what the service is told of a credential when a game begins.
func CredentialHash(credential []byte) []byte {
	hash := sha256.Sum256(credential)
	return hash[:]
}

// NewGame starts a game by rules whose options may be absent; [Game.View] has them complete.
func (c *Client) NewGame(
	ctx context.Context, rules *hakamv1.Rules, opts ...NewGameOption,
) (*Game, error) {
	request := hakamv1.NewGameRequest_builder{Rules: rules, Credential: c.keeper}.Build()
	g := c.handle()
	for _, opt := range opts {
		opt.begin(request, g)
	}
	request.SetLanguage(g.language)
	answer, err := c.service.NewGame(ctx, request)
	if err != nil {
		return nil, err
	}
	for seat, credential := range answer.GetCredentials() {
		g.credentials[int32(seat)] = credential
	}
	g.now = position{answered(answer), answer.GetTurn()}
	g.events = answer.GetEvents()
	g.story = &story{}
	return g, nil
}

// Resume goes on with a game that was stored. A state that cannot be is an [ErrInvalidRequest].
func (c *Client) Resume(ctx context.Context, state State, opts ...GameOption) (*Game, error) {
	g := c.handle()
	for _, opt := range opts {
		opt(g)
	}
	g.now.state = state
	if g.now.turn == nil {
		turn, err := g.ask(ctx, state)
		if err != nil {
			return nil, err
		}
		g.now.turn = turn
	}
	return g, nil
}

func (c *Client) handle() *Game {
	return &Game{
		client: c, language: c.language, credentials: map[int32][]byte{}, playing: make(chan struct{}, 1),
	}
}
