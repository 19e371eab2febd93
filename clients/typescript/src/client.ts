import type { MessageInitShape } from "@bufbuild/protobuf";
import { type CallOptions, type Client, createClient, type Transport } from "@connectrpc/connect";
import { Game, type Speaker } from "./game.js";
import {
  type ApplyMoveResponse,
  GameService,
  type GetBoardResponse,
  type ListGamesResponse,
  type NewGameRequestSchema,
  type NewGameResponse,
  type PrepareGameRequestSchema,
  type PrepareGameResponse,
  type ReplayGameResponse,
} from "./gen/hakam/v1/game_service_pb.js";
import type { Language } from "./gen/hakam/v1/language_pb.js";
import type { RecordSchema } from "./gen/hakam/v1/record_pb.js";
import type { RulesSchema } from "./gen/hakam/v1/rules_pb.js";
import type { State, Turn } from "./gen/hakam/v1/state_pb.js";
import { LANGUAGES, type LanguageName } from "./language.js";
import { type RetryPolicy, withRetries, withTypedErrors } from "./transports.js";

/** What holds for all calls of a client. */
export interface HakamOptions {
  /** The language of texts; English. */
  readonly language?: LanguageName;
  /** How long a call may take with all its attempts, in milliseconds, where it does not say; 10,000. */
  readonly deadlineMs?: number;
  /** When calls are sent again. */
  readonly retry?: RetryPolicy;
  /** The credential of the service's keeper, where it wants it: for plain states and given seeds. */
  readonly keeperCredential?: Uint8Array;
}

/** What is different for one call: `signal`, `timeoutMs`, `headers`. */
export type { CallOptions };

/** What a new game is asked for with; everything but the rules may be left out. */
export type NewGame = Omit<MessageInitShape<typeof NewGameRequestSchema>, "$typeName">;

/**
 * The referee, by a transport of Connect. `@hakam/client/node` and `@hakam/client/web` make one for
 * their places.
 *
 * Every call fails with a `HakamError`, and may be made again.
 */
export class Hakam {
  /** Every call as the contract has it, for what this class does not do. */
  readonly service: Client<typeof GameService>;
  /** The language of texts. */
  readonly language: Language;
  /** The keeper's credential; empty where there is none. */
  readonly keeperCredential: Uint8Array;

  constructor(transport: Transport, options: HakamOptions = {}) {
    const { language = "en", deadlineMs = 10_000, retry, keeperCredential } = options;
    const retried = withRetries(transport, deadlineMs, retry);
    this.service = createClient(GameService, withTypedErrors(retried));
    this.language = LANGUAGES[language];
    this.keeperCredential = keeperCredential ?? new Uint8Array();
  }

  /** The catalogue: games, rule sets, options, revisions. */
  listGames(options?: CallOptions): Promise<ListGamesResponse> {
    return this.service.listGames({}, options);
  }

  /** The board of given rules as data, and the rules, complete. */
  getBoard(
    rules: MessageInitShape<typeof RulesSchema>,
    options?: CallOptions,
  ): Promise<GetBoardResponse> {
    return this.service.getBoard({ rules, language: this.language }, options);
  }

  /** A sealed seed and its commitment, for a game whose players add entropy. */
  prepareGame(
    request: MessageInitShape<typeof PrepareGameRequestSchema>,
    options?: CallOptions,
  ): Promise<PrepareGameResponse> {
    return this.service.prepareGame({ language: this.language, ...request }, options);
  }

  /** A new game. What the answer has beside the state is the first of `Game.seen`. */
  async newGame(request: NewGame, speaker: Speaker = {}, options?: CallOptions): Promise<Game> {
    const asked = { language: this.language, credential: this.keeperCredential, ...request };
    const answer = await this.service.newGame(asked, options);
    return Game.begun(this, answer, speaker);
  }

  /**
   * A game from its state, plain or sealed. What is known with the state saves a call: its turn, or
   * the answer that it came with; if that is of `NewGame`, the handle has seen the game from its start.
   */
  async resume(
    state: State | Uint8Array,
    speaker: Speaker = {},
    known?: NewGameResponse | ApplyMoveResponse | Turn,
    options?: CallOptions,
  ): Promise<Game> {
    return Game.resumed(this, state, speaker, known, options);
  }

  /** Plays a record again from its start. That it is none of a game is an answer, not an error. */
  replay(
    record: MessageInitShape<typeof RecordSchema>,
    options?: CallOptions,
  ): Promise<ReplayGameResponse> {
    return this.service.replayGame({ record, language: this.language }, options);
  }
}
