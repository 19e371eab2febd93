// Plays recorded games: node games.js ADDRESSES FOLDER plain|sealed
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { credentialSha256, type Game, viewDigest } from "@hakam/client";
import { connect, type NodeHakam } from "@hakam/client/node";
import { RulesSchema } from "@hakam/client/v1";

interface RecordedGame {
  readonly name: string;
  readonly rules: JsonValue;
  readonly seed: string;
  readonly credentials: readonly string[];
  readonly moves: readonly string[];
}

const bytes = (hex: string) => Buffer.from(hex, "hex");

async function begin(hakam: NodeHakam, recorded: RecordedGame, seal: boolean): Promise<Game> {
  const rules = fromJson(RulesSchema, recorded.rules);
  const chance = { case: "seed", value: bytes(recorded.seed) } as const;
  if (!seal) return hakam.newGame({ rules, chance });
  const credentials = recorded.credentials.map(bytes);
  const hashes = await Promise.all(credentials.map(credentialSha256));
  return hakam.newGame({ rules, chance, seal, credentialSha256: hashes }, { credentials });
}

async function play(hakam: NodeHakam, recorded: RecordedGame, seal: boolean): Promise<void> {
  console.log(`start ${recorded.name}`);
  const game = await begin(hakam, recorded, seal);
  for (const [index, notation] of recorded.moves.entries()) {
    const listed = index % 10 === 0 ? await game.moves() : [];
    const found = listed.find((move) => move.notation === notation);
    if (index % 10 === 0 && !found) throw new Error(`${recorded.name}: ${notation} is not listed`);
    await game.play(index % 20 === 0 && found ? found : notation);
    if ((index + 1) % 25 === 0) console.log(`at ${recorded.name} ${game.ply}`);
  }
  if (!game.over) throw new Error(`${recorded.name} is not over`);
  console.log(`end ${recorded.name} ${await viewDigest(await game.view("spectator"))}`);
}

const [addresses = "", folder = "", form] = process.argv.slice(2);
const hakam = connect(addresses.split(","));
for (const file of readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .sort()) {
  await play(hakam, JSON.parse(readFileSync(join(folder, file), "utf8")), form === "sealed");
}
