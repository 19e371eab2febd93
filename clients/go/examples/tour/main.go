// Command tour does every task of docs/clients.md, which shows its regions: tour ADDRESSES TLS CA TOKEN
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	hakam "github.com/hakam-referee/hakam/clients/go"
	"github.com/hakam-referee/hakam/clients/go/hakamv1"
)

func secure(ctx context.Context, address, authority, token string) error {
	// region secure
	pem, err := os.ReadFile(authority)
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	client, err := hakam.New(address, hakam.WithTLS(&tls.Config{RootCAs: roots}), hakam.WithToken(token))
	if err != nil {
		return err
	}
	defer client.Close()
	catalogue, err := client.Games(ctx)
	// endregion
	fmt.Println(len(catalogue.GetGames()))
	return err
}

func play(ctx context.Context, client *hakam.Client) error {
	// region play
	rules := hakamv1.Rules_builder{Trix: hakamv1.TrixRules_builder{
		RuleSet: hakamv1.TrixRuleSet_TRIX_RULE_SET_COMPLEX,
	}.Build()}.Build()
	game, err := client.NewGame(ctx, rules)
	if err != nil {
		return err
	}
	for !game.Over() {
		moves, err := game.Moves(ctx)
		if err != nil {
			return err
		}
		if _, err := game.Play(ctx, moves[0].GetMove()); err != nil {
			return err
		}
	}
	fmt.Println(game.Outcome(), len(game.Events()))
	// endregion
	// region fairness
	record, err := game.Record(ctx)
	if err != nil {
		return err
	}
	replayed, err := client.Replay(ctx, record)
	if err != nil {
		return err
	}
	view, err := game.ViewOf(ctx, hakam.Spectator())
	fmt.Println(replayed.HasReplayed(), hakam.Digest(view))
	// endregion
	return err
}

func look(ctx context.Context, client *hakam.Client) error {
	rules := hakamv1.Rules_builder{Jackaroo: &hakamv1.JackarooRules{}}.Build()
	game, err := client.NewGame(ctx, rules)
	if err != nil {
		return err
	}
	// region view
	own, err := game.ViewOf(ctx, hakam.Seat(2))
	if err != nil {
		return err
	}
	everybody, err := game.ViewOf(ctx, hakam.Spectator())
	fmt.Println(own.GetJackaroo().GetHand(), everybody.GetJackaroo().GetDiscard())
	// endregion
	if err != nil {
		return err
	}
	// region errors
	_, err = game.Play(ctx, hakam.Notation("2C 0.0+2"))
	if failed := (*hakam.Error)(nil); errors.Is(err, hakam.ErrIllegalMove) && errors.As(err, &failed) {
		fmt.Println(failed.Reason, failed.Violation.GetClause(), failed.Text)
	}
	// endregion
	// region deadline
	soon, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
	defer cancel()
	moves, err := game.Moves(soon)
	// endregion
	if err != nil {
		return err
	}
	move := moves[0].GetMove()
	// region stale
	onScreen := game.Ply()
	_, err = game.Play(ctx, move, hakam.ExpectPly(onScreen))
	if err != nil {
		return err
	}
	_, err = game.Play(ctx, move, hakam.ExpectPly(onScreen))
	fmt.Println(errors.Is(err, hakam.ErrStaleMove))
	// endregion
	// region resume
	stored := game.State()
	later, err := client.Resume(ctx, stored)
	// endregion
	if err == nil && later.Ply() != game.Ply() {
		return errors.New("another game")
	}
	return err
}

func sealed(ctx context.Context, client *hakam.Client) error {
	// region sealed
	mine, hers := hakam.NewCredential(), hakam.NewCredential()
	rules := hakamv1.Rules_builder{Tjau: &hakamv1.TjauRules{}}.Build()
	table, err := client.NewGame(ctx, rules,
		hakam.SealedFor(hakam.CredentialHash(mine), hakam.CredentialHash(hers)))
	if err != nil {
		return err
	}
	game, err := client.Resume(ctx, table.State(), hakam.WithSeat(0), hakam.WithCredential(0, mine))
	if err != nil {
		return err
	}
	if _, err = game.Play(ctx, hakam.Notation("throw")); err != nil {
		return err
	}
	_, err = table.Update(ctx, game.State())
	// endregion
	if err == nil && table.Ply() != game.Ply() {
		return errors.New("another position")
	}
	return err
}

func run(addresses, tls, authority, token string) error {
	ctx := context.Background()
	if err := secure(ctx, tls, authority, token); err != nil {
		return err
	}
	// region connect
	client, err := hakam.New(addresses, hakam.WithPlaintext(),
		hakam.WithLanguage(hakamv1.Language_LANGUAGE_AR), hakam.WithTimeout(5*time.Second))
	// endregion
	if err != nil {
		return err
	}
	defer client.Close()
	return errors.Join(play(ctx, client), look(ctx, client), sealed(ctx, client))
}

func main() {
	if err := run(os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		log.Fatal(err)
	}
}
