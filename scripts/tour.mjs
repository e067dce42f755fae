import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./setup.mjs";

const CLI = join(ROOT, "packages/cli/bin/skillwright.cjs");
const EXIT_MISSING_PART = 4;
const EXIT_APPROVAL = 3;
const EXIT_INTERRUPTED = 130;
const SHOWN_SCRIPT_LINES = 4;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
const KEPT = new Set(["SKILLWRIGHT_MODEL__PROVIDER", "SKILLWRIGHT_EXECUTION__SANDBOX"]);

/** What Skillwright does, on real files, in a folder that is gone afterwards. */
export async function takeTour() {
  // Whoever reads may have seen enough: `npm start | head`.
  process.stdout.on("error", () => {});
  const folder = mkdtempSync(join(tmpdir(), "skillwright-start-"));
  try {
    cpSync(join(ROOT, "examples/first-run"), join(folder, "project"), { recursive: true });
    await new Tour(folder).take();
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    process.exitCode = EXIT_INTERRUPTED;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

class Interrupted extends Error {}

class Tour {
  #cwd;
  #env;
  #canRunScripts = true;

  /** A home of its own: no settings, keys or skills of the person, so that nothing costs money. */
  constructor(folder) {
    this.#cwd = join(folder, "project");
    const home = Object.fromEntries(
      ["CACHE", "STATE", "CONFIG"].map((kind) => [`XDG_${kind}_HOME`, join(folder, kind)]),
    );
    this.#env = { HOME: folder, SKILLWRIGHT_MODEL__PROVIDER: "offline", ...home };
  }

  async take() {
    console.log(
      "A tour of about 10 seconds on the files of examples/first-run, with the offline demo model.",
    );
    await this.#script(
      "One skill: the agent chooses it, loads it, and runs its script in a sandbox.",
      ["run", "Total amount by region in sales.csv", "--yes=run_script"],
    );
    await this.#script("Two skills in one request.", [
      "run",
      "Compare terms-2025.md with terms-2026.md, and check whether sales.csv is valid",
      "--yes=run_script",
    ]);
    await this.#show("A request that no skill fits.", ["run", "Write a poem about rain"]);
    await this.#approval("Without an approval, policy stops the run before the script …", [
      "run",
      "Convert 26.2 miles to kilometres",
    ]);
    if (!this.#canRunScripts) await this.#withoutScripts();
    await this.#show("Every run left a record that can be verified and replayed.", [
      "runs",
      "list",
    ]);
    heading("Your own");
    console.log('npm start -- "<request>"        answers it, with your model if there is a key');
    console.log("node examples/library/main.mjs  the library in ten lines");
    console.log("docs/getting-started.md         leads from here to a skill of your own\n");
  }

  /** Steps that run a script are left out once it is known that none can run. */
  async #script(title, command) {
    if (!this.#canRunScripts) return;
    this.#canRunScripts = (await this.#show(title, command)) !== EXIT_MISSING_PART;
    if (this.#canRunScripts) return;
    console.log(
      "Scripts run only in a sandbox, and there is none that works here: see above for what",
    );
    console.log("to install. The tour goes on with what needs no script.");
  }

  async #withoutScripts() {
    await this.#show("The skills that come with it.", ["list"]);
    await this.#show("Which one is for what?", ["search", "compare two versions of a text"]);
    await this.#show("What a model gets when it chooses one.", [
      "read",
      "unit-convert",
      "--lines",
      "1-20",
    ]);
  }

  async #approval(title, command) {
    if (!this.#canRunScripts) return;
    heading(title);
    print(command);
    const { status, stdout, stderr } = await this.#run(command, ["ignore", "pipe", "pipe"]);
    process.stdout.write(shortened(stderr) + stdout);
    const [, given] = /skillwright (runs resume \S+ --approve \S+)/.exec(stderr) ?? [];
    if (status !== EXIT_APPROVAL || given === undefined) return this.#fail(status);
    console.log(`(exit code ${status})`);
    await this.#show("… and goes on with the command that it printed.", given.split(" "));
  }

  async #show(title, command) {
    heading(title);
    print(command);
    // Both to stdout, so that they stay in order wherever that goes.
    const { status } = await this.#run(command, ["ignore", 1, 1]);
    if (status !== 0 && status !== EXIT_MISSING_PART) this.#fail(status);
    return status;
  }

  /** Nobody is asked, so that it goes through by itself. A signal ends the command and the tour. */
  async #run(command, stdio) {
    const env = withoutKeys({ ...process.env, ...this.#env });
    const child = spawn(process.execPath, [CLI, ...command], { cwd: this.#cwd, env, stdio });
    let isInterrupted = false;
    const stop = (signal) => {
      isInterrupted = true;
      child.kill(signal);
    };
    for (const signal of SIGNALS) process.on(signal, stop);
    const printed = [child.stdout, child.stderr].map(textOf);
    const status = await new Promise((resolve) => child.on("close", resolve));
    for (const signal of SIGNALS) process.off(signal, stop);
    if (isInterrupted || process.stdout.destroyed) throw new Interrupted();
    const [stdout, stderr] = await Promise.all(printed);
    return { status, stdout, stderr };
  }

  #fail(status) {
    console.error(`This should not have ended with exit code ${status}.`);
    process.exitCode = status === 0 || status === null ? 1 : status;
  }
}

async function textOf(stream) {
  let text = "";
  for await (const chunk of stream ?? []) text += chunk;
  return text;
}

/** The command line as it is built. */
export function skillwright(args, options) {
  return spawnSync(process.execPath, [CLI, ...args], { encoding: "utf8", ...options });
}

function heading(title) {
  console.log(`\n── ${title}\n`);
}

/** As a person would type it. */
function print(command) {
  const words = command.map((word) => (/^[\w./=-]+$/.test(word) ? word : JSON.stringify(word)));
  console.log(`$ skillwright ${words.join(" ")}`);
}

/** Of a script that is shown for approval, the beginning is enough here. */
function shortened(text) {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.startsWith("  | "));
  const last = lines.findLastIndex((line) => line.startsWith("  | "));
  const left = last - first + 1 - SHOWN_SCRIPT_LINES;
  if (first === -1 || left <= 0) return text;
  const note = `  | (the tour leaves out ${left} lines here)`;
  return lines.toSpliced(first + SHOWN_SCRIPT_LINES, left, note).join("\n");
}

/** Keys and settings are the person's, not the tour's; but for where scripts run. */
function withoutKeys(env) {
  const kept = Object.entries(env).filter(
    ([name]) =>
      !/_API_KEY$|_BASE_URL$/.test(name) && (!name.startsWith("SKILLWRIGHT_") || KEPT.has(name)),
  );
  return Object.fromEntries(kept);
}
