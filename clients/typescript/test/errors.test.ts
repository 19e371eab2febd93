import assert from "node:assert/strict";
import test from "node:test";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import {
  Code,
  DeadlineExceeded,
  HakamError,
  IllegalMove,
  InvalidRequest,
  LimitExceeded,
  NotAllowed,
  ServiceFault,
  StaleMove,
  Unauthenticated,
  Unavailable,
  Unsupported,
} from "@hakam/client";
import { ErrorInfoSchema } from "../src/gen/google/rpc/error_details_pb.js";

const KINDS = new Map([
  [Code.InvalidArgument, InvalidRequest],
  [Code.FailedPrecondition, IllegalMove],
  [Code.Unauthenticated, Unauthenticated],
  [Code.PermissionDenied, NotAllowed],
  [Code.ResourceExhausted, LimitExceeded],
  [Code.Unavailable, Unavailable],
  [Code.DeadlineExceeded, DeadlineExceeded],
  [Code.Unimplemented, Unsupported],
  [Code.Internal, ServiceFault],
  [Code.Canceled, HakamError],
  [Code.DataLoss, HakamError],
]);

function refusal(code: Code, info: MessageInitShape<typeof ErrorInfoSchema>): HakamError {
  const detail = { desc: ErrorInfoSchema, value: create(ErrorInfoSchema, info) };
  return HakamError.from(new ConnectError("what happened", code, undefined, [detail]));
}

test("an error without details, such as a proxy's, has its kind by the code", () => {
  for (const [code, kind] of KINDS) {
    const error = HakamError.from(new ConnectError("upstream reset", code));
    assert.equal(error.constructor, kind);
    assert.equal(error.name, kind.name);
    assert.deepEqual(
      [error.code, error.reason, error.text, error.metadata],
      [code, "", "upstream reset", {}],
    );
  }
});

test("a reason that is not known here is passed on", () => {
  const metadata = { clause: "T9.9", seat: "3", planet: "4", card: "CARD_OF_TAROT" };
  const error = refusal(Code.FailedPrecondition, { reason: "NEWER_THAN_THIS", metadata });
  assert.ok(error instanceof IllegalMove);
  assert.equal(error.reason, "NEWER_THAN_THIS");
  assert.deepEqual([error.clause, error.seat, error.card], ["T9.9", 3, undefined]);
  assert.equal(error.metadata.planet, "4");
  assert.equal(error.text, "what happened");
});

test("a stale move is an illegal one", () => {
  const metadata = { ply: "8", expected_ply: "7" };
  const error = refusal(Code.FailedPrecondition, { reason: "PLY_MISMATCH", metadata });
  assert.ok(error instanceof StaleMove && error instanceof IllegalMove);
  assert.deepEqual([error.ply, error.expectedPly], [8, 7]);
});

test("a fault of the service names what its log has", () => {
  const error = refusal(Code.Internal, { reason: "INTERNAL", metadata: { id: "a1b2" } });
  assert.ok(error instanceof ServiceFault);
  assert.equal(error.id, "a1b2");
});

test("whatever is thrown becomes an error, once", () => {
  const error = HakamError.from("a string");
  assert.equal(error.code, Code.Unknown);
  assert.equal(HakamError.from(error), error);
});
