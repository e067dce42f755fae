import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Skills } from "@skillwright/core";
import { casesDigest, type EvalCase, type EvalResults } from "@skillwright/evals";
import { skillContent } from "./settings.ts";

/** What an eval was run on, so that the next one knows what is another. */
export interface EvalFingerprint {
  /** Of what every request is held against: names and descriptions. */
  readonly catalog: string;
  /** Content by name; cases are no part of it. */
  readonly skills: ReadonlyMap<string, string>;
  readonly cases: ReadonlyMap<string, CaseFingerprint>;
}

interface CaseFingerprint {
  readonly digest: string;
  readonly file: string;
}

/** An eval that is over. */
export interface EvalRound {
  readonly results: EvalResults;
  readonly fingerprint: EvalFingerprint;
}

export async function evalFingerprint(
  skills: Skills,
  cases: readonly EvalCase[],
): Promise<EvalFingerprint> {
  const contents = new Map<string, string>();
  for (const skill of skills.all) contents.set(skill.name, await skillContent(skill, skills));
  const shown = skills.all.map(({ name, description, modelInvocable, trusted, enabled }) => [
    name,
    description,
    modelInvocable && trusted && enabled,
  ]);
  return {
    catalog: JSON.stringify(shown),
    skills: contents,
    cases: new Map(
      cases.map((one) => [one.id, { digest: caseDigest(one), file: one.origin.file }]),
    ),
  };
}

/**
 * Cases whose result may be another now: edited, new, or without a result; of a skill that changed, that expect it or
 * used it. When the catalog reads differently, any request may go to another skill: all of them.
 */
export function touchedCases(
  cases: readonly EvalCase[],
  now: EvalFingerprint,
  { results, fingerprint: before }: EvalRound,
): readonly EvalCase[] {
  if (now.catalog !== before.catalog) return cases;
  const skills = new Set(changedKeys(now.skills, before.skills));
  const used = new Map<string, string[]>();
  for (const { caseId, skills: names, outcome } of results.trials) {
    if (outcome !== "error") used.set(caseId, [...(used.get(caseId) ?? []), ...names]);
  }
  return cases.filter(({ id, origin, expected }) => {
    const seen = used.get(id);
    if (seen === undefined) return true;
    if (now.cases.get(id)?.digest !== before.cases.get(id)?.digest) return true;
    const names = [origin.skill ?? "", ...(expected.skills?.used ?? []), ...seen];
    return names.some((name) => skills.has(name));
  });
}

/** Skills and files of cases that are not as before. */
export function changesBetween(now: EvalFingerprint, before: EvalFingerprint) {
  const digests = ({ cases }: EvalFingerprint) =>
    new Map(Array.from(cases, ([id, { digest }]) => [id, digest]));
  const ids = changedKeys(digests(now), digests(before));
  const files = ids.map((id) => (now.cases.get(id) ?? before.cases.get(id))?.file ?? "");
  return { skills: changedKeys(now.skills, before.skills), files: [...new Set(files)] };
}

function changedKeys(
  now: ReadonlyMap<string, string>,
  before: ReadonlyMap<string, string>,
): string[] {
  const keys = new Set([...now.keys(), ...before.keys()]);
  return [...keys].filter((key) => now.get(key) !== before.get(key)).toSorted();
}

/** Files that a case needs beside its own. */
export function materialOf({ files, expected }: EvalCase): string[] {
  const graders = expected.output.flatMap((check) => (check.type === "script" ? check.file : []));
  return [...files.flatMap(({ from }) => from ?? []), ...graders];
}

function caseDigest(one: EvalCase): string {
  const hash = createHash("sha256");
  try {
    hash.update(casesDigest([one]));
    for (const file of materialOf(one)) hash.update(readFileSync(file));
  } catch {
    hash.update("unreadable");
  }
  return hash.digest("hex");
}
