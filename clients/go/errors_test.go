package hakam

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

func TestAnErrorOfSomethingOnTheWayHasItsKind(t *testing.T) {
	for code, kind := range kinds {
		err := fmt.Errorf("playing: %w", fromStatus(status.New(code, "no healthy upstream")))
		if !errors.Is(err, kind) {
			t.Errorf("%s is not %v", code, kind)
		}
		for other, not := range kinds {
			if other != code && errors.Is(err, not) {
				t.Errorf("%s is %v", code, not)
			}
		}
		got, ok := errors.AsType[*Error](err)
		if !ok || got.Reason != "" || got.Violation != nil || got.Text != "no healthy upstream" {
			t.Errorf("%s is %#v", code, got)
		}
	}
}

func TestAnErrorThatIsOfNoKindIsStillOne(t *testing.T) {
	err := fromStatus(status.New(codes.DataLoss, "lost"))
	if errors.Is(err, ErrServiceFault) || err.Error() != "hakam: lost (DataLoss)" {
		t.Error(err)
	}
}

func TestErrorsOfTheContextAreThoseOfGo(t *testing.T) {
	if err := fromStatus(status.New(codes.DeadlineExceeded, "")); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if err := fromStatus(status.New(codes.Canceled, "")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestWhatIsUnknownIsKeptAndBreaksNothing(t *testing.T) {
	s, err := status.New(codes.FailedPrecondition, "new").WithDetails(
		&errdetails.ErrorInfo{Domain: "hakam", Reason: "OF_THE_FUTURE", Metadata: map[string]string{
			"seat": "north", "card": "CARD_OF_THE_FUTURE", "clause": "X1.1",
		}},
		&errdetails.RetryInfo{},
	)
	if err != nil {
		t.Fatal(err)
	}
	got := fromStatus(s)
	if got.Reason != "OF_THE_FUTURE" || got.Metadata["seat"] != "north" || got.Violation.GetClause() != "X1.1" {
		t.Errorf("%#v", got)
	}
	if got.Violation.HasSeat() || got.Violation.GetReason() != 0 || got.Violation.GetCard() != 0 {
		t.Errorf("the violation is %v", got.Violation)
	}
}

func TestTheReasonOfAnotherDomainIsNotOurs(t *testing.T) {
	s, err := status.New(codes.Unavailable, "shed").WithDetails(
		&errdetails.ErrorInfo{Domain: "proxy.example", Reason: "PLY_MISMATCH"})
	if err != nil {
		t.Fatal(err)
	}
	if got := fromStatus(s); got.Reason != "" || errors.Is(got, ErrStaleMove) || !errors.Is(got, ErrUnavailable) {
		t.Errorf("%#v", got)
	}
}
