// Command games plays recorded games, move by move, through the services at some addresses, and says
// how each ends. It shows that a client works; the games are those of proto/testdata/games.
//
//	games ADDRESSES FOLDER plain|sealed
package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"google.golang.org/protobuf/encoding/protojson"

	hakam "github.com/hakam-referee/hakam/clients/go"
	"github.com/hakam-referee/hakam/clients/go/hakamv1"
)

func main() {
	if len(os.Args) != 4 || os.Args[3] != "plain" && os.Args[3] != "sealed" {
		fmt.Fprintln(os.Stderr, "usage: games ADDRESSES FOLDER plain|sealed")
		os.Exit(2)
	}
	if err := run(context.Background(), os.Args[1], os.Args[2], os.Args[3] == "sealed"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, addresses, folder string, sealed bool) error {
	client, err := hakam.New(addresses, hakam.WithPlaintext())
	if err != nil {
		return err
	}
	defer client.Close()
	paths, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		if err := play(ctx, client, path, sealed); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

func play(ctx context.Context, client *hakam.Client, path string, sealed bool) error {
	recorded, err := read(path)
	if err != nil {
		return err
	}
	fmt.Println("start", recorded.Name)
	game, err := recorded.begin(ctx, client, sealed)
	if err != nil {
		return err
	}
	for i, notation := range recorded.Moves {
		move := hakam.Notation(notation)
		if i%10 == 0 {
			if move, err = listed(ctx, game, notation); err != nil {
				return err
			}
		}
		if _, err := game.Play(ctx, move); err != nil {
			return fmt.Errorf("move %d, %s: %w", i, notation, err)
		}
		if played := i + 1; played%25 == 0 {
			fmt.Println("at", recorded.Name, game.Ply())
		}
	}
	if !game.Over() {
		return fmt.Errorf("the game is not over after %d moves", len(recorded.Moves))
	}
	view, err := game.ViewOf(ctx, hakam.Spectator())
	if err != nil {
		return err
	}
	fmt.Println("end", recorded.Name, hakam.Digest(view))
	return nil
}

// listed is the typed move of a notation, which must be legal.
func listed(ctx context.Context, game *hakam.Game, notation string) (*hakamv1.Move, error) {
	moves, err := game.Moves(ctx)
	if err != nil {
		return nil, err
	}
	for _, move := range moves {
		if move.GetNotation() == notation {
			return move.GetMove(), nil
		}
	}
	return nil, fmt.Errorf("%s is not among the legal moves at ply %d", notation, game.Ply())
}

// recording is a game as it is recorded.
type recording struct {
	Name        string
	Rules       json.RawMessage
	Seed        hexadecimal
	Credentials []hexadecimal
	Moves       []string
}

type hexadecimal []byte

func (h *hexadecimal) UnmarshalText(text []byte) error {
	bytes, err := hex.AppendDecode(nil, text)
	*h = bytes
	return err
}

func read(path string) (*recording, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var recorded recording
	return &recorded, json.Unmarshal(text, &recorded)
}

func (r *recording) begin(ctx context.Context, client *hakam.Client, sealed bool) (*hakam.Game, error) {
	rules := &hakamv1.Rules{}
	if err := protojson.Unmarshal(r.Rules, rules); err != nil {
		return nil, err
	}
	opts := []hakam.NewGameOption{hakam.WithSeed(r.Seed)}
	if sealed {
		hashes := make([][]byte, len(r.Credentials))
		for seat, credential := range r.Credentials {
			hashes[seat] = hakam.CredentialHash(credential)
			opts = append(opts, hakam.WithCredential(int32(seat), credential))
		}
		opts = append(opts, hakam.SealedFor(hashes...))
	}
	return client.NewGame(ctx, rules, opts...)
}
