package hakam

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hakam-referee/hakam/clients/go/hakamv1"
)

// ErrNoRecord is a game of which a handle has no record, or none yet; its text says why.
var ErrNoRecord = errors.New("hakam: no record")

// story is what was played since the start of a game.
type story struct {
	moves    []*hakamv1.Move
	outcomes []*hakamv1.ChanceOutcome
}

func (s *story) add(move *hakamv1.Move) {
	switch {
	case s == nil:
	case move.HasChance():
		s.outcomes = append(s.outcomes, move.GetChance())
	default:
		s.moves = append(s.moves, move)
	}
}

// Record returns the game so far, for [Client.Replay] and for whoever wants to check its chance. Once
// the game is over the record has the digest of the spectator's last view.
//
// It fails with [ErrNoRecord] if the handle did not start the game, or took over a newer state by
// [Game.Update]; and while the game is sealed and not over, for the seed is then nobody's to know.
func (g *Game) Record(ctx context.Context) (*hakamv1.Record, error) {
	now, told, err := g.told()
	if err != nil {
		return nil, err
	}
	view, err := g.view(ctx, now, Spectator())
	if err != nil {
		return nil, err
	}
	record := hakamv1.Record_builder{
		Rules: view.GetRules(), Moves: told.moves, Commitment: view.GetCommitment(),
	}.Build()
	if view.GetTurn().HasOutcome() {
		sum := digest(view)
		record.SetViewDigest(sum[:])
	}
	if len(view.GetCommitment()) == 0 {
		record.SetOutcomes(hakamv1.RecordedOutcomes_builder{Outcomes: told.outcomes}.Build())
	} else if seed := seedOf(now.state.plain, view); seed != nil {
		record.SetSeed(seed)
	} else {
		return nil, fmt.Errorf("%w: the seed is told once the game is over", ErrNoRecord)
	}
	version, err := g.client.chanceVersion(ctx, now.state.plain)
	if err != nil {
		return nil, err
	}
	record.SetChanceVersion(version)
	return record, nil
}

// told is what was played up to which position.
func (g *Game) told() (position, story, error) {
	g.mu.RLock()
	defer g.mu.RUnlock()
	if g.story == nil {
		return position{}, story{}, fmt.Errorf("%w: the handle did not see the game from its start", ErrNoRecord)
	}
	return g.now, story{slices.Clone(g.story.moves), slices.Clone(g.story.outcomes)}, nil
}

// seedOf finds the seed in a plain state, or in the view of a game that is over.
func seedOf(plain *hakamv1.State, view *hakamv1.View) *hakamv1.RecordedSeed {
	if seeded := plain.GetChance().GetSeeded(); seeded != nil {
		return hakamv1.RecordedSeed_builder{Seed: seeded.GetSeed(), Entropy: seeded.GetEntropy()}.Build()
	}
	if reveal := view.GetReveal(); reveal != nil {
		return hakamv1.RecordedSeed_builder{Seed: reveal.GetSeed(), Entropy: reveal.GetEntropy()}.Build()
	}
	return nil
}

// chanceVersion is that of a plain state; games that are sealed begin with the newest.
func (c *Client) chanceVersion(ctx context.Context, plain *hakamv1.State) (int32, error) {
	if plain != nil {
		return plain.GetChance().GetVersion(), nil
	}
	catalogue, err := c.Games(ctx)
	if err != nil {
		return 0, err
	}
	newest := int32(0)
	for _, version := range catalogue.GetChanceVersions() {
		newest = max(newest, version)
	}
	return newest, nil
}
