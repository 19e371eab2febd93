import assert from "node:assert/strict";
import test, { after, suite } from "node:test";
import {
  credentialSha256,
  drawCredential,
  type Game,
  type HakamError,
  IllegalMove,
  InvalidRequest,
  type NewGame,
  NotAllowed,
  StaleMove,
  Unauthenticated,
  viewDigest,
} from "@hakam/client";
import { connect } from "@hakam/client/node";
import {
  ChanceKind,
  JackarooRuleSet,
  Reason,
  type ReplayGameResponse,
  TrixRuleSet,
} from "@hakam/client/v1";
import { verify } from "@hakam/client/verify";
import { serve } from "./service.js";

const RULES = {
  tjau: { game: { case: "tjau", value: {} } },
  trix: { game: { case: "trix", value: { ruleSet: TrixRuleSet.COMPLEX } } },
  jackaroo: { game: { case: "jackaroo", value: { ruleSet: JackarooRuleSet.KAROTI } } },
} satisfies Record<string, NewGame["rules"]>;

const ARABIC = /[\u0600-\u06ff]/;
const SEED = new Uint8Array(32).fill(7);
const seeded: NewGame["chance"] = { case: "seed", value: SEED };

const { address } = await serve(after);
const hakam = connect(address);

/** A sealed game as its players have it: one handle each, with no credential but its own. */
async function begin(rules: NewGame["rules"], seats: number) {
  const secrets = Array.from({ length: seats }, drawCredential);
  const hashes = await Promise.all(secrets.map(credentialSha256));
  const asked = { rules, seal: true, credentialSha256: hashes };
  const { sealedState, seen } = await hakam.newGame(asked);
  const [start] = seen;
  assert.ok(sealedState && start?.$typeName === "hakam.v1.NewGameResponse");
  const resumed = secrets.map((secret, seat) =>
    hakam.resume(sealedState, { seat, credentials: { [seat]: secret } }, start),
  );
  return { table: await Promise.all(resumed), commitment: Buffer.from(start.commitment) };
}

/** A move of one, which all are told; now and then all look. */
async function step(table: readonly Game[], seat: number): Promise<void> {
  const game = table[seat];
  assert.ok(game);
  const moves = await game.moves();
  const answer = await game.play(moves[game.ply % moves.length] ?? "");
  assert.ok(game.sealedState);
  for (const other of table) {
    if (other !== game) await other.update(game.sealedState, answer);
    if (game.ply % 5 === 0) await other.view();
  }
}

async function playOut(game: Game): Promise<void> {
  for (let n = 0; !game.over; n++) {
    const moves = await game.moves();
    const move = moves[n % moves.length];
    assert.ok(move);
    await game.play(move);
  }
}

function replayed(answer: ReplayGameResponse) {
  assert.equal(answer.result.case, "replayed");
  assert.ok(answer.result.case === "replayed");
  return answer.result.value;
}

