/**
 * Checks the chance of a finished game of Hakam against its seed; see docs/fairness.md. It was
 * written from that page alone, imports nothing, and knows no rules of play. It needs WebCrypto:
 * Node, or a page that came by https or from localhost.
 */

/** Complete rules in protojson. */
export interface RulesJson {
  readonly revision?: number;
  readonly tjau?: object;
  readonly trix?: object;
  readonly jackaroo?: object;
}

/** A record in protojson, as far as it is read here. */
export interface RecordJson {
  readonly rules?: RulesJson;
  readonly chanceVersion?: number;
  readonly seed?: { readonly seed?: string; readonly entropy?: readonly string[] };
  readonly commitment?: string;
}

/** A view in protojson, as far as it is read here. */
export interface ViewJson {
  readonly viewer?: { readonly seat?: number };
  readonly rules?: RulesJson;
  readonly commitment?: string;
  readonly reveal?: { readonly seed?: string; readonly entropy?: readonly string[] };
  readonly tjau?: object;
  readonly trix?: { readonly hand?: readonly string[] };
  readonly jackaroo?: { readonly hand?: readonly string[] };
}

/** An answer in protojson: of `NewGame`, `ApplyMove` or `GetView`. */
export interface AnswerJson {
  readonly events?: readonly EventJson[];
  readonly view?: ViewJson;
  readonly views?: readonly ViewJson[];
  readonly commitment?: string;
}

/** An event in protojson. Those of chance are read here. */
export interface EventJson {
  readonly tjau?: object;
  readonly trix?: object;
  readonly jackaroo?: object;
}

/** What is to be checked. */
export interface Evidence {
  readonly record: RecordJson;
  /** What a player got of the game, in order: all its events, and as many views as he kept. */
  readonly seen?: readonly AnswerJson[];
  /** The entropy that he gave, which must be in the list. */
  readonly ownEntropy?: readonly Uint8Array[];
}

/** What came of it. What was not shown was not compared. */
export interface Report {
  readonly verified: boolean;
  /** What differs, as sentences in English; none: verified. */
  readonly faults: readonly string[];
  /** How often each thing was compared: `commitment`, `seat`, `throw`, `hand`, … */
  readonly compared: Readonly<Record<string, number>>;
  /** The canonical text of the rules. */
  readonly rules: string;
  /** The game key. */
  readonly key: Uint8Array;
}

type Bytes = Uint8Array<ArrayBuffer>;

const ascii = (text: string): Bytes => new TextEncoder().encode(text);

const u32 = (n: number): Bytes => Uint8Array.of(n >>> 24, n >>> 16, n >>> 8, n);

function joined(parts: readonly Uint8Array[]): Bytes {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

async function hmac(key: Uint8Array, ...parts: Uint8Array[]): Promise<Bytes> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", joined([key]), algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, joined(parts)));
}

export async function commitment(seed: Uint8Array): Promise<Uint8Array> {
  const committed = joined([ascii("hakam/commit/v1"), seed]);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", committed));
}

export function gameKey(
  seed: Uint8Array,
  rules: string,
  entropy: readonly Uint8Array[],
): Promise<Uint8Array> {
  const parts = [ascii(rules), ...entropy].flatMap((part) => [u32(part.length), part]);
  return hmac(seed, ascii("hakam/key/v1"), ...parts);
}

/** The stream of an event. */
export async function* words(key: Uint8Array, event: number): AsyncGenerator<number, never> {
  for (let number = 0; ; number++) {
    const block = await hmac(key, ascii("hakam/draw/v1"), u32(event), u32(number));
    const view = new DataView(block.buffer);
    for (let at = 0; at < 32; at += 4) yield view.getUint32(at);
  }
}

export async function below(
  stream: AsyncIterator<number> | Iterator<number>,
  m: number,
): Promise<number> {
  const limit = m * Math.floor(2 ** 32 / m);
  for (;;) {
    const { value: word } = await stream.next();
    if (word < limit) return word % m;
  }
}

