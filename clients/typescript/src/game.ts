import { create, type MessageInitShape, type MessageJsonType, toJson } from "@bufbuild/protobuf";
import type { CallOptions } from "@connectrpc/connect";
import type { Hakam } from "./client.js";
import { viewSha256 } from "./digest.js";
import type { ChanceOutcome } from "./gen/hakam/v1/chance_pb.js";
import type { Event, Outcome } from "./gen/hakam/v1/event_pb.js";
import {
  type ApplyMoveResponse,
  ApplyMoveResponseSchema,
  type GetViewResponse,
  GetViewResponseSchema,
  type NewGameResponse,
  NewGameResponseSchema,
  type ValidateMoveResponse,
} from "./gen/hakam/v1/game_service_pb.js";
import type { Language } from "./gen/hakam/v1/language_pb.js";
import { type ListedMove, type Move, MoveSchema } from "./gen/hakam/v1/move_pb.js";
import { type Record, RecordSchema } from "./gen/hakam/v1/record_pb.js";
import type { State, Turn } from "./gen/hakam/v1/state_pb.js";
import type { Reveal, View } from "./gen/hakam/v1/view_pb.js";
import { type Viewer, ViewerSchema } from "./gen/hakam/v1/viewer_pb.js";
import { LANGUAGES, type LanguageName } from "./language.js";

/** For whom a handle speaks. */
export interface Speaker {
  /** The seat. Absent: in every request the one to act. */
  readonly seat?: number;
  /** The credentials that are known, by seat: `[a, b]`, or `{ 2: mine }`. */
  readonly credentials?: { readonly [seat: number]: Uint8Array };
  /** The language of texts; that of the client. */
  readonly language?: LanguageName;
}

/** A move: typed, as it was listed, or as notation. */
export type Playable = string | ListedMove | MessageInitShape<typeof MoveSchema>;

/** Who looks: a seat, or anybody. */
export type Looker = number | "spectator";

/** What is wanted beside a move. */
export interface PlayOptions extends CallOptions {
  /** The ply that the player saw when he chose; by default that at the moment of this call. */
  readonly expectedPly?: number;
  /** The views wanted of the next state; of a sealed state only the mover's and a spectator's. */
  readonly viewers?: readonly Looker[];
  /** Whether the legal moves of the next state are wanted. */
  readonly listMoves?: boolean;
  /** Whether their effects are wanted too. */
  readonly listEffects?: boolean;
}

/** An answer about a game, without the state. */
export type Answer = NewGameResponse | ApplyMoveResponse | GetViewResponse;

/** What the verifier of `@hakam/client/verify` takes, in protojson. */
export interface Evidence {
  readonly record: MessageJsonType<typeof RecordSchema>;
  readonly seen: readonly (
    | MessageJsonType<typeof NewGameResponseSchema>
    | MessageJsonType<typeof ApplyMoveResponseSchema>
    | MessageJsonType<typeof GetViewResponseSchema>
  )[];
}

type HeldState = { case: "state"; value: State } | { case: "sealedState"; value: Uint8Array };
type Position = { readonly stateForm: HeldState; readonly turn: Turn };

/**
 * A game under way: the newest state, and for whom to speak. It knows no rules; what it keeps is
 * what the service answered.
 *
 * Moves are played one after the other, however they are called. Every request says which ply it is
 * meant for, so that a double tap is played once: the second is refused with `StaleMove`.
 */
