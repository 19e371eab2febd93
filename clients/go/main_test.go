package hakam_test

import (
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"testing"

	hakam "github.com/hakam-referee/hakam/clients/go"
	"github.com/hakam-referee/hakam/clients/go/hakamv1"
	"github.com/hakam-referee/hakam/clients/go/internal/serving"
)

// address is where a service serves that holds keys.
var address string

// Replicas need one key, so that what one has sealed every other opens.
var keys = "HAKAM_KEYS=" + strings.Repeat("0123456789abcdef", 8)

func TestMain(m *testing.M) {
	service, err := serving.Start(keys)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	address = service.Address
	code := m.Run()
	if err := service.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func start(t *testing.T, variables ...string) *serving.Service {
	t.Helper()
	service, err := serving.Start(variables...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(service.Kill)
	return service
}

func connect(t *testing.T, target string, opts ...hakam.Option) *hakam.Client {
	t.Helper()
	client, err := hakam.New(target, append([]hakam.Option{hakam.WithPlaintext()}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

func begin(t *testing.T, client *hakam.Client, rules *hakamv1.Rules, opts ...hakam.NewGameOption) *hakam.Game {
	t.Helper()
	game, err := client.NewGame(t.Context(), rules, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return game
}

func tjau() *hakamv1.Rules { return hakamv1.Rules_builder{Tjau: &hakamv1.TjauRules{}}.Build() }

func trix() *hakamv1.Rules { return hakamv1.Rules_builder{Trix: &hakamv1.TrixRules{}}.Build() }

func seed(t *testing.T, digits string) []byte {
	t.Helper()
	bytes, err := hex.DecodeString(strings.Repeat(digits, 32))
	if err != nil {
		t.Fatal(err)
	}
	return bytes
}
