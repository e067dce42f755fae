import type { Candidate, FetchedPack } from "../fetched-pack.ts";
import type { LockedSkill } from "../lock/lock-file.ts";
import type { PackFailure } from "../pack-failure.ts";
import { fetchPack } from "../sources/fetch-pack.ts";
import type { Workplace } from "./open-session.ts";
import type { PackSession } from "./pack-session.ts";

/** A skill of the lock, with the candidate that was fetched for it. */
export interface FetchedSkill {
  readonly path: string;
  readonly locked: LockedSkill;
  readonly candidate: Candidate;
  readonly pack: FetchedPack;
}

/**
 * Fetches skills of the lock again, each source once. `sourceFor` says which version: the one that
 * is locked, or the newest. With `onGone`, skills that their source no longer has are told there,
 * and the others fetched; without it they are the failure.
 */
export async function fetchLocked(
  wanted: readonly (readonly [path: string, locked: LockedSkill])[],
  sourceFor: (locked: LockedSkill) => string,
  session: PackSession,
  place: Workplace,
  onGone?: OnGone,
): Promise<{ readonly ok: true; readonly skills: readonly FetchedSkill[] } | PackFailure> {
  const bySource = groupBy(wanted, ([, locked]) => sourceFor(locked));
  const skills: FetchedSkill[] = [];
  const total = bySource.size;
  let done = 0;
  for (const [source, group] of bySource) {
    session.onProgress?.({ phase: "fetch", done: done++, total, unit: "skills", detail: source });
    const fetched = await fetchGroup(source, group, session, place, onGone);
    if (!fetched.ok) return fetched;
    skills.push(...fetched.skills);
  }
  return { ok: true, skills };
}

/** Called for each skill that is gone, with the failure that it would be. */
export type OnGone = (path: string, locked: LockedSkill, failure: PackFailure) => void;

type Group = readonly (readonly [path: string, locked: LockedSkill])[];

async function fetchGroup(
  source: string,
  group: Group,
  session: PackSession,
  place: Workplace,
  onGone: OnGone | undefined,
): Promise<{ readonly ok: true; readonly skills: readonly FetchedSkill[] } | PackFailure> {
  const pack = await fetchPack(source, fetchOptions(session, place.folder()));
  if (!pack.ok) {
    const byName = namedSources(source, group, pack);
    if (byName === undefined) {
      if (onGone !== undefined && GONE.has(pack.code)) {
        for (const [path, locked] of group) onGone(path, locked, pack);
        return { ok: true, skills: [] };
      }
      return { ...pack, message: `${group[0]?.[1].name}: ${pack.message}` };
    }
    const all: FetchedSkill[] = [];
    for (const [named, entry] of byName) {
      const fetched = await fetchGroup(named, [entry], session, place, onGone);
      if (!fetched.ok) return fetched;
      all.push(...fetched.skills);
    }
    return { ok: true, skills: all };
  }
  const skills: FetchedSkill[] = [];
  const taken = new Map<Candidate, string>();
  for (const [path, locked] of group) {
    const candidate = candidateFor(locked, pack.skills);
    if (candidate === undefined) {
      if (onGone === undefined) return gone(locked, source);
      onGone(path, locked, gone(locked, source));
      continue;
    }
    const other = taken.get(candidate);
    if (other !== undefined) return sameSkill(other, path);
    taken.set(candidate, path);
    skills.push({ path, locked, candidate, pack });
  }
  return { ok: true, skills };
}

/** That nothing is there, and not that it could not be asked for. */
const GONE: ReadonlySet<PackFailure["code"]> = new Set(["source-missing", "skill-missing"]);

/** A repository may be too large to be taken whole: its skills were then installed by name. */
function namedSources(
  source: string,
  group: Group,
  { code }: PackFailure,
): (readonly [source: string, entry: Group[number]])[] | undefined {
  const isGit = group.every(([, { origin }]) => origin.type === "git");
  const isNamed = group.every(([, { name }]) => source.endsWith(`@${name}`));
  if (code !== "limit-exceeded" || !isGit || isNamed) return undefined;
  const start = source.includes("#") ? source : `${source}#`;
  return group.map((entry) => [`${start}@${entry[1].name}`, entry]);
}

/** Sources of the lock are relative to its base. */
export function fetchOptions(session: PackSession, quarantine: string) {
  const { limits, env, fetch, signal, onProgress, scope } = session;
  return {
    quarantine,
    cwd: scope.base,
    ...(limits && { limits }),
    ...(env && { env }),
    ...(fetch && { fetch }),
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
  };
}

/** By its place in the pack; one that was moved there is found by its name. */
function candidateFor(
  { skillPath, name }: LockedSkill,
  candidates: readonly Candidate[],
): Candidate | undefined {
  const named = candidates.filter((candidate) => candidate.name === name);
  return (
    candidates.find((candidate) => candidate.path === skillPath && candidate.name === name) ??
    (named.length === 1 ? named[0] : undefined)
  );
}

function gone({ name }: LockedSkill, source: string): PackFailure {
  return {
    ok: false,
    code: "skill-missing",
    message: `${source} no longer has the skill ${JSON.stringify(name)}`,
    hint: `keep what is installed, or remove it with \`skillwright uninstall ${name}\``,
  };
}

/** Nothing of ours writes that. */
function sameSkill(one: string, other: string): PackFailure {
  return {
    ok: false,
    code: "lock-invalid",
    message: `the lock has one skill at two places: ${one} and ${other}`,
    hint: "remove one of the two entries",
  };
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