export class Game {
  /** The seat that this handle speaks for; undefined: the one to act. */
  readonly seat: number | undefined;
  readonly #hakam: Hakam;
  readonly #language: Language;
  readonly #credentials: { readonly [seat: number]: Uint8Array };
  readonly #seen: Answer[] = [];
  readonly #moves: Move[] = [];
  #position: Position;
  #isWhole: boolean;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(
    hakam: Hakam,
    position: Position,
    speaker: Speaker,
    answer?: NewGameResponse | ApplyMoveResponse,
  ) {
    this.#hakam = hakam;
    this.#position = position;
    this.#language = speaker.language ? LANGUAGES[speaker.language] : hakam.language;
    this.#credentials = speaker.credentials ?? {};
    this.#isWhole = answer?.$typeName === "hakam.v1.NewGameResponse";
    if (answer !== undefined) this.#seen.push(told(answer));
    this.seat = speaker.seat;
  }

  /** @internal */
  static begun(hakam: Hakam, answer: NewGameResponse, speaker: Speaker): Game {
    const { credentials, stateForm, turn } = answer;
    return new Game(hakam, positionOf(stateForm, turn), { credentials, ...speaker }, answer);
  }

  /** @internal */
  static async resumed(
    hakam: Hakam,
    state: State | Uint8Array,
    speaker: Speaker,
    known?: NewGameResponse | ApplyMoveResponse | Turn,
    options?: CallOptions,
  ): Promise<Game> {
    const isTurn = known?.$typeName === "hakam.v1.Turn";
    const turn = isTurn ? known : known?.turn;
    const position = await positionIn(hakam, state, turn, options);
    return new Game(hakam, position, speaker, isTurn ? undefined : known);
  }

  /** The state to be stored, if it is plain. Whoever has it sees every hand. */
  get state(): State | undefined {
    const { stateForm } = this.#position;
    return stateForm.case === "state" ? stateForm.value : undefined;
  }

  /** The state to be stored, if it is sealed. */
  get sealedState(): Uint8Array | undefined {
    const { stateForm } = this.#position;
    return stateForm.case === "sealedState" ? stateForm.value : undefined;
  }

  /** Where the game stands. */
  get turn(): Turn {
    return this.#position.turn;
  }

  /** The number of moves and chance events so far. */
  get ply(): number {
    return this.turn.ply;
  }

  /** The result; undefined until the game is over. */
  get outcome(): Outcome | undefined {
    return this.turn.outcome;
  }

  get over(): boolean {
    return this.outcome !== undefined;
  }

  /** All answers that this handle has got or was given, in order, without the states. */
  get seen(): readonly Answer[] {
    return this.#seen;
  }

  /** What happened in them, in order. */
  get events(): Event[] {
    return this.#seen.flatMap((answer) => ("events" in answer ? answer.events : []));
  }

  /** Every legal move of the seat to act, a safe one first. Empty where nobody is to act. */
  async moves(options: CallOptions & { readonly effects?: boolean } = {}): Promise<ListedMove[]> {
    const { effects = false, ...call } = options;
    const asked = { ...this.#about(this.#actor), expectedPly: this.ply, listEffects: effects };
    return (await this.#hakam.service.listMoves(asked, call)).moves;
  }

  /** Whether a move is legal, or the reason why not, as an answer. */
  check(move: Playable, options?: CallOptions): Promise<ValidateMoveResponse> {
    const asked = { ...this.#order(move, this.#actor), expectedPly: this.ply };
    return this.#hakam.service.validateMove(asked, options);
  }

  /**
   * Plays a move, and says what happened: the move typed and as notation, events, turn, and what was
   * asked for. An illegal move is an `IllegalMove`; whatever it fails with, this handle stays as it is.
   */
  play(move: Playable, options: PlayOptions = {}): Promise<ApplyMoveResponse> {
    const { expectedPly = this.ply, viewers = [], listMoves, listEffects, ...call } = options;
    const seat = this.#actor;
    return this.#afterTheLast(async () => {
      const request = { ...this.#order(move, seat), expectedPly, viewers: viewers.map(viewerOf) };
      const wanted = { listMoves: listMoves ?? false, listEffects: listEffects ?? false };
      const answer = await this.#hakam.service.applyMove({ ...request, ...wanted }, call);
      this.#take(positionOf(answer.stateForm, answer.turn), answer);
      return told(answer);
    });
  }

  /** What a seat, or anybody, may see: by default the seat of this handle, if it has one. */
  async view(looker: Looker = this.seat ?? "spectator", options?: CallOptions): Promise<View> {
    const { ply } = this;
    const seat = looker === "spectator" ? undefined : looker;
    const { seat: _, ...about } = this.#about(seat);
    const asked = { ...about, viewer: viewerOf(looker), expectedPly: ply };
    const answer = await this.#hakam.service.getView(asked, options);
    if (ply === this.ply) this.#seen.push(answer);
    return required(answer.view);
  }

  /**
   * Takes a newer state, with what its mover was told if he passed it on: then no call is needed, and
   * `events`, `record` and `evidence` stay complete. A state that is not newer changes nothing.
   * Returns whether it was newer.
   */
  update(
    state: State | Uint8Array,
    answer?: ApplyMoveResponse,
    options?: CallOptions,
  ): Promise<boolean> {
    return this.#afterTheLast(async () => {
      const position = await positionIn(this.#hakam, state, answer?.turn, options);
      if (position.turn.ply <= this.ply) return false;
      this.#take(position, answer);
      return true;
    });
  }

  /**
   * The game so far as a record, which `Hakam.replay` plays again. Undefined where this handle has
   * not seen all of it, and where the seed is not yet shown.
   */
  record(options?: CallOptions): Promise<Record | undefined> {
    return this.#afterTheLast(async () => {
      if (!this.#isWhole) return undefined;
      const view = await this.view("spectator", options);
      const chance = this.#chance(view.reveal);
      if (chance === undefined) return undefined;
      return create(RecordSchema, {
        rules: required(view.rules),
        chanceVersion: this.state?.chance?.version ?? (await this.#newestChance(options)),
        chance,
        moves: this.#moves.filter(({ move }) => move.case !== "chance"),
        commitment: view.commitment,
        viewDigest: await viewSha256(view),
      });
    });
  }

  /** The record, and all that this handle saw, for the verifier; undefined where `record` is. */
  async evidence(options?: CallOptions): Promise<Evidence | undefined> {
    const record = await this.record(options);
    if (record === undefined) return undefined;
    return { record: toJson(RecordSchema, record), seen: this.#seen.map(answerJson) };
  }

  get #actor(): number | undefined {
    return this.seat ?? this.turn.toAct;
  }

  /** What every request about the state has: the state, for whom, by which right, in which language. */
  #about(seat: number | undefined) {
    const { stateForm } = this.#position;
    const own = seat === undefined ? undefined : this.#credentials[seat];
    const credential = stateForm.case === "sealedState" ? own : this.#hakam.keeperCredential;
    return {
      stateForm,
      language: this.#language,
      credential: credential ?? new Uint8Array(),
      ...(seat === undefined ? {} : { seat }),
    };
  }

  /** What chance brings is for no seat, and by the right of the keeper. */
  #order(playable: Playable, seat: number | undefined) {
    const move = moveOf(playable);
    if (move.move.case !== "chance") return { ...this.#about(seat), move };
    return { ...this.#about(undefined), credential: this.#hakam.keeperCredential, move };
  }

  #take(position: Position, answer: ApplyMoveResponse | undefined): void {
    this.#position = position;
    if (answer !== undefined) this.#seen.push(told(answer));
    if (answer?.move === undefined) this.#isWhole = false;
    else this.#moves.push(answer.move);
  }

  #afterTheLast<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  #chance(reveal: Reveal | undefined): MessageInitShape<typeof RecordSchema>["chance"] {
    const source = this.state?.chance?.source;
    if (source?.case === "supplied") {
      const outcomes = this.#moves.flatMap(({ move }): ChanceOutcome[] =>
        move.case === "chance" ? [move.value] : [],
      );
      return { case: "outcomes", value: { outcomes } };
    }
    const shown = source?.case === "seeded" ? source.value : reveal;
    return shown && { case: "seed", value: { seed: shown.seed, entropy: shown.entropy } };
  }

  /** A sealed state does not say by which version its chance is derived: it is that of new games. */
  async #newestChance(options: CallOptions | undefined): Promise<number> {
    return Math.max(...(await this.#hakam.listGames(options)).chanceVersions);
  }
}

