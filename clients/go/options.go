package hakam

import (
	"context"
	"crypto/tls"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/hakam-referee/hakam/clients/go/hakamv1"
)

// An Option sets up a [Client].
type Option func(*options)

type options struct {
	timeout   time.Duration
	plaintext bool
	tls       *tls.Config
	token     string
	keeper    []byte
	language  hakamv1.Language
	failFast  bool
	more      []grpc.DialOption
}

// WithPlaintext connects without TLS.
func WithPlaintext() Option {
	return func(o *options) { o.plaintext = true }
}

// WithTLS connects with TLS as configured: authorities of one's own, a certificate of the client.
func WithTLS(config *tls.Config) Option {
	return func(o *options) { o.plaintext, o.tls = false, config }
}

// WithToken sends the token that admits to the service. Without TLS it is sent to this machine only;
// [New] fails where the target is another.
func WithToken(token string) Option {
	return func(o *options) { o.token = token }
}

// WithKeeper gives the credential of the service's keeper, for services that take plain states, given
// seeds and supplied chance from their keeper alone.
func WithKeeper(credential []byte) Option {
	return func(o *options) { o.keeper = credential }
}

// WithLanguage asks for texts in a language. The default is English.
func WithLanguage(language hakamv1.Language) Option {
	return func(o *options) { o.language = language }
}

// WithTimeout sets how long a call may take, retries included, if its context has no deadline. The
// default is 10 seconds.
func WithTimeout(timeout time.Duration) Option {
	return func(o *options) { o.timeout = timeout }
}

// WithFailFast makes calls fail with [ErrUnavailable], after a few attempts in about a second, where
// no replica can be reached. By default they wait for one until their deadline.
func WithFailFast() Option {
	return func(o *options) { o.failFast = true }
}

// WithDialOptions adds options of gRPC, such as interceptors or statistics.
func WithDialOptions(more ...grpc.DialOption) Option {
	return func(o *options) { o.more = append(o.more, more...) }
}

func (o *options) transport() credentials.TransportCredentials {
	if o.plaintext {
		return insecure.NewCredentials()
	}
	return credentials.NewTLS(o.tls)
}

// bearer is the token of admission, as metadata of every call.
type bearer struct {
	token  string
	secure bool
}

func (b bearer) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return map[string]string{"authorization": "Bearer " + b.token}, nil
}

func (b bearer) RequireTransportSecurity() bool { return b.secure }
