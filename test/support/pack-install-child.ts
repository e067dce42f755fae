import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import type { PackWorld } from "./pack-world.ts";
import { SOURCES } from "../../scripts/packages.mjs";

const source = (path: string) => fileURLToPath(new URL(`../../packages/${path}`, import.meta.url));

/** The commands on installed skills from source, as a module that a process can import. */
export async function bundlePacks(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "skillwright-packs-"));
  const bundle = await rolldown({
    input: source("packs/src/index.ts"),
    platform: "node",
    logLevel: "silent",
    external: [/^@sigstore/],
    resolve: { alias: SOURCES },
  });
  await bundle.write({
    dir: folder,
    format: "esm",
    entryFileNames: "packs.mjs",
    chunkFileNames: "[name]-[hash].mjs",
  });
  await bundle.close();
  return join(folder, "packs.mjs");
}

/** A command of the library, with what is added to the session. */
export interface PackCommand {
  readonly call:
    | "installSkills"
    | "updateSkills"
    | "uninstallSkills"
    | "restoreSkills"
    | "undoLast";
  /** For `installSkills`. */
  readonly source?: string;
  readonly options?: Readonly<Record<string, unknown>>;
}

export interface EndedCommand {
  /** What it answered; undefined when it was killed before. */
  readonly result: Readonly<Record<string, unknown>> | undefined;
  /** Steps of the change, in order. */
  readonly steps: readonly string[];
  readonly signal: string | null;
  readonly stderr: string;
}

/** Where a process is to end or to be canceled: at the step, or the progress, of this number. */
export interface Interruption {
  readonly killAt?: number;
  readonly abortAtProgress?: number;
  /** A program with arguments that runs the rest of its command line. */
  readonly wrapper?: readonly string[];
  /** JavaScript that runs before the command. */
  readonly first?: string;
}

/** Runs a command in a process of its own. */
export async function runPackCommand(
  bundle: string,
  { scope, folder, stateDirectory }: PackWorld,
  { call, source: from, options = {} }: PackCommand,
  { killAt = -1, abortAtProgress = -1, wrapper = [], first = "" }: Interruption = {},
): Promise<EndedCommand> {
  const program = `import { randomUUID } from "node:crypto";
    import { basename } from "node:path";
    const library = await import(${JSON.stringify(bundle)});
    const { scope, folder, stateDirectory, call, from, options, killAt, abortAtProgress } = JSON.parse(process.argv[1]);
    let seen = 0;
    let progress = 0;
    const controller = new AbortController();
    const session = {
      scope, cwd: folder, stateDirectory, clock: Date.now, ids: randomUUID, signal: controller.signal,
      env: { PATH: process.env.PATH, HOME: folder },
      onProgress() { if (progress++ === abortAtProgress) controller.abort(); },
      onStep({ step, when, subject = "" }) {
        const about = subject.startsWith("/") ? basename(subject) : subject;
        process.stdout.write([step, when, about].join(" ").trim() + "\\n");
        if (seen++ === killAt) process.kill(process.pid, "SIGKILL");
      },
      ...options,
    };
    ${first}
    const result = await (from === undefined ? library[call](session) : library[call](from, session));
    process.stdout.write("=" + JSON.stringify({ progress, ...result }) + "\\n");`;
  const settings = { scope, folder, stateDirectory, call, from, options };
  const argument = JSON.stringify({ ...settings, killAt, abortAtProgress });
  const node = [process.execPath, "--input-type=module", "-e", program, argument];
  const [command, ...rest] = [...wrapper, ...node];
  const child = spawn(command!, rest, { stdio: ["ignore", "pipe", "pipe"], cwd: "/" });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const signal = await new Promise<string | null>((resolve) => {
    child.once("close", (_, name) => resolve(name));
  });
  const lines = stdout.trimEnd().split("\n");
  const answer = lines.find((line) => line.startsWith("="));
  return {
    result:
      answer === undefined ? undefined : (JSON.parse(answer.slice(1)) as EndedCommand["result"]),
    steps: lines.filter((line) => line !== "" && !line.startsWith("=")),
    signal,
    stderr,
  };
}