suite("a plain game", () => {
  test("is played to its end, recorded and replayed", async () => {
    for (const rules of Object.values(RULES)) {
      const game = await hakam.newGame({ rules, chance: seeded });
      await playOut(game);
      assert.ok(game.outcome?.winners.length);
      assert.equal(game.turn.toAct, undefined);
      assert.equal(game.events.at(-1)?.event.case, "gameOver");
      const record = await game.record();
      assert.ok(record);
      assert.deepEqual(record.chance.value, { ...record.chance.value, seed: SEED });
      const { turn, viewDigest: digest } = replayed(await hakam.replay(record));
      assert.deepEqual(turn, game.turn);
      const seen = await viewDigest(await game.view());
      assert.equal(Buffer.from(digest).toString("hex"), seen);
    }
  });

  test("says what happened, and gives what was asked for beside it", async () => {
    const game = await hakam.newGame({ rules: RULES.tjau, chance: seeded, listMoves: true });
    const played = await game.play("throw", { viewers: [1, "spectator"], listMoves: true });
    assert.equal(played.notation, "throw");
    assert.deepEqual(game.turn, played.turn);
    assert.equal(played.events[0]?.event.case, "tjau");
    assert.deepEqual(
      played.views.map(({ viewer }) => viewer?.viewer.case),
      ["seat", "spectator"],
    );
    assert.ok(played.moves.length > 0);
    assert.equal(played.stateForm.case, undefined, "who passes it on gives no state away");
    const [start] = game.seen;
    assert.ok(start && "credentials" in start && start.stateForm.case === undefined);
    assert.equal(start.moves[0]?.notation, "throw");
  });

  test("takes a move typed, listed or as notation", async () => {
    const game = await hakam.newGame({ rules: RULES.tjau, chance: seeded });
    await game.play({
      move: { case: "tjau", value: { action: { case: "throw", value: {} } } },
    });
    const [listed] = await game.moves({ effects: true });
    assert.ok(listed?.effects.length);
    const played = await game.play(listed);
    assert.equal(played.notation, listed.notation);
  });

  test("lets a double tap be played once", async () => {
    const game = await hakam.newGame({ rules: RULES.tjau, chance: seeded });
    const first = game.play("throw");
    const second = game.play("throw");
    await first;
    const { ply } = game;
    await assert.rejects(second, (error) => {
      assert.ok(error instanceof StaleMove && error instanceof IllegalMove);
      assert.deepEqual([error.reason, error.expectedPly, error.ply], ["PLY_MISMATCH", 0, ply]);
      return true;
    });
    await assert.rejects(game.play("throw", { expectedPly: 0 }), StaleMove);
    assert.equal(game.ply, ply);
    assert.equal(game.seen.length, 2);
  });

  test("refuses an illegal move with its clause, in Arabic if wanted, and stays as it is", async () => {
    const arabic = connect(address, { language: "ar" });
    const game = await arabic.newGame({ rules: RULES.tjau, chance: seeded });
    const { state, turn } = game;
    const error = await game.play("enter").catch((reason: unknown) => reason);
    assert.ok(error instanceof IllegalMove);
    assert.deepEqual([error.reason, error.clause, error.ply], ["WRONG_PHASE", "W5.1", 0]);
    assert.match(error.text, ARABIC);
    assert.equal(game.state, state);
    assert.equal(game.turn, turn);
    const verdict = await game.check("enter");
    assert.equal(verdict.legal, false);
    assert.equal(verdict.violation?.reason, Reason.WRONG_PHASE);
    assert.equal(verdict.violation?.text, error.text);
    assert.equal((await game.check("throw")).legal, true);
  });

  test("is gone on with from its stored state, but recorded from its start only", async () => {
    const game = await hakam.newGame({ rules: RULES.jackaroo, chance: seeded });
    await game.play((await game.moves())[0] ?? "");
    assert.ok(game.state);
    const later = await hakam.resume(game.state, { seat: 2 });
    assert.deepEqual(later.turn, game.turn);
    assert.equal((await later.view()).viewer?.viewer.value, 2);
    assert.equal(await later.record(), undefined);
    assert.equal(await later.evidence(), undefined);
    const arabic = await hakam.resume(game.state, { language: "ar" }, game.turn);
    assert.deepEqual(arabic.turn, game.turn);
    await assert.rejects(arabic.play("burn XX"), ({ text }: HakamError) => ARABIC.test(text));
    const known = await hakam.resume(game.state);
    await known.play((await game.moves())[0] ?? "");
    assert.equal(known.ply > game.ply, true);
  });

  test("names every fault of a state that cannot be", async () => {
    const { state } = await hakam.newGame({ rules: RULES.trix, chance: seeded });
    assert.ok(state?.position.case === "trix");
    const [hand, other] = state.position.value.hands;
    assert.ok(hand && other);
    hand.cards[0] = other.cards[0] ?? 0;
    await assert.rejects(hakam.resume(state), (error) => {
      assert.ok(error instanceof InvalidRequest);
      assert.equal(error.reason, "STATE_INVALID");
      assert.equal(error.faultCount, error.faults.length);
      assert.ok(error.faults.some(({ path }) => path === "state.trix.hands[1].cards[0]"));
      return true;
    });
  });

  test("may have its chance brought, and is recorded with it", async () => {
    const game = await hakam.newGame({
      rules: RULES.tjau,
      chance: { case: "supplied", value: {} },
    });
    for (const value of [3, 4, 1]) {
      assert.equal(game.turn.chanceDue?.kind, ChanceKind.THROW);
      assert.deepEqual(await game.moves(), []);
      const brought = { case: "throw", value } as const;
      await game.play({ move: { case: "chance", value: { outcome: brought } } });
      while (game.turn.toAct !== undefined) await game.play((await game.moves())[0] ?? "");
    }
    const record = await game.record();
    assert.ok(record?.chance.case === "outcomes");
    assert.deepEqual(
      record.chance.value.outcomes.map(({ outcome }) => outcome.value),
      [3, 4, 1],
    );
    assert.deepEqual(replayed(await hakam.replay(record)).turn?.ply, game.ply);
  });
});

