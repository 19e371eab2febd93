// Checks the chance of a finished game of Hakam against its seed; see docs/fairness.md.
// It was written from that page alone, needs nothing but Node 20, and knows no rules of play.
//
//     node verify.mjs RECORD.json [--entropy HEX]... [SEEN.json]

import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const u32 = (n) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(n);
  return bytes;
};

const hmac = (key, ...parts) => createHmac("sha256", key).update(Buffer.concat(parts)).digest();

export const commitment = (seed) =>
  createHash("sha256").update("hakam/commit/v1").update(seed).digest();

export const gameKey = (seed, rules, entropy) =>
  hmac(
    seed,
    Buffer.from("hakam/key/v1"),
    ...[Buffer.from(rules, "ascii"), ...entropy].flatMap((part) => [u32(part.length), part]),
  );

export function* words(key, event) {
  for (let number = 0; ; number++) {
    const block = hmac(key, Buffer.from("hakam/draw/v1"), u32(event), u32(number));
    for (let at = 0; at < 32; at += 4) yield block.readUInt32BE(at);
  }
}

export function below(stream, m) {
  const limit = m * Math.floor(2 ** 32 / m);
  for (;;) {
    const word = stream.next().value;
    if (word < limit) return word % m;
  }
}

export function drawThrow(key, event) {
  const sticks = below(words(key, event), 16);
  return [8, 4, 2, 1].filter((bit) => sticks & bit).length;
}

export const drawSeat = (key, event, seats) => below(words(key, event), seats);

