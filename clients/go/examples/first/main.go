// Command first starts a game and plays its first move.
package main

import (
	"context"
	"fmt"
	"log"

	hakam "github.com/hakam-referee/hakam/clients/go"
	"github.com/hakam-referee/hakam/clients/go/hakamv1"
)

func main() {
	client, err := hakam.New("127.0.0.1:50051", hakam.WithPlaintext())
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	ctx := context.Background()
	game, err := client.NewGame(ctx, hakamv1.Rules_builder{Tjau: &hakamv1.TjauRules{}}.Build())
	if err != nil {
		log.Fatal(err)
	}
	played, err := game.Play(ctx, hakam.Notation("throw"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(played.GetNotation(), played.GetEvents())
}
