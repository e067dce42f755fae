import { once } from "node:events";
import { closeSync, copyFileSync, existsSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect, isIP, type LookupFunction } from "node:net";
import { dirname, join } from "node:path";
import { type Duplex, pipeline } from "node:stream";
import type { NetworkAddress } from "../../workspace/network/send-request.ts";
import type { ResolvedLimits } from "../check-request.ts";
import { runningNode } from "../find-program.ts";
import { SANDBOX_PLACES } from "../start-bubblewrap.ts";
import {
  type AdmissionOptions,
  admitTarget,
  type DomainRule,
  forwardTarget,
  type ForwardTarget,
  NetworkRecord,
  type NetworkTarget,
  type NetworkUse,
  plainHost,
  targetOf,
} from "./domain-rule.ts";
import { readClientStart } from "./tls-server-name.ts";

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

interface NetworkProxy {
  /** Where the script went, and where it was not let. */
  uses(): readonly NetworkUse[];
  /** Ends every connection. */
  close(): void;
}

interface ProxyOptions extends AdmissionOptions {
  /** How much may go through in both directions together. Default: no limit. */
  readonly networkBytes?: number;
}

/** What one connection needs of its proxy. */
interface Passage {
  readonly addresses: readonly NetworkAddress[];
  readonly record: NetworkRecord;
  /** Gets what goes through. */
  readonly count: (chunk: Buffer) => void;
}

