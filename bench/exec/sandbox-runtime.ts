import { spawn } from "node:child_process";
import { once } from "node:events";

/** The part of `@anthropic-ai/sandbox-runtime` that is used here. */
interface SandboxManager {
  initialize(configuration: object): Promise<void>;
  wrapWithSandbox(command: string): Promise<string>;
  reset(): Promise<void>;
}

export interface Peer {
  run(): Promise<void>;
  close(): Promise<void>;
}

// Not in bench/package.json: it asks for Node 22, and for socat and ripgrep on the system.
const PACKAGE = "@anthropic-ai/sandbox-runtime";
const HOW_TO_ADD = `npm install --no-save --prefix bench ${PACKAGE}, with socat and ripgrep on the system`;

/** The peer with its usual settings: no network, writing only to the working directory. */
export async function openSandboxRuntime(
  command: string,
  cwd: string,
): Promise<Peer | { readonly missing: string }> {
  try {
    const { SandboxManager } = (await import(PACKAGE)) as { SandboxManager: SandboxManager };
    await SandboxManager.initialize({
      network: { allowedDomains: [], deniedDomains: [] },
      filesystem: { denyRead: [], allowWrite: [cwd], denyWrite: [] },
    });
    return {
      run: async () => runShell(await SandboxManager.wrapWithSandbox(command), cwd),
      close: () => SandboxManager.reset(),
    };
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND";
    const why = isMissing ? "not installed" : `does not work: ${(error as Error).message}`;
    return { missing: `${why} (${HOW_TO_ADD})` };
  }
}

async function runShell(command: string, cwd: string): Promise<void> {
  const env = { PATH: "/usr/bin:/bin", LANG: "C.UTF-8" };
  const child = spawn("/bin/bash", ["-c", command], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.resume();
  child.stderr.resume();
  const [code] = (await once(child, "close")) as [number];
  if (code !== 0) throw new Error(`${PACKAGE} ended with ${code}`);
}
