package hakam_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"

	hakam "github.com/hakam-referee/hakam/clients/go"
	"github.com/hakam-referee/hakam/clients/go/hakamv1"
)

func Example() {
	client, err := hakam.New(address, hakam.WithPlaintext())
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	ctx := context.Background()
	rules := hakamv1.Rules_builder{Tjau: &hakamv1.TjauRules{}}.Build()
	game, err := client.NewGame(ctx, rules, hakam.WithSeed(bytes.Repeat([]byte{7}, 32)))
	if err != nil {
		log.Fatal(err)
	}
	for !game.Over() {
		moves, err := game.Moves(ctx)
		if err != nil {
			log.Fatal(err)
		}
		if _, err := game.Play(ctx, moves[0].GetMove()); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println("won by seats", game.Outcome().GetWinners())
	// Output: won by seats [1]
}

func ExampleClient_Resume() {
	client, err := hakam.New(address, hakam.WithPlaintext())
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	ctx := context.Background()
	rules := hakamv1.Rules_builder{Trix: &hakamv1.TrixRules{}}.Build()
	begun, err := client.NewGame(ctx, rules, hakam.Sealed(), hakam.WithSeed(bytes.Repeat([]byte{7}, 32)))
	if err != nil {
		log.Fatal(err)
	}
	stored, credential := begun.State().Sealed(), begun.Credential(2)

	// Later, for the player of seat 2:
	game, err := client.Resume(ctx, hakam.SealedState(stored),
		hakam.WithSeat(2), hakam.WithCredential(2, credential))
	if err != nil {
		log.Fatal(err)
	}
	view, err := game.View(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(view.GetTrix().GetHand()), "cards at ply", game.Ply())
	// Output: 13 cards at ply 1
}

func ExampleError() {
	client, err := hakam.New(address, hakam.WithPlaintext(), hakam.WithLanguage(hakamv1.Language_LANGUAGE_EN))
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	ctx := context.Background()
	game, err := client.NewGame(ctx, hakamv1.Rules_builder{Tjau: &hakamv1.TjauRules{}}.Build())
	if err != nil {
		log.Fatal(err)
	}
	_, err = game.Play(ctx, hakam.Notation("enter"))
	switch refused, _ := errors.AsType[*hakam.Error](err); {
	case errors.Is(err, hakam.ErrStaleMove):
		fmt.Println("the game has gone on")
	case errors.Is(err, hakam.ErrIllegalMove):
		fmt.Println(refused.Reason, refused.Violation.GetClause())
		fmt.Println(refused.Text)
	default:
		log.Fatal(err)
	}
	// Output:
	// WRONG_PHASE W5.1
	// A turn is a throw and then one move with it.
}

func ExampleExpectPly() {
	client, err := hakam.New(address, hakam.WithPlaintext())
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	ctx := context.Background()
	game, err := client.NewGame(ctx, hakamv1.Rules_builder{Tjau: &hakamv1.TjauRules{}}.Build())
	if err != nil {
		log.Fatal(err)
	}
	seen := game.Ply()
	for range 2 { // a double tap
		_, err := game.Play(ctx, hakam.Notation("throw"), hakam.ExpectPly(seen))
		fmt.Println("stale:", errors.Is(err, hakam.ErrStaleMove))
	}
	// Output:
	// stale: false
	// stale: true
}

func ExampleDigest() {
	view := hakamv1.View_builder{Text: "game=tjau revision=1 rule_set=egyptian board=egyptian pieces=7 " +
		"mark_protects=true first=0 ply=0 | throw seat=0 cones=-/0 spools=-/0"}.Build()
	fmt.Println(hakam.Digest(view))
	// Output: ca8461970b23a7fa2a4a178516a3b0c2eadb25dceefbd7b8a2bc03e4b7d8867b
}
