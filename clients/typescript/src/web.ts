import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { Hakam, type HakamOptions } from "./client.js";
import { bearing } from "./transports.js";

/** What holds for all calls of a page. */
export interface WebOptions extends HakamOptions {
  /** A token that admits, as `hakam token` makes them. */
  readonly token?: string;
  /** Whether the token may be sent without TLS. */
  readonly tokenInClear?: boolean;
}

/**
 * The referee behind a proxy that speaks gRPC-Web, such as Envoy with the configuration of
 * `deploy/envoy`, by the fetch of a browser. The proxy does the balancing.
 */
export function connect(baseUrl: string, options: WebOptions = {}): Hakam {
  const { token, tokenInClear = false, ...rest } = options;
  const interceptors = [unreached];
  if (token !== undefined) interceptors.push(bearing(token, [new URL(baseUrl)], tokenInClear));
  return new Hakam(createGrpcWebTransport({ baseUrl, interceptors }), rest);
}

/** A fetch that reaches nobody is a TypeError, as by the standard: another one may. */
const unreached: Interceptor = (next) => async (request) => {
  try {
    return await next(request);
  } catch (reason) {
    if (!(reason instanceof TypeError)) throw reason;
    throw new ConnectError(reason.message, Code.Unavailable, undefined, undefined, reason);
  }
};