export async function drawThrow(key: Uint8Array, event: number): Promise<number> {
  const sticks = await below(words(key, event), 16);
  return [8, 4, 2, 1].filter((bit) => sticks & bit).length;
}

export const drawSeat = (key: Uint8Array, event: number, seats: number): Promise<number> =>
  below(words(key, event), seats);

export async function shuffle<T>(key: Uint8Array, event: number, deck: readonly T[]): Promise<T[]> {
  const cards = [...deck];
  const stream = words(key, event);
  for (let i = cards.length - 1; i > 0; i--) {
    const j = await below(stream, i + 1);
    [cards[i], cards[j]] = [cards[j] as T, cards[i] as T];
  }
  return cards;
}

const RANKS = "TWO THREE FOUR FIVE SIX SEVEN EIGHT NINE TEN JACK QUEEN KING ACE".split(" ");
const CARDS = ["CLUBS", "DIAMONDS", "HEARTS", "SPADES"].flatMap((suit) =>
  RANKS.map((rank) => `CARD_${rank}_OF_${suit}`),
);

const OPTIONS = {
  tjau: "board pieces mark_protects first",
  trix: "doubling play_out first_owner partnership kingdom_form",
  jackaroo:
    "seats dealer deal cells_per_seat entrance_distance exit_with_jack burn ten jack queen joker",
};
type GameName = keyof typeof OPTIONS;
const GAMES = Object.keys(OPTIONS) as GameName[];

const camel = (name: string) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

/** Rules by option, and their canonical text. */
export function readRules(rules: RulesJson = {}): {
  readonly game: GameName;
  readonly options: ReadonlyMap<string, string>;
  readonly text: string;
} {
  const game = GAMES.find((name) => rules[name]);
  if (!game) throw new Error("the rules are of no game that is known here");
  const given = rules[game] as Record<string, unknown>;
  const options = new Map([
    ["game", game as string],
    ["revision", `${rules.revision}`],
  ]);
  for (const option of ["rule_set", ...OPTIONS[game].split(" ")]) {
    const drawn = given[camel(`${option}_drawn_by`)];
    const value = drawn ?? given[camel(option)];
    if (value === undefined) throw new Error(`the rules have no ${option}`);
    const prefix = drawn ? "DRAWN_BY_" : `${game}_${option}_`.toUpperCase();
    options.set(
      option,
      typeof value === "string" ? value.replace(prefix, "").toLowerCase() : `${value}`,
    );
  }
  return { game, options, text: [...options].map((pair) => pair.join("=")).join(" ") };
}

/** Every seat's cards in the order dealt: from the front of the deck, one at a time round the table. */
const deal = (deck: readonly string[], seats: number, first: number, count: number) =>
  Array.from({ length: seats }, (_, seat) =>
    Array.from({ length: count }, (_, n) => deck[n * seats + ((seat - first + seats) % seats)]),
  );

/** The events of chance, whichever game's. */
interface ChanceEvents {
  readonly firstDrawn?: { readonly seat?: number };
  readonly dealerDrawn?: { readonly seat?: number };
  readonly thrown?: { readonly value?: number };
  readonly shuffled?: object;
  readonly dealt?: {
    readonly first?: number;
    readonly dealer?: number;
    readonly handIndex?: number;
  };
}

/** What follows from the seed, event by event, and how it compares with what was seen. */
class Comparison {
  readonly faults: string[] = [];
  readonly compared: Record<string, number> = {};
  readonly #seats: number;
  /** The number of the next event. */
  #next = 0;
  #deck: string[] = [];
  /** The hands of the deal that is being played. */
  #hands: (string | undefined)[][] = [];

  constructor(
    readonly rules: ReturnType<typeof readRules>,
    readonly key: Uint8Array,
  ) {
    this.#seats = { tjau: 2, trix: 4, jackaroo: Number(rules.options.get("seats")) }[rules.game];
  }

