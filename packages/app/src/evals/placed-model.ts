import type { Model } from "@skillwright/agent";
import type { Skills } from "@skillwright/core";

/** Folders of this machine and what a model sees in their place. */
type Places = readonly (readonly [here: string, there: string])[];

export const TRIAL = "/eval/trial";
const SKILLS = "/eval/skills";
/** It stands for files that no model sees as well; the cassette knows what matters. */
const DIGEST = /\bdigest="(?:sha256|stamp):[0-9a-f]{64}"/g;
/** Cases in the list of a skill's files, which are no part of what it is. */
const EVALS = /^evals?\/.* \(\d+ bytes\)\n/gm;
const NO_DIGEST = `digest="sha256:${"0".repeat(64)}"`;

/**
 * The same requests for the same trial, in whatever folder and on whatever machine: only then can an answer be
 * found again. Folders in an answer are those of this machine again.
 */
export function placedModel(model: Model, directory: string, skills: Skills): Model {
  const places = placesOf(directory, skills);
  const away = (text: string) =>
    places
      .reduce((changed, [here, there]) => changed.replaceAll(here, there), text)
      .replaceAll(DIGEST, NO_DIGEST)
      .replaceAll(EVALS, "");
  const back = (text: string) =>
    places.reduceRight((changed, [here, there]) => changed.replaceAll(there, here), text);
  return {
    ...model,
    async decide(request, context) {
      const response = await model.decide(mapStrings(request, away), context);
      return mapStrings(response, back);
    },
  };
}

/** The longest first: one folder may lie in another. */
function placesOf(directory: string, skills: Skills): Places {
  return [[directory, TRIAL] as const, ...skillPlaces(skills)]
    .filter(([here]) => here.startsWith("/"))
    .sort(([a], [b]) => b.length - a.length);
}

export function skillPlaces({ all }: Skills): Places {
  return all.map(({ path, name }) => [path, `${SKILLS}/${name}`] as const);
}

export function mapStrings<Value>(value: Value, change: (text: string) => string): Value {
  return mapUnknown(value, change) as Value;
}

function mapUnknown(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapUnknown(item, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapUnknown(item, change)]),
  );
}
