import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import test, { after } from "node:test";
import { promisify } from "node:util";
import { serve } from "./service.js";

const HERE = new URL("../../", import.meta.url);
const text = (path: string) => readFileSync(new URL(path, HERE), "utf8");
const service = await serve(after);

async function output(example: string): Promise<string> {
  const program = new URL(`dist-test/examples/${example}.js`, HERE);
  const { stdout } = await promisify(execFile)("node", [program.pathname, service.address]);
  return stdout;
}

test("the first call of the page is the example, to the byte", () => {
  const [, block] = /^```ts\n(import [\s\S]*?)^```$/m.exec(text("README.md")) ?? [];
  assert.equal(block, text("examples/first-call.ts"));
});

test("the first call plays a game of Trix to its end", async () => {
  assert.match(await output("first-call"), /^\d{3,4} events; won by seats \[ \d(, \d)* \]\n$/);
});

test("a game of each kind is played, and its board printed", async () => {
  const printed = await output("play");
  assert.match(printed, /^tjau, \d+ moves and chance events\n[*.01] [\s\S]*\nwon by seats [01]\n/);
  assert.match(printed, /^trix, \d+ .*\ngame=trix revision=1 .*\nwon by seats \d/m);
  const jackaroo = printed.split("moves and chance events\n").at(-1) ?? "";
  const [board = ""] = jackaroo.split("won by");
  assert.equal(board.match(/[0-3]/g)?.length, 16, "the marbles of four seats");
});

test("the licence is that of the repository", () => {
  assert.equal(text("LICENSE"), text("../../LICENSE"));
});
