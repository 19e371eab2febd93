package hakam

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/hakam-referee/hakam/clients/go/hakamv1"
	"github.com/hakam-referee/hakam/clients/go/internal/serving"
)

// A recorded message, in both forms of the wire.
type recorded struct {
	Binary        []byte
	JSON          json.RawMessage
	Malformed     bool
	UnknownFields bool `json:"unknown_fields"`
}

// An exchange is a recorded request with its answer or its error.
type exchange struct {
	Name    string
	Request recorded
	Answer  *recorded
	Error   *struct {
		Code   codes.Code
		Reason string
		Status []byte
		JSON   json.RawMessage
	}
}

// exchanges are the recorded ones of a method.
func exchanges(t *testing.T, method string) []exchange {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(serving.Top(), "proto/testdata/wire", method+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []exchange
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("there is nothing recorded")
	}
	return all
}

// methods calls a test for each method of the service.
func methods(t *testing.T, test func(*testing.T, string)) {
	service := hakamv1.File_hakam_v1_game_service_proto.Services().ByName("GameService")
	for i := range service.Methods().Len() {
		name := string(service.Methods().Get(i).Name())
		t.Run(name, func(t *testing.T) { test(t, name) })
	}
}

func TestRecordedMessagesGoThroughBothForms(t *testing.T) {
	methods(t, func(t *testing.T, method string) {
		for _, exchange := range exchanges(t, method) {
			if !exchange.Request.Malformed && !exchange.Request.UnknownFields {
				goesThrough(t, exchange.Name, method+"Request", exchange.Request)
			}
			if exchange.Answer != nil {
				goesThrough(t, exchange.Name, method+"Response", *exchange.Answer)
			}
		}
	})
}

func goesThrough(t *testing.T, name, message string, want recorded) {
	t.Helper()
	kind, err := protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName("hakam.v1." + message))
	if err != nil {
		t.Fatal(err)
	}
	decoded, again, read := kind.New().Interface(), kind.New().Interface(), kind.New().Interface()
	if err := proto.Unmarshal(want.Binary, decoded); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	encoded, err := proto.Marshal(decoded)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	// Go writes the members of a oneof after all other fields, so the bytes stand in another order.
	if err := proto.Unmarshal(encoded, again); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if len(encoded) != len(want.Binary) || !proto.Equal(again, decoded) {
		t.Errorf("%s: encoded again, %s is another message", name, message)
	}
	written, err := protojson.Marshal(decoded)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if !sameJSON(t, written, want.JSON) {
		t.Errorf("%s: %s as JSON is\n%s\nin place of\n%s", name, message, written, want.JSON)
	}
	if err := protojson.Unmarshal(want.JSON, read); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if !proto.Equal(read, decoded) {
		t.Errorf("%s: %s from JSON is another message than from its bytes", name, message)
	}
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var x, y any
	if err := errors.Join(json.Unmarshal(a, &x), json.Unmarshal(b, &y)); err != nil {
		t.Fatal(err)
	}
	return reflect.DeepEqual(x, y)
}

func TestRecordedErrorsAreTyped(t *testing.T) {
	methods(t, func(t *testing.T, method string) {
		for _, exchange := range exchanges(t, method) {
			if exchange.Error == nil {
				continue
			}
			sent := &spb.Status{}
			if err := proto.Unmarshal(exchange.Error.Status, sent); err != nil {
				t.Fatalf("%s: %v", exchange.Name, err)
			}
			got := fromStatus(status.FromProto(sent))
			if got.Code != exchange.Error.Code || got.Reason != exchange.Error.Reason {
				t.Errorf("%s: %s %s", exchange.Name, got.Code, got.Reason)
			}
			if !errors.Is(got, kinds[got.Code]) {
				t.Errorf("%s: is not of the kind %v", exchange.Name, kinds[got.Code])
			}
			if stale := got.Reason == "PLY_MISMATCH"; errors.Is(got, ErrStaleMove) != stale {
				t.Errorf("%s: stale is %t", exchange.Name, !stale)
			}
			for _, detail := range got.GRPCStatus().Details() {
				saysWhat(t, exchange.Name, got, detail)
			}
		}
	})
}

// saysWhat compares an error with one of the details that it was made from.
func saysWhat(t *testing.T, name string, got *Error, detail any) {
	t.Helper()
	switch detail := detail.(type) {
	case *errdetails.ErrorInfo:
		if !reflect.DeepEqual(got.Metadata, detail.GetMetadata()) {
			t.Errorf("%s: metadata are %v", name, got.Metadata)
		}
		if got.Code == codes.FailedPrecondition && !reflect.DeepEqual(metadata(got.Violation), only(got.Metadata)) {
			t.Errorf("%s: the violation is %v, the metadata are %v", name, got.Violation, got.Metadata)
		}
	case *errdetails.LocalizedMessage:
		if got.Text != detail.GetMessage() {
			t.Errorf("%s: the text is %s", name, got.Text)
		}
	case *errdetails.BadRequest:
		if strconv.Itoa(got.FaultCount) != got.Metadata["faults"] {
			t.Errorf("%s: %d faults", name, got.FaultCount)
		}
		for i, field := range detail.GetFieldViolations() {
			fault := got.Faults[i]
			if fault.GetPath() != field.GetField() || reasonName(fault.GetReason()) != field.GetReason() {
				t.Errorf("%s: fault %d is %v", name, i, fault)
			}
		}
	default:
		t.Errorf("%s: a detail %T", name, detail)
	}
}

// metadata is what a violation says, as metadata would.
func metadata(v *hakamv1.Violation) map[string]string {
	said := map[string]string{}
	if v.GetClause() != "" {
		said["clause"] = v.GetClause()
	}
	if v.HasSeat() {
		said["seat"] = strconv.Itoa(int(v.GetSeat()))
	}
	if v.HasMarble() {
		said["marble"] = strconv.Itoa(int(v.GetMarble()))
	}
	if v.HasCell() {
		said["cell"] = strconv.Itoa(int(v.GetCell()))
	}
	if v.GetCard() != hakamv1.Card_CARD_UNSPECIFIED {
		said["card"] = v.GetCard().String()
	}
	return said
}

// only leaves out of metadata what no violation has.
func only(all map[string]string) map[string]string {
	said := map[string]string{}
	for _, name := range []string{"clause", "seat", "marble", "cell", "card"} {
		if value, ok := all[name]; ok {
			said[name] = value
		}
	}
	return said
}

func TestItemsOfBatchesFailAsTheyWouldAlone(t *testing.T) {
	items := 0
	for _, exchange := range exchanges(t, "BatchApplyMoves") {
		if exchange.Answer == nil {
			continue
		}
		answer := &hakamv1.BatchApplyMovesResponse{}
		if err := proto.Unmarshal(exchange.Answer.Binary, answer); err != nil {
			t.Fatal(err)
		}
		for _, result := range answer.GetResults() {
			if !result.HasError() {
				continue
			}
			items++
			got := ItemError(result.GetError())
			if !errors.Is(got, kinds[got.Code]) || got.Reason == "" || got.Text == "" {
				t.Errorf("%s: %v", exchange.Name, got)
			}
			if status.Code(got) != got.Code {
				t.Errorf("%s: gRPC sees %s", exchange.Name, status.Code(got))
			}
		}
	}
	if items == 0 {
		t.Error("no item has an error")
	}
}
