import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RunChanges } from "../../packages/runtime/src/changes/run-changes.ts";
import { openView } from "../../packages/runtime/src/changes/view.ts";
import { median } from "../parse/measure-rounds.ts";

const ROUNDS = 20;
const FILES = 100;
const LARGE_BYTES = 5 * 1024 ** 3;

export interface ViewTimes {
  /** Milliseconds to open a view of a small folder, and of one with 5 GB. */
  readonly open: number;
  readonly openLarge: number;
  /** Milliseconds to collect 100 changed files, and none. */
  readonly collect: number;
  readonly collectNone: number;
}

/** What a view costs apart from the script that runs in it. */
export async function measureView(): Promise<ViewTimes> {
  const folder = mkdtempSync(join(tmpdir(), "skillwright-bench-"));
  try {
    const small = makeFolder(join(folder, "small"));
    const large = makeFolder(join(folder, "large"));
    writeFileSync(join(large, "data"), "");
    truncateSync(join(large, "data"), LARGE_BYTES);
    const times: Record<keyof ViewTimes, number[]> = {
      open: [],
      openLarge: [],
      collect: [],
      collectNone: [],
    };
    for (let round = 0; round < ROUNDS; round++) {
      const first = await timed(times.open, () => open(small, join(folder, `s${round}`)));
      await timed(times.collectNone, () => first.collect());
      for (let i = 0; i < FILES; i++) writeFileSync(first.merged.child(`${i}.txt`), `new ${i}`);
      const { changes } = await timed(times.collect, () => first.collect());
      if (changes.length !== FILES) throw new Error(`${changes.length} changes were found`);
      await first.close();
      const second = await timed(times.openLarge, () => open(large, join(folder, `l${round}`)));
      await second.close();
    }
    return {
      open: median(times.open),
      openLarge: median(times.openLarge),
      collect: median(times.collect),
      collectNone: median(times.collectNone),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Changes of one run in the working directory of a skill. */
export function openChanges(root: string, folder: string): RunChanges {
  mkdirSync(folder, { recursive: true });
  return new RunChanges({ root, folder });
}

function makeFolder(path: string): string {
  mkdirSync(path);
  for (let i = 0; i < FILES; i++) writeFileSync(join(path, `${i}.txt`), `old ${i}`);
  return path;
}

async function open(root: string, folder: string) {
  mkdirSync(folder);
  const view = await openView({ root, folder });
  if (!view.ok) throw new Error(view.reason);
  return view;
}

async function timed<T>(times: number[], work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work();
  times.push(performance.now() - started);
  return result;
}
