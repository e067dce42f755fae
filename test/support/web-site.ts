import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export type Page =
  | string
  | Uint8Array
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | ((request: IncomingMessage, response: ServerResponse) => void);

export interface WebSite {
  /** `http://127.0.0.1:…` */
  readonly origin: string;
  /** Paths that were asked for, in order. */
  readonly asked: readonly string[];
  readonly requests: readonly IncomingMessage[];
  /** May be filled after the start. */
  readonly pages: Record<string, Page>;
}

/** A real server on this machine that answers with these pages and ends with the test. */
export async function webSite(pages: Record<string, Page> = {}): Promise<WebSite> {
  const requests: IncomingMessage[] = [];
  const asked: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    asked.push(request.url ?? "");
    const page = pages[request.url ?? ""];
    if (page === undefined) response.writeHead(404).end("nothing here");
    else if (typeof page === "function") page(request, response);
    else if (typeof page === "string" || page instanceof Uint8Array) response.end(page);
    else response.writeHead(page.status, page.headers).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, asked, requests, pages };
}
