import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const BIN = fileURLToPath(new URL("../../packages/cli/bin/skillwright.cjs", import.meta.url));
const PATIENCE_MS = 120_000;
const STEP_MS = 50;

/** The built command line beside a test, which ends with the test. */
export class EvalProcess {
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
