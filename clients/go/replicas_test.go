package hakam_test

import (
	"errors"
	"net"
	"testing"
	"time"

	hakam "github.com/hakam-referee/hakam/clients/go"
	"github.com/hakam-referee/hakam/clients/go/hakamv1"
)

// took is how long a call takes that must not fail.
func took(t *testing.T, client *hakam.Client) time.Duration {
	t.Helper()
	began := time.Now()
	if _, err := client.Games(t.Context()); err != nil {
		t.Fatal(err)
	}
	return time.Since(began)
}

// safely plays the safe automatic move.
func safely(t *testing.T, game *hakam.Game) *hakamv1.ApplyMoveResponse {
	t.Helper()
	moves, err := game.Moves(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	answer, err := game.Play(t.Context(), moves[0].GetMove())
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

func TestAGameOutlivesAReplica(t *testing.T) {
	t.Parallel()
	one, other := start(t, keys), start(t, keys)
	client := connect(t, one.Address+","+other.Address)
	game := begin(t, client, tjau(), hakam.Sealed())
	for range 10 {
		safely(t, game)
	}
	one.Kill()
	for !game.Over() {
		safely(t, game)
	}
}

func TestACallWaitsForAReplicaThatComesBack(t *testing.T) {
	t.Parallel()
	gone := start(t)
	client := connect(t, gone.Address)
	took(t, client)
	_, port, err := net.SplitHostPort(gone.Address)
	if err != nil {
		t.Fatal(err)
	}
	gone.Kill()
	answered := make(chan error)
	go func() {
		_, err := client.Games(t.Context())
		answered <- err
	}()
	start(t, "HAKAM_PORT="+port)
	if err := <-answered; err != nil {
		t.Error(err)
	}
}

// A paused replica keeps its connection and answers nothing. Each attempt at it is given up after two
// seconds; after ten, gRPC asks whether it lives, and two seconds later leaves it.
func TestAPausedReplicaIsLeft(t *testing.T) {
	const stall = 1900 * time.Millisecond
	t.Parallel()
	one, other := start(t), start(t)
	client := connect(t, one.Address+","+other.Address)
	for range 4 {
		took(t, client)
	}
	if err := one.Pause(); err != nil {
		t.Fatal(err)
	}
	paused := time.Now()
	stalls := 0
	for time.Since(paused) < 14*time.Second {
		if took(t, client) > stall {
			stalls++
		}
	}
	if stalls == 0 {
		t.Error("the paused replica was never asked")
	}
	for range 20 {
		if stalled := took(t, client); stalled > stall {
			t.Errorf("a call took %s long after the pause", stalled)
		}
	}
}

func TestWhereNobodyAnswersACallEndsWithItsDeadline(t *testing.T) {
	t.Parallel()
	alone := start(t)
	client := connect(t, alone.Address, hakam.WithTimeout(time.Second))
	took(t, client)
	if err := alone.Pause(); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if _, err := client.Games(t.Context()); !errors.Is(err, hakam.ErrDeadlineExceeded) {
		t.Error(err)
	}
	if waited := time.Since(began); waited < 900*time.Millisecond || waited > 8*time.Second {
		t.Errorf("waited %s", waited)
	}
}

func TestWhereThereIsNoServiceACallWaitsOrFailsAtOnceAsAsked(t *testing.T) {
	t.Parallel()
	nobody := unused(t)
	waiting := connect(t, nobody, hakam.WithTimeout(time.Second))
	if _, err := waiting.Games(t.Context()); !errors.Is(err, hakam.ErrDeadlineExceeded) {
		t.Error(err)
	}
	failing := connect(t, nobody, hakam.WithFailFast())
	began := time.Now()
	if _, err := failing.Games(t.Context()); !errors.Is(err, hakam.ErrUnavailable) {
		t.Error(err)
	}
	if waited := time.Since(began); waited > 8*time.Second {
		t.Errorf("waited %s", waited)
	}
}

// unused is an address of this machine at which nobody listens.
func unused(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}
