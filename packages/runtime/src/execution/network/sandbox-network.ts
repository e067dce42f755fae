import { closeSync, copyFileSync, existsSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ResolvedLimits } from "../check-request.ts";
import { runningNode } from "../find-program.ts";
import type { AdmissionOptions, DomainRule } from "./domain-rule.ts";
import { SANDBOX_PLACES } from "../start-bubblewrap.ts";
import { type NetworkProxy, startNetworkProxy } from "./network-proxy.ts";

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
  admission: AdmissionOptions,
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
