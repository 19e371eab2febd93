package hakam_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"

	"google.golang.org/protobuf/proto"

	hakam "github.com/hakam-referee/hakam/clients/go"
	"github.com/hakam-referee/hakam/clients/go/hakamv1"
)

func TestAGameIsPlayedToItsEnd(t *testing.T) {
	client := connect(t, address)
	for name, form := range map[string][]hakam.NewGameOption{"plain": nil, "sealed": {hakam.Sealed()}} {
		game := begin(t, client, trix(), form...)
		plies := int32(0)
		for !game.Over() {
			answer := safely(t, game)
			if game.Ply() <= plies || game.Ply() != answer.GetTurn().GetPly() {
				t.Fatalf("%s: at ply %d after %d", name, game.Ply(), plies)
			}
			plies = game.Ply()
		}
		if len(game.Outcome().GetScores()) != 4 {
			t.Errorf("%s: the outcome is %v", name, game.Outcome())
		}
		events := game.Events()
		if !events[0].GetTrix().HasDealt() || !events[len(events)-1].HasGameOver() {
			t.Errorf("%s: the first event is %v, the last %v", name, events[0], events[len(events)-1])
		}
		if moves, err := game.Moves(t.Context()); len(moves) != 0 || err != nil {
			t.Errorf("%s: after the end %v %v", name, moves, err)
		}
		replays(t, client, game)
	}
}

