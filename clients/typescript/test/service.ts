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
  /** The calls that it has answered. */
  readonly calls: number;
  /** Ends it and waits. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a service; `after` gets what ends it. */
export async function serve(
  after: (end: () => Promise<void>) => void,
  variables: Record<string, string> = {},
): Promise<Service> {
  const free = { HAKAM_PORT: "0", HAKAM_METRICS_PORT: "0", HAKAM_WORKERS: "1" };
  const log = { HAKAM_LOG_FORMAT: "json", HAKAM_ACCESS_LOG: "all" };
  const child = spawn(`${TOP}.venv/bin/hakam`, ["serve"], {
    env: { ...process.env, ...free, ...log, HAKAM_KEYS: "5a".repeat(64), ...variables },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(child, "exit");
  const end = async (signal: NodeJS.Signals = "SIGKILL") => {
    child.kill(signal);
    await ended;
  };
  after(() => end());
  let calls = 0;
  const lines = createInterface({ input: child.stderr });
  const address = await new Promise<string>((resolve, reject) => {
    lines.on("close", () => reject(new Error("the service does not serve")));
    lines.on("line", (line) => {
      if (!line.startsWith("{")) return; // gRPC's core has lines of its own
      const entry = JSON.parse(line);
      if (entry.event === "serving") resolve(entry.address);
      if (entry.event === "call") calls++;
    });
  });
  return {
    process: child,
    address,
    end,
    get calls() {
      return calls;
    },
  };
}
