import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttp2Server, type ServerHttp2Stream } from "node:http2";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { type Hakam, Unauthenticated, Unavailable } from "@hakam/client";
import { connect } from "@hakam/client/node";
import { serve, TOP } from "./service.js";

const TJAU = { game: { case: "tjau", value: {} } } as const;

const started = (t: TestContext, variables?: Record<string, string>) =>
  serve((end) => t.after(end), variables);

async function playOut(hakam: Hakam): Promise<void> {
  const game = await hakam.newGame({ rules: TJAU });
  while (!game.over) {
    const moves = await game.moves();
    await game.play(moves[game.ply % moves.length] ?? "");
  }
}

function portOf(server: Server): number {
  const address = server.address();
  assert.ok(typeof address === "object" && address);
  return address.port;
}

/** Waits for what happens soon, or the test takes too long. */
async function until(happened: () => boolean): Promise<void> {
  while (!happened()) await new Promise((resolve) => setTimeout(resolve, 5));
}

test("calls go round all replicas, and round those that died, drain or came back", {
  timeout: 120_000,
}, async (t) => {
  const services = await Promise.all([started(t), started(t), started(t)]);
  const [killed, drained] = services;
  assert.ok(killed && drained);
  const hakam = connect(services.map(({ address }) => address));
  const playing = Promise.all(Array.from({ length: 4 }, () => playOut(hakam)));
  await until(() => services.every(({ calls }) => calls > 20));
  await killed.end("SIGKILL");
  const port = killed.address.split(":").at(-1) ?? "";
  const [, back] = await Promise.all([drained.end("SIGTERM"), started(t, { HAKAM_PORT: port })]);
  await playing;
  while (back.calls < 20) await hakam.listGames();
  hakam.close();
});

/** Answers a call with an empty message, and asks the connection to go. */
function answerAndLeave(stream: ServerHttp2Stream): void {
  stream.on("error", () => {});
  stream.resume().once("end", () => {
    stream.respond({ "content-type": "application/grpc" }, { waitForTrailers: true });
    stream.once("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    const { session } = stream;
    stream.once("close", () => session?.goaway());
    stream.end(Buffer.alloc(5));
  });
}

test("connections that are asked to go are replaced, however soon the next call is", async (t) => {
  const server = createHttp2Server().on("stream", answerAndLeave).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const clients = Array.from({ length: 8 }, () => connect(`127.0.0.1:${portOf(server)}`));
  const asking = clients.map(async (hakam, steps) => {
    for (let n = 0; n < 20; n++) {
      await hakam.listGames();
      for (let step = 0; step < steps; step++) await new Promise(setImmediate);
    }
    hakam.close();
  });
  await Promise.all(asking);
});

test("a paused replica is passed over after its first silence", async (t) => {
  const services = await Promise.all([started(t), started(t)]);
  const hakam = connect(services.map(({ address }) => address));
  await Promise.all([hakam.listGames(), hakam.listGames()]);
  services[0]?.process.kill("SIGSTOP");
  const begun = performance.now();
  for (let n = 0; n < 20; n++) await hakam.listGames();
  const took = performance.now() - begun;
  assert.ok(took > 1_900 && took < 10_000, `${took} ms`);
});

test("where nobody serves, it is said soon", async () => {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const port = portOf(probe);
  probe.close();
  for (const nowhere of [`127.0.0.1:${port}`, "no-such-host.invalid:50051"]) {
    const begun = performance.now();
    await assert.rejects(connect(nowhere).listGames(), Unavailable);
    assert.ok(performance.now() - begun < 8_000);
  }
});

test("a name stands for all its addresses", async (t) => {
  const { address } = await started(t);
  const hakam = connect(`localhost:${address.split(":").at(-1)}`);
  // Where localhost is ::1 too, nobody is there.
  for (let n = 0; n < 5; n++) assert.equal((await hakam.listGames()).games.length, 3);
});

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "hakam-client-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("with TLS the service is known by its authority, and the client by its certificate", async (t) => {
  const folder = folderOf(t);
  const program = `
from pathlib import Path
from tests.rpc.certificates import Authority
authority, folder = Authority("ours"), Path(${JSON.stringify(folder)})
(folder / "ca.pem").write_bytes(authority.certificate)
for name in ("service", "client"):
    authority.sign(name).put(folder / f"{name}.pem", folder / f"{name}.key")
`;
  execFileSync(`${TOP}.venv/bin/python`, ["-c", program], { cwd: TOP });
  const path = (name: string) => join(folder, name);
  const { address } = await started(t, {
    HAKAM_TLS_CERT_FILE: path("service.pem"),
    HAKAM_TLS_KEY_FILE: path("service.key"),
    HAKAM_TLS_CLIENT_CA_FILE: path("ca.pem"),
  });
  const [ca, cert, key] = ["ca.pem", "client.pem", "client.key"].map((name) =>
    readFileSync(path(name)),
  );
  assert.ok(ca && cert && key);
  const once = { retry: { maxAttempts: 1 } };
  await connect(address, { tls: { ca, cert, key } }).listGames();
  await assert.rejects(connect(address, { ...once, tls: { ca } }).listGames(), Unavailable);
  await assert.rejects(connect(address, { ...once, tls: true }).listGames(), Unavailable);
  await assert.rejects(connect(address, once).listGames(), Unavailable);
});

test("a token admits, and is not sent in clear over a network", async (t) => {
  const made = execFileSync(`${TOP}.venv/bin/hakam`, ["token"], { encoding: "utf8" });
  const [token = "", hash = ""] = made.split("\n");
  const file = join(folderOf(t), "tokens");
  writeFileSync(file, hash);
  const { address } = await started(t, { HAKAM_TOKENS_FILE: file });
  await connect(address, { token }).listGames();
  await assert.rejects(connect(address).listGames(), (error) => {
    assert.ok(error instanceof Unauthenticated);
    assert.equal(error.reason, "ADMISSION_REFUSED");
    return true;
  });
  const far = "hakam.example:50051";
  assert.throws(() => connect(far, { token }), /without TLS no token is sent to hakam.example/);
  connect(far, { token, tls: true });
  connect(far, { token, tokenInClear: true });
});
