//go:build system

// These tests are given PostgreSQL (BACKEND_DATABASE), Hakam (BACKEND_HAKAM) and the built program
// (BACKEND_PROGRAM), start backends, and are the players: tests/system/test_backend.py runs them.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
	"github.com/jackc/pgx/v5"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	hakam "github.com/hakam-referee/hakam/clients/go"
	"github.com/hakam-referee/hakam/clients/go/hakamv1"
)

const (
	tjau   = `{"tjau": {}}`
	karoti = `{"jackaroo": {"ruleSet": "JACKAROO_RULE_SET_KAROTI"}}`
	trix   = `{"trix": {"ruleSet": "TRIX_RULE_SET_COMPLEX"}}`
)

var (
	database = os.Getenv("BACKEND_DATABASE")
	referee  = os.Getenv("BACKEND_HAKAM")
	program  = os.Getenv("BACKEND_PROGRAM")
)

// A backend is a process of the program.
type backend struct {
	address string
	process *exec.Cmd
}

func start(t *testing.T, flags ...string) *backend {
	t.Helper()
	command := exec.Command(program, append([]string{
		"-listen", "127.0.0.1:0", "-database", database, "-hakam", referee, "-bot", "0s", "-turn", "1m",
	}, flags...)...)
	log, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	b := &backend{process: command}
	t.Cleanup(b.kill)
	lines := bufio.NewScanner(log)
	for b.address == "" && lines.Scan() {
		var entry struct{ Msg, Address string }
		if json.Unmarshal(lines.Bytes(), &entry) == nil && entry.Msg == "serving" {
			b.address = entry.Address
		}
	}
	if b.address == "" {
		t.Fatal("the backend does not serve")
	}
	go func() {
		for lines.Scan() {
			fmt.Fprintln(os.Stderr, lines.Text())
		}
	}()
	return b
}

func (b *backend) kill() {
	b.process.Process.Kill()
	b.process.Wait()
}

// post sends JSON and returns the code and the answer.
func (b *backend) post(t *testing.T, path, body string, answer any) int {
	t.Helper()
	got, err := http.Post("http://"+b.address+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	if got.StatusCode == http.StatusOK {
		if err := json.Unmarshal(text, answer); err != nil {
			t.Fatal(err)
		}
	}
	return got.StatusCode
}

func (b *backend) create(t *testing.T, rules, bots string) string {
	t.Helper()
	var made struct{ Match string }
	if code := b.post(t, "/matches", fmt.Sprintf(`{"rules": %s, "bots": %s}`, rules, bots), &made); code != 200 {
		t.Fatal(code)
	}
	return made.Match
}

// join takes a seat, and sits down there with a phone.
func (b *backend) join(t *testing.T, match string) *phone {
	t.Helper()
	p := &phone{t: t, match: match, dice: rand.New(rand.NewPCG(1, 2))}
	var taken struct {
		Seat  int32
		Token string
	}
	if code := b.post(t, "/matches/"+match+"/seats", "", &taken); code != 200 {
		t.Fatal(code)
	}
	p.seat, p.token = taken.Seat, taken.Token
	p.dial(b, nil)
	return p
}

// A phone is a player's device with one socket. It keeps all that it ever got.
type phone struct {
	t      *testing.T
	match  string
	seat   int32
	token  string
	socket *websocket.Conn
	dice   *rand.Rand
	now    message
	got    []message
}

// A message is anything that a phone gets.
type message struct {
	shown
	refusal
}

func (p *phone) dial(b *backend, seen *int32) {
	p.t.Helper()
	socket, _, err := websocket.Dial(p.t.Context(), "ws://"+b.address+"/socket", nil)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { socket.CloseNow() })
	socket.SetReadLimit(1 << 20)
	p.socket = socket
	p.send(map[string]any{"token": p.token, "language": "ar", "seen": seen})
}

func (p *phone) send(what any) {
	p.t.Helper()
	if err := wsjson.Write(p.t.Context(), p.socket, what); err != nil {
		p.t.Fatal(err)
	}
}

// read waits for a message.
func (p *phone) read() (message, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	_, text, err := p.socket.Read(ctx)
	if err != nil {
		return message{}, err
	}
	var m message
	if err := json.Unmarshal(text, &m); err != nil {
		return m, err
	}
	p.got = append(p.got, m)
	if m.Refused.Reason == "" {
		p.now = m
	}
	return m, nil
}

