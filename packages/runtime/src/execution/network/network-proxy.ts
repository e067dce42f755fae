import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect, type LookupFunction } from "node:net";
import { type Duplex, pipeline } from "node:stream";
import type { NetworkAddress } from "../../workspace/network/send-request.ts";
import {
  type AdmissionOptions,
  admitTarget,
  type DomainRule,
  forwardTarget,
  type ForwardTarget,
  NetworkRecord,
  type NetworkTarget,
  type NetworkUse,
  targetOf,
} from "./domain-rule.ts";

const CONNECT_MS = 15_000;
/** Without a byte in either direction. */
const IDLE_MS = 120_000;
const HEADERS_MS = 10_000;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_CONNECTIONS = 64;

/** Mean something between two neighbours only. */
const HOP_BY_HOP = new Set(
  [
    ["connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"],
    ["expect", "host", "http2-settings"],
  ].flat(),
);

type RefusedStatus = 400 | 403 | 502;

export interface NetworkProxy {
  /** Where the script went, and where it was not let. */
  uses(): readonly NetworkUse[];
  /** Ends every connection. */
  close(): void;
}

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
  const admit = async <Target extends NetworkTarget>(
    target: Target | undefined,
    text: string,
    refuse: (status: RefusedStatus, message?: string) => void,
    pass: (target: Target, addresses: readonly NetworkAddress[]) => void,
  ) => {
    if (target === undefined) {
      record.refuseText(text);
      return refuse(400);
    }
    const admitted = await admitTarget(target, rules, record, options);
    if (admitted.ok) pass(target, admitted.addresses);
    else refuse(admitted.status, admitted.message);
  };
  server.on("connect", ({ url = "" }: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on("error", () => {});
    const refuse = (status: RefusedStatus, message = "CONNECT needs a host and a port") =>
      refuseTunnel(client, status, message);
    void admit(targetOf(url), url, refuse, (target, addresses) => {
      if (!client.destroyed) openTunnel(client, head, target, addresses);
    }).catch(() => client.destroy());
  });
  server.on("request", (incoming, answer) => {
    const { url = "" } = incoming;
    const wanted = "this is a proxy; it needs an absolute http address";
    const refuse = (status: RefusedStatus, message = wanted) =>
      refuseRequest(answer, status, message);
    void admit(forwardTarget(url), url, refuse, (target, addresses) => {
      if (!answer.destroyed) forwardRequest(incoming, answer, target, addresses);
    }).catch(() => answer.destroy());
  });
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

/** Connects to one of the addresses that were checked, whatever a resolver says by now. */
function connectOptions({ host, port }: NetworkTarget, addresses: readonly NetworkAddress[]) {
  const found = addresses.map(({ address, family }) => ({ address, family }));
  const lookup: LookupFunction = (_host, options, callback) => {
    const [first] = found;
    if (options.all === true) callback(null, found);
    else callback(null, first?.address ?? "", first?.family);
  };
  return { host, port, autoSelectFamily: true, lookup };
}

/** Forwards a plain request over a new connection, and its answer back. */
function forwardRequest(
  incoming: IncomingMessage,
  answer: ServerResponse,
  target: ForwardTarget,
  addresses: readonly NetworkAddress[],
): void {
  const isChunked = incoming.headers["transfer-encoding"] !== undefined;
  const outgoing = request(
    {
      ...connectOptions(target, addresses),
      method: incoming.method,
      path: target.path,
      headers: {
        ...endToEnd(incoming.headersDistinct),
        host: target.authority,
        ...(isChunked && { "transfer-encoding": "chunked" }),
      },
      agent: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      timeout: IDLE_MS,
    },
    (response) => {
      answer.writeHead(response.statusCode ?? 502, endToEnd(response.headersDistinct));
      pipeline(response, answer, () => {});
    },
  );
  outgoing.once("timeout", () => outgoing.destroy());
  outgoing.once("error", () => {
    if (answer.headersSent) answer.destroy();
    else refuseRequest(answer, 502, `${target.host}:${target.port} cannot be reached`);
  });
  answer.once("close", () => outgoing.destroy());
  pipeline(incoming, outgoing, () => {});
}

/** Without what `Connection` names, and without what is meant for a proxy. */
function endToEnd(headers: NodeJS.Dict<string[]>): NodeJS.Dict<string[]> {
  const named = (headers["connection"] ?? [])
    .flatMap((value) => value.split(","))
    .map((name) => name.trim().toLowerCase());
  // The length always stays: a request without it could hide a second one.
  const dropped = new Set(named.filter((name) => name !== "content-length"));
  const isKept = (name: string) =>
    !HOP_BY_HOP.has(name) && !dropped.has(name) && !name.startsWith("proxy-");
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isKept(name)));
}

function refuseRequest(answer: ServerResponse, status: RefusedStatus, message: string): void {
  answer.writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" });
  answer.end(`${message}\n`);
}

/** Answers `CONNECT`: from then on the bytes go through as they are. */
function openTunnel(
  client: Duplex,
  head: Buffer,
  target: NetworkTarget,
  addresses: readonly NetworkAddress[],
): void {
  const server = connect({ ...connectOptions(target, addresses), allowHalfOpen: true });
  let isOpen = false;
  server.setTimeout(CONNECT_MS);
  server.once("connect", () => {
    isOpen = true;
    server.setTimeout(IDLE_MS);
    client.write("HTTP/1.1 200 Connection established\r\n\r\n");
    if (head.length > 0) server.write(head);
    client.pipe(server);
    server.pipe(client);
  });
  server.once("timeout", () => server.destroy());
  server.once("error", () => {});
  server.once("close", () => {
    if (isOpen) client.destroy();
    else refuseTunnel(client, 502, `${target.host}:${target.port} cannot be reached`);
  });
  client.once("close", () => server.destroy());
  if (client.destroyed) server.destroy();
}

const REASONS = { 400: "Bad Request", 403: "Forbidden", 502: "Bad Gateway" };

function refuseTunnel(client: Duplex, status: RefusedStatus, message: string): void {
  const body = `${message}\n`;
  const lines = [
    `HTTP/1.1 ${status} ${REASONS[status]}`,
    "Content-Type: text/plain; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  client.end(`${lines.join("\r\n")}\r\n\r\n${body}`, () => client.destroy());
}
