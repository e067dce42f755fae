import { setTimeout } from "node:timers/promises";
import type { Skills } from "@skillwright/core";
import type { SkillChange } from "@skillwright/core/internal";
import { skillContent } from "./catalog-digest.ts";
import { createCaseLook } from "./create-case-look.ts";
import type { EvalWorld } from "./eval-world.ts";

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
export async function watchWorld(world: EvalWorld, since: number): Promise<WorldWatch> {
  const { skills } = world;
  const outdated = new AbortController();
  let events = 0;
  let wake = () => {};
  const notice = (isOutdated: boolean) => {
    events++;
    if (isOutdated) outdated.abort();
    wake();
  };
  const look = createCaseLook(world, since);
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
