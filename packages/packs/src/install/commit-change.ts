import { saveSignedManifest, type SignedManifest } from "../sign/signed-manifest.ts";
import type { Move } from "../change/change.ts";
import { emptyLock, type ReadLock } from "../lock/read-lock.ts";
import type { LockedSkill, LockFile } from "../lock/lock-file.ts";
import type { FolderFile } from "../lock/read-folder.ts";
import { renderLock } from "../lock/render-lock.ts";
import { renderSharedLock } from "../lock/render-shared-lock.ts";
import { sharedHash } from "../lock/shared-hash.ts";
import { readSharedLock } from "../lock/shared-lock.ts";
import { savePristine } from "../merge/pristine.ts";
import type { PackFailure } from "../pack-failure.ts";
import type { ChangeReport, ReportedProblem, ReportedSkill } from "./change-report.ts";
import type { Workplace } from "./open-session.ts";
import type { PackSession } from "./pack-session.ts";

/** What is to happen to one skill. */
export interface PlannedSkill {
  readonly report: ReportedSkill;
  /** The folder below the root, and what comes there; absent when it stays as it is. */
  readonly move?: Move;
  /** The new entry of the lock at `report.path`; null takes it out, absent leaves it. */
  readonly locked?: LockedSkill | null;
  /** What the entry describes, where that is another content than before. */
  readonly content?: readonly FolderFile[];
  /** What the entry was signed as. */
  readonly signed?: SignedManifest;
}

export interface ChangePlan {
  readonly title: string;
  readonly before: ReadLock;
  readonly skills: readonly PlannedSkill[];
  readonly problems?: readonly ReportedProblem[];
  readonly notes?: readonly string[];
}

/** Carries out a plan – all of it or nothing – and reports. */
export async function commitChange(
  session: PackSession,
  place: Workplace,
  plan: ChangePlan,
): Promise<ChangeReport | PackFailure> {
  const { before, skills, problems = [] } = plan;
  const moves = skills.flatMap(({ move }) => move ?? []);
  const lock = lockAfter(before.lock, skills);
  const text = renderLock(lock);
  const isLocked = before.text === undefined && Object.keys(lock.skills).length === 0;
  const newLock = text === before.text || isLocked ? undefined : text;
  const changed = moves.length > 0 || newLock !== undefined;
  const shared = sharedLockAfter(session, before.lock, lock, skills);
  let id: string | undefined;
  if (changed) {
    const { stateFolder } = place;
    for (const { locked, content } of skills) {
      if (stateFolder === undefined || !locked || content === undefined) continue;
      savePristine(stateFolder, locked.digest, content);
    }
    for (const signed of new Set(skills.flatMap((skill) => skill.signed ?? []))) {
      if (stateFolder !== undefined) saveSignedManifest(session.scope, signed);
    }
    const applied = await place.apply({
      title: plan.title,
      moves,
      ...(newLock !== undefined && { lock: newLock }),
      ...(shared.text !== undefined && { sharedLock: shared.text }),
    });
    if (!applied.ok) return applied;
    id = applied.id;
  }
  return {
    ok: true,
    changed,
    dryRun: session.dryRun === true,
    ...(id !== undefined && { id }),
    skills: skills.map(({ report }) => report),
    problems,
    notes: [...place.notes, ...(plan.notes ?? []), ...(changed ? shared.notes : [])],
  };
}

function lockAfter(before: LockFile, skills: readonly PlannedSkill[]): LockFile {
  const entries = Object.assign(emptyLock().skills, before.skills) as Record<string, LockedSkill>;
  for (const { report, locked } of skills) {
    if (locked === null) delete entries[report.path];
    else if (locked !== undefined) entries[report.path] = locked;
  }
  return { ...before, skills: entries };
}

function sharedLockAfter(
  { scope }: PackSession,
  before: LockFile,
  lock: LockFile,
  skills: readonly PlannedSkill[],
): { readonly text?: string | undefined; readonly notes: readonly string[] } {
  if (scope.sharedLockFile === undefined) return { notes: [] };
  const existing = readSharedLock(scope);
  if (!existing.ok) {
    return { notes: [`skills-lock.json was left as it is: ${existing.reason}`] };
  }
  const hashes = new Map<string, string>();
  for (const { report, locked, content } of skills) {
    if (locked && content !== undefined) hashes.set(report.path, sharedHash(content));
  }
  const rendered = renderSharedLock(existing.text, lock, { before, hashes });
  return rendered.text === existing.text ? { notes: rendered.notes } : rendered;
}
