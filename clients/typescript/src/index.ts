/** The client of Hakam by any transport of Connect, for Node and browsers. */
export { Code, type Transport } from "@connectrpc/connect";
export {
  type CallOptions,
  Hakam,
  type HakamOptions,
  type NewGame,
} from "./client.js";
export { credentialSha256, drawCredential, viewDigest } from "./digest.js";
export {
  DeadlineExceeded,
  type FieldFault,
  HakamError,
  IllegalMove,
  InvalidRequest,
  LimitExceeded,
  NotAllowed,
  type ReasonName,
  ServiceFault,
  StaleMove,
  Unauthenticated,
  Unavailable,
  Unsupported,
} from "./errors.js";
export type { Answer, Evidence, Game, Looker, Playable, PlayOptions, Speaker } from "./game.js";
export type { LanguageName } from "./language.js";
export type { RetryPolicy } from "./transports.js";
