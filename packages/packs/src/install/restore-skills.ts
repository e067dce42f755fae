import { listChanges } from "../change/history/list-changes.ts";
import type { LockedSkill } from "../lock/lock-file.ts";
import { type ReadLock, readLock } from "../lock/read-lock.ts";
import type { PackFailure } from "../pack-failure.ts";
import { sourceOf } from "../sources/source-of.ts";
import { verifyInstalled } from "../verify/verify-installed.ts";
import type { VerifiedSkill } from "../verify/verified-skill.ts";
import type { ChangeReport, ReportedProblem, ReportedSkill } from "./change-report.ts";
import { commitChange, type PlannedSkill } from "./commit-change.ts";
import { fetchLocked } from "./fetch-locked.ts";
import { digestsOf, fileChanges } from "./file-changes.ts";
import { lintProblems } from "./lint-problems.ts";
import { inWorkplace, type Workplace, withRoot } from "./open-session.ts";
import type { Acceptance, PackSession } from "./pack-session.ts";
import { preparePacks } from "./prepare-packs.ts";
import { restoreLink } from "./restore-link.ts";
import { restoreShared } from "./restore-shared.ts";
import { stageSkill } from "./stage-skill.ts";
import { folderOf, standingSkill } from "./standing-skill.ts";

export interface RestoreOptions extends PackSession, Acceptance {
  /** Only what is missing may be put in place; every other difference refuses all of it. */
  readonly frozen?: boolean;
  /** Local edits go to the backup. */
  readonly force?: boolean;
}

/**
 * Brings the root to what the lock says. What is fetched must be exactly what was locked. Local edits
 * are never lost: without `force` they refuse the restore.
 */
export async function restoreSkills(options: RestoreOptions): Promise<ChangeReport | PackFailure> {
  const finished = await finishInterrupted(options);
  if (!finished.ok) return finished;
  const seen = await examine(options);
  if (!seen.ok) return seen;
  if (Object.keys(seen.before.lock.skills).length === 0) return restoreShared(options);
  if (seen.wanted.length === 0) return nothingToDo(seen, options, finished.notes);
  const report = await inWorkplace(options, (place) => restore(options, place));
  return report.ok ? { ...report, notes: [...finished.notes, ...report.notes] } : report;
}

/** What a killed process left in the middle is no local edit. */
async function finishInterrupted(
  options: RestoreOptions,
): Promise<{ readonly ok: true; readonly notes: readonly string[] } | PackFailure> {
  const { scope, stateDirectory, dryRun } = options;
  const listed = listChanges(scope, stateDirectory === undefined ? {} : { stateDirectory });
  if (!listed.ok) return listed;
  if (!listed.isInterrupted || dryRun === true) return { ok: true, notes: [] };
  return withRoot(options, ({ notes }) => Promise.resolve({ ok: true, notes }));
}

interface Seen {
  readonly ok: true;
  readonly before: ReadLock;
  readonly verified: readonly VerifiedSkill[];
  /** To be put in place. */
  readonly wanted: readonly VerifiedSkill[];
  readonly problems: readonly ReportedProblem[];
}

/** What differs from the lock, or why that may not be changed. */
async function examine(options: RestoreOptions): Promise<Seen | PackFailure> {
  const { scope, signal, onProgress } = options;
  const before = readLock(scope);
  if (!before.ok) return before;
  const checks = { ...(signal && { signal }), ...(onProgress && { onProgress }) };
  const verified = await verifyInstalled(scope, checks);
  if (!verified.ok) return verified;
  const different = verified.skills.filter(({ status }) => !isFine(status, options));
  const isHere = ({ path }: VerifiedSkill) => folderOf(path, scope) !== undefined;
  const edited = different.filter(
    (skill) => skill.status !== "missing" && (isHere(skill) || options.frozen === true),
  );
  const refused = refusal(edited, options);
  if (refused !== undefined) return refused;
  const wanted = different.filter((skill) => isHere(skill) && skill.status !== "unlocked");
  const problems = different.filter((skill) => !isHere(skill)).map(elsewhere);
  return { ok: true, before, verified: verified.skills, wanted, problems };
}

function isFine(status: VerifiedSkill["status"], { frozen }: RestoreOptions): boolean {
  return status === "ok" || status === "linked" || (status === "unlocked" && frozen !== true);
}

