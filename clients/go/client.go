package hakam

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/resolver"
	"google.golang.org/grpc/resolver/manual"

	"github.com/hakam-referee/hakam/clients/go/hakamv1"
)

// serviceConfig is deploy/client/service_config.json: how calls are balanced and sent again.
//
//go:embed service_config.json
var serviceConfig string

// largestRequest is a little more than the largest request that the service takes by default; gRPC
// sends none again that is longer than its buffer for that.
const largestRequest = 4 << 20

// A Client makes calls to the service. It is safe for concurrent use.
type Client struct {
	connection *grpc.ClientConn
	service    hakamv1.GameServiceClient
	language   hakamv1.Language
	keeper     []byte
}

// New returns a client of the service at target, with TLS by the authorities of the system unless an
// option says otherwise. It connects with the first call.
//
// The target is one HOST:PORT, whose name may have several addresses; a target of gRPC such as
// dns:///hakam:50051; or several HOST:PORT with commas between them. Calls go to all addresses in
// turn, and a call that one does not answer goes to another.
func New(target string, opts ...Option) (*Client, error) {
	o := options{timeout: 10 * time.Second}
	for _, opt := range opts {
		opt(&o)
	}
	addresses := strings.Split(target, ",")
	dial, err := o.dial(addresses)
	if err != nil {
		return nil, err
	}
	if len(addresses) > 1 {
		static := manual.NewBuilderWithScheme("hakam")
		static.InitialState(resolver.State{Endpoints: endpoints(addresses)})
		dial = append(dial, grpc.WithResolvers(static))
		target = "hakam:///" + addresses[0]
	}
	connection, err := grpc.NewClient(target, dial...)
	if err != nil {
		return nil, fmt.Errorf("hakam: %w", err)
	}
	return &Client{connection, hakamv1.NewGameServiceClient(connection), o.language, o.keeper}, nil
}

// dial turns the options into gRPC's.
func (o *options) dial(addresses []string) ([]grpc.DialOption, error) {
	attempts, err := readAttempts(serviceConfig)
	if err != nil {
		return nil, err
	}
	dial := []grpc.DialOption{
		grpc.WithTransportCredentials(o.transport()),
		grpc.WithDefaultServiceConfig(serviceConfig),
		grpc.WithDefaultCallOptions(grpc.MaxRetryRPCBufferSize(largestRequest)),
		grpc.WithChainUnaryInterceptor(typedErrors, deadline(o.timeout), attempts.limit),
		// A replica that comes back is found in a second.
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff: backoff.Config{
				BaseDelay: 100 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: time.Second,
			},
			MinConnectTimeout: 5 * time.Second,
		}),
		// A replica that has calls and says nothing is asked whether it lives, and left. Ten seconds
		// are the least that gRPC allows.
		grpc.WithKeepaliveParams(keepalive.ClientParameters{
			Time: 10 * time.Second, Timeout: 2 * time.Second,
		}),
	}
	if o.failFast {
		dial = append(dial, grpc.WithDefaultCallOptions(grpc.WaitForReady(false)))
	}
	if o.token != "" {
		if o.plaintext && !allLoopback(addresses) {
			return nil, errors.New("hakam: a token is sent in clear to this machine only: use TLS")
		}
		dial = append(dial, grpc.WithPerRPCCredentials(bearer{o.token, !o.plaintext}))
	}
	return append(dial, o.more...), nil
}

// endpoints gives each address the name by which its certificate is judged.
func endpoints(addresses []string) []resolver.Endpoint {
	listed := make([]resolver.Endpoint, len(addresses))
	for i, address := range addresses {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			host = address
		}
		listed[i].Addresses = []resolver.Address{{Addr: address, ServerName: host}}
	}
	return listed
}

func allLoopback(addresses []string) bool {
	for _, address := range addresses {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return false
		}
		ip, err := netip.ParseAddr(host)
		if host != "localhost" && (err != nil || !ip.IsLoopback()) {
			return false
		}
	}
	return true
}

// Close ends the connection. Calls under way fail.
func (c *Client) Close() error { return c.connection.Close() }

// Service is the service as generated from the contract, for calls that have no method here: batches,
// faults of states. They get the same deadline, are sent again alike, and fail with [*Error], too.
func (c *Client) Service() hakamv1.GameServiceClient { return c.service }

// Games returns the catalogue: games, rule sets, options and revisions, with texts in all languages.
func (c *Client) Games(ctx context.Context) (*hakamv1.ListGamesResponse, error) {
	return c.service.ListGames(ctx, &hakamv1.ListGamesRequest{})
}

// Board returns the board of rules as data, and the rules complete. Options may be absent.
func (c *Client) Board(ctx context.Context, rules *hakamv1.Rules) (*hakamv1.GetBoardResponse, error) {
	return c.service.GetBoard(ctx, hakamv1.GetBoardRequest_builder{
		Rules: rules, Language: c.language,
	}.Build())
}

// PrepareGame draws a seed for a game whose players add entropy: the sealed seed is for
// [WithPreparedSeed], the commitment is to be published before anybody gives entropy. With the hashes
// of all seats' credentials the seed serves only a game that is [SealedFor] them.
func (c *Client) PrepareGame(
	ctx context.Context, rules *hakamv1.Rules, hashes ...[]byte,
) (*hakamv1.PrepareGameResponse, error) {
	return c.service.PrepareGame(ctx, hakamv1.PrepareGameRequest_builder{
		Rules: rules, CredentialSha256: hashes, Language: c.language,
	}.Build())
}

// Replay plays a record again from its start. That a record is not the one of a game is an answer and
// no error. A long record may take longer than the default deadline: give the context one.
func (c *Client) Replay(ctx context.Context, record *hakamv1.Record) (*hakamv1.ReplayGameResponse, error) {
	return c.service.ReplayGame(ctx, hakamv1.ReplayGameRequest_builder{
		Record: record, Language: c.language,
	}.Build())
}
