import { type OpenedEval, materialOf, skillContent } from "@skillwright/app/internal";
import type { Skills } from "@skillwright/core";
import type { SkillChange } from "@skillwright/core/internal";
import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { EvalCommandOptions } from "./eval-options.ts";

const MAX_DEPTH = 4;
/** A file from a machine with another clock may seem to be of the future. */
const FUTURE_MS = 1000;

/** Tells what happened to files of cases since it was last called. They were read after `since`. */
function createCaseLook(
  world: OpenedEval,
  since: number,
  options: EvalCommandOptions,
): () => "edited" | "listed" | undefined {
  const own = world.cases.flatMap((one) => [one.origin.file, ...materialOf(one)]);
  const files = [...new Set(own)];
  const folders = caseFolders(world);
  const outputs = outputsOf(world, options);
  const stamps = () => files.map(stampOf).join("\n");
  const names = () =>
    folders
      .flatMap((folder) => namesIn(folder, outputs, isEvals(folder) ? MAX_DEPTH : 0))
      .join("\n");
  let before = { stamps: stamps(), names: names() };
  let isLate = files.some((file) => isSavedAfter(file, since));
  return () => {
    const now = { stamps: stamps(), names: names() };
    const isEdited = isLate || now.stamps !== before.stamps;
    const isListed = now.names !== before.names;
    before = now;
    isLate = false;
    return isEdited ? "edited" : isListed ? "listed" : undefined;
  };
}

/** Where a new file may hold cases; those of a skill without any are told by its own watch. */
function caseFolders({ paths, cases }: OpenedEval): string[] {
  const given = paths.filter((path) => isEvals(path));
  return [...new Set([...given, ...cases.map(({ origin }) => dirname(origin.file))])];
}

function isEvals(path: string): boolean {
  return /^evals?$/i.test(basename(path));
}

/** What an eval writes itself must not start the next one. */
function outputsOf({ host }: OpenedEval, options: EvalCommandOptions): string[] {
  const { record, save, junit, markdown, html, workspace } = options;
  return [record, save, junit, markdown, html, workspace].flatMap((path) =>
    path === undefined ? [] : resolve(host.cwd, path),
  );
}

function namesIn(folder: string, outputs: readonly string[], levels: number): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (outputs.some((one) => path === one || path.startsWith(`${one}${sep}`))) return [];
      const isEntered = entry.isDirectory() && levels > 0;
      return [path, ...(isEntered ? namesIn(path, outputs, levels - 1) : [])];
    });
  } catch {
    return [];
  }
}

function stampOf(file: string): string {
  try {
    const { ino, size, mtimeNs } = statSync(file, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  } catch {
    return "gone";
  }
}

function isSavedAfter(file: string, since: number): boolean {
  try {
    const { mtimeMs } = statSync(file);
    return mtimeMs > since && mtimeMs < Date.now() + FUTURE_MS;
  } catch {
    return true;
  }
}

/** How often files of cases are looked at. An editor replaces files, and events of that differ everywhere. */
const LOOK_MS = 200;
/** As long as nothing more has to happen before a change counts: somebody saves several files at once. */
const SETTLE_MS = 300;

export interface WorldWatch {
  /** What is run now is not what is there any more. */
  readonly outdated: AbortSignal;
  /** Once something may have changed and a moment has passed, or after the signal. */
  changed(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Skills and cases as they are, and whatever happens to them. Cases were read after `since`. */
export async function watchWorld(
  world: OpenedEval,
  since: number,
  options: EvalCommandOptions,
): Promise<WorldWatch> {
  const { skills } = world;
  const outdated = new AbortController();
  let events = 0;
  let wake = () => {};
  const notice = (isOutdated: boolean) => {
    events++;
    if (isOutdated) outdated.abort();
    wake();
  };
  const look = createCaseLook(world, since, options);
  const timer = setInterval(() => {
    const seen = look();
    if (seen !== undefined) notice(seen === "edited");
  }, LOOK_MS);
  await skills.watch();
  // What was saved after it was read and before it was watched.
  await skills.refresh();
  const contents = await contentsOf(skills);
  const forget = skills.onChange((change) => {
    void isOther(change, skills, contents).then(notice);
  });
  return {
    outdated: outdated.signal,
    async changed(signal) {
      await new Promise<void>((done) => {
        wake = done;
        signal.addEventListener("abort", () => done(), { once: true });
        if (events > 0 || signal.aborted) done();
      });
      for (let seen = -1; seen !== events && !signal.aborted;) {
        seen = events;
        await setTimeout(SETTLE_MS, undefined, { signal }).catch(() => undefined);
      }
    },
    async close() {
      clearInterval(timer);
      forget();
      await skills.close();
    },
  };
}

async function contentsOf(skills: Skills): Promise<ReadonlyMap<string, string>> {
  const contents = new Map<string, string>();
  for (const skill of skills.all) contents.set(skill.name, await skillContent(skill, skills));
  return contents;
}

/** Whether more than the evals of a skill changed. */
async function isOther(
  { added, removed, changed }: SkillChange,
  skills: Skills,
  contents: ReadonlyMap<string, string>,
): Promise<boolean> {
  if (added.length + removed.length > 0) return true;
  for (const name of changed) {
    const skill = skills.get(name);
    if (skill === undefined) return true;
    if ((await skillContent(skill, skills)) !== contents.get(skill.name)) return true;
  }
  return false;
}