func (p *phone) next() message {
	p.t.Helper()
	m, err := p.read()
	if err != nil {
		p.t.Fatalf("seat %d at ply %d: %v", p.seat, p.now.Ply, err)
	}
	return m
}

// await reads until something is so.
func (p *phone) await(is func(message) bool) message {
	p.t.Helper()
	for {
		if m := p.next(); is(m) {
			return m
		}
	}
}

func refused(m message) bool { return m.Refused.Reason != "" }

func (m message) over() bool { return bytes.Contains(m.View, []byte(`"outcome"`)) }

// move is one of the legal moves.
func (p *phone) move(index int) moved {
	var listed struct{ Notation string }
	if err := json.Unmarshal(p.now.Moves[index], &listed); err != nil {
		p.t.Error(err)
	}
	return moved{p.now.Ply, listed.Notation}
}

// choose is any of them.
func (p *phone) choose() moved { return p.move(p.dice.IntN(len(p.now.Moves))) }

// play plays until the match is over, or until it has reached a ply.
func (p *phone) play(until int32) error {
	for played := int32(-1); p.now.Ply < until; {
		if len(p.now.Moves) > 0 && p.now.Ply > played {
			played = p.now.Ply
			if err := wsjson.Write(context.Background(), p.socket, p.choose()); err != nil {
				return err
			}
		}
		m, err := p.read()
		if err != nil {
			return err
		}
		if refused(m) {
			return fmt.Errorf("refused: %+v", m.Refused)
		}
		if m.over() {
			return nil
		}
	}
	return nil
}

// together plays with all phones at once.
func together(t *testing.T, until int32, phones ...*phone) {
	t.Helper()
	var all sync.WaitGroup
	for _, p := range phones {
		all.Go(func() {
			if err := p.play(until); err != nil {
				t.Errorf("seat %d at ply %d: %v", p.seat, p.now.Ply, err)
			}
		})
	}
	all.Wait()
	if t.Failed() {
		t.FailNow()
	}
}

const toTheEnd = 1 << 30

func TestTjauThroughTwoBackends(t *testing.T) {
	one, other := start(t), start(t)
	match := one.create(t, tjau, "[]")
	a, b := one.join(t, match), other.join(t, match)
	together(t, toTheEnd, a, b)
	proven(t, match, a, b)
}

func TestKarotiWithBotsAndABackendThatDies(t *testing.T) {
	one, other := start(t), start(t)
	match := one.create(t, karoti, "[1, 3]")
	a, b := one.join(t, match), other.join(t, match)
	if a.seat != 0 || b.seat != 2 {
		t.Fatalf("seats %d and %d", a.seat, b.seat)
	}
	together(t, 60, a, b)

	// A phone that comes back has missed nothing.
	a.socket.CloseNow()
	a.dial(one, &a.now.Ply)
	together(t, 120, a, b)

	// Nor has one whose backend died.
	one.kill()
	for err := error(nil); err == nil; {
		_, err = a.read()
	}
	a.dial(other, &a.now.Ply)
	together(t, toTheEnd, a, b)
	proven(t, match, a, b)
}

func TestComplexTrixWithBots(t *testing.T) {
	one, other := start(t), start(t)
	match := other.create(t, trix, "[0, 3]")
	a, b := one.join(t, match), other.join(t, match)
	together(t, toTheEnd, a, b)
	proven(t, match, a, b)
}

func TestTheSecondOfTwoTapsIsRefused(t *testing.T) {
	only := start(t)
	match := only.create(t, tjau, "[]")
	phones := []*phone{only.join(t, match), only.join(t, match)}
	for range 20 {
		p := acting(t, phones...)
		tap := p.choose()
		p.send(tap)
		p.send(tap)
		no := p.await(refused)
		if no.Refused.Reason != "PLY_MISMATCH" || !strings.ContainsFunc(no.Refused.Text, isArabic) {
			t.Errorf("%+v", no.Refused)
		}
		if m := p.next(); m.Ply <= tap.Ply {
			t.Errorf("then shown ply %d", m.Ply)
		}
	}
	if played := steps(t, match); len(played) != 1+20 {
		t.Errorf("%d steps were kept", len(played))
	}
}

func isArabic(letter rune) bool { return unicode.Is(unicode.Arabic, letter) }

