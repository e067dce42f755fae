import { checkOptions, type OptionKinds } from "@skillwright/core/internal";
import { interruptedNotes } from "../change/finish-interrupted.ts";
import type { LockedSkill } from "../lock/lock-file.ts";
import { readLock } from "../lock/read-lock.ts";
import type { PackFailure } from "../pack-failure.ts";
import { type Latest, resolveLatest } from "../sources/resolve-latest.ts";
import { latestSourceOf } from "../sources/source-of.ts";
import { fetchLocked, fetchOptions } from "./fetch-locked.ts";
import { type LockEntry, lockedNames } from "./locked-names.ts";
import { inWorkplace } from "./open-session.ts";
import { type PackSession, SESSION } from "./pack-session.ts";
import { stageSkill } from "./stage-skill.ts";

export interface OutdatedSkill {
  readonly name: string;
  readonly path: string;
  readonly source: string;
  /** Commit, version or digest that is installed, and the one that could be. */
  readonly current: string;
  readonly latest?: string;
  readonly status: "current" | "outdated" | "linked" | "unknown";
  /** Why it is unknown. */
  readonly reason?: string;
}

export interface OutdatedReport {
  readonly ok: true;
  readonly skills: readonly OutdatedSkill[];
  /** What a person should know: a change that was interrupted. */
  readonly notes: readonly string[];
}

const OPTIONS: OptionKinds<PackSession & { readonly names?: readonly string[] }> = {
  ...SESSION,
  names: "strings",
};

export async function outdatedSkills(
  session: PackSession & { readonly names?: readonly string[] },
): Promise<OutdatedReport | PackFailure> {
  checkOptions("outdatedSkills", session, OPTIONS, ["scope", "cwd"]);
  const read = readLock(session.scope);
  if (!read.ok) return read;
  const named = lockedNames(read.lock, session.names);
  if (!named.ok) return named;
  const notes = interruptedNotes(session.scope, session.stateDirectory);
  const skills: OutdatedSkill[] = [];
  const known = new Map<string, Promise<Latest | PackFailure>>();
  for (const entry of named.entries) {
    const total = named.entries.length;
    session.onProgress?.({ phase: "check", done: skills.length, total, unit: "skills" });
    if (session.signal?.aborted === true) {
      return { ok: false, code: "canceled", message: "canceled" };
    }
    skills.push(await lookAt(entry, session, known));
  }
  return { ok: true, skills, notes };
}

async function lookAt(
  entry: LockEntry,
  session: PackSession,
  known: Map<string, Promise<Latest | PackFailure>>,
): Promise<OutdatedSkill> {
  const [path, locked] = entry;
  const { name, origin, digest } = locked;
  const source = latestSourceOf(origin);
  const current = origin.resolved ?? origin.integrity ?? digest;
  const about = { name, path, source, current };
  if (locked.linked === true) return { ...about, status: "linked" };
  let asking = known.get(source);
  if (asking === undefined) {
    asking = resolveLatest(origin, fetchOptions(session, ""));
    known.set(source, asking);
  }
  const answer = await asking;
  if (!answer.ok) return { ...about, status: "unknown", reason: answer.message };
  // Commits with commits, archives with archives; where the source names neither, contents.
  const latest = origin.resolved === undefined ? answer.integrity : answer.resolved;
  if (latest !== undefined && latest === current) return { ...about, latest, status: "current" };
  // Another commit may hold the same skill: only its content tells.
  return byContent(entry, about, latest, session);
}

async function byContent(
  entry: LockEntry,
  about: Pick<OutdatedSkill, "name" | "path" | "source" | "current">,
  latest: string | undefined,
  session: PackSession,
): Promise<OutdatedSkill> {
  const found = await inWorkplace({ ...session, dryRun: true }, async (place) => {
    const newest = ({ origin }: LockedSkill) => latestSourceOf(origin);
    const fetched = await fetchLocked([entry], newest, session, place);
    if (!fetched.ok) return fetched;
    const [skill] = fetched.skills;
    if (skill === undefined) throw new Error("nothing was fetched");
    const { candidate, pack } = skill;
    return stageSkill(candidate, {
      staging: place.folder(),
      origin: pack.origin,
      base: session.scope.base,
      failOn: "never",
    });
  });
  if (!found.ok) return { ...about, status: "unknown", reason: found.message };
  const { digest } = found.locked;
  const isCurrent = digest === entry[1].digest;
  const like = latest === undefined ? { current: entry[1].digest, latest: digest } : { latest };
  return { ...about, ...like, status: isCurrent ? "current" : "outdated" };
}
