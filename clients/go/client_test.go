package hakam_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"

	hakam "github.com/hakam-referee/hakam/clients/go"
	"github.com/hakam-referee/hakam/clients/go/hakamv1"
)

func TestTheCatalogueAndTheBoards(t *testing.T) {
	client := connect(t, address)
	catalogue, err := client.Games(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, game := range catalogue.GetGames() {
		for _, set := range game.GetRuleSets() {
			board, err := client.Board(t.Context(), set.GetRules())
			if err != nil || board.GetBoard().GetSeats() != set.GetSeats() {
				t.Errorf("%s %s: %v %v", game.GetId(), set.GetName(), board, err)
			}
		}
	}
	if len(catalogue.GetGames()) < 3 {
		t.Errorf("%d games", len(catalogue.GetGames()))
	}
}

func TestTextsAreInTheLanguageOfTheClient(t *testing.T) {
	for language, part := range map[hakamv1.Language]string{
		hakamv1.Language_LANGUAGE_EN: "turn",
		hakamv1.Language_LANGUAGE_AR: "دور",
	} {
		client := connect(t, address, hakam.WithLanguage(language))
		game := begin(t, client, tjau(), hakam.WithSeed(seed(t, "01")))
		wrong, err := client.Resume(t.Context(), game.State(), hakam.WithSeat(1-game.Turn().GetToAct()))
		if err != nil {
			t.Fatal(err)
		}
		_, err = wrong.Play(t.Context(), hakam.Notation("throw"))
		got, ok := errors.AsType[*hakam.Error](err)
		if !ok || !strings.Contains(got.Text, part) {
			t.Errorf("%v: %v", language, err)
		}
	}
}

func TestADeadlineOfTheContextIsTheOneThatHolds(t *testing.T) {
	client := connect(t, unused(t), hakam.WithTimeout(time.Hour))
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := client.Games(ctx)
	if !errors.Is(err, hakam.ErrDeadlineExceeded) || !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func TestACancelledCallIsNotSentAgain(t *testing.T) {
	client := connect(t, unused(t))
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	began := time.Now()
	if _, err := client.Games(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if waited := time.Since(began); waited > 8*time.Second {
		t.Errorf("waited %s", waited)
	}
}

func TestOptionsOfGRPCAreAdded(t *testing.T) {
	var called []string
	client := connect(t, address, hakam.WithDialOptions(grpc.WithChainUnaryInterceptor(func(
		ctx context.Context, method string, request, reply any, connection *grpc.ClientConn,
		invoke grpc.UnaryInvoker, opts ...grpc.CallOption,
	) error {
		called = append(called, method)
		return invoke(ctx, method, request, reply, connection, opts...)
	})))
	if _, err := client.Games(t.Context()); err != nil || len(called) != 1 {
		t.Errorf("%v: %v", called, err)
	}
}

func TestATokenAdmits(t *testing.T) {
	token := "hakam_" + strings.Repeat("a", 43)
	sum := sha256.Sum256([]byte(token))
	file := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(file, []byte(hex.EncodeToString(sum[:])+"  tests\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	service := start(t, "HAKAM_TOKENS_FILE="+file)
	if _, err := connect(t, service.Address).Games(t.Context()); !errors.Is(err, hakam.ErrUnauthenticated) {
		t.Error(err)
	}
	if _, err := connect(t, service.Address, hakam.WithToken(token)).Games(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestATokenIsNotSentToOthersInClear(t *testing.T) {
	for _, target := range []string{"192.0.2.1:50051", "127.0.0.1:1,192.0.2.1:50051", "dns:///localhost:50051"} {
		if _, err := hakam.New(target, hakam.WithPlaintext(), hakam.WithToken("hakam_x")); err == nil {
			t.Errorf("sent to %s", target)
		}
		client, err := hakam.New(target, hakam.WithToken("hakam_x"))
		if err != nil {
			t.Fatal(err)
		}
		client.Close()
	}
	for _, target := range []string{"127.0.0.1:50051", "[::1]:50051,localhost:50051"} {
		connect(t, target, hakam.WithToken("hakam_x"))
	}
}

func TestTLSWithAnAuthorityAndACertificateOfOnesOwn(t *testing.T) {
	authority := newAuthority(t)
	server, user := authority.sign(t, "localhost"), authority.sign(t, "user")
	folder := t.TempDir()
	variables := []string{
		"HAKAM_TLS_CERT_FILE=" + write(t, folder, "cert", server.Certificate[0]),
		"HAKAM_TLS_KEY_FILE=" + write(t, folder, "key", key(t, server)),
		"HAKAM_TLS_CLIENT_CA_FILE=" + write(t, folder, "ca", authority.Certificate[0]),
	}
	one, other := start(t, variables...), start(t, variables...)
	_, port, err := net.SplitHostPort(other.Address)
	if err != nil {
		t.Fatal(err)
	}
	both := one.Address + ",localhost:" + port
	roots := x509.NewCertPool()
	roots.AddCert(authority.Leaf)
	for name, tried := range map[string]struct {
		config *tls.Config
		want   error
	}{
		"both":                  {&tls.Config{RootCAs: roots, Certificates: []tls.Certificate{user}}, nil},
		"none of the client":    {&tls.Config{RootCAs: roots}, hakam.ErrUnavailable},
		"an unknown authority":  {&tls.Config{Certificates: []tls.Certificate{user}}, hakam.ErrUnavailable},
		"another than expected": {&tls.Config{RootCAs: roots, ServerName: "other"}, hakam.ErrUnavailable},
	} {
		client, err := hakam.New(both, hakam.WithTLS(tried.config), hakam.WithFailFast())
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // one call to each
			if _, err := client.Games(t.Context()); !errors.Is(err, tried.want) {
				t.Errorf("%s: %v", name, err)
			}
		}
		client.Close()
	}
}

// authority signs certificates.
type authority tls.Certificate

func newAuthority(t *testing.T) authority {
	t.Helper()
	return authority(certificate(t, &x509.Certificate{
		Subject: pkix.Name{CommonName: "authority"}, IsCA: true, BasicConstraintsValid: true,
	}, nil))
}

func (a authority) sign(t *testing.T, name string) tls.Certificate {
	t.Helper()
	return certificate(t, &x509.Certificate{
		Subject: pkix.Name{CommonName: name}, DNSNames: []string{name}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}, (*tls.Certificate)(&a))
}

// certificate is one signed by an authority, or by itself.
func certificate(t *testing.T, template *x509.Certificate, by *tls.Certificate) tls.Certificate {
	t.Helper()
	own, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template.SerialNumber = big.NewInt(time.Now().UnixNano())
	template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	if by == nil {
		by = &tls.Certificate{Leaf: template, PrivateKey: own}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, by.Leaf, own.Public(), by.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: own, Leaf: leaf}
}

func key(t *testing.T, certificate tls.Certificate) []byte {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(certificate.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

// write puts a certificate or a key into a file.
func write(t *testing.T, folder, name string, der []byte) string {
	t.Helper()
	kind := "CERTIFICATE"
	if name == "key" {
		kind = "PRIVATE KEY"
	}
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
