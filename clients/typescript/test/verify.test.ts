import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import {
  below,
  commitment,
  drawSeat,
  drawThrow,
  gameKey,
  readRules,
  shuffle,
  verify,
  words,
} from "@hakam/client/verify";
import { TOP } from "./service.js";

const vectors = JSON.parse(readFileSync(`${TOP}tests/vectors/chance.json`, "utf8"));
const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, "hex"));
const hex = (data: Uint8Array) => Buffer.from(data).toString("hex");

test("commitments", async () => {
  for (const { seed, commitment: expected } of vectors.commitments) {
    assert.equal(hex(await commitment(bytes(seed))), expected);
  }
});

test("keys", async () => {
  for (const { seed, rules, entropy, key } of vectors.keys) {
    assert.equal(hex(await gameKey(bytes(seed), rules, entropy.map(bytes))), key);
  }
});

test("streams", async () => {
  for (const { key, event, blocks } of vectors.streams) {
    const stream = words(bytes(key), event);
    for (const block of blocks) {
      for (let at = 0; at < 32; at += 4) {
        assert.equal((await stream.next()).value, Buffer.from(block, "hex").readUInt32BE(at));
      }
    }
  }
});

test("throws and seats", async () => {
  for (const { key, kind, first_event, seats, outcomes } of vectors.draws) {
    for (const [n, outcome] of outcomes.entries()) {
      const event = first_event + n;
      const drawn =
        kind === "throw" ? drawThrow(bytes(key), event) : drawSeat(bytes(key), event, seats);
      assert.equal(await drawn, outcome);
    }
  }
});

test("shuffles", async () => {
  for (const { key, event, deck, outcome, ...rest } of vectors.shuffles) {
    assert.deepEqual(rest, {});
    assert.deepEqual(await shuffle(bytes(key), event, deck), outcome);
  }
});

test("numbers below a bound", async () => {
  for (const { bound, words: given, value } of vectors.below) {
    const stream: Iterator<number> = given[Symbol.iterator]();
    assert.equal(await below(stream, bound), value);
    assert.ok(stream.next().done);
  }
});

const TRIX = {
  ruleSet: "TRIX_RULE_SET_COMPLEX_PARTNERS",
  doubling: "TRIX_DOUBLING_OFF",
  playOut: false,
  firstOwnerDrawnBy: "DRAWN_BY_SEVEN_OF_HEARTS",
  partnership: true,
  kingdomForm: "TRIX_KINGDOM_FORM_TWO_DEALS",
};

test("the text of rules", () => {
  assert.equal(
    readRules({ trix: TRIX, revision: 1 }).text,
    "game=trix revision=1 rule_set=complex_partners doubling=off play_out=false " +
      "first_owner=seven_of_hearts partnership=true kingdom_form=two_deals",
  );
  const { doubling: _, ...rest } = TRIX;
  assert.throws(() => readRules({ trix: rest, revision: 1 }), /doubling/);
});

test("what has no seed, or one of another version, is not compared", async () => {
  const rules = { trix: TRIX, revision: 1 };
  await assert.rejects(verify({ record: {} }), /no game/);
  await assert.rejects(verify({ record: { rules, chanceVersion: 1 } }), /no seed/);
  await assert.rejects(verify({ record: { rules, chanceVersion: 2, seed: {} } }), /version 1/);
});

test("a seed of another length is a fault", async () => {
  const record = { rules: { trix: TRIX, revision: 1 }, chanceVersion: 1, seed: { seed: "AAAA" } };
  const report = await verify({ record });
  assert.equal(report.verified, false);
  assert.deepEqual(report.faults, ["the seed has 3 bytes, not 32"]);
});

test("it shares no code, not even with this client", () => {
  const code = readFileSync(new URL(import.meta.resolve("@hakam/client/verify")), "utf8");
  assert.ok(code.includes("export async function verify("));
  assert.doesNotMatch(code, /\bimport\b|\brequire\b/);
});