  compare(what: string, seen: unknown, drawn: unknown): void {
    this.compared[what] = (this.compared[what] ?? 0) + 1;
    if (seen !== drawn) this.faults.push(`${what}: seen ${seen}, but the seed gives ${drawn}`);
  }

  async event(event: EventJson): Promise<void> {
    const happened: ChanceEvents = event[this.rules.game] ?? {};
    const { firstDrawn, dealerDrawn, thrown, shuffled, dealt } = happened;
    const seat = firstDrawn ?? dealerDrawn;
    if (seat) {
      this.compare("seat", seat.seat ?? 0, await drawSeat(this.key, this.#next++, this.#seats));
    }
    if (thrown) this.compare("throw", thrown.value ?? 0, await drawThrow(this.key, this.#next++));
    if (shuffled) {
      const wild = this.rules.options.get("joker") === "wild";
      this.#deck = await this.#shuffled(wild ? [...CARDS.slice(1), "CARD_JOKER"] : CARDS);
    }
    if (dealt && this.rules.game === "trix") {
      this.#hands = deal(await this.#shuffled(CARDS), 4, dealt.first ?? 0, 13);
    } else if (dealt) {
      const first = ((dealt.dealer ?? 0) + 1) % this.#seats;
      const count = Number(this.rules.options.get("deal")?.split(",")[dealt.handIndex ?? 0]);
      this.#hands = deal(this.#deck.splice(0, count * this.#seats), this.#seats, first, count);
    }
  }

  /** A hand is what is left of the cards dealt, in their order. */
  hand(view: ViewJson): void {
    const hand = this.rules.game === "tjau" ? [] : (view[this.rules.game]?.hand ?? []);
    if (!hand.length) return;
    const dealt = this.#hands[view.viewer?.seat ?? 0] ?? [];
    const held = dealt.filter((card) => card !== undefined && hand.includes(card));
    this.compare("hand", hand.join(" "), held.join(" "));
  }

  #shuffled(deck: readonly string[]): Promise<string[]> {
    return shuffle(this.key, this.#next++, deck);
  }
}

const hex = (bytes: Uint8Array) =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

const bytesOf = (base64 = "") => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

const list = (entries: readonly Uint8Array[]) => entries.map(hex).join(" ");

/**
 * Compares a record, and what was seen of its game, with the seed of the record. Throws where there
 * is nothing to compare: no rules, no seed, another version.
 */
export async function verify({ record, seen = [], ownEntropy = [] }: Evidence): Promise<Report> {
  const rules = readRules(record.rules);
  if (!record.seed) {
    throw new Error("the chance of this game was brought by hand: there is no seed");
  }
  if (record.chanceVersion !== 1) throw new Error("only version 1 of the derivation is known here");
  const seed = bytesOf(record.seed.seed);
  const entropy = (record.seed.entropy ?? []).map(bytesOf);
  const game = new Comparison(rules, await gameKey(seed, rules.text, entropy));
  if (seed.length !== 32) game.faults.push(`the seed has ${seed.length} bytes, not 32`);
  const committed = hex(await commitment(seed));
  const told = (one: string | undefined) => {
    if (one) game.compare("commitment", hex(bytesOf(one)), committed);
  };
  told(record.commitment);
  for (const own of ownEntropy.map(hex)) {
    const found = entropy.some((entry) => hex(entry) === own);
    game.compare("own entropy", own, found ? own : "a list without it");
  }
  for (const answer of seen) {
    for (const event of answer.events ?? []) await game.event(event);
    const views = answer.view ? [answer.view] : (answer.views ?? []);
    for (const one of [answer, ...views]) told(one.commitment);
    for (const view of views) {
      game.compare("rules", readRules(view.rules).text, rules.text);
      game.hand(view);
      if (!view.reveal) continue;
      game.compare("revealed seed", hex(bytesOf(view.reveal.seed)), hex(seed));
      game.compare("entropy", list((view.reveal.entropy ?? []).map(bytesOf)), list(entropy));
    }
  }
  const { faults, compared, key } = game;
  return { verified: faults.length === 0, faults, compared, rules: rules.text, key };
}