// A player with two devices, on two backends, plays two moves at once.
func TestOfTwoMovesAtOnceOneIsKept(t *testing.T) {
	one, other := start(t), start(t)
	match := one.create(t, karoti, "[1, 2, 3]")
	mobile := one.join(t, match)
	tablet := &phone{t: t, match: match, seat: mobile.seat, token: mobile.token, dice: mobile.dice}
	tablet.dial(other, nil)
	devices := []*phone{mobile, tablet}
	for races := 0; races < 15; {
		acting(t, mobile)
		acting(t, tablet)
		if len(mobile.now.Moves) < 2 {
			forced := mobile.choose()
			mobile.send(forced)
			mobile.await(func(m message) bool { return m.Ply > forced.Ply })
			continue
		}
		races++
		// The refusal of a move that is none comes last.
		for i, device := range devices {
			device.send(device.move(i))
			device.send(moved{device.now.Ply, ""})
		}
		late := make([]int, 2)
		for i, device := range devices {
			for no := device.await(refused); no.Refused.Reason == "PLY_MISMATCH"; no = device.await(refused) {
				late[i]++
			}
		}
		if late[0]+late[1] != 1 {
			t.Errorf("late were %v", late)
		}
	}
}

func TestTheSafeMoveIsPlayedForAPlayerWhoIsAway(t *testing.T) {
	only := start(t, "-turn", "200ms")
	match := only.create(t, tjau, "[]")
	here, away := only.join(t, match), only.join(t, match)
	away.socket.CloseNow()
	here.await(func(m message) bool { return m.Ply >= 4 })
	away.dial(only, &away.now.Ply)
	if m := away.next(); m.Ply < 4 {
		t.Errorf("came back at ply %d", m.Ply)
	}
}

func TestNobodyIsPlayedForBeforeAllHaveJoined(t *testing.T) {
	only := start(t, "-turn", "10ms")
	match := only.create(t, tjau, "[]")
	first := only.join(t, match)
	first.next()
	time.Sleep(500 * time.Millisecond)
	if played := steps(t, match); len(played) != 1 {
		t.Errorf("%d steps", len(played))
	}
	only.join(t, match)
	first.await(func(m message) bool { return m.Ply > 0 })
}

func TestAnIllegalMoveIsRefusedWithItsClause(t *testing.T) {
	only := start(t)
	match := only.create(t, tjau, "[]")
	p := acting(t, only.join(t, match), only.join(t, match))
	p.send(moved{p.now.Ply, "enter"})
	if no := p.await(refused); no.Refused.Reason != "WRONG_PHASE" || no.Refused.Clause != "W5.1" {
		t.Errorf("%+v", no.Refused)
	}
}

func TestWhoHasNoSeatGetsNothing(t *testing.T) {
	only := start(t)
	match := only.create(t, tjau, "[1]")
	only.join(t, match)
	var nothing any
	if code := only.post(t, "/matches/"+match+"/seats", "", &nothing); code != http.StatusNotFound {
		t.Errorf("another seat: %d", code)
	}
	if code := only.post(t, "/matches/none/seats", "", &nothing); code != http.StatusNotFound {
		t.Errorf("another match: %d", code)
	}
	if code := only.post(t, "/matches", `{"rules": {"trix": {"firstOwner": 9}}}`, &nothing); code != http.StatusBadRequest {
		t.Errorf("wrong rules: %d", code)
	}
	stranger := &phone{t: t, token: "guessed"}
	stranger.dial(only, nil)
	if _, err := stranger.read(); websocket.CloseStatus(err) != websocket.StatusPolicyViolation || len(stranger.got) > 0 {
		t.Error(err)
	}
}

// acting waits until all phones show the newest ply, and returns one that is to move.
func acting(t *testing.T, phones ...*phone) *phone {
	t.Helper()
	for {
		played := steps(t, phones[0].match)
		newest := played[len(played)-1].ply
		for _, p := range phones {
			for p.now.View == nil || p.now.Ply < newest {
				p.next()
			}
		}
		for _, p := range phones {
			if len(p.now.Moves) > 0 {
				return p
			}
		}
		time.Sleep(5 * time.Millisecond) // for the bots
	}
}

// A step is how a ply was reached.
type step struct {
	ply    int32
	move   string
	events []json.RawMessage
}

