import { isBelow } from "@skillwright/core/internal";
import { spawn } from "node:child_process";
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

export interface ToolEnd {
  readonly ok: boolean;
  /** Both outputs, as they came. */
  readonly text: string;
}

interface ToolOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
}

const MAX_TEXT = 1 << 20;
const TIMEOUT_MS = 15 * 60_000;

/** Runs a package manager to its end, in a process group of its own. */
export function runTool(
  program: string,
  args: readonly string[],
  { cwd, env, signal }: ToolOptions,
): Promise<ToolEnd> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...env, PYTHONDONTWRITEBYTECODE: undefined, NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    let text = "";
    const kill = () => {
      try {
        process.kill(-(child.pid ?? 0), "SIGKILL");
      } catch {
        // It has ended.
      }
    };
    const timer = setTimeout(kill, TIMEOUT_MS);
    signal?.addEventListener("abort", kill, { once: true });
    for (const stream of [child.stdout, child.stderr]) {
      stream
        .setEncoding("utf8")
        .on("data", (part: string) => (text = (text + part).slice(-MAX_TEXT)));
    }
    child.once("error", (error) => (text += error.message));
    child.once("close", (code) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", kill);
      if (signal?.aborted === true) reject(signal.reason as Error);
      else resolve({ ok: code === 0, text });
    });
  });
}

/** A program of the person's PATH; never one below the working directory, which a project could bring. */
export function findTool(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
  first: readonly string[] = [],
): string | undefined {
  // A script runs with the system's Python, so its libraries are made for that one.
  const folders = name === "python3" ? SYSTEM : [...first, ...(env["PATH"] ?? "").split(delimiter)];
  for (const folder of folders.filter(isAbsolute)) {
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      if (!statSync(file).isFile() || isBelow(process.cwd(), realpathSync(folder))) continue;
      return file;
    } catch {
      // Not here.
    }
  }
  return undefined;
}

const SYSTEM = ["/usr/bin", "/bin", "/usr/local/bin"];
