import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import type { SecureContextOptions } from "node:tls";
import { Code, ConnectError, type Interceptor, type Transport } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { Hakam, type HakamOptions } from "./client.js";
import { bearing } from "./transports.js";

/** What holds for all calls of a program. */
export interface NodeOptions extends HakamOptions {
  /** With TLS: by the system's authorities, or by `ca`; `cert` and `key` are the client's own. */
  readonly tls?: boolean | Pick<SecureContextOptions, "ca" | "cert" | "key" | "passphrase">;
  /** A token that admits, as `hakam token` makes them. */
  readonly token?: string;
  /** Whether the token may be sent without TLS. */
  readonly tokenInClear?: boolean;
}

/** The referee over connections that can be closed; idle ones keep no program from its end. */
export interface NodeHakam extends Hakam {
  close(): void;
}

/**
 * The referee by gRPC over HTTP/2. Addresses are `HOST:PORT`; behind a name every address counts that
 * it has. Calls go round them, past those that have just failed.
 */
export function connect(
  addresses: string | readonly string[],
  options: NodeOptions = {},
): NodeHakam {
  const { tls = false, token, tokenInClear = false, ...rest } = options;
  const scheme = tls ? "https" : "http";
  const urls = [addresses].flat().map((address) => new URL(`${scheme}://${address}`));
  const interceptors: Interceptor[] = [disconnected];
  if (token !== undefined) interceptors.push(bearing(token, urls, tokenInClear));
  const replicas = new Replicas(urls, (url, ip) => {
    const connection = { ...(typeof tls === "object" ? tls : {}), lookup: only(ip) };
    const session = new Session(url, PINGS, connection);
    const about = { baseUrl: url.origin, interceptors, sessionManager: session };
    return new Replica(createGrpcTransport(about), session);
  });
  return Object.assign(new Hakam(replicas, rest), { close: () => replicas.close() });
}

/** A connection that was idle for so long is tried before a call is trusted to it. */
const PINGS = { pingIntervalMs: 30_000, pingTimeoutMs: 2_000 };
/** How long the addresses of a name are believed. */
const LOOKUP_MS = 30_000;
/** How long a replica that failed is passed over: at first, and at most. */
const REST_MS = { first: 500, most: 8_000 };

/**
 * A connection. One that is asked to go, and closes while another already takes its place, fails by
 * an event that connect-node 2.1.2 does not hear, and that would end the program; nothing is lost.
 */
class Session extends Http2SessionManager {
  override async request(...call: Parameters<Http2SessionManager["request"]>) {
    const stream = await super.request(...call);
    const { session } = stream;
    if (session && !session.listeners("error").includes(unheard)) session.on("error", unheard);
    return stream;
  }
}

const unheard = () => {};

const FAILED = new Set([Code.Unavailable, Code.Canceled, Code.DeadlineExceeded]);

class Replica {
  #failures = 0;
  #restsUntil = 0;

  constructor(
    readonly transport: Transport,
    readonly session: Http2SessionManager,
  ) {}

  get isResting(): boolean {
    return performance.now() < this.#restsUntil;
  }

  answered(): void {
    this.#failures = 0;
  }

  failed(): void {
    const restMs = Math.min(REST_MS.first * 2 ** this.#failures++, REST_MS.most);
    this.#restsUntil = performance.now() + restMs;
  }
}

/** One call by one replica; the next by the next. */
class Replicas implements Transport {
  readonly #urls: readonly URL[];
  readonly #open: (url: URL, ip: string) => Replica;
  readonly #known = new Map<URL, Map<string, Replica>>();
  #lookedUpAt = Number.NEGATIVE_INFINITY;
  #turn = 0;

  constructor(urls: readonly URL[], open: (url: URL, ip: string) => Replica) {
    this.#urls = urls;
    this.#open = open;
  }

  unary: Transport["unary"] = (...call) => this.#byOne((transport) => transport.unary(...call));

  stream: Transport["stream"] = (...call) => this.#byOne((transport) => transport.stream(...call));

  close(): void {
    for (const { session } of this.#replicas) session.abort();
  }

  async #byOne<T>(call: (transport: Transport) => Promise<T>): Promise<T> {
    const replica = await this.#next();
    try {
      const answer = await call(replica.transport);
      replica.answered();
      return answer;
    } catch (reason) {
      if (FAILED.has(ConnectError.from(reason).code)) {
        replica.failed();
        this.#lookedUpAt = Number.NEGATIVE_INFINITY;
      } else {
        replica.answered();
      }
      throw reason;
    }
  }

  async #next(): Promise<Replica> {
    if (performance.now() - this.#lookedUpAt > LOOKUP_MS) await this.#lookUp();
    const all = this.#replicas;
    const awake = all.filter((replica) => !replica.isResting);
    const candidates = awake.length ? awake : all;
    const replica = candidates[this.#turn++ % candidates.length];
    if (replica === undefined) {
      const hosts = this.#urls.map(({ hostname }) => hostname);
      throw new ConnectError(`no address of ${hosts}`, Code.Unavailable);
    }
    return replica;
  }

  /** A name that cannot be looked up keeps the addresses that it had. */
  async #lookUp(): Promise<void> {
    await Promise.all(
      this.#urls.map(async (url) => {
        const ips = await addressesOf(url).catch(() => undefined);
        const known = this.#known.get(url);
        const replicas = ips?.map((ip) => [ip, known?.get(ip) ?? this.#open(url, ip)] as const);
        if (replicas) this.#known.set(url, new Map(replicas));
      }),
    );
    this.#lookedUpAt = performance.now();
  }

  get #replicas(): Replica[] {
    return [...this.#known.values()].flatMap((byAddress) => [...byAddress.values()]);
  }
}

async function addressesOf(url: URL): Promise<string[]> {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(host)) return [host];
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/** A name server that knows one address, so that a connection by name goes to one replica. */
function only(ip: string): LookupFunction {
  return (_host, options, found) => {
    if (options.all) found(null, [{ address: ip, family: isIP(ip) }]);
    else found(null, ip, isIP(ip));
  };
}

/**
 * A connection, and not the service, is what fails with an error of Node's own, or by a cancellation
 * that is not the caller's. Another connection may hold.
 */
const disconnected: Interceptor = (next) => async (request) => {
  try {
    return await next(request);
  } catch (reason) {
    const { code, rawMessage, cause } = ConnectError.from(reason);
    const isNodes = cause instanceof Error && "code" in cause && typeof cause.code === "string";
    const isOthers = code === Code.Canceled && !request.signal.aborted;
    if (!isNodes && !isOthers) throw reason;
    throw new ConnectError(rawMessage, Code.Unavailable, undefined, undefined, reason);
  }
};
