package hakam

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// attempts is what gRPC in Go leaves out of a service config: a limit for each attempt at a call. A
// replica that is there and silent fails no attempt by itself; one that has run out of its time is
// given up, and the next goes to another replica. All calls are pure, so none can be done twice.
type attempts map[string]attempt

type attempt struct {
	limit time.Duration
	most  int
}

// readAttempts takes the limits out of a service config, by method; "/SERVICE/" is every other.
func readAttempts(config string) (attempts, error) {
	var read struct {
		MethodConfig []struct {
			Name        []struct{ Service, Method string }
			RetryPolicy struct {
				MaxAttempts           int
				PerAttemptRecvTimeout string
			}
		}
	}
	if err := json.Unmarshal([]byte(config), &read); err != nil {
		return nil, fmt.Errorf("hakam: service config: %w", err)
	}
	limits := attempts{}
	for _, methods := range read.MethodConfig {
		limit, err := time.ParseDuration(methods.RetryPolicy.PerAttemptRecvTimeout)
		if err != nil {
			return nil, fmt.Errorf("hakam: service config: %w", err)
		}
		for _, name := range methods.Name {
			limits["/"+name.Service+"/"+name.Method] = attempt{limit, methods.RetryPolicy.MaxAttempts}
		}
	}
	return limits, nil
}

// limit is the interceptor. Each of its attempts is one call to gRPC, which within it sends the
// request again by its own means where a replica ends or dies.
func (a attempts) limit(
	ctx context.Context, method string, request, reply any, connection *grpc.ClientConn,
	invoke grpc.UnaryInvoker, opts ...grpc.CallOption,
) error {
	each, ok := a[method]
	if !ok {
		service, _ := path.Split(method)
		each = a[service]
	}
	for tried := 1; ; tried++ {
		within, cancel := context.WithTimeout(ctx, each.limit)
		err := invoke(within, method, request, reply, connection, opts...)
		cancel()
		if status.Code(err) != codes.DeadlineExceeded || ctx.Err() != nil || tried >= each.most {
			return err
		}
	}
}

// deadline is an interceptor that gives one to each call whose context has none.
func deadline(timeout time.Duration) grpc.UnaryClientInterceptor {
	return func(
		ctx context.Context, method string, request, reply any, connection *grpc.ClientConn,
		invoke grpc.UnaryInvoker, opts ...grpc.CallOption,
	) error {
		if _, has := ctx.Deadline(); !has {
			limited, cancel := context.WithTimeout(ctx, timeout)
			defer cancel()
			ctx = limited
		}
		return invoke(ctx, method, request, reply, connection, opts...)
	}
}
