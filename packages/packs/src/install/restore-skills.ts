import { signerProblem } from "../sign/check-signer.ts";
import { checkOptions, type OptionKinds } from "@skillwright/core/internal";
import { type Finished, finishInterrupted } from "../change/finish-interrupted.ts";
import type { InstallScope } from "../install-scope.ts";
import type { LockedSkill } from "../lock/lock-file.ts";
import type { PackFailure } from "../pack-failure.ts";
import { sourceOf } from "../sources/source-of.ts";
import type { ChangeReport, ReportedProblem, ReportedSkill } from "./change-report.ts";
import { commitChange, type PlannedSkill } from "./commit-change.ts";
import { type ExaminedRoot, examineRoot } from "./examine-root.ts";
import { fetchLocked } from "./fetch-locked.ts";
import { digestsOf, fileChanges, modeChanges } from "./file-changes.ts";
import { lintProblems } from "./lint-problems.ts";
import { inWorkplace, openingOf, type Workplace } from "./open-session.ts";
import { otherRoots } from "./other-roots.ts";
import { preparePacks } from "./prepare-packs.ts";
import { restoreLink } from "./restore-link.ts";
import type { RestoreOptions } from "./restore-options.ts";
import { restoreShared } from "./restore-shared.ts";
import { stageSkill } from "./stage-skill.ts";
import { folderOf, lockPath, standingSkill } from "./standing-skill.ts";
import { ACCEPTANCE, SESSION } from "./pack-session.ts";

const OPTIONS: OptionKinds<RestoreOptions> = {
  ...SESSION,
  ...ACCEPTANCE,
  frozen: "boolean",
  force: "boolean",
};

export async function restoreSkills(options: RestoreOptions): Promise<ChangeReport | PackFailure> {
  checkOptions("restoreSkills", options, OPTIONS, ["scope", "cwd"]);
  const finished = await finish(options);
  if (!finished.ok) return finished;
  const seen = await examineRoot(options);
  if (!seen.ok) return seen;
  if (Object.keys(seen.before.lock.skills).length === 0) return restoreShared(options);
  const others = otherRoots(seen, options);
  if (!others.ok) return others;
  if (options.frozen === true) {
    for (const scope of others.scopes) {
      const other = await examineRoot({ ...options, scope });
      if (!other.ok) return other;
    }
  }
  const own = await restoreRoot(options, seen);
  if (!own.ok) return own;
  const problems = [...own.problems, ...others.problems];
  const report = { ...own, problems, notes: [...finished.notes, ...own.notes] };
  return restoreOthers(report, others.scopes, options);
}

/** What a killed process left in the middle is no local edit. */
async function finish(options: RestoreOptions): Promise<Finished> {
  if (options.dryRun === true) return { ok: true, notes: [] };
  return finishInterrupted(options.scope, openingOf(options));
}

function restoreRoot(
  options: RestoreOptions,
  seen: ExaminedRoot,
): Promise<ChangeReport | PackFailure> {
  if (seen.wanted.length === 0) return Promise.resolve(nothingToDo(seen, options));
  return inWorkplace(options, (place) => restore(options, place));
}

/** Looks again: only now nobody else changes the root. */
async function restore(
  options: RestoreOptions,
  place: Workplace,
): Promise<ChangeReport | PackFailure> {
  const seen = await examineRoot(options);
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
  const { scope, signal, failOn, suppressions } = options;
  const fetched = await fetchLocked(entries, ({ origin }) => sourceOf(origin), options, place);
  if (!fetched.ok) return fetched;
  const prepared = await preparePacks(fetched.skills, options, place);
  if (!prepared.ok) return prepared;
  const planned: PlannedSkill[] = [];
  const problems: ReportedProblem[] = [];
  for (const { path, locked, candidate, pack } of fetched.skills) {
    const { staging, signed } = prepared.packs.get(pack)!;
    const refused = signerProblem(locked, signed, options);
    if (refused !== undefined) return refused;
    const skill = await stageSkill(candidate, {
      staging,
      origin: pack.origin,
      base: scope.base,
      failOn,
      suppressions,
      signal,
    });
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
        files: {
          ...fileChanges(files, digestsOf(locked.files)),
          ...modeChanges(standing, skill.files),
        },
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

/** One change for each root; each is undone by itself. */
async function restoreOthers(
  own: ChangeReport,
  scopes: readonly InstallScope[],
  options: RestoreOptions,
): Promise<ChangeReport | PackFailure> {
  let report = own;
  for (const scope of scopes) {
    const session = { ...options, scope };
    const finished = await finish(session);
    const seen = finished.ok ? await examineRoot(session) : finished;
    const other = seen.ok ? await restoreRoot(session, seen) : seen;
    const root = lockPath(scope, "");
    if (!other.ok) {
      if (options.frozen === true || other.code === "canceled") return other;
      const { code, message, hint } = other;
      const problem: ReportedProblem = {
        code,
        severity: "error",
        message: `${root} was not restored: ${message}`,
        ...(hint !== undefined && { hint }),
      };
      report = { ...report, problems: [...report.problems, problem] };
      continue;
    }
    const undo = `what was restored in ${root} is taken back by \`skillwright undo --target ${root}\``;
    report = {
      ...report,
      changed: report.changed || other.changed,
      skills: [...report.skills, ...other.skills],
      problems: [...report.problems, ...other.problems],
      notes: [...report.notes, ...other.notes, ...(other.id === undefined ? [] : [undo])],
    };
  }
  return report;
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
  { before, verified, problems }: ExaminedRoot,
  { dryRun = false, scope }: RestoreOptions,
): ChangeReport {
  const skills = verified
    .filter(({ path }) => path in before.lock.skills && folderOf(path, scope) !== undefined)
    .map(({ name, digest, path }): ReportedSkill => ({ name, digest, path, status: "unchanged" }));
  return { ok: true, changed: false, dryRun, skills, problems, notes: [] };
}
