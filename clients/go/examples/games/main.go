// Command games plays a game of each kind with random legal moves, and prints how its board looks at
// the end. It takes the address of the service.
package main

import (
	"context"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"strings"

	hakam "github.com/hakam-referee/hakam/clients/go"
	"github.com/hakam-referee/hakam/clients/go/hakamv1"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: games HOST:PORT")
	}
	client, err := hakam.New(os.Args[1], hakam.WithPlaintext())
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	for _, rules := range []*hakamv1.Rules{
		hakamv1.Rules_builder{Tjau: &hakamv1.TjauRules{}}.Build(),
		hakamv1.Rules_builder{Trix: &hakamv1.TrixRules{}}.Build(),
		hakamv1.Rules_builder{Jackaroo: &hakamv1.JackarooRules{}}.Build(),
	} {
		if err := play(context.Background(), client, rules); err != nil {
			log.Fatal(err)
		}
	}
}

func play(ctx context.Context, client *hakam.Client, rules *hakamv1.Rules) error {
	board, err := client.Board(ctx, rules)
	if err != nil {
		return err
	}
	game, err := client.NewGame(ctx, rules)
	if err != nil {
		return err
	}
	moves, err := game.Moves(ctx)
	if err != nil {
		return err
	}
	for !game.Over() {
		move := moves[rand.IntN(len(moves))]
		played, err := game.Play(ctx, move.GetMove(), hakam.WithMoves())
		if err != nil {
			return err
		}
		moves = played.GetMoves()
	}
	view, err := game.ViewOf(ctx, hakam.Spectator())
	if err != nil {
		return err
	}
	fmt.Println(view.GetText())
	fmt.Println(draw(board.GetBoard(), view))
	fmt.Printf("seats %v won after %d moves\n\n", game.Outcome().GetWinners(), game.Ply())
	return nil
}

var marks = map[hakamv1.CellKind]string{
	hakamv1.CellKind_CELL_KIND_MARK:  "*",
	hakamv1.CellKind_CELL_KIND_START: "+",
	hakamv1.CellKind_CELL_KIND_GOAL:  "o",
	hakamv1.CellKind_CELL_KIND_BASE:  ":",
}

// draw puts the number of a seat on each cell where it has a piece.
func draw(board *hakamv1.Board, view *hakamv1.View) string {
	pieces := occupied(board, view)
	var rows [][]string
	for _, cell := range board.GetCells() {
		x, y := int(math.Round(2*cell.GetX())), int(math.Round(cell.GetY()))
		for len(rows) <= y {
			rows = append(rows, nil)
		}
		for len(rows[y]) <= x {
			rows[y] = append(rows[y], " ")
		}
		rows[y][x] = "."
		if mark, ok := marks[cell.GetKind()]; ok {
			rows[y][x] = mark
		}
		if seat, ok := pieces[cell.GetId()]; ok {
			rows[y][x] = fmt.Sprint(seat)
		}
	}
	var drawn strings.Builder
	for _, row := range rows {
		fmt.Fprintln(&drawn, strings.Join(row, ""))
	}
	return drawn.String()
}

// occupied has the seat of each cell with a piece.
func occupied(board *hakamv1.Board, view *hakamv1.View) map[int32]int {
	seats := map[int32]int{}
	for seat, side := range view.GetJackaroo().GetSides() {
		for _, cell := range side.GetMarbles() {
			seats[cell] = seat
		}
	}
	for seat, side := range view.GetTjau().GetSides() {
		for _, square := range side.GetSquares() {
			seats[board.GetPaths()[seat].GetCells()[square-1]] = seat
		}
	}
	return seats
}