/** A state that somebody else brings. Where it stands is known with it, or the service is asked. */
async function positionIn(
  hakam: Hakam,
  state: State | Uint8Array,
  turn: Turn | undefined,
  options: CallOptions | undefined,
): Promise<Position> {
  const isSealed = state instanceof Uint8Array;
  const stateForm: HeldState = isSealed
    ? { case: "sealedState", value: state }
    : { case: "state", value: state };
  if (turn !== undefined) return positionOf(stateForm, turn);
  const credential = isSealed ? new Uint8Array() : hakam.keeperCredential;
  const viewer = viewerOf("spectator");
  const asked = { stateForm, viewer, credential, language: hakam.language };
  return positionOf(stateForm, (await hakam.service.getView(asked, options)).view?.turn);
}

function moveOf(playable: Playable): Move {
  if (typeof playable === "string") {
    return create(MoveSchema, { move: { case: "notation", value: playable } });
  }
  if ("notation" in playable) return required(playable.move);
  return create(MoveSchema, playable);
}

function viewerOf(looker: Looker): Viewer {
  return create(ViewerSchema, {
    viewer:
      looker === "spectator" ? { case: "spectator", value: {} } : { case: "seat", value: looker },
  });
}

/** What may be passed on: an answer without the state and the credentials that it brought. */
function told<T extends NewGameResponse | ApplyMoveResponse>(answer: T): T {
  const withheld = "credentials" in answer ? { credentials: [] } : {};
  return { ...answer, ...withheld, stateForm: { case: undefined } };
}

function answerJson(answer: Answer): Evidence["seen"][number] {
  switch (answer.$typeName) {
    case "hakam.v1.NewGameResponse":
      return toJson(NewGameResponseSchema, answer);
    case "hakam.v1.ApplyMoveResponse":
      return toJson(ApplyMoveResponseSchema, answer);
    case "hakam.v1.GetViewResponse":
      return toJson(GetViewResponseSchema, answer);
  }
}

function positionOf(stateForm: NewGameResponse["stateForm"], turn: Turn | undefined): Position {
  if (stateForm.case === undefined) throw new TypeError("an answer without a state");
  return { stateForm, turn: required(turn) };
}

/** A field that the contract promises. */
function required<T>(field: T | undefined): T {
  if (field === undefined) throw new TypeError("an answer without what the contract promises");
  return field;
}
