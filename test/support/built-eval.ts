import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { EvalResults } from "../../packages/evals/src/results/eval-results.ts";
import { evalWorld } from "./eval-world.ts";

const BIN = fileURLToPath(new URL("../../packages/cli/bin/skillwright.cjs", import.meta.url));
const PATIENCE_MS = 45_000;
const STEP_MS = 50;

/** A project with skills and cases, in which the built command line runs beside the test. */
export function builtEval(files: Readonly<Record<string, string>> = {}) {
  const { folder, project, write, env: own } = evalWorld(files);
  const temporary = join(folder, "temporary");
  mkdirSync(temporary);
  const env = { ...own, TMPDIR: temporary };
  const start = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    new EvalProcess(["eval", "--trust", ...args], project, { ...env, ...more });
  const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    start(args, more).ended;
  return {
    folder,
    project,
    write,
    env,
    start,
    run,
    saved: (name: string) => JSON.parse(readFileSync(join(project, name), "utf8")) as EvalResults,
    /** What nobody took away. */
    leftOver: () => [
      ...readdirSync(temporary),
      ...filesBelow(join(folder, ".local")).filter((path) => path.endsWith("/lock")),
    ],
    /** Of the project and of the user. */
    allText: () => filesBelow(folder).map((path) => readFileSync(path, "utf8")),
  };
}

class EvalProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<{ exitCode: number | null; stdout: string; stderr: string }>;
  #stdout = "";
  #stderr = "";

  constructor(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>) {
    const child = spawn(process.execPath, [BIN, ...args], {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.child = child;
    onTestFinished(() => void child.kill("SIGKILL"));
    child.stdout.setEncoding("utf8").on("data", (text: string) => (this.#stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (this.#stderr += text));
    this.ended = new Promise((resolve) => {
      child.once("close", (exitCode) => {
        resolve({ exitCode, stdout: this.#stdout, stderr: this.#stderr });
      });
    });
  }

  /** What it said, once the text stands there so many times. */
  async says(text: string, times = 1): Promise<string> {
    for (let waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
      const said = this.#stderr + this.#stdout;
      if (said.split(text).length > times) return said;
      await setTimeout(STEP_MS);
    }
    throw new Error(`${text} did not appear ${times} times:\n${this.#stderr}${this.#stdout}`);
  }
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );
}