export function shuffle(key, event, deck) {
  const cards = [...deck];
  const stream = words(key, event);
  for (let i = cards.length - 1; i > 0; i--) {
    const j = below(stream, i + 1);
    [cards[i], cards[j]] = [cards[j], cards[i]];
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

const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

// The canonical text of the rules, and the rules by option.
export function readRules(rules) {
  const game = Object.keys(OPTIONS).find((name) => rules[name]);
  if (!game) throw new Error("the rules are of no game that is known here");
  const given = { game, revision: rules.revision };
  for (const option of ["rule_set", ...OPTIONS[game].split(" ")]) {
    const drawn = rules[game][camel(`${option}_drawn_by`)];
    const value = drawn ?? rules[game][camel(option)];
    if (value === undefined) throw new Error(`the rules have no ${option}`);
    const prefix = drawn ? "DRAWN_BY_" : `${game}_${option}_`.toUpperCase();
    given[option] =
      typeof value === "string" ? value.replace(prefix, "").toLowerCase() : value.toString();
  }
  const text = Object.entries(given).map(([name, value]) => `${name}=${value}`);
  return { ...given, text: text.join(" ") };
}

// Every seat's cards in the order dealt: from the front of the deck, one at a time round the table.
const deal = (deck, seats, first, count) =>
  Array.from({ length: seats }, (_, seat) =>
    Array.from({ length: count }, (_, n) => deck[n * seats + ((seat - first + seats) % seats)]),
  );

// What follows from the seed, event by event, and how it compares with what was seen.
export class Game {
  constructor(rules, seed, entropy) {
    this.rules = readRules(rules);
    this.key = gameKey(seed, this.rules.text, entropy);
    this.seats = { tjau: 2, trix: 4 }[this.rules.game] ?? Number(this.rules.seats);
    this.next = 0; // the number of the next event
    this.hands = null; // of the hand or deal that is being played
    this.compared = {};
    this.faults = [];
  }

  compare(what, seen, drawn) {
    this.compared[what] = (this.compared[what] ?? 0) + 1;
    if (seen !== drawn) this.faults.push(`${what}: seen ${seen}, but the seed gives ${drawn}`);
  }

  event(event) {
    const { firstDrawn, dealerDrawn, thrown, shuffled, dealt } = event[this.rules.game] ?? {};
    const seat = firstDrawn ?? dealerDrawn;
    if (seat) this.compare("seat", seat.seat ?? 0, drawSeat(this.key, this.next++, this.seats));
    if (thrown) this.compare("throw", thrown.value ?? 0, drawThrow(this.key, this.next++));
    if (shuffled) {
      const deck = this.rules.joker === "wild" ? [...CARDS.slice(1), "CARD_JOKER"] : CARDS;
      this.deck = shuffle(this.key, this.next++, deck);
    }
    if (dealt && this.rules.game === "trix") {
      this.hands = deal(shuffle(this.key, this.next++, CARDS), 4, dealt.first ?? 0, 13);
    } else if (dealt) {
      const first = ((dealt.dealer ?? 0) + 1) % this.seats;
      const count = Number(this.rules.deal.split(",")[dealt.handIndex ?? 0]);
      this.hands = deal(this.deck.splice(0, count * this.seats), this.seats, first, count);
    }
  }

  // A hand is what is left of the cards dealt, in their order.
  view(view) {
    const hand = view[this.rules.game]?.hand ?? [];
    if (!hand.length) return;
    const dealt = this.hands?.[view.viewer.seat ?? 0] ?? [];
    const held = dealt.filter((card) => hand.includes(card));
    this.compare("hand", hand.join(" "), held.join(" "));
  }
}

// Compares a record, and what was seen of its game, with the seed of the record.
export function verify(record, seen, ownEntropy) {
  if (!record.seed) throw new Error("the chance of this game was brought by hand: there is no seed");
  if (record.chanceVersion !== 1) throw new Error("only version 1 of the derivation is known here");
  const hex = (base64) => Buffer.from(base64 ?? "", "base64").toString("hex");
  const seed = Buffer.from(record.seed.seed ?? "", "base64");
  const entropy = (record.seed.entropy ?? []).map((entry) => Buffer.from(entry, "base64"));
  const game = new Game(record.rules, seed, entropy);
  if (seed.length !== 32) game.faults.push(`the seed has ${seed.length} bytes, not 32`);
  const committed = commitment(seed).toString("hex");
  if (record.commitment) game.compare("commitment", hex(record.commitment), committed);
  for (const own of ownEntropy) {
    const found = entropy.some((entry) => entry.toString("hex") === own);
    game.compare("own entropy", own, found ? own : "a list without it");
  }
  for (const answer of seen) {
    for (const event of answer.events ?? []) game.event(event);
    const views = answer.view ? [answer.view] : (answer.views ?? []);
    for (const { commitment: told } of [answer, ...views]) {
      if (told) game.compare("commitment", hex(told), committed);
    }
    for (const view of views) {
      game.compare("rules", readRules(view.rules).text, game.rules.text);
      game.view(view);
      if (!view.reveal) continue;
      game.compare("revealed seed", hex(view.reveal.seed), seed.toString("hex"));
      const list = (view.reveal.entropy ?? []).map(hex).join(" ");
      game.compare("entropy", list, entropy.map((entry) => entry.toString("hex")).join(" "));
    }
  }
  return game;
}

function main(args) {
  const files = [];
  const own = [];
  for (let at = 0; at < args.length; at++) {
    if (args[at] === "--entropy") own.push(args[++at]?.toLowerCase());
    else files.push(args[at]);
  }
  let game;
  try {
    const [record, seen = []] = files.map((file) => JSON.parse(readFileSync(file, "utf8")));
    game = verify(record, seen, own);
  } catch (error) {
    console.error(`cannot verify: ${error.message}`);
    return 2;
  }
  console.log(`rules: ${game.rules.text}`);
  console.log(`game key: ${game.key.toString("hex")}`);
  for (const [what, count] of Object.entries(game.compared)) console.log(`compared: ${count} ${what}`);
  for (const fault of game.faults) console.log(`DIFFERS: ${fault}`);
  console.log(game.faults.length ? "NOT VERIFIED" : "verified, as far as it was shown");
  return game.faults.length ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  process.exitCode = main(process.argv.slice(2));
}
