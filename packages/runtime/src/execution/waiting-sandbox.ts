import { lstatSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { Socket } from "node:net";
import type { OutputPipes } from "./output-pipes.ts";
import { makeProcessCgroup, type ProcessCgroup } from "./process-cgroup.ts";
import { makeRunDirectory, removeSoon } from "./run-directory.ts";
import type { SandboxShape } from "./sandbox-shape.ts";
import type { StartedSandbox } from "./start-bubblewrap.ts";
import { trustedProgram } from "./trusted-program.ts";

/** A sandbox that is set up and waits for what to run in it. */
export interface WaitingSandbox {
  readonly sandbox: StartedSandbox;
  readonly pipes: OutputPipes;
  readonly group?: ProcessCgroup;
  /** Private; the caller removes it. */
  readonly directory: string;
  /** Begins, with the files of this folder as the skill. They are moved. */
  begin(skill: string, command: readonly string[], env: Readonly<Record<string, string>>): void;
}

interface Slot {
  readonly key: string;
  readonly waiting: WaitingSandbox;
  readonly expiry: NodeJS.Timeout;
}

const IDLE_MS = 60_000;
/** A shorter one between two runs is none. */
const PAUSE_MS = 20;

/**
 * Reads from standard input, each ended by NUL: how many variables, the variables, the command. Then
 * it has that environment, no input, and becomes the command.
 */
const BECOME = [
  "local $/; my @a = split /\\0/, scalar(<STDIN>), -1; pop @a; exit 1 unless @a; %ENV = ();",
  "for (splice @a, 0, shift @a) { my ($k, $v) = split /=/, $_, 2; $ENV{$k} = $v }",
  'open STDIN, "<", "/dev/null" or exit 1; exec { $a[0] } @a; exit 127',
].join(" ");

/**
 * Keeps one sandbox ready that is shaped as the last one was. Making namespaces and mounts takes as
 * long as starting an interpreter: here it is done while nobody waits. Nothing of a skill has been in
 * it, and all that it ever runs is what `begin` is given.
 */
export class SandboxSlot {
  #slot: Slot | undefined;
  #isPreparing = false;
  #running = 0;
  #lastEnd = Number.NEGATIVE_INFINITY;
  #isHurried = false;

  /**
   * Counts a run. Beside one, which it would slow down, a sandbox is prepared only when runs follow
   * each other at once: then there is no better time.
   */
  async during<Result>(run: () => Promise<Result>): Promise<Result> {
    this.#isHurried = performance.now() - this.#lastEnd < PAUSE_MS;
    this.#running++;
    try {
      return await run();
    } finally {
      this.#running--;
      this.#lastEnd = performance.now();
    }
  }

  /**
   * Only when one is ready that shows exactly what is there now, and that the files of this skill
   * can be moved to; nobody waits for it.
   */
  take(shape: SandboxShape, skill: string): WaitingSandbox | undefined {
    if (this.#slot === undefined || this.#slot.key !== keyOf(shape)) return undefined;
    const { waiting, expiry } = this.#slot;
    if (lstatSync(skill).dev !== lstatSync(waiting.directory).dev) return undefined;
    this.#slot = undefined;
    clearTimeout(expiry);
    const { child } = waiting.sandbox;
    if (child.exitCode !== null || child.signalCode !== null) {
      discard(waiting);
      return undefined;
    }
    for (const handle of handlesOf(waiting)) handle.ref();
    return waiting;
  }

  async prepare(shape: SandboxShape): Promise<void> {
    const isBusy = this.#running > 0 && !this.#isHurried;
    if (this.#isPreparing || isBusy || trustedProgram("perl") === undefined) return;
    const key = keyOf(shape);
    if (this.#slot?.key === key) return;
    this.#isPreparing = true;
    try {
      const waiting = await startWaiting(shape);
      if (waiting === undefined) return;
      this.#empty();
      const expiry = setTimeout(() => this.#empty(), IDLE_MS).unref();
      this.#slot = { key, waiting, expiry };
    } finally {
      this.#isPreparing = false;
    }
  }

  #empty(): void {
    if (this.#slot === undefined) return;
    clearTimeout(this.#slot.expiry);
    discard(this.#slot.waiting);
    this.#slot = undefined;
  }
}

/**
 * What was mounted stays as it was: a folder that was put in the place of another, or a secret that
 * was written anew and so is no longer covered, makes another shape.
 */
function keyOf(shape: SandboxShape): string {
  const { cwd, hidden } = shape.plan;
  const folder = cwd === undefined ? undefined : lstatSync(cwd, { bigint: true });
  const covered = hidden.map(({ path }) => {
    const { dev, ino, ctimeNs } = lstatSync(path, { bigint: true });
    return `${dev} ${ino} ${ctimeNs}`;
  });
  return JSON.stringify([shape, folder && `${folder.dev} ${folder.ino}`, covered]);
}

async function startWaiting(shape: SandboxShape): Promise<WaitingSandbox | undefined> {
  const { openOutputPipes } = await import("./output-pipes.ts");
  const { startBubblewrap } = await import("./start-bubblewrap.ts");
  const directory = makeRunDirectory(shape.temporaryDirectory);
  const skill = join(directory, "skill");
  mkdirSync(skill, { mode: 0o700 });
  const pipes = openOutputPipes(directory);
  const group = shape.processes === undefined ? undefined : makeProcessCgroup(shape.processes);
  let sandbox: StartedSandbox | undefined;
  const isLimited = await new Promise<boolean>((resolve) => {
    sandbox = startBubblewrap({
      pipes,
      ...(shape.filter === undefined ? {} : { filter: shape.filter }),
      bubblewrap: trustedProgram("bwrap") ?? "",
      plan: { ...shape.plan, skill },
      command: [...shape.before, trustedProgram("perl") ?? "", "-e", BECOME],
      env: {},
      hasInput: true,
      async onChild(pid) {
        resolve((await group?.add(pid)) ?? true);
      },
    });
    sandbox.child.once("exit", () => resolve(false));
    sandbox.child.once("error", () => resolve(false));
    // It must not keep this process from ending.
    for (const handle of handlesOf({ sandbox })) handle.unref();
  });
  if (sandbox === undefined) return undefined;
  const { stdin } = sandbox.child;
  stdin?.on("error", () => {});
  const waiting: WaitingSandbox = {
    sandbox,
    pipes,
    ...(group === undefined ? {} : { group }),
    directory,
    begin(from, command, env) {
      for (const name of readdirSync(from)) renameSync(join(from, name), join(skill, name));
      const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
      const parts = [String(variables.length), ...variables, ...command];
      stdin?.end(parts.map((part) => `${part}\0`).join(""));
    },
  };
  if (isLimited) return waiting;
  discard(waiting);
  return undefined;
}

function discard({ sandbox, pipes, group, directory }: WaitingSandbox): void {
  sandbox.kill();
  for (const stream of sandbox.child.stdio) stream?.destroy();
  for (const stream of pipes.started(sandbox.child)) stream?.destroy();
  pipes.done(false);
  void group?.remove();
  removeSoon(directory);
}

function handlesOf({
  sandbox: { child },
}: Pick<WaitingSandbox, "sandbox">): readonly { ref(): void; unref(): void }[] {
  const streams = child.stdio.filter((stream) => stream !== null && stream !== undefined);
  return [child, ...(streams as unknown as Socket[])];
}
