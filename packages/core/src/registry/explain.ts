import type { Diagnostic } from "../format/diagnostic.ts";
import type { FoundSkill } from "../sources/skill-source.ts";
import type { Snapshot } from "./build-snapshot.ts";
import { foldName, isVisibleToModel, type SkillRecord } from "./skill-record.ts";

export interface ExplainedPlace {
  readonly path: string;
  readonly source: string;
  readonly outcome: "chosen" | "shadowed" | "same content" | "unusable";
  /** In a sentence. */
  readonly reason: string;
  readonly diagnostics: readonly Diagnostic[];
}

export interface Explanation {
  readonly name: string;
  readonly found: boolean;
  readonly places: readonly ExplainedPlace[];
  readonly visibleToModel: boolean;
  readonly visibleToPerson: boolean;
  /** Why it is or is not offered to a model, in sentences. */
  readonly reasons: readonly string[];
  readonly candidates: readonly string[];
}

/** Everything the registry knows about a name: every place, what won and why, who can see it. */
export function explainSkill(
  name: string,
  snapshot: Snapshot,
  record: SkillRecord | undefined,
  candidates: readonly string[],
): Explanation {
  const wanted = foldName(record?.name ?? name.replace(/@[^@]*$/, ""));
  const isMeant = ({ name: other, relativePath }: SkillRecord) =>
    foldName(other) === wanted || foldName(relativePath) === wanted;
  const places = [
    ...snapshot.all.filter(isMeant).flatMap((other) => placesOf(other, record)),
    ...snapshot.shadowed.filter(isMeant).map((other) => shadowedPlace(other, record)),
    ...snapshot.unusable.filter((found) => isFolderOf(found, wanted)).map(unusablePlace),
  ];
  return {
    name: record?.name ?? name,
    found: record !== undefined,
    places,
    visibleToModel: record !== undefined && isVisibleToModel(record),
    visibleToPerson: record !== undefined && record.userInvocable && record.enabled,
    reasons: record === undefined ? [notFoundReason(places)] : reasonsOf(record),
    candidates: record === undefined ? candidates : [],
  };
}

function placesOf(record: SkillRecord, chosen: SkillRecord | undefined): ExplainedPlace[] {
  const isChosen = record === chosen;
  const { path, source, diagnostics, alsoAt, alsoFrom } = record;
  const reason = isChosen
    ? `first in order of precedence (${source})`
    : chosen?.shadowedBy === record.id
      ? `first in order of precedence (${source}), but another source was asked for`
      : "has the same name in the same folder of skills; the first of them is chosen";
  return [
    { path, source, outcome: isChosen ? "chosen" : "shadowed", reason, diagnostics },
    ...alsoAt.map((other, i): ExplainedPlace => ({
      path: other,
      source: alsoFrom[i] ?? source,
      outcome: "same content",
      reason: `holds the same files as ${path}`,
      diagnostics: [],
    })),
  ];
}

function shadowedPlace(record: SkillRecord, chosen: SkillRecord | undefined): ExplainedPlace {
  const { path, source, diagnostics, shadowedBy = "" } = record;
  if (record === chosen) {
    return { path, source, outcome: "chosen", reason: "asked for by its source", diagnostics };
  }
  const reason = `${shadowedBy} comes first; this one is reachable as ${record.name}@${source}`;
  return { path, source, outcome: "shadowed", reason, diagnostics };
}

function unusablePlace({ directory, root, source, diagnostics }: FoundSkill): ExplainedPlace {
  const error = diagnostics.find(({ severity }) => severity === "error");
  const reason = error?.message ?? "its SKILL.md cannot be used";
  return { path: directory ?? root, source, outcome: "unusable", reason, diagnostics };
}

function isFolderOf({ relativePath }: FoundSkill, wanted: string): boolean {
  const folder = relativePath.slice(relativePath.lastIndexOf("/") + 1);
  return foldName(folder) === wanted || foldName(relativePath) === wanted;
}

function notFoundReason(places: readonly ExplainedPlace[]): string {
  return places.length === 0
    ? "no skill of this name was found in any root"
    : "it was found, but its SKILL.md cannot be used";
}

function reasonsOf(record: SkillRecord): string[] {
  const refusals = record.diagnostics.filter(({ effect }) => effect === "hidden");
  const reasons = [
    ...(record.enabled ? [] : ["it is disabled; `skillwright enable` switches it on"]),
    ...(record.trusted ? [] : ["its folder is not trusted; `skillwright trust` trusts it"]),
    ...refusals.map(({ code, message }) => `${code}: ${message}`),
    ...(record.modelInvocable || refusals.length > 0
      ? []
      : ["it says `disable-model-invocation: true`; only a person can call it"]),
  ];
  return reasons.length === 0 ? ["it is offered to models"] : reasons;
}
