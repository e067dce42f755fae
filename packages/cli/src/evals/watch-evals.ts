import { type FSWatcher, watch } from "node:fs";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { SkillChange } from "@skillwright/core";
import type { EvalCase } from "@skillwright/evals";
import type { Console } from "../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-code.ts";
import { cancelOnInterrupt } from "../terminal/cancel-on-interrupt.ts";
import { concludeEval } from "./conclude-eval.ts";
import { openEvalModel } from "./eval-model.ts";
import type { EvalCommandOptions, EvalNumbers } from "./eval-options.ts";
import { type EvalWorld, withEvalWorld } from "./eval-world.ts";
import { runEval } from "./run-eval.ts";

const SETTLE_MS = 150;
const RETRY_MS = 1000;

/** What changed since the last run. */
interface Changes {
  readonly skills: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
}

/** Runs all cases, then those whose skill or file changed, until somebody stops it. */
export async function watchEvals(
  paths: readonly string[],
  options: EvalCommandOptions,
  numbers: EvalNumbers,
  console: Console,
): Promise<ExitCode> {
  let changes: Changes | undefined;
  let isFirst = true;
  const controller = new AbortController();
  for (;;) {
    const next = await mended(isFirst, console, () =>
      withEvalWorld(paths, options, console, async (world) => {
        const cases = changes === undefined ? world.cases : touchedCases(world.cases, changes);
        // Watched before it runs: what is saved meanwhile counts.
        const watching = await watchWorld(world);
        try {
          if (cases.length > 0) await runOnce(world, cases, numbers);
          const { length } = world.cases;
          console.note(`Watching ${length} ${length === 1 ? "case" : "cases"}; Ctrl-C ends it.`);
          return await cancelOnInterrupt((signal) => watching.changed(signal), controller);
        } finally {
          await watching.close();
        }
      }),
    );
    if (next === undefined) return EXIT.interrupted;
    changes = next;
    isFirst = false;
  }
}

/** Who edits cases leaves some half-written for a while: it is said once, and tried until it works. */
async function mended<Result>(
  isFirst: boolean,
  console: Console,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  let said = "";
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (isFirst || !(error instanceof CommandFailure) || error.exitCode === EXIT.interrupted) {
        throw error;
      }
      if (error.message !== said) console.note(`error: ${error.message}`);
      said = error.message;
      const isOver = await cancelOnInterrupt((signal) =>
        setTimeout(RETRY_MS, false, { signal }).catch(() => true),
      );
      if (isOver) return undefined;
    }
  }
}

async function runOnce(
  world: EvalWorld,
  cases: readonly EvalCase[],
  numbers: EvalNumbers,
): Promise<void> {
  const { session, console, options } = world;
  const { requestsPerMinute } = numbers;
  const model = await openEvalModel(options, { session, console, requestsPerMinute });
  const isPart = world.isPart || cases.length < world.cases.length;
  const some = { ...world, cases, isPart };
  const results = await runEval({ world: some, numbers, model });
  await concludeEval(results, some, numbers);
}

export function touchedCases(cases: readonly EvalCase[], changes: Changes): readonly EvalCase[] {
  const { skills, files } = changes;
  return cases.filter(({ origin, expected }) => {
    const names = [origin.skill ?? "", ...(expected.skills?.used ?? [])];
    return files.has(origin.file) || names.some((name) => skills.has(name));
  });
}

interface Watching {
  /** Once something changed and a moment has passed; undefined after the signal. */
  changed(signal: AbortSignal): Promise<Changes | undefined>;
  close(): Promise<void>;
}

async function watchWorld({ skills, cases }: EvalWorld): Promise<Watching> {
  const seen = { skills: new Set<string>(), files: new Set<string>() };
  let wake = () => {};
  const forget = skills.onChange((change) => {
    for (const name of namesIn(change)) seen.skills.add(name);
    wake();
  });
  await skills.watch();
  const watchers = watchFiles(cases, (file) => {
    seen.files.add(file);
    wake();
  });
  const isSeen = () => seen.skills.size + seen.files.size > 0;
  return {
    async changed(signal) {
      await new Promise<void>((done) => {
        wake = done;
        signal.addEventListener("abort", () => done(), { once: true });
        if (isSeen() || signal.aborted) done();
      });
      if (signal.aborted) return undefined;
      await setTimeout(SETTLE_MS);
      return seen;
    },
    async close() {
      forget();
      for (const watcher of watchers) watcher.close();
      await skills.close();
    },
  };
}

function namesIn({ added, removed, changed }: SkillChange): string[] {
  return [...added, ...removed, ...changed];
}

/** Files of cases, by their folders: an editor replaces a file rather than to write to it. */
function watchFiles(cases: readonly EvalCase[], onChange: (file: string) => void): FSWatcher[] {
  const files = new Set(cases.map(({ origin }) => origin.file));
  const folders = new Set([...files].map((file) => dirname(file)));
  return [...folders].map((folder) =>
    watch(folder, (_, name) => {
      const file = [...files].find((one) => one === `${folder}/${name ?? ""}`);
      if (file !== undefined) onChange(file);
    }),
  );
}
