import type { Diagnostic } from "../format/diagnostic.ts";
import { rootMissing } from "../sources/scan-rules.ts";
import type { FoundSkill, MissedSkill, WantedSkill } from "../sources/skill-source.ts";
import type { Snapshot } from "./snapshot.ts";
import { foldName, isVisibleToModel, placeText, type SkillRecord } from "./skill-record.ts";

interface ExplainedPlace {
  /** A folder, or the URI of a skill that is in none. */
  readonly path: string;
  readonly source: string;
  /**
   * "other source": there, but not from the source that was asked for. "left out": no scan gives it,
   * for the reason that follows.
   */
  readonly outcome:
    | "chosen"
    | "shadowed"
    | "same content"
    | "unusable"
    | "other source"
    | "left out";
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
  /** What there is to say about roots, when the skill was not found: it may be why. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface ExplainOptions {
  readonly snapshot: Snapshot;
  /** What the name stands for. */
  readonly record: SkillRecord | undefined;
  readonly candidates: readonly string[];
  /** Looks where no scan looks; only for a name that was not found. */
  readonly lookFor?: ((wanted: WantedSkill) => readonly MissedSkill[]) | undefined;
}

/** Everything the registry knows about a name: every place, what won and why, who can see it. */
export function explainSkill(name: string, options: ExplainOptions): Explanation {
  const { record } = options;
  return record === undefined ? explainMissing(name, options) : explainFound(record, options);
}

function explainFound(record: SkillRecord, { snapshot }: ExplainOptions): Explanation {
  const { all, shadowed, unusable } = snapshot;
  const wanted = foldName(record.name);
  const winner = all.find((other) => isNamed(other, wanted) && other.shadowedBy === undefined);
  const others = [...all, ...shadowed].filter(
    (other) => isNamed(other, wanted) && other !== record,
  );
  const places = [record, ...others].flatMap((other) => [
    placeOf(other, record, winner),
    ...samePlaces(other),
  ]);
  const visible = isVisibleToModel(record) && record.shadowedBy === undefined;
  return {
    name: record.name,
    found: true,
    places: [
      ...places,
      ...unusable.filter((other) => isFolderOf(other, wanted)).map(unusablePlace),
    ],
    visibleToModel: visible,
    visibleToPerson: record.userInvocable && record.enabled,
    reasons: reasonsOf(record, all),
    candidates: [],
    diagnostics: [],
  };
}

function explainMissing(name: string, options: ExplainOptions): Explanation {
  const { snapshot, candidates, lookFor } = options;
  const at = name.lastIndexOf("@");
  const source = at > 0 ? name.slice(at + 1) : undefined;
  const wanted = foldName(at > 0 ? name.slice(0, at) : name);
  const records = [...snapshot.all, ...snapshot.shadowed];
  const elsewhere = records.filter((other) => isNamed(other, wanted));
  const unusable = snapshot.unusable.filter((other) => isFolderOf(other, wanted));
  const isMeant = (other: string) => foldName(other) === wanted;
  const listed = new Set(unusable.map(({ directory }) => directory));
  const known = () => new Set(records.flatMap(({ path, alsoAt }) => [path, ...alsoAt]));
  const missed = lookFor?.({ isMeant, known: known() }) ?? [];
  const leftOut = missed.filter(({ path }) => !listed.has(path));
  return {
    name,
    found: false,
    places: [
      ...elsewhere.map((other) => otherPlace(other)),
      ...unusable.map(unusablePlace),
      ...leftOut.map(({ path, source: from, reason }): ExplainedPlace => {
        return { path, source: from, outcome: "left out", reason, diagnostics: [] };
      }),
    ],
    visibleToModel: false,
    visibleToPerson: false,
    reasons: missingReasons(source, elsewhere, unusable, leftOut, snapshot.rootDiagnostics),
    candidates,
    diagnostics: snapshot.rootDiagnostics,
  };
}

function isNamed({ name, relativePath }: SkillRecord, wanted: string): boolean {
  return foldName(name) === wanted || foldName(relativePath) === wanted;
}