/** A proxy for one run, which lets through what the rules allow and nothing else. */
export async function startNetworkProxy(
  socketPath: string,
  rules: readonly DomainRule[],
  options: ProxyOptions,
): Promise<NetworkProxy> {
  const record = new NetworkRecord();
  const clients = new Set<Duplex>();
  let left = options.networkBytes ?? Infinity;
  /** Everything ends with the byte that is one too many. */
  const countFor = (target: NetworkTarget) => (chunk: Buffer) => {
    left -= chunk.length;
    if (left >= 0) return;
    record.add(target, false);
    for (const client of clients) client.destroy();
  };
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
    if (left < 0) {
      record.add(target, false);
      return refuse(403, "this run has used up the bytes that it may send and receive");
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
      if (!client.destroyed)
        openTunnel(client, head, target, { addresses, record, count: countFor(target) });
    }).catch(() => client.destroy());
  });
  server.on("request", (incoming, answer) => {
    const { url = "" } = incoming;
    const wanted = "this is a proxy; it needs an absolute http address";
    const refuse = (status: RefusedStatus, message = wanted) =>
      refuseRequest(answer, status, message);
    void admit(forwardTarget(url), url, refuse, (target, addresses) => {
      if (!answer.destroyed)
        forwardRequest(incoming, answer, target, {
          addresses,
          record,
          count: countFor(target),
        });
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
  { addresses, count }: Passage,
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
      response.on("data", count);
    },
  );
  outgoing.once("timeout", () => outgoing.destroy());
  outgoing.once("error", () => {
    if (answer.headersSent) answer.destroy();
    else refuseRequest(answer, 502, `${target.host}:${target.port} cannot be reached`);
  });
  answer.once("close", () => outgoing.destroy());
  pipeline(incoming, outgoing, () => {});
  incoming.on("data", count);
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

const TLS_PORT = 443;

/**
 * Answers `CONNECT`: from then on the bytes go through as they are. A client that begins TLS must name
 * the host that was allowed, in the open: behind one address there may be many servers.
 */
function openTunnel(
  client: Duplex,
  head: Buffer,
  target: NetworkTarget,
  { addresses, record, count }: Passage,
): void {
  const server = connect({ ...connectOptions(target, addresses), allowHalfOpen: true });
  let isOpen = false;
  server.setTimeout(CONNECT_MS);
  server.once("connect", () => {
    isOpen = true;
    server.setTimeout(IDLE_MS);
    client.write("HTTP/1.1 200 Connection established\r\n\r\n");
    server.on("data", count);
    server.pipe(client);
    let start: Buffer = Buffer.alloc(0);
    const read = (chunk: Buffer) => {
      count(chunk);
      start = Buffer.concat([start, chunk]);
      const begun = readClientStart(start);
      if (begun.kind === "more") return;
      client.off("data", read);
      const refused = refusedStart(begun, target);
      if (refused !== undefined) {
        record.add(refused, false);
        client.destroy();
        return;
      }
      server.write(start);
      client.on("data", count);
      client.pipe(server);
    };
    client.on("data", read);
    client.once("end", () => server.end());
    if (head.length > 0) read(head);
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

/** What a client wants to reach that was not allowed. */
function refusedStart(
  start: ReturnType<typeof readClientStart>,
  target: NetworkTarget,
): NetworkTarget | undefined {
  if (start.kind === "plain") return target.port === TLS_PORT ? target : undefined;
  if (start.kind !== "tls" || start.isEncrypted) return target;
  // Addresses have no name in TLS.
  if (start.serverName === undefined) return isIP(target.host) === 0 ? target : undefined;
  const host = plainHost(start.serverName);
  return host === target.host ? undefined : { host: host ?? target.host, port: target.port };
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

/**
 * Runs inside a sandbox, whose network is empty: listens there, passes every connection to the proxy's
 * socket, and only then starts the script. It can do no more than the script itself. Arguments: socket, port, command.
 */
const NETWORK_RELAY = `"use strict";
const { spawn } = require("node:child_process");
const { connect, createServer } = require("node:net");
const { constants } = require("node:os");

const [socketPath, port, program, ...args] = process.argv.slice(2);
const server = createServer({ allowHalfOpen: true }, (client) => {
  const proxy = connect({ path: socketPath, allowHalfOpen: true });
  for (const [from, to] of [[client, proxy], [proxy, client]]) {
    from.on("error", () => {});
    from.once("close", () => to.destroy());
    from.pipe(to);
  }
});
server.listen(Number(port), "127.0.0.1", () => {
  const script = spawn(program, args, { stdio: "inherit", detached: true });
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => script.kill(signal));
  script.once("error", (error) => {
    process.stderr.write(error.message + "\\n");
    process.exit(127);
  });
  script.once("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
});
`;

/** How one sandbox reaches some domains: a proxy outside, and a relay to it inside. */
export interface SandboxNetwork extends NetworkProxy {
  /** Shown in the sandbox as `SANDBOX_PLACES.network`. */
  readonly folder: string;
  /** What runs the relay, to be shown too. */
  readonly binds: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Stands before the command that the relay starts. */
  readonly relay: readonly string[];
  /** Processes and threads of the relay: a script's own number is what it was given. */
  readonly processes: number;
  /** Limits of the relay, which needs some whatever the script is left. */
  limits(limits: ResolvedLimits): ResolvedLimits;
  /** Puts the certificates that this system trusts into the folder that replaces /etc. */
  showCertificates(etc: string): void;
}

const RELAY_PROCESSES = 8;
const SOCKET = "proxy.sock";
const RELAY = "relay.cjs";
/** Nothing else is in the sandbox's network. */
const PORT = 3128;
const PROXY = `http://127.0.0.1:${PORT}`;
const CERTIFICATES = "ssl/certs/ca-certificates.crt";
const CERTIFICATE_FILES = [
  ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"],
  ["/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem", "/etc/pki/tls/cert.pem"],
].flat();

const VARIABLES = Object.entries({
  HTTP_PROXY: PROXY,
  HTTPS_PROXY: PROXY,
  ALL_PROXY: PROXY,
  NO_PROXY: "localhost,127.0.0.1,::1",
});

const ENVIRONMENT = {
  ...Object.fromEntries(VARIABLES),
  ...Object.fromEntries(VARIABLES.map(([name, value]) => [name.toLowerCase(), value])),
  // Newer versions of Node use the proxy of the environment only with this.
  NODE_USE_ENV_PROXY: "1",
  SSL_CERT_FILE: join("/etc", CERTIFICATES),
};

/** Lets the run in this private folder reach the given domains. */
export async function openSandboxNetwork(
  runDirectory: string,
  domains: readonly DomainRule[],
  admission: ProxyOptions,
): Promise<SandboxNetwork> {
  const folder = join(runDirectory, "network");
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(folder, RELAY), NETWORK_RELAY, { mode: 0o400 });
  const descriptor = openSync(folder, "r");
  let proxy: NetworkProxy;
  try {
    // Paths of sockets must be short, and that of the folder may not be.
    proxy = await startNetworkProxy(`/proc/self/fd/${descriptor}/${SOCKET}`, domains, admission);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  const { program, binds } = runningNode();
  const [relay, socket] = [RELAY, SOCKET].map((name) => join(SANDBOX_PLACES.network, name));
  return {
    folder,
    binds,
    env: ENVIRONMENT,
    relay: [program, "--v8-pool-size=0", relay ?? "", socket ?? "", String(PORT)],
    processes: RELAY_PROCESSES,
    limits: (limits) => ({
      ...limits,
      memoryBytes: Math.max(limits.memoryBytes, 512 * 1024 * 1024),
      cpuSeconds: Math.max(limits.cpuSeconds, Math.ceil(limits.timeoutMs / 1000)),
      openFiles: Math.max(limits.openFiles, 256),
    }),
    showCertificates,
    uses: () => proxy.uses(),
    close() {
      proxy.close();
      closeSync(descriptor);
    },
  };
}

function showCertificates(etc: string): void {
  const target = join(etc, CERTIFICATES);
  const source = CERTIFICATE_FILES.find((file) => existsSync(file));
  if (source === undefined || existsSync(target)) return;
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  copyFileSync(source, target);
}
