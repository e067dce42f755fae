import { sep } from "node:path";
import type { Skills } from "@skillwright/core";
import type { Judge } from "@skillwright/evals";
import { mapStrings, skillPlaces, TRIAL } from "./placed-model.ts";

/**
 * The same questions for the same trials, in whatever folder and on whatever machine, so that a verdict can be
 * found again. All trials work below one folder.
 */
export function placedJudge(judge: Judge, folder: string, skills: Skills): Judge {
  const places = skillPlaces(skills)
    .filter(([here]) => here.startsWith("/"))
    .toSorted(([a], [b]) => b.length - a.length);
  const trials = `${folder}${sep}trial-`;
  const away = (text: string) =>
    places.reduce(
      (changed, [here, there]) => changed.replaceAll(here, there),
      unnamed(text, trials),
    );
  return {
    id: judge.id,
    judge: ({ signal, ...question }) =>
      judge.judge({ ...mapStrings(question, away), ...(signal && { signal }) }),
    prefer: ({ signal, ...question }) =>
      judge.prefer({ ...mapStrings(question, away), ...(signal && { signal }) }),
  };
}

/** Without the names that are made up for each trial. */
function unnamed(text: string, trials: string): string {
  const [first = "", ...rest] = text.split(trials);
  return [first, ...rest.map((part) => `${TRIAL}${part.replace(/^[A-Za-z0-9]+/, "")}`)].join("");
}