function placeOf(
  record: SkillRecord,
  chosen: SkillRecord,
  winner: SkillRecord | undefined,
): ExplainedPlace {
  const { source, diagnostics } = record;
  const path = record.uri ?? record.path;
  if (record === chosen) {
    const reason =
      record.shadowedBy === undefined
        ? `first in order of precedence (${source})`
        : "asked for by its source or folder";
    return { path, source, outcome: "chosen", reason, diagnostics };
  }
  const reason =
    record === winner
      ? `\`${record.name}\` alone means this one, but another was asked for`
      : shadowReason(record, winner);
  return { path, source, outcome: "shadowed", reason, diagnostics };
}

function shadowReason(record: SkillRecord, winner: SkillRecord | undefined): string {
  const { name, source, root, relativePath, trusted, shadowedBy = winner?.id ?? "" } = record;
  if (winner?.root === root && winner.source === source) {
    return `${winner.id} has the same name in the same root and comes first; this one is reachable as ${relativePath}`;
  }
  const why =
    !trusted && winner?.trusted === true ? "is trusted, which this one is not" : "comes first";
  return `${shadowedBy} ${why}; this one is reachable as ${name}@${source}`;
}

function samePlaces({ path, source, alsoAt, alsoFrom }: SkillRecord): ExplainedPlace[] {
  return alsoAt.map((other, i) => ({
    path: other,
    source: alsoFrom[i] ?? source,
    outcome: "same content",
    reason: `holds the same files as ${path}`,
    diagnostics: [],
  }));
}

function otherPlace({ path, uri, source, name, diagnostics }: SkillRecord): ExplainedPlace {
  const reason = `this one is reachable as ${name}@${source}`;
  return { path: uri ?? path, source, outcome: "other source", reason, diagnostics };
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

function missingReasons(
  source: string | undefined,
  elsewhere: readonly SkillRecord[],
  unusable: readonly FoundSkill[],
  missed: readonly MissedSkill[],
  rootDiagnostics: readonly Diagnostic[],
): string[] {
  const sources = [...new Set(elsewhere.map((record) => record.source))];
  const reasons = [
    ...(elsewhere.length === 0
      ? []
      : [`it is not from ${JSON.stringify(source ?? "")}, but from ${sources.join(" and ")}`]),
    ...(unusable.length === 0 ? [] : ["it was found, but its SKILL.md cannot be used"]),
    ...missed.map(({ path, reason }) => `${path} was left out: ${reason}`),
  ];
  const isFound = reasons.length > 0;
  const gaps = rootDiagnostics
    .filter(({ code }) => !isFound || code === rootMissing.code)
    .map(({ file, message }) => `${file}: ${message}`);
  return [...(isFound ? reasons : ["no skill of this name was found in any root"]), ...gaps];
}

function reasonsOf(record: SkillRecord, all: readonly SkillRecord[]): string[] {
  const refusals = record.diagnostics.filter(({ effect }) => effect === "hidden");
  const first = all.find(({ id }) => id === record.shadowedBy);
  const reasons = [
    ...(record.enabled ? [] : ["it is disabled; `skillwright enable` switches it on"]),
    ...(record.trusted ? [] : [untrustedReason(record)]),
    ...refusals.map(({ code, message }) => `${code}: ${message}`),
    ...(record.modelInvocable || refusals.length > 0
      ? []
      : ["it says `disable-model-invocation: true`; only a person can call it"]),
    ...(first === undefined
      ? []
      : [`models are told of ${first.id} instead, in ${placeText(first)}`]),
    ...all
      .filter((other) => other.shadowedBy === record.id && !other.trusted && record.trusted)
      .map(({ id }) => `it takes the place of ${id}, which is not trusted`),
  ];
  const isOffered = isVisibleToModel(record) && first === undefined;
  return isOffered ? ["it is offered to models", ...reasons] : reasons;
}

function untrustedReason({ name, source, uri }: SkillRecord): string {
  if (uri === undefined) return "its folder is not trusted; `skillwright trust` trusts it";
  const how = `\`skillwright trust ${name}@${source}\` trusts it as it is now`;
  return `it comes from ${source} and is not trusted; ${how}`;
}
