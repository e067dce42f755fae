import { sep } from "node:path";
import type { Skills } from "@skillwright/core";
import type { Judge } from "@skillwright/evals";
import { mapStrings, skillPlaces, TRIAL } from "./placed-model.ts";

/** What `mkdtemp` adds. */
const MADE_UP = /(?<=-)[A-Za-z0-9]{6}$/;

/**
 * The same questions for the same trials, in whatever folder and on whatever machine, so that a verdict can be
 * found again. All trials work below one folder.
 */
export function placedJudge(judge: Judge, folder: string, skills: Skills): Judge {
  const places = skillPlaces(skills)
    .filter(([here]) => here.startsWith("/"))
    .toSorted(([a], [b]) => b.length - a.length);
  const trials = trialFolders(folder);
  const away = (text: string) =>
    places.reduce(
      (changed, [here, there]) => changed.replaceAll(here, there),
      text.replaceAll(trials, TRIAL),
    );
  return {
    id: judge.id,
    judge: ({ signal, ...question }) =>
      judge.judge({ ...mapStrings(question, away), ...(signal && { signal }) }),
    prefer: ({ signal, ...question }) =>
      judge.prefer({ ...mapStrings(question, away), ...(signal && { signal }) }),
  };
}

/**
 * Names that are made up for each trial. Also in folders of the same kind beside: an answer may be from before an
 * interruption, when that folder had another name.
 */
function trialFolders(folder: string): RegExp {
  const kind = folder.replace(MADE_UP, "");
  const rest = kind === folder ? "" : "[A-Za-z0-9]{6}";
  const separator = sep === "/" ? "/" : "\\\\";
  const plain = kind.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`${plain}${rest}${separator}trial-[A-Za-z0-9]*`, "g");
}
