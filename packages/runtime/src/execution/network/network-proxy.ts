import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { type AdmissionOptions, admitTarget } from "./admit-target.ts";
import { IDLE_MS } from "./connect-options.ts";
import type { DomainRule } from "./domain-rule.ts";
import { forwardRequest, MAX_HEADER_BYTES, refuseRequest } from "./forward-request.ts";
import { NetworkRecord, type NetworkUse } from "./network-record.ts";
import { openTunnel, refuseTunnel } from "./open-tunnel.ts";
import { forwardTarget, tunnelTarget } from "./proxy-target.ts";

export interface NetworkProxy {
  /** Where the script went, and where it was not let. */
  uses(): readonly NetworkUse[];
  /** Ends every connection. */
  close(): void;
}

const MAX_CONNECTIONS = 64;
const HEADERS_MS = 10_000;

/** A proxy for one run, which lets through what the rules allow and nothing else. */
export async function startNetworkProxy(
  socketPath: string,
  rules: readonly DomainRule[],
  options: AdmissionOptions,
): Promise<NetworkProxy> {
  const record = new NetworkRecord();
  const clients = new Set<Duplex>();
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_MS,
    // The time of a run is limited, and so is silence.
    requestTimeout: 0,
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.setTimeout(IDLE_MS);
  server.on("connection", (client) => {
    clients.add(client);
    client.on("error", () => {});
    client.once("close", () => clients.delete(client));
  });
  server.on("connect", (request: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on("error", () => {});
    void tunnel(request.url ?? "", client, head).catch(() => client.destroy());
  });
  server.on("request", (request, answer) => {
    void forward(request, answer).catch(() => answer.destroy());
  });

  async function tunnel(text: string, client: Duplex, head: Buffer): Promise<void> {
    const target = tunnelTarget(text);
    if (target === undefined) {
      record.refuseText(text);
      return refuseTunnel(client, 400, "CONNECT needs a host and a port");
    }
    const admitted = await admitTarget(target, rules, record, options);
    if (!admitted.ok) refuseTunnel(client, admitted.status, admitted.message);
    else if (!client.destroyed) openTunnel(client, head, target, admitted.addresses);
  }

  async function forward(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const target = forwardTarget(request.url ?? "");
    if (target === undefined) {
      record.refuseText(request.url ?? "");
      return refuseRequest(answer, 400, "this is a proxy; it needs an absolute http address");
    }
    const admitted = await admitTarget(target, rules, record, options);
    if (!admitted.ok) refuseRequest(answer, admitted.status, admitted.message);
    else if (!answer.destroyed) forwardRequest(request, answer, target, admitted.addresses);
  }

  server.listen(socketPath);
  await once(server, "listening");
  return {
    uses: () => record.list(),
    close() {
      server.close();
      for (const client of clients) client.destroy();
    },
  };
}