function refusal(
  edited: readonly VerifiedSkill[],
  { frozen, force }: RestoreOptions,
): PackFailure | undefined {
  const [first] = edited;
  if (first === undefined || (force === true && frozen !== true)) return undefined;
  const more = edited.length > 1 ? ` and ${edited.length - 1} more` : "";
  const what = `${first.path} is ${first.status}${more}`;
  if (frozen === true) {
    return {
      ok: false,
      code: "lock-differs",
      message: `what is installed differs from the lock: ${what}`,
      hint: "`skillwright verify` shows every file; nothing was changed",
    };
  }
  return {
    ok: false,
    code: "local-edits",
    message: `a restore would lose local edits: ${what}`,
    hint: "`skillwright verify` shows them; --force restores all the same and keeps them in the backup",
  };
}

/** One lock may describe several roots; each is restored by itself. */
function elsewhere({ name, path, status }: VerifiedSkill): ReportedProblem {
  return {
    code: "other-root",
    severity: "warning",
    message: `${path} is ${status}, and belongs to another root`,
    skill: name,
    hint: "name its root with --target <folder>",
  };
}

/** Looks again: only now nobody else changes the root. */
async function restore(
  options: RestoreOptions,
  place: Workplace,
): Promise<ChangeReport | PackFailure> {
  const seen = await examine(options);
  if (!seen.ok) return seen;
  const { before, verified, wanted } = seen;
  const planned = new Map<string, PlannedSkill>();
  const entries: (readonly [string, LockedSkill])[] = [];
  for (const { path } of wanted) {
    const locked = before.lock.skills[path];
    if (locked === undefined) continue;
    const link = restoreLink(path, locked, options.scope, place);
    if (link === undefined) entries.push([path, locked]);
    else planned.set(path, link);
  }
  const copies = await planCopies(entries, options, place);
  if (!copies.ok) return copies;
  for (const plan of copies.planned) planned.set(plan.report.path, plan);
  const skills = verified.flatMap(({ name, path, digest }): PlannedSkill[] => {
    const plan = planned.get(path);
    if (plan !== undefined) return [plan];
    return before.lock.skills[path] === undefined || folderOf(path, options.scope) === undefined
      ? []
      : [{ report: { name, digest, path, status: "unchanged" } }];
  });
  return commitChange(options, place, {
    title: "restore from the lock",
    before,
    skills,
    problems: [...seen.problems, ...copies.problems],
    notes: copies.notes,
  });
}

interface Copies {
  readonly ok: true;
  readonly planned: readonly PlannedSkill[];
  readonly problems: readonly ReportedProblem[];
  readonly notes: readonly string[];
}

async function planCopies(
  entries: readonly (readonly [string, LockedSkill])[],
  options: RestoreOptions,
  place: Workplace,
): Promise<Copies | PackFailure> {
  const { scope, signal, failOn } = options;
  const fetched = await fetchLocked(entries, ({ origin }) => sourceOf(origin), options, place);
  if (!fetched.ok) return fetched;
  const prepared = await preparePacks(fetched.skills, options, place);
  if (!prepared.ok) return prepared;
  const planned: PlannedSkill[] = [];
  const problems: ReportedProblem[] = [];
  for (const { path, locked, candidate, pack } of fetched.skills) {
    const { staging } = prepared.packs.get(pack)!;
    const skill = await stageSkill(candidate, { staging, origin: pack.origin, failOn, signal });
    if (!skill.ok) return skill;
    if (skill.locked.digest !== locked.digest) return otherContent(locked, skill.locked.digest);
    const folder = folderOf(path, scope) ?? "";
    const standing = await standingSkill(scope, folder);
    const files = standing.kind === "folder" ? standing.files : new Map<string, string>();
    problems.push(...lintProblems(skill));
    planned.push({
      report: {
        name: locked.name,
        digest: locked.digest,
        path,
        status: "restored",
        files: fileChanges(files, digestsOf(locked.files)),
        findings: skill.findings,
      },
      move: { folder, staged: skill.directory },
      locked,
      content: skill.files,
    });
  }
  const notes = [...prepared.packs.values()].flatMap((pack) => pack.notes);
  return { ok: true, planned, problems, notes };
}

function otherContent({ name, digest }: LockedSkill, found: string): PackFailure {
  return {
    ok: false,
    code: "digest-mismatch",
    message: `the source of ${JSON.stringify(name)} no longer has what was locked: ${digest} is locked, ${found} was fetched`,
    hint: `if the change is wanted, take it with \`skillwright update ${name}\``,
  };
}

function nothingToDo(
  { before, verified, problems }: Seen,
  { dryRun = false, scope }: RestoreOptions,
  notes: readonly string[],
): ChangeReport {
  const skills = verified
    .filter(({ path }) => path in before.lock.skills && folderOf(path, scope) !== undefined)
    .map(({ name, digest, path }): ReportedSkill => ({ name, digest, path, status: "unchanged" }));
  return { ok: true, changed: false, dryRun, skills, problems, notes };
}
