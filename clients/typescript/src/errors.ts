import { Code, ConnectError } from "@connectrpc/connect";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  LocalizedMessageSchema,
} from "./gen/google/rpc/error_details_pb.js";
import { Card } from "./gen/hakam/v1/card_pb.js";
import type { Reason } from "./gen/hakam/v1/error_pb.js";

/** A reason as on the wire. A newer service may send one that is not among those known here. */
export type ReasonName = Exclude<keyof typeof Reason, "UNSPECIFIED"> | (string & {});

/** A field of a request that is at fault. */
export interface FieldFault {
  /** From the request down, such as `state.trix.hands[1].cards[2]`. */
  readonly path: string;
  readonly reason: ReasonName;
  /** A short fact for the developer, in English. */
  readonly text: string;
}

/**
 * What every call fails with. The kinds below are told apart by `instanceof` or by `name`; any other
 * code of gRPC, such as `Code.Canceled` where you cancelled, is this class itself.
 */
export class HakamError extends Error {
  override readonly name: string = "HakamError";
  /** The code of gRPC. */
  readonly code: Code;
  /** Why. Empty where the error is not the service's own but of something between. */
  readonly reason: ReasonName;
  /** The same for people, in the language that was asked for. */
  readonly text: string;
  /** Ids and numbers, such as `limit`. */
  readonly metadata: Readonly<Record<string, string>>;
  declare readonly cause: ConnectError;

  constructor(cause: ConnectError) {
    const [info] = cause.findDetails(ErrorInfoSchema);
    const [localized] = cause.findDetails(LocalizedMessageSchema);
    const reason = info?.reason ?? "";
    super(reason ? `${reason}: ${cause.rawMessage}` : cause.message, { cause });
    this.code = cause.code;
    this.reason = reason;
    this.text = localized?.message ?? cause.rawMessage;
    this.metadata = info?.metadata ?? {};
  }

  /** The error of a call in its kind; whatever else was thrown, in an error of code `Unknown`. */
  static from(reason: unknown): HakamError {
    if (reason instanceof HakamError) return reason;
    const error = ConnectError.from(reason);
    const [info] = error.findDetails(ErrorInfoSchema);
    if (info?.reason === "PLY_MISMATCH") return new StaleMove(error);
    return new (kindOf(error.code))(error);
  }
}

/** The request cannot be what it is: it, or the state in it, has faults. */
export class InvalidRequest extends HakamError {
  override readonly name = "InvalidRequest";
  /** The faults, at most 32. */
  readonly faults: readonly FieldFault[];
  /** The number of faults found. */
  readonly faultCount: number;

  constructor(cause: ConnectError) {
    super(cause);
    const violations = cause.findDetails(BadRequestSchema).flatMap((one) => one.fieldViolations);
    this.faults = violations.map(({ field, reason, description }) => ({
      path: field,
      reason,
      text: description,
    }));
    this.faultCount = numberOf(this.metadata.faults) ?? this.faults.length;
  }
}

/** The rules forbid the move. `text` says it to the player. */
export class IllegalMove extends HakamError {
  override readonly name: string = "IllegalMove";
  /** The first clause that forbids it, such as `T2.2`. Empty: the contract itself does. */
  readonly clause: string;
  /** The ply of the state. */
  readonly ply: number | undefined;
  /** The seat concerned: whose piece stands in the way, or whose turn it is. */
  readonly seat: number | undefined;
  /** The marble concerned. */
  readonly marble: number | undefined;
  /** The cell concerned: a cell id in Jackaroo, a path square in Tjau. */
  readonly cell: number | undefined;
  /** The card concerned. */
  readonly card: Card | undefined;

  constructor(cause: ConnectError) {
    super(cause);
    const { clause = "", ply, seat, marble, cell, card = "" } = this.metadata;
    this.clause = clause;
    this.ply = numberOf(ply);
    this.seat = numberOf(seat);
    this.marble = numberOf(marble);
    this.cell = numberOf(cell);
    this.card = Card[card.replace(/^CARD_/, "") as keyof typeof Card];
  }
}

/** The move was meant for another position than this one: sent twice, or late. Nothing is changed. */
export class StaleMove extends IllegalMove {
  override readonly name = "StaleMove";
  /** The ply that the move was meant for. */
  get expectedPly(): number | undefined {
    return numberOf(this.metadata.expected_ply);
  }
}

/** A credential or a token is missing. */
export class Unauthenticated extends HakamError {
  override readonly name = "Unauthenticated";
}

/** It is not yours to ask: another seat's, or the keeper's. */
export class NotAllowed extends HakamError {
  override readonly name = "NotAllowed";
}

/** More than one call may hold: `metadata.limit` is how much. */
export class LimitExceeded extends HakamError {
  override readonly name = "LimitExceeded";
}

/** No replica could be reached, or all that could are too busy, after all attempts. */
export class Unavailable extends HakamError {
  override readonly name = "Unavailable";
}

/** There was no answer in time. What was asked may be asked again. */
export class DeadlineExceeded extends HakamError {
  override readonly name = "DeadlineExceeded";
}

/** This service does not have it. */
export class Unsupported extends HakamError {
  override readonly name = "Unsupported";
}

/** A fault of the service. */
export class ServiceFault extends HakamError {
  override readonly name = "ServiceFault";
  /** What its log has the fault by; report it. */
  get id(): string | undefined {
    return this.metadata.id;
  }
}

function kindOf(code: Code): typeof HakamError {
  switch (code) {
    case Code.InvalidArgument:
      return InvalidRequest;
    case Code.FailedPrecondition:
      return IllegalMove;
    case Code.Unauthenticated:
      return Unauthenticated;
    case Code.PermissionDenied:
      return NotAllowed;
    case Code.ResourceExhausted:
      return LimitExceeded;
    case Code.Unavailable:
      return Unavailable;
    case Code.DeadlineExceeded:
      return DeadlineExceeded;
    case Code.Unimplemented:
      return Unsupported;
    case Code.Internal:
      return ServiceFault;
    default:
      return HakamError;
  }
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
