import { Code, ConnectError, type Interceptor, type Transport } from "@connectrpc/connect";
import { HakamError } from "./errors.js";
import { serviceConfig } from "./service_config.js";

/** When a call is sent again. What is absent is as the service's operators ship it. */
export interface RetryPolicy {
  /** How often a call is sent at most; 1: never again. */
  readonly maxAttempts?: number;
  /** How long one attempt may take, in milliseconds. */
  readonly attemptTimeoutMs?: number;
}

const CODES: Partial<Record<string, Code>> = {
  UNAVAILABLE: Code.Unavailable,
  CANCELLED: Code.Canceled,
};

const milliseconds = (duration: string) => Number(duration.replace(/s$/, "")) * 1000;

/** What the service config says of a method; an entry that names it goes before one for all. */
function policyOf(method: string) {
  const named = (wanted: string | undefined) =>
    serviceConfig.methodConfig.find(({ name }) =>
      name.some((one) => ("method" in one ? one.method : undefined) === wanted),
    );
  const { retryPolicy } = named(method) ?? named(undefined) ?? serviceConfig.methodConfig[0];
  const initial = milliseconds(retryPolicy.initialBackoff);
  return {
    maxAttempts: retryPolicy.maxAttempts,
    attemptTimeoutMs: milliseconds(retryPolicy.perAttemptRecvTimeout),
    codes: retryPolicy.retryableStatusCodes.map((name) => CODES[name]),
    /** The pause after an attempt, counted from 1, give or take a fifth. */
    pauseMs: (attempt: number) =>
      Math.min(
        initial * retryPolicy.backoffMultiplier ** (attempt - 1),
        milliseconds(retryPolicy.maxBackoff),
      ) *
      (0.8 + 0.4 * Math.random()),
  };
}

/**
 * A transport that gives an attempt up when it takes too long, and sends a call again for as long
 * as its deadline, the number of attempts and the throttle allow. Every call of the contract is a
 * function of its request, so none can be done twice.
 */
export function withRetries(
  transport: Transport,
  deadlineMs: number,
  override: RetryPolicy = {},
): Transport {
  const { maxTokens, tokenRatio } = serviceConfig.retryThrottling;
  let tokens: number = maxTokens;
  return {
    async unary(method, signal, timeoutMs = deadlineMs, header, input, contextValues) {
      const policy = { ...policyOf(method.name), ...override };
      const end = timeoutMs > 0 ? performance.now() + timeoutMs : Number.POSITIVE_INFINITY;
      for (let attempt = 1; ; attempt++) {
        const left = end - performance.now();
        const limit = Math.max(1, Math.ceil(Math.min(left, policy.attemptTimeoutMs)));
        try {
          const answer = await transport.unary(method, signal, limit, header, input, contextValues);
          tokens = Math.min(maxTokens, tokens + tokenRatio);
          return answer;
        } catch (reason) {
          const { code } = ConnectError.from(reason);
          const givenUp = code === Code.DeadlineExceeded && limit < left;
          if (signal?.aborted || !(givenUp || policy.codes.includes(code))) throw reason;
          tokens = Math.max(0, tokens - 1);
          const pauseMs = policy.pauseMs(attempt);
          const late = performance.now() + pauseMs >= end;
          if (late || attempt >= policy.maxAttempts || tokens <= maxTokens / 2) throw reason;
          await pause(pauseMs, signal);
        }
      }
    },
    stream: transport.stream.bind(transport),
  };
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(new ConnectError("the call was cancelled", Code.Canceled));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** A transport whose calls fail with a `HakamError`. */
export function withTypedErrors(transport: Transport): Transport {
  const typed = (reason: unknown) => {
    throw HakamError.from(reason);
  };
  return {
    unary: (...call) => transport.unary(...call).catch(typed),
    stream: (...call) => transport.stream(...call).catch(typed),
  };
}

/** Brings a token with every call. It is not sent in clear over a network, unless that is asked for. */
export function bearing(token: string, urls: readonly URL[], inClear: boolean): Interceptor {
  const open = urls.find((url) => url.protocol !== "https:" && !isLoopback(url.hostname));
  if (open && !inClear) throw new TypeError(`without TLS no token is sent to ${open.hostname}`);
  return (next) => (request) => {
    request.header.set("authorization", `Bearer ${token}`);
    return next(request);
  };
}

const isLoopback = (host: string) => /^(localhost|127\.[\d.]+|\[::1\])$/.test(host);
