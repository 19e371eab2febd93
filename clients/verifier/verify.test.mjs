// The vectors of docs/fairness.md, by the verifier: node --test clients/verifier

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { below, commitment, drawSeat, drawThrow, gameKey, readRules, shuffle, words } from "./verify.mjs";

const vectors = JSON.parse(
  readFileSync(new URL("../../tests/vectors/chance.json", import.meta.url), "utf8"),
);
const bytes = (hex) => Buffer.from(hex, "hex");

test("commitments", () => {
  for (const { seed, commitment: expected } of vectors.commitments) {
    assert.equal(commitment(bytes(seed)).toString("hex"), expected);
  }
});

test("keys", () => {
  for (const { seed, rules, entropy, key } of vectors.keys) {
    assert.equal(gameKey(bytes(seed), rules, entropy.map(bytes)).toString("hex"), key);
  }
});

test("streams", () => {
  for (const { key, event, blocks } of vectors.streams) {
    const stream = words(bytes(key), event);
    for (const block of blocks) {
      for (let at = 0; at < 32; at += 4) {
        assert.equal(stream.next().value, bytes(block).readUInt32BE(at));
      }
    }
  }
});

test("throws and seats", () => {
  for (const { key, kind, first_event, seats, outcomes } of vectors.draws) {
    const drawn = outcomes.map((_, n) =>
      kind === "throw"
        ? drawThrow(bytes(key), first_event + n)
        : drawSeat(bytes(key), first_event + n, seats),
    );
    assert.deepEqual(drawn, outcomes);
  }
});

test("shuffles", () => {
  for (const { key, event, deck, outcome, ...rest } of vectors.shuffles) {
    assert.deepEqual(rest, {});
    assert.deepEqual(shuffle(bytes(key), event, deck), outcome);
  }
});

test("numbers below a bound", () => {
  for (const { bound, words: given, value } of vectors.below) {
    const stream = given[Symbol.iterator]();
    assert.equal(below(stream, bound), value);
    assert.ok(stream.next().done);
  }
});

test("the text of rules", () => {
  const rules = {
    trix: {
      ruleSet: "TRIX_RULE_SET_COMPLEX_PARTNERS",
      doubling: "TRIX_DOUBLING_OFF",
      playOut: false,
      firstOwnerDrawnBy: "DRAWN_BY_SEVEN_OF_HEARTS",
      partnership: true,
      kingdomForm: "TRIX_KINGDOM_FORM_TWO_DEALS",
    },
    revision: 1,
  };
  assert.equal(
    readRules(rules).text,
    "game=trix revision=1 rule_set=complex_partners doubling=off play_out=false " +
      "first_owner=seven_of_hearts partnership=true kingdom_form=two_deals",
  );
  delete rules.trix.doubling;
  assert.throws(() => readRules(rules), /doubling/);
});
