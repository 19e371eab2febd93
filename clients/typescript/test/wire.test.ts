import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test, { suite } from "node:test";
import {
  type DescMessage,
  equals,
  fromBinary,
  fromJson,
  type JsonValue,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
import { findTrailerError } from "@connectrpc/connect/protocol-grpc";
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
import { Card, GameService } from "@hakam/client/v1";
import { TOP } from "./service.js";

interface Recorded {
  readonly binary: string;
  readonly json?: JsonValue;
}

interface Exchange {
  readonly name: string;
  readonly request: Recorded;
  readonly answer?: Recorded;
  readonly error?: {
    readonly code: string;
    readonly reason: string;
    readonly status: string;
    readonly json: { readonly message: string; readonly details: readonly Detail[] };
  };
}

interface Detail {
  readonly "@type": string;
  readonly message?: string;
  readonly metadata?: Record<string, string>;
  readonly fieldViolations?: readonly Record<"field" | "reason" | "description", string>[];
}

const KINDS: Record<string, typeof HakamError> = {
  INVALID_ARGUMENT: InvalidRequest,
  FAILED_PRECONDITION: IllegalMove,
  UNAUTHENTICATED: Unauthenticated,
  PERMISSION_DENIED: NotAllowed,
  RESOURCE_EXHAUSTED: LimitExceeded,
  UNAVAILABLE: Unavailable,
  DEADLINE_EXCEEDED: DeadlineExceeded,
  UNIMPLEMENTED: Unsupported,
  INTERNAL: ServiceFault,
};

const camelCase = (code: string) =>
  code.toLowerCase().replace(/(?:^|_)(.)/g, (_, letter) => letter.toUpperCase());

function holds(schema: DescMessage, { binary, json }: Recorded): void {
  if (json === undefined) return; // malformed, or with fields that the contract does not have
  const bytes = new Uint8Array(Buffer.from(binary, "base64"));
  const message = fromBinary(schema, bytes);
  assert.deepEqual(toBinary(schema, message), bytes);
  assert.deepEqual(toJson(schema, message), json);
  assert.ok(equals(schema, fromJson(schema, json), message));
}

function isTyped({ code, reason, status, json }: NonNullable<Exchange["error"]>): void {
  // The bytes take the way of the transport: out of a trailer.
  const error = HakamError.from(
    findTrailerError(new Headers({ "grpc-status-details-bin": status })),
  );
  const detail = (name: string) =>
    json.details.find((one) => one["@type"].endsWith(`google.rpc.${name}`));
  const { metadata = {} } = detail("ErrorInfo") ?? {};
  assert.equal(error.constructor, reason === "PLY_MISMATCH" ? StaleMove : KINDS[code]);
  assert.equal(Code[error.code], camelCase(code));
  assert.equal(error.reason, reason);
  assert.equal(error.text, detail("LocalizedMessage")?.message);
  assert.equal(error.message, `${reason}: ${json.message}`);
  assert.deepEqual({ ...error.metadata }, metadata);
  const number = (name: string) => (metadata[name] === undefined ? undefined : +metadata[name]);
  if (error instanceof IllegalMove) {
    const { clause, ply, seat, marble, cell, card } = error;
    assert.equal(clause, metadata.clause ?? "");
    assert.deepEqual([ply, seat, marble, cell], ["ply", "seat", "marble", "cell"].map(number));
    assert.equal(card === undefined ? undefined : `CARD_${Card[card]}`, metadata.card);
  }
  if (error instanceof StaleMove) assert.equal(error.expectedPly, number("expected_ply"));
  if (error instanceof InvalidRequest) {
    const faults = (detail("BadRequest")?.fieldViolations ?? []).map((fault) => ({
      path: fault.field ?? "",
      reason: fault.reason,
      text: fault.description,
    }));
    assert.deepEqual(error.faults, faults);
    assert.equal(error.faultCount, number("faults") ?? 0);
  }
}

for (const { name, input, output } of GameService.methods) {
  const file = `${TOP}proto/testdata/wire/${name}.json`;
  const exchanges: Exchange[] = JSON.parse(readFileSync(file, "utf8"));
  suite(name, () => {
    test("requests", () => {
      for (const { request } of exchanges) holds(input, request);
    });
    test("answers", () => {
      const answers = exchanges.flatMap(({ answer }) => answer ?? []);
      assert.ok(answers.length > 0);
      for (const answer of answers) holds(output, answer);
    });
    test("errors", () => {
      for (const { error } of exchanges) if (error) isTyped(error);
    });
  });
}