// replays checks that a record of a game is the one of that game.
func replays(t *testing.T, client *hakam.Client, game *hakam.Game) {
	t.Helper()
	record, err := game.Record(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if game.Over() && len(record.GetViewDigest()) != 32 {
		t.Error("there is no digest")
	}
	replay, err := client.Replay(t.Context(), record)
	if err != nil {
		t.Fatal(err)
	}
	if replay.GetReplayed().GetTurn().GetPly() != game.Ply() {
		t.Errorf("the replay is %v", replay)
	}
}

func TestAMoveForAnotherPlyIsStale(t *testing.T) {
	game := begin(t, connect(t, address), tjau())
	seen := game.Ply()
	tap := func() error {
		_, err := game.Play(t.Context(), hakam.Notation("throw"), hakam.ExpectPly(seen))
		return err
	}
	if err := tap(); err != nil {
		t.Fatal(err)
	}
	before := game.State().Plain()
	err := tap()
	if !errors.Is(err, hakam.ErrStaleMove) || !errors.Is(err, hakam.ErrIllegalMove) {
		t.Error(err)
	}
	if game.State().Plain() != before || game.Ply() == seen {
		t.Error("the second tap changed the game")
	}
}

func TestOfMovesAtOnceOneIsPlayed(t *testing.T) {
	game := begin(t, connect(t, address), tjau(), hakam.Sealed())
	first := game.Ply()
	results := make(chan error, 8)
	var players sync.WaitGroup
	for range cap(results) {
		players.Go(func() {
			_, err := game.Play(t.Context(), hakam.Notation("throw"), hakam.ExpectPly(first))
			results <- err
		})
	}
	players.Wait()
	close(results)
	played := 0
	for err := range results {
		if err == nil {
			played++
		} else if !errors.Is(err, hakam.ErrStaleMove) {
			t.Error(err)
		}
	}
	if played != 1 {
		t.Errorf("%d were played", played)
	}
}

func TestAnIllegalMoveSaysWhyAndChangesNothing(t *testing.T) {
	game := begin(t, connect(t, address), tjau())
	before := game.Ply()
	_, err := game.Play(t.Context(), hakam.Notation("enter"))
	got, ok := errors.AsType[*hakam.Error](err)
	if !ok || got.Reason != "WRONG_PHASE" || got.Violation.GetClause() != "W5.1" {
		t.Errorf("%#v", err)
	}
	verdict, err := game.Check(t.Context(), hakam.Notation("enter"))
	if err != nil || verdict.GetLegal() || !proto.Equal(verdict.GetViolation(), got.Violation) {
		t.Errorf("checked: %v %v, played: %v", verdict, err, got.Violation)
	}
	if game.Ply() != before {
		t.Error("something was played")
	}
	if verdict, err := game.Check(t.Context(), hakam.Notation("throw")); err != nil || !verdict.GetLegal() {
		t.Errorf("%v %v", verdict, err)
	}
}

func TestAnInvalidRequestNamesItsFields(t *testing.T) {
	client := connect(t, address)
	_, err := client.NewGame(t.Context(), tjau(), hakam.WithSeed([]byte{1}))
	got, ok := errors.AsType[*hakam.Error](err)
	if !errors.Is(err, hakam.ErrInvalidRequest) || !ok || got.FaultCount != 1 {
		t.Fatal(err)
	}
	if fault := got.Faults[0]; fault.GetPath() != "seed" || fault.GetReason() != hakamv1.Reason_REASON_LENGTH_OUT_OF_RANGE {
		t.Errorf("%v", fault)
	}
}

func TestAHandleOfASeatSpeaksForItAlone(t *testing.T) {
	client := connect(t, address)
	all := begin(t, client, trix(), hakam.Sealed())
	acts := all.Turn().GetToAct()
	waits := (acts + 1) % 4
	mine, err := client.Resume(t.Context(), all.State(), hakam.WithSeat(waits), hakam.WithCredential(waits, all.Credential(waits)))
	if err != nil {
		t.Fatal(err)
	}
	view, err := mine.View(t.Context())
	if err != nil || view.GetViewer().GetSeat() != waits || len(view.GetTrix().GetHand()) != 13 {
		t.Errorf("%v %v", view, err)
	}
	if _, err := mine.ViewOf(t.Context(), hakam.Seat(acts)); !errors.Is(err, hakam.ErrUnauthenticated) {
		t.Error(err)
	}
	if _, err := mine.ViewOf(t.Context(), hakam.Spectator()); err != nil {
		t.Error(err)
	}
	_, err = mine.Moves(t.Context())
	if got, ok := errors.AsType[*hakam.Error](err); !ok || got.Reason != "NOT_YOUR_TURN" || got.Violation.GetSeat() != acts {
		t.Errorf("%#v", err)
	}
}

func TestWithoutASeatTheViewIsThatOfTheSeatToAct(t *testing.T) {
	game := begin(t, connect(t, address), trix())
	view, err := game.View(t.Context())
	if err != nil || view.GetViewer().GetSeat() != game.Turn().GetToAct() {
		t.Errorf("%v %v", view, err)
	}
}

func TestAnAnswerHasWhatIsAskedFor(t *testing.T) {
	game := begin(t, connect(t, address), tjau())
	answer, err := game.Play(t.Context(), hakam.Notation("throw"),
		hakam.WithViews(hakam.Seat(0), hakam.Spectator()), hakam.WithMoves())
	if err != nil || len(answer.GetViews()) != 2 || len(answer.GetMoves()) == 0 {
		t.Errorf("%v %v", answer, err)
	}
	moves, err := game.Moves(t.Context(), hakam.WithEffects())
	if err != nil || len(moves[0].GetEffects()) == 0 && moves[0].GetNotation() != "throw" {
		t.Errorf("%v %v", moves, err)
	}
}

func TestAnotherPlayersMoveIsTakenOver(t *testing.T) {
	client := connect(t, address)
	for name, form := range map[string][]hakam.NewGameOption{"plain": nil, "sealed": {hakam.Sealed()}} {
		theirs := begin(t, client, tjau(), form...)
		first := theirs.State()
		mine, err := client.Resume(t.Context(), first)
		if err != nil {
			t.Fatal(err)
		}
		safely(t, theirs)
		if newer, err := mine.Update(t.Context(), theirs.State()); !newer || err != nil {
			t.Errorf("%s: %t %v", name, newer, err)
		}
		if mine.Ply() != theirs.Ply() {
			t.Errorf("%s: at ply %d", name, mine.Ply())
		}
		if newer, err := mine.Update(t.Context(), first); newer || err != nil {
			t.Errorf("%s: the older one: %t %v", name, newer, err)
		}
		if _, err := theirs.Record(t.Context()); (err != nil) != (name == "sealed") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := mine.Record(t.Context()); !errors.Is(err, hakam.ErrNoRecord) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAHandleMayBeToldItsTurn(t *testing.T) {
	client := connect(t, address)
	begun := begin(t, client, tjau())
	told, err := client.Resume(t.Context(), begun.State(), hakam.AtTurn(begun.Turn()))
	if err != nil || told.Turn() != begun.Turn() {
		t.Errorf("%v %v", told.Turn(), err)
	}
	safely(t, told)
}

func TestAHandleMayHaveALanguageOfItsOwn(t *testing.T) {
	game := begin(t, connect(t, address), tjau(), hakam.InLanguage(hakamv1.Language_LANGUAGE_AR))
	_, err := game.Play(t.Context(), hakam.Notation("enter"))
	if got, ok := errors.AsType[*hakam.Error](err); !ok || !strings.ContainsFunc(got.Text, isArabic) {
		t.Errorf("%v", err)
	}
}

func isArabic(letter rune) bool { return unicode.Is(unicode.Arabic, letter) }

func TestAChangedStateIsRefused(t *testing.T) {
	client := connect(t, address)
	plain := begin(t, client, tjau()).State().Plain()
	changed := proto.CloneOf(plain)
	changed.GetTjau().SetPhase(77)
	_, err := client.Resume(t.Context(), hakam.PlainState(changed))
	if got, ok := errors.AsType[*hakam.Error](err); !ok || len(got.Faults) == 0 {
		t.Errorf("%#v", err)
	}
	sealed := slices.Clone(begin(t, client, tjau(), hakam.Sealed()).State().Sealed())
	sealed[len(sealed)-1] ^= 1
	if _, err := client.Resume(t.Context(), hakam.SealedState(sealed)); !errors.Is(err, hakam.ErrInvalidRequest) {
		t.Error(err)
	}
}

func TestChanceMayBeSupplied(t *testing.T) {
	client := connect(t, address)
	game := begin(t, client, tjau(), hakam.WithSuppliedChance())
	for game.Ply() < 12 {
		if !game.Turn().HasChanceDue() {
			safely(t, game)
			continue
		}
		outcome := hakamv1.ChanceOutcome_builder{Throw: proto.Int32(3)}
		if game.Turn().GetChanceDue().GetKind() == hakamv1.ChanceKind_CHANCE_KIND_SEAT {
			outcome = hakamv1.ChanceOutcome_builder{Seat: proto.Int32(1)}
		}
		if moves, err := game.Moves(t.Context()); len(moves) != 0 || err != nil {
			t.Errorf("%v %v", moves, err)
		}
		brought := hakamv1.Move_builder{Chance: outcome.Build()}.Build()
		if _, err := game.Play(t.Context(), brought); err != nil {
			t.Fatal(err)
		}
	}
	replays(t, client, game)
}

func TestPlayersAddEntropyToAPreparedSeed(t *testing.T) {
	client := connect(t, address)
	credentials := [][]byte{hakam.NewCredential(), hakam.NewCredential()}
	hashes := [][]byte{hakam.CredentialHash(credentials[0]), hakam.CredentialHash(credentials[1])}
	prepared, err := client.PrepareGame(t.Context(), tjau(), hashes...)
	if err != nil {
		t.Fatal(err)
	}
	game := begin(t, client, tjau(), hakam.WithPreparedSeed(prepared.GetPreparedSeed()),
		hakam.WithEntropy([]byte("north"), []byte("south")), hakam.SealedFor(hashes...),
		hakam.WithCredential(0, credentials[0]), hakam.WithCredential(1, credentials[1]))
	for !game.Over() {
		safely(t, game)
	}
	record, err := game.Record(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(record.GetCommitment(), prepared.GetCommitment()) || string(record.GetSeed().GetEntropy()[1]) != "south" {
		t.Errorf("%v", record)
	}
	replays(t, client, game)
}

func TestTheKeeperMayUsePlainStatesWhereOthersMayNot(t *testing.T) {
	credential := hakam.NewCredential()
	service := start(t, keys, "HAKAM_PLAIN_STATES=keeper", "HAKAM_KEEPER_SHA256="+hex.EncodeToString(hakam.CredentialHash(credential)))
	stranger, keeper := connect(t, service.Address), connect(t, service.Address, hakam.WithKeeper(credential))
	if _, err := stranger.NewGame(t.Context(), tjau()); !errors.Is(err, hakam.ErrNotAllowed) {
		t.Error(err)
	}
	game := begin(t, keeper, tjau())
	safely(t, game)
	if _, err := stranger.Resume(t.Context(), game.State()); !errors.Is(err, hakam.ErrNotAllowed) {
		t.Error(err)
	}
	if _, err := keeper.Resume(t.Context(), game.State()); err != nil {
		t.Error(err)
	}
	sealed := begin(t, keeper, tjau(), hakam.Sealed(), hakam.WithSuppliedChance())
	outcome := hakamv1.ChanceOutcome_builder{Throw: proto.Int32(2)}.Build()
	if _, err := sealed.Play(t.Context(), hakamv1.Move_builder{Chance: outcome}.Build()); err != nil {
		t.Error(err)
	}
}

func TestABatchIsCalledThroughTheService(t *testing.T) {
	client := connect(t, address)
	state := begin(t, client, tjau()).State().Plain()
	item := func(notation string) *hakamv1.ApplyMoveRequest {
		return hakamv1.ApplyMoveRequest_builder{State: state, Move: hakam.Notation(notation)}.Build()
	}
	answer, err := client.Service().BatchApplyMoves(t.Context(), hakamv1.BatchApplyMovesRequest_builder{
		Items: []*hakamv1.ApplyMoveRequest{item("throw"), item("enter")},
	}.Build())
	if err != nil {
		t.Fatal(err)
	}
	if !answer.GetResults()[0].HasApplied() {
		t.Errorf("%v", answer.GetResults()[0])
	}
	if failed := hakam.ItemError(answer.GetResults()[1].GetError()); !errors.Is(failed, hakam.ErrIllegalMove) {
		t.Error(failed)
	}
}
