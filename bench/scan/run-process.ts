import { spawnSync } from "node:child_process";
import { HOME_FOLDER } from "./skill-roots.ts";

export interface ProcessResult {
  /** From the start of the process to its end. */
  readonly milliseconds: number;
  readonly stdout: string;
}

export interface ProcessOptions {
  readonly cwd?: string;
  /** Throw the output away, as the one who measures does. Default: false. */
  readonly quiet?: boolean;
}

const MAX_OUTPUT = 64 * 2 ** 20;

/** Runs Node in a fresh process, away from the user's settings. Throws when it fails. */
export function runNode(args: readonly string[], options: ProcessOptions = {}): ProcessResult {
  const { cwd = HOME_FOLDER, quiet = false } = options;
  const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...environment } = process.env;
  const start = performance.now();
  const { status, stdout, stderr, error } = spawnSync(process.execPath, args, {
    cwd,
    encoding: "utf8",
    maxBuffer: MAX_OUTPUT,
    stdio: ["ignore", quiet ? "ignore" : "pipe", "pipe"],
    env: {
      ...environment,
      HOME: HOME_FOLDER,
      XDG_CACHE_HOME: `${HOME_FOLDER}/.cache`,
      XDG_CONFIG_HOME: `${HOME_FOLDER}/.config`,
      XDG_STATE_HOME: `${HOME_FOLDER}/.local/state`,
    },
  });
  const milliseconds = performance.now() - start;
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`ended with ${status}: ${firstLine(stderr)}`);
  return { milliseconds, stdout: stdout ?? "" };
}

function firstLine(text: string): string {
  return text.split("\n").find((line) => /^\w*Error\b/.test(line)) ?? text.slice(0, 200);
}
