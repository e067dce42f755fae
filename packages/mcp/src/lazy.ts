import type { serveHttp as ServeHttp } from "./server/http/serve-http.ts";
import type { serveStdio as ServeStdio } from "./server/stdio/serve-stdio.ts";

// Functions whose modules are loaded by the first call, which keeps the import of this package short.

/** Serves any number of clients over Streamable HTTP, in both protocols. */
export const serveHttp: typeof ServeHttp = async (...args) =>
  (await import("./server/http/serve-http.ts")).serveHttp(...args);

/**
 * Serves one client over a pair of streams, in either protocol, until the input ends. Lines that are not
 * messages are skipped. Nothing but messages is written.
 */
export const serveStdio: typeof ServeStdio = async (...args) =>
  (await import("./server/stdio/serve-stdio.ts")).serveStdio(...args);
