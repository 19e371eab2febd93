// A player of a sealed game of Trix in a tab of his own. He holds his credential and his entropy and
// nothing else; what he publishes, and what he reads, goes through a keeper who relays bytes. All
// the while he tries what is not his to do, and at the end he verifies the game by himself.
import { credentialSha256, drawCredential, type Game, HakamError, viewDigest } from "@hakam/client";
import {
  type ApplyMoveResponse,
  ApplyMoveResponseSchema,
  fromBinary,
  NewGameResponseSchema,
  toBinary,
  TrixRuleSet,
} from "@hakam/client/v1";
import { verify } from "@hakam/client/verify";
import { connect } from "@hakam/client/web";

const query = new URLSearchParams(location.search);
const seat = Number(query.get("seat"));
const hakam = connect(query.get("envoy") ?? "");
const rules = { game: { case: "trix", value: { ruleSet: TrixRuleSet.COMPLEX } } } as const;
const SEATS = [0, 1, 2, 3];

/** What somebody put there, once he has. */
async function read(path: string): Promise<Uint8Array> {
  const answer = await fetch(`/keeper/${path}`);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** Whether the keeper took it. */
async function put(path: string, bytes: Uint8Array): Promise<boolean> {
  return (await fetch(`/keeper/${path}`, { method: "POST", body: bytes.slice() })).ok;
}

const all = (what: string) => Promise.all(SEATS.map((one) => read(`${what}/${one}`)));

/** Seat 0 starts the game for all, once, with what they have published. */
async function start(hashes: Uint8Array[]): Promise<void> {
  const prepared = await hakam.prepareGame({ rules, credentialSha256: hashes });
  await put("commitment", prepared.commitment);
  const game = await hakam.newGame({
    rules: prepared.rules ?? rules,
    chance: { case: "preparedSeed", value: prepared.preparedSeed },
    entropy: await all("entropy"),
    credentialSha256: hashes,
    seal: true,
  });
  const [answer] = game.seen;
  if (answer?.$typeName !== "hakam.v1.NewGameResponse") throw new Error("no start");
  await put("start", toBinary(NewGameResponseSchema, { ...answer, stateForm: sealed(game) }));
}

function sealed(game: Game) {
  if (!game.sealedState) throw new Error("the state is not sealed");
  return { case: "sealedState", value: game.sealedState } as const;
}

const publish = (after: number, game: Game, answer: ApplyMoveResponse) =>
  put(`game/${after}`, toBinary(ApplyMoveResponseSchema, { ...answer, stateForm: sealed(game) }));

/** The reasons for which the calls were refused; one that was answered counts as `ANSWERED`. */
async function refused(...calls: Promise<unknown>[]): Promise<string[]> {
  const results = await Promise.allSettled(calls);
  return results.map((result) => {
    if (result.status === "fulfilled") return "ANSWERED";
    return result.reason instanceof HakamError
      ? `${result.reason.name} ${result.reason.reason}`
      : String(result.reason);
  });
}

/** Everything that could show another's hand, tried on the newest state with what this tab has. */
async function pry(game: Game, mine: Uint8Array): Promise<string[]> {
  const { value: state } = sealed(game);
  const others = SEATS.filter((other) => other !== seat);
  const attempts = others.map(async (other) => {
    const thief = await hakam.resume(state, { seat: other, credentials: { [other]: mine } });
    const nobody = await hakam.resume(state, { seat: other });
    const asMe = await hakam.resume(state, { seat, credentials: { [seat]: mine } });
    return refused(
      thief.view(),
      thief.moves(),
      thief.check("play KH"),
      thief.play("play KH"),
      nobody.view(),
      nobody.moves(),
      asMe.play("play KH", { viewers: [other] }),
    );
  });
  const bent = state.map((byte, at) => (at === state.length - 1 ? byte ^ 1 : byte));
  return [...(await Promise.all(attempts)).flat(), ...(await refused(hakam.resume(bent)))];
}

/** A random move of this seat, published. */
async function move(game: Game): Promise<void> {
  const { ply } = game;
  const moves = await game.moves();
  const chosen = moves[Math.floor(Math.random() * moves.length)];
  if (!chosen) throw new Error("no move");
  const answer = await game.play(chosen);
  if (!(await publish(ply, game, answer))) throw new Error("a move that the keeper did not take");
}

/** Whether the keeper takes a second move on a state whose first he has: one played on a copy. */
async function repent(old: Uint8Array, mine: Uint8Array): Promise<boolean> {
  const copy = await hakam.resume(old, { seat, credentials: { [seat]: mine } });
  const { ply } = copy;
  const moves = await copy.moves();
  return publish(ply, copy, await copy.play(moves.at(-1) ?? ""));
}

const handOf = ({ position }: Awaited<ReturnType<Game["view"]>>) =>
  position.case === "trix" ? position.value.hand : [];

async function play() {
  const mine = drawCredential();
  await put(`hash/${seat}`, await credentialSha256(mine));
  const hashes = await all("hash");
  const starting = seat === 0 ? start(hashes) : undefined;
  const commitment = await read("commitment");
  const ownEntropy = crypto.getRandomValues(new Uint8Array(16));
  await put(`entropy/${seat}`, ownEntropy);
  await starting;

  const answer = fromBinary(NewGameResponseSchema, await read("start"));
  const { stateForm } = answer;
  if (stateForm.case !== "sealedState") throw new Error("the start is not sealed");
  const speaker = { seat, credentials: { [seat]: mine } };
  const game = await hakam.resume(stateForm.value, speaker, answer);

  const firstHand = handOf(await game.view());
  const refusals: string[] = [];
  let repented: boolean | undefined;
  let spectatorCards = 0;
  for (let turns = 0; !game.over; turns++) {
    if (turns % 100 === 0) {
      refusals.push(...(await pry(game, mine)));
      spectatorCards += handOf(await game.view("spectator")).length;
    }
    if (turns % 20 === 0) await game.view();
    if (game.turn.toAct === seat) {
      const { value: old } = sealed(game);
      await move(game);
      repented ??= await repent(old, mine);
    } else {
      const newer = fromBinary(ApplyMoveResponseSchema, await read(`game/${game.ply}`));
      if (newer.stateForm.case !== "sealedState") throw new Error("not sealed");
      await game.update(newer.stateForm.value, newer);
    }
  }

  const digest = await viewDigest(await game.view("spectator"));
  const evidence = await game.evidence();
  const record = await game.record();
  if (!evidence || !record) throw new Error("no evidence");
  const replayed = await hakam.replay(record);
  const report = await verify({ ...evidence, ownEntropy: [ownEntropy] });
  const bent = { ...evidence.record, seed: { ...evidence.record.seed, entropy: [] } };
  return {
    seat,
    ply: game.ply,
    digest,
    winners: game.outcome?.winners,
    firstHand,
    refusals: [...new Set(refusals)].sort(),
    tried: refusals.length,
    repented,
    spectatorCards,
    replayed: replayed.result.case,
    commitment: hex(commitment) === hex(record.commitment),
    verified: report.verified,
    faults: report.faults,
    compared: report.compared,
    tampered: (await verify({ ...evidence, record: bent })).verified,
  };
}

const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16)).join(" ");

play()
  .catch((error) => ({ seat, failed: `${error} ${error.stack}` }))
  .then((body) => fetch("/told", { method: "POST", body: JSON.stringify(body) }));
