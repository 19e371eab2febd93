import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { ConnectError, createRouterTransport, type Transport } from "@connectrpc/connect";
import { Code, DeadlineExceeded, Hakam, type HakamOptions, Unavailable } from "@hakam/client";
import { GameService } from "@hakam/client/v1";
import { serviceConfig } from "../src/service_config.js";
import { TOP } from "./service.js";

type Attempt = (attempt: number, timeoutMs: number | undefined) => void | Promise<void>;

/** A client of a service that does as told in each attempt, and the attempts with their limits. */
function client(attempt: Attempt, options?: HakamOptions) {
  const limits: (number | undefined)[] = [];
  const answered = createRouterTransport(({ service }) =>
    service(GameService, {
      listGames: async (_, { timeoutMs }) => {
        limits.push(timeoutMs());
        await attempt(limits.length, timeoutMs());
        return { release: `attempt ${limits.length}` };
      },
      replayGame: async (_, { timeoutMs }) => {
        limits.push(timeoutMs());
        return {};
      },
    }),
  );
  return { hakam: new Hakam(answered, options), limits };
}

const fail = (code: Code) => {
  throw new ConnectError("as told", code);
};
const silence = () => new Promise<void>((resolve) => setTimeout(resolve, 1_000).unref());

test("the numbers are those of the shipped service config", () => {
  const shipped = readFileSync(`${TOP}deploy/client/service_config.json`, "utf8");
  assert.deepEqual(serviceConfig, JSON.parse(shipped));
});

for (const code of [Code.Unavailable, Code.Canceled]) {
  test(`what fails with ${Code[code]} is sent again`, async () => {
    const { hakam, limits } = client((attempt) => (attempt < 4 ? fail(code) : undefined));
    assert.equal((await hakam.listGames()).release, "attempt 4");
    assert.equal(limits.length, 4);
  });
}

test("after five attempts it is given up", async () => {
  const { hakam, limits } = client(() => fail(Code.Unavailable));
  const begun = performance.now();
  await assert.rejects(hakam.listGames(), Unavailable);
  assert.equal(limits.length, 5);
  const paused = performance.now() - begun;
  assert.ok(paused > 0.8 * 750 && paused < 8_000, `${paused} ms`);
});

test("a refusal is not sent again", async () => {
  const { hakam, limits } = client(() => fail(Code.FailedPrecondition));
  await assert.rejects(hakam.listGames(), { name: "IllegalMove" });
  assert.equal(limits.length, 1);
});

test("an attempt without an answer is given up, and the call sent again", async () => {
  const { hakam, limits } = client((attempt) => (attempt < 3 ? silence() : undefined), {
    retry: { attemptTimeoutMs: 50 },
  });
  assert.equal((await hakam.listGames()).release, "attempt 3");
  assert.equal(limits.length, 3);
});

test("an attempt takes no longer than the config says, nor than the call may", async () => {
  const { hakam, limits } = client(() => {});
  await hakam.listGames();
  await hakam.replay({}, { timeoutMs: 60_000 });
  await hakam.listGames({ timeoutMs: 500 });
  const [small, large, short] = limits.map((limit) => limit ?? 0);
  assert.ok(small && small > 1_900 && small <= 2_000);
  assert.ok(large && large > 9_900 && large <= 10_000);
  assert.ok(short && short <= 500);
});

test("all attempts together take no longer than the deadline", async () => {
  const { hakam, limits } = client(silence, { deadlineMs: 150, retry: { attemptTimeoutMs: 40 } });
  await assert.rejects(hakam.listGames(), DeadlineExceeded);
  assert.ok(limits.length < 5, `${limits.length} attempts`);
});

test("a caller who cancels is obeyed, in an attempt and in a pause", async () => {
  const waiting = client(silence);
  await assert.rejects(waiting.hakam.listGames({ signal: AbortSignal.timeout(30) }), {
    code: Code.Canceled,
  });
  assert.equal(waiting.limits.length, 1);
  const aborting = new AbortController();
  const pausing = client(() => {
    setTimeout(() => aborting.abort(), 5);
    fail(Code.Unavailable);
  });
  await assert.rejects(pausing.hakam.listGames({ signal: aborting.signal }), {
    code: Code.Canceled,
  });
  assert.equal(pausing.limits.length, 1);
});

test("where most fail for long, nothing is sent again", async () => {
  let sent = 0;
  const failing = {
    unary: async () => {
      sent++;
      return fail(Code.Unavailable);
    },
  } as unknown as Transport;
  const hakam = new Hakam({ ...failing, stream: async () => fail(Code.Unimplemented) });
  const calls = (count: number) =>
    Promise.allSettled(Array.from({ length: count }, () => hakam.listGames()));
  await calls(150);
  const before = sent;
  await calls(10);
  assert.equal(sent - before, 10);
  assert.ok(before < 650, `${before} attempts`);
});
