import type { PackProgress } from "../../fetched-pack.ts";
import { type Lookup, resolveName } from "./address-reach.ts";

/** What all requests for one source share. */
export interface WebContext {
  /** What the person named: the only host that may be inside a private network without question. */
  readonly start: URL;
  readonly fetch: typeof globalThis.fetch;
  readonly lookup: Lookup;
  /** Without a byte for so long, an answer is given up. */
  readonly idleMilliseconds: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: PackProgress) => void;
}

export interface WebOptions {
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly lookup?: Lookup | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: PackProgress) => void) | undefined;
}

const IDLE_MILLISECONDS = 30_000;

export function webContext(url: string, options: WebOptions): WebContext {
  const { fetch = globalThis.fetch, lookup = resolveName, signal, onProgress } = options;
  return {
    start: new URL(url),
    fetch,
    lookup,
    idleMilliseconds: IDLE_MILLISECONDS,
    ...(signal !== undefined && { signal }),
    ...(onProgress !== undefined && { onProgress }),
  };
}