func steps(t *testing.T, match string) []step {
	t.Helper()
	db, err := pgx.Connect(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close(t.Context())
	rows, err := db.Query(t.Context(), "SELECT ply, move, events FROM step WHERE match = $1 ORDER BY ply", match)
	if err != nil {
		t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (s step, err error) {
		return s, row.Scan(&s.ply, &s.move, &s.events)
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// proven plays a finished match again from its seed, and compares every message that a phone ever got
// with what Hakam shows of that ply to its seat: the view, the moves, and the events since the message
// before. No message has a card of another's hand.
func proven(t *testing.T, match string, phones ...*phone) {
	t.Helper()
	client, err := hakam.New(referee, hakam.WithPlaintext())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	last := view(t, phones[0].now)
	game, err := client.NewGame(t.Context(), last.GetRules(), hakam.WithSeed(last.GetReveal().GetSeed()))
	if err != nil {
		t.Fatal(err)
	}
	told := map[*phone][]json.RawMessage{}
	for i, step := range steps(t, match) {
		if i > 0 {
			if _, err := game.Play(t.Context(), hakam.Notation(step.move)); err != nil {
				t.Fatal(err)
			}
		}
		if game.Ply() != step.ply {
			t.Fatalf("ply %d in place of %d", step.ply, game.Ply())
		}
		for _, p := range phones {
			told[p] = append(told[p], step.events...)
			for _, m := range p.got {
				if m.Refused.Reason == "" && m.Ply == step.ply {
					told[p] = p.wasShown(game, m, told[p])
				}
			}
		}
	}
	if !game.Over() {
		t.Error("the match is not over")
	}
}

// wasShown compares a message with a game at its ply, and returns the events that are still to come.
func (p *phone) wasShown(game *hakam.Game, m message, events []json.RawMessage) []json.RawMessage {
	p.t.Helper()
	seen, err := game.ViewOf(p.t.Context(), hakam.Seat(p.seat))
	if err != nil {
		p.t.Fatal(err)
	}
	if m.Seat != p.seat || !proto.Equal(view(p.t, m), seen) {
		p.t.Errorf("seat %d at ply %d was shown %s", p.seat, m.Ply, m.View)
	}
	var moves []*hakamv1.ListedMove
	if game.Turn().HasToAct() && game.Turn().GetToAct() == p.seat {
		if moves, err = game.Moves(p.t.Context(), hakam.WithEffects()); err != nil {
			p.t.Fatal(err)
		}
	}
	if len(m.Moves) != len(moves) {
		p.t.Errorf("seat %d at ply %d had %d moves of %d", p.seat, m.Ply, len(m.Moves), len(moves))
	}
	for i, move := range moves {
		listed := &hakamv1.ListedMove{}
		if err := protojson.Unmarshal(m.Moves[i], listed); err != nil || !proto.Equal(listed, move) {
			p.t.Errorf("seat %d at ply %d had the move %s", p.seat, m.Ply, m.Moves[i])
		}
	}
	if !slices.EqualFunc(m.Events, events, bytesEqual) {
		p.t.Errorf("seat %d at ply %d heard of %d events in place of %d", p.seat, m.Ply, len(m.Events), len(events))
	}
	p.showsNoOtherHand(game.State().Plain(), m)
	return nil
}

func bytesEqual(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

var card = regexp.MustCompile(`CARD_\w+`)

// showsNoOtherHand looks for the cards of others in what a phone was shown of a position. Doubled cards
// are public, also those of deals that are over on the score sheet.
func (p *phone) showsNoOtherHand(state *hakamv1.State, m message) {
	p.t.Helper()
	position := view(p.t, m)
	if position.HasTrix() {
		position.GetTrix().SetSheet(nil)
		position.GetTrix().SetDoubled(nil)
	}
	shown, err := protojson.Marshal(position)
	if err != nil {
		p.t.Fatal(err)
	}
	for _, move := range m.Moves {
		shown = append(shown, move...)
	}
	named := card.FindAllString(string(shown), -1)
	for seat, hand := range hands(state) {
		for _, held := range hand {
			if int32(seat) != p.seat && slices.Contains(named, held.String()) {
				p.t.Errorf("seat %d at ply %d was shown %s of seat %d", p.seat, m.Ply, held, seat)
			}
		}
	}
}

func hands(state *hakamv1.State) (all [][]hakamv1.Card) {
	for _, hand := range state.GetTrix().GetHands() {
		all = append(all, hand.GetCards())
	}
	for _, side := range state.GetJackaroo().GetSides() {
		all = append(all, side.GetHand())
	}
	return all
}

func view(t *testing.T, m message) *hakamv1.View {
	t.Helper()
	seen := &hakamv1.View{}
	if err := protojson.Unmarshal(m.View, seen); err != nil {
		t.Fatal(err)
	}
	return seen
}
