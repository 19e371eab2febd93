import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** The top of the repository. */
export const TOP = fileURLToPath(new URL("../../../../", import.meta.url));

/** A service of its own process on a free port of loopback. */
export interface Service {
  readonly process: ChildProcess;
  readonly address: string;
  /** Ends it and waits. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a service; `after` gets what ends it. */
export async function serve(
  after: (end: () => Promise<void>) => void,
  variables: Record<string, string> = {},
): Promise<Service> {
  const free = { HAKAM_PORT: "0", HAKAM_METRICS_PORT: "0", HAKAM_WORKERS: "1" };
  const child = spawn(`${TOP}.venv/bin/hakam`, ["serve", "--log-format", "json"], {
    env: { ...process.env, ...free, HAKAM_KEYS: "5a".repeat(64), ...variables },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(child, "exit");
  const end = async (signal: NodeJS.Signals = "SIGKILL") => {
    child.kill(signal);
    await ended;
  };
  after(() => end());
  for await (const line of createInterface({ input: child.stderr })) {
    const entry = JSON.parse(line);
    if (entry.event !== "serving") continue;
    child.stderr.on("data", () => {});
    return { process: child, address: entry.address, end };
  }
  throw new Error("the service does not serve");
}
