package hakam

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/hakam-referee/hakam/clients/go/hakamv1"
)

// The kinds of errors, for [errors.Is]. What an error says beyond its kind, [*Error] has.
var (
	// ErrIllegalMove is a move that may not be played: Error.Violation says why.
	ErrIllegalMove = errors.New("hakam: illegal move")
	// ErrStaleMove is a request about another ply than that of the state, such as the second of two
	// taps. Nothing was played. It is an ErrIllegalMove, too.
	ErrStaleMove = errors.New("hakam: stale move")
	// ErrInvalidRequest is a request, a state or a seal that cannot be: Error.Faults has the fields.
	ErrInvalidRequest = errors.New("hakam: invalid request")
	// ErrUnauthenticated is a missing credential or token.
	ErrUnauthenticated = errors.New("hakam: unauthenticated")
	// ErrNotAllowed is a wrong credential, or a plain state where only the keeper may use one.
	ErrNotAllowed = errors.New("hakam: not allowed")
	// ErrLimitExceeded is a request, an answer, a batch or a record that is too large.
	ErrLimitExceeded = errors.New("hakam: limit exceeded")
	// ErrUnavailable is a service that could not be reached or would not take the call, after all
	// attempts.
	ErrUnavailable = errors.New("hakam: unavailable")
	// ErrDeadlineExceeded is a call without an answer in time. It is a context.DeadlineExceeded, too.
	ErrDeadlineExceeded = errors.New("hakam: deadline exceeded")
	// ErrUnsupported is a call that this release of the service does not have.
	ErrUnsupported = errors.New("hakam: unsupported")
	// ErrServiceFault is a fault of the service: its log has Error.Metadata["id"].
	ErrServiceFault = errors.New("hakam: fault of the service")
)

var kinds = map[codes.Code]error{
	codes.FailedPrecondition: ErrIllegalMove,
	codes.InvalidArgument:    ErrInvalidRequest,
	codes.Unauthenticated:    ErrUnauthenticated,
	codes.PermissionDenied:   ErrNotAllowed,
	codes.ResourceExhausted:  ErrLimitExceeded,
	codes.Unavailable:        ErrUnavailable,
	codes.DeadlineExceeded:   ErrDeadlineExceeded,
	codes.Unimplemented:      ErrUnsupported,
	codes.Internal:           ErrServiceFault,
}

// Error is what a call to the service fails with. Branch on its kind by [errors.Is], and on the
// reason; the text is for people.
type Error struct {
	// Code is the status of gRPC.
	Code codes.Code
	// Reason is the service's, such as MUST_FOLLOW_SUIT: a name of [hakamv1.Reason] without the
	// prefix, or one that this release of the client does not know. Empty where the error is not the
	// service's own but of something on the way.
	Reason string
	// Text is for people, in the language of the client if the error is the service's own.
	Text string
	// Metadata has ids and numbers. Nil where the error is not the service's own.
	Metadata map[string]string
	// Violation is why a move is illegal. Nil in errors of other kinds.
	Violation *hakamv1.Violation
	// Faults are the fields at fault, as many as the error had room for. In an error of a call the
	// allowed values stand in the detail.
	Faults []*hakamv1.Fault
	// FaultCount is the number of all faults.
	FaultCount int

	status *status.Status
}

// Error is the text with the code and the reason.
func (e *Error) Error() string {
	if e.Reason == "" {
		return fmt.Sprintf("hakam: %s (%s)", e.Text, e.Code)
	}
	return fmt.Sprintf("hakam: %s (%s)", e.Text, e.Reason)
}

// Is reports whether the error is of a kind.
func (e *Error) Is(target error) bool {
	switch target {
	case ErrStaleMove:
		return e.Reason == reasonName(hakamv1.Reason_REASON_PLY_MISMATCH)
	case context.DeadlineExceeded:
		return e.Code == codes.DeadlineExceeded
	case context.Canceled:
		return e.Code == codes.Canceled
	}
	kind, ok := kinds[e.Code]
	return ok && kind == target
}

// GRPCStatus is the status of gRPC with all its details, as [status.FromError] finds it.
func (e *Error) GRPCStatus() *status.Status { return e.status }

// ItemError is the error of one item of a batch: the one that the same request alone would get.
func ItemError(item *hakamv1.CallError) *Error {
	e := &Error{
		Code:       codes.Code(item.GetCode()),
		Reason:     reasonName(item.GetReason()),
		Text:       item.GetMessage(),
		Violation:  item.GetViolation(),
		Faults:     item.GetFaults(),
		FaultCount: int(item.GetFaultCount()),
	}
	e.status = status.New(e.Code, e.Text)
	return e
}

func reasonName(reason hakamv1.Reason) string {
	return strings.TrimPrefix(reason.String(), "REASON_")
}

// typedErrors is an interceptor that makes every error an *Error.
func typedErrors(
	ctx context.Context, method string, request, reply any, connection *grpc.ClientConn,
	invoke grpc.UnaryInvoker, opts ...grpc.CallOption,
) error {
	if err := invoke(ctx, method, request, reply, connection, opts...); err != nil {
		return fromStatus(status.Convert(err))
	}
	return nil
}

// fromStatus reads the details of a status. What it does not know, it passes over.
func fromStatus(s *status.Status) *Error {
	e := &Error{Code: s.Code(), Text: s.Message(), status: s}
	for _, detail := range s.Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			if detail.GetDomain() == "hakam" {
				e.Reason, e.Metadata = detail.GetReason(), detail.GetMetadata()
			}
		case *errdetails.LocalizedMessage:
			e.Text = detail.GetMessage()
		case *errdetails.BadRequest:
			e.Faults = faults(detail)
		}
	}
	e.FaultCount = len(e.Faults)
	if count, err := strconv.Atoi(e.Metadata["faults"]); err == nil {
		e.FaultCount = count
	}
	if e.Code == codes.FailedPrecondition && e.Reason != "" {
		e.Violation = e.violation()
	}
	return e
}

func faults(request *errdetails.BadRequest) []*hakamv1.Fault {
	var all []*hakamv1.Fault
	for _, field := range request.GetFieldViolations() {
		all = append(all, hakamv1.Fault_builder{
			Path: field.GetField(), Reason: reason(field.GetReason()), Detail: field.GetDescription(),
		}.Build())
	}
	return all
}

// violation gathers what the metadata say of an illegal move.
func (e *Error) violation() *hakamv1.Violation {
	return hakamv1.Violation_builder{
		Reason: reason(e.Reason),
		Clause: e.Metadata["clause"],
		Text:   e.Text,
		Seat:   e.number("seat"),
		Marble: e.number("marble"),
		Cell:   e.number("cell"),
		Card:   hakamv1.Card(hakamv1.Card_value[e.Metadata["card"]]),
	}.Build()
}

func (e *Error) number(name string) *int32 {
	n, err := strconv.ParseInt(e.Metadata[name], 10, 32)
	if err != nil {
		return nil
	}
	return new(int32(n))
}

// reason is REASON_UNSPECIFIED for a name that this release does not know.
func reason(name string) hakamv1.Reason {
	return hakamv1.Reason(hakamv1.Reason_value["REASON_"+name])
}
