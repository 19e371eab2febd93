// Every task of docs/clients.md, which shows its regions: node tour.js ADDRESSES TLS CA TOKEN
import { readFileSync } from "node:fs";
import {
  credentialSha256,
  drawCredential,
  type Hakam,
  IllegalMove,
  StaleMove,
  viewDigest,
} from "@hakam/client";
import { connect } from "@hakam/client/node";
import { TrixRuleSet } from "@hakam/client/v1";
import { verify } from "@hakam/client/verify";

async function secure(address: string, authority: string, token: string): Promise<void> {
  // region secure
  const hakam = connect(address, { tls: { ca: readFileSync(authority) }, token });
  console.log((await hakam.listGames()).games.map(({ id }) => id));
  hakam.close();
  // endregion
}

async function play(hakam: Hakam): Promise<void> {
  // region play
  const rules = { game: { case: "trix", value: { ruleSet: TrixRuleSet.COMPLEX } } } as const;
  const game = await hakam.newGame({ rules });
  while (!game.over) {
    const [move] = await game.moves();
    if (move) await game.play(move);
  }
  console.log(game.outcome, game.events.length);
  // endregion
  // region fairness
  const evidence = await game.evidence();
  if (evidence) {
    const { verified } = await verify(evidence);
    console.log(verified, await viewDigest(await game.view("spectator")));
  }
  // endregion
}

async function look(hakam: Hakam): Promise<void> {
  const game = await hakam.newGame({ rules: { game: { case: "jackaroo", value: {} } } });
  // region view
  const { position: own } = await game.view(2);
  const { position: all } = await game.view("spectator");
  if (own.case === "jackaroo" && all.case === "jackaroo") {
    console.log(own.value.hand, all.value.discard);
  }
  // endregion
  // region errors
  try {
    await game.play("2C 0.0+2");
  } catch (error) {
    if (!(error instanceof IllegalMove)) throw error;
    console.log(error.reason, error.clause, error.text);
  }
  // endregion
  // region deadline
  const [move] = await game.moves({ timeoutMs: 500 });
  // endregion
  if (!move) throw new Error("nobody can move");
  // region stale
  const onScreen = game.ply;
  await game.play(move, { expectedPly: onScreen });
  try {
    await game.play(move, { expectedPly: onScreen });
  } catch (error) {
    if (!(error instanceof StaleMove)) throw error;
    console.log(error.expectedPly, error.ply);
  }
  // endregion
  // region resume
  const stored = game.state ?? game.sealedState;
  const later = stored && (await hakam.resume(stored));
  // endregion
  if (later?.ply !== game.ply) throw new Error("another game");
}

async function sealed(hakam: Hakam): Promise<void> {
  const rules = { game: { case: "tjau", value: {} } } as const;
  // region sealed
  const [mine, hers] = [drawCredential(), drawCredential()];
  const hashes = await Promise.all([mine, hers].map(credentialSha256));
  const table = await hakam.newGame({ rules, seal: true, credentialSha256: hashes });
  if (!table.sealedState) throw new Error("the state is plain");
  const speaker = { seat: 0, credentials: { 0: mine } };
  const game = await hakam.resume(table.sealedState, speaker);
  const played = await game.play("throw");
  if (game.sealedState) await table.update(game.sealedState, played);
  // endregion
  if (table.ply !== game.ply) throw new Error("another position");
}

const [addresses = "", tls = "", authority = "", token = ""] = process.argv.slice(2);
await secure(tls, authority, token);
// region connect
const hakam = connect(addresses.split(","), { language: "ar", deadlineMs: 5_000 });
// endregion
await play(hakam);
await look(hakam);
await sealed(hakam);
hakam.close();