suite("a sealed game", () => {
  test("is played by handles that have one credential each, and all can verify it", async () => {
    for (const [name, rules] of Object.entries(RULES)) {
      const { table, commitment } = await begin(rules, name === "tjau" ? 2 : 4);
      const [first] = table;
      assert.ok(first);
      while (!first.over) await step(table, first.turn.toAct ?? 0);
      const records = await Promise.all(table.map((game) => game.record()));
      for (const game of table) {
        assert.equal(game.ply, first.ply);
        const evidence = await game.evidence();
        assert.ok(evidence);
        assert.deepEqual(Buffer.from(evidence.record.commitment ?? "", "base64"), commitment);
        const report = await verify(evidence);
        assert.deepEqual(report.faults, []);
        assert.ok(report.verified);
        assert.ok((report.compared[name === "tjau" ? "throw" : "hand"] ?? 0) > 10);
        assert.ok(report.compared["revealed seed"]);
      }
      for (const record of records) {
        assert.deepEqual(record, records[0]);
        replayed(await hakam.replay(record ?? {}));
      }
    }
  });

  test("shows nobody another's hand or moves", async () => {
    const { table } = await begin(RULES.trix, 4);
    const [game, other] = table;
    assert.ok(game?.sealedState && other);
    const own = await game.view();
    assert.ok(own.position.case === "trix" && own.position.value.hand.length === 13);
    const open = await game.view("spectator");
    assert.ok(open.position.case === "trix" && open.position.value.hand.length === 0);
    await assert.rejects(game.view(1), Unauthenticated);
    const mine = other.view();
    await assert.doesNotReject(mine);
    const thief = await hakam.resume(game.sealedState, {
      seat: 1,
      credentials: { 1: drawCredential() },
    });
    for (const asked of [thief.view(), thief.moves(), thief.play("play AH")]) {
      await assert.rejects(asked, (error) => {
        assert.ok(error instanceof NotAllowed);
        assert.equal(error.reason, "CREDENTIAL_WRONG");
        return true;
      });
    }
  });

  test("refuses a seat's second tap as stale, though another is to act", async () => {
    const { table } = await begin(RULES.trix, 4);
    const seat = table[0]?.turn.toAct ?? 0;
    const game = table[seat];
    assert.ok(game);
    const [move] = await game.moves();
    assert.ok(move);
    const taps = await Promise.allSettled([game.play(move), game.play(move)]);
    assert.equal(taps[0].status, "fulfilled");
    assert.ok(taps[1].status === "rejected" && taps[1].reason instanceof StaleMove);
  });

  test("takes a newer state and no older one, without what happened if need be", async () => {
    const { table } = await begin(RULES.tjau, 2);
    const [a, b] = table;
    assert.ok(a?.sealedState && b);
    const old = a.sealedState;
    await a.play("throw");
    assert.equal(await b.update(a.sealedState), true);
    assert.deepEqual(b.turn, a.turn);
    assert.equal(await b.update(a.sealedState), false);
    assert.equal(await b.update(old), false);
    assert.equal(b.ply, a.ply);
    assert.equal(await b.record(), undefined, "it has not seen every move");
  });

  test("gives the credentials that the service made to the handle alone", async () => {
    const game = await hakam.newGame({ rules: RULES.tjau, seal: true, makeCredentials: true });
    await game.play((await game.moves())[0] ?? "");
    assert.ok(game.seen.every((answer) => !("credentials" in answer && answer.credentials.length)));
  });
});
