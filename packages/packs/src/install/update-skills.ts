import { createHash } from "node:crypto";
import { join } from "node:path";
import { combineDigests, checkOptions, type OptionKinds } from "@skillwright/core/internal";
import type { LockedSkill } from "../lock/lock-file.ts";
import type { FolderFile } from "../lock/read-folder.ts";
import { readLock } from "../lock/read-lock.ts";
import { type MergeConflict, mergeSkill, writeFolder } from "../merge/merge-skill.ts";
import { readPristine } from "../merge/pristine.ts";
import type { PackFailure } from "../pack-failure.ts";
import { signerProblem } from "../sign/check-signer.ts";
import { latestSourceOf } from "../sources/source-of.ts";
import type { ChangeReport, ReportedProblem } from "./change-report.ts";
import { changeTitle } from "./change-title.ts";
import { commitChange, type PlannedSkill } from "./commit-change.ts";
import { type FetchedSkill, fetchLocked, type OnGone } from "./fetch-locked.ts";
import { digestsOf, fileChanges, modeChanges } from "./file-changes.ts";
import { lintProblems } from "./lint-problems.ts";
import { originFrom } from "./local-origin.ts";
import { lockedNames } from "./locked-names.ts";
import { inWorkplace, type Workplace } from "./open-session.ts";
import { type Acceptance, type PackSession, ACCEPTANCE, SESSION } from "./pack-session.ts";
import { type PreparedPack, preparePacks } from "./prepare-packs.ts";
import { type StagedSkill, stageSkill } from "./stage-skill.ts";
import { folderOf, type StandingSkill, standingSkill } from "./standing-skill.ts";

export interface UpdateOptions extends PackSession, Acceptance {
  /** By name or path; all when absent. */
  readonly names?: readonly string[];
  /** Takes the new version whatever was edited; the old one goes to the backup. */
  readonly force?: boolean;
}

const OPTIONS: OptionKinds<UpdateOptions> = {
  ...SESSION,
  ...ACCEPTANCE,
  names: "strings",
  force: "boolean",
};

export async function updateSkills(options: UpdateOptions): Promise<ChangeReport | PackFailure> {
  checkOptions("updateSkills", options, OPTIONS, ["scope", "cwd"]);
  return inWorkplace(options, (place) => update(options, place));
}

async function update(
  options: UpdateOptions,
  place: Workplace,
): Promise<ChangeReport | PackFailure> {
  const before = readLock(options.scope);
  if (!before.ok) return before;
  const named = lockedNames(before.lock, options.names);
  if (!named.ok) return named;
  const isHere = (path: string) => folderOf(path, options.scope) !== undefined;
  const wanted = named.entries.filter(([path, { linked }]) => linked !== true && isHere(path));
  const left = named.entries.filter((entry) => !wanted.includes(entry));
  const newest = ({ origin }: LockedSkill) => latestSourceOf(origin);
  const gone: GoneSkill[] = [];
  // Whoever names a skill wants to hear that it is gone; else it must not hold up the others.
  const isNamed = (options.names?.length ?? 0) > 0;
  const onGone: OnGone = (path, locked, failure) => void gone.push({ path, locked, failure });
  const tellGone = isNamed ? undefined : onGone;
  const fetched = await fetchLocked(wanted, newest, options, place, tellGone);
  if (!fetched.ok) return fetched;
  const [first] = gone;
  if (first !== undefined && fetched.skills.length === 0) return first.failure;
  const prepared = await preparePacks(fetched.skills, options, place);
  if (!prepared.ok) return prepared;
  const planned: PlannedSkill[] = [];
  const problems = gone.map(goneProblem);
  for (const skill of fetched.skills) {
    const plan = await planUpdate(skill, prepared.packs.get(skill.pack)!, options, place);
    if ("ok" in plan) return plan;
    planned.push(plan.planned);
    problems.push(...plan.problems);
  }
  for (const { path, locked } of gone) {
    const { name, digest } = locked;
    planned.push({ report: { name, digest, path, status: "unchanged" } });
  }
  const names = planned.filter(({ move }) => move !== undefined).map(({ report }) => report.name);
  const title = changeTitle("update", names);
  const packs = new Set(fetched.skills.map(({ pack }) => pack));
  const notes = [
    ...left.map(([path, { linked }]) =>
      linked === true && isHere(path)
        ? `${path} is a link, and always what its source is`
        : `${path} belongs to another root: name it with --target <folder>`,
    ),
    ...[...packs].flatMap((pack) => [...pack.notes, ...prepared.packs.get(pack)!.notes]),
  ];
  return commitChange(options, place, { title, before, skills: planned, problems, notes });
}

interface GoneSkill {
  readonly path: string;
  readonly locked: LockedSkill;
  readonly failure: PackFailure;
}

function goneProblem({ locked: { name }, failure }: GoneSkill): ReportedProblem {
  const { code, message } = failure;
  const hint = `keep what is installed, or remove it with \`skillwright uninstall ${name}\``;
  return { code, severity: "warning", message, skill: name, hint };
}

type Plan = { readonly planned: PlannedSkill; readonly problems: readonly ReportedProblem[] };

async function planUpdate(
  { path, locked, candidate, pack }: FetchedSkill,
  { staging, signed }: PreparedPack,
  options: UpdateOptions,
  place: Workplace,
): Promise<Plan | PackFailure> {
  const { scope, failOn, suppressions, signal } = options;
  const folder = folderOf(path, scope) ?? "";
  const origin = {
    ...originFrom(pack.origin, { ...options, cwd: scope.base }),
    ...keptRef(locked),
  };
  const fresh = await stageSkill(candidate, {
    staging,
    origin,
    base: scope.base,
    signed,
    failOn,
    suppressions,
    signal,
  });
  if (!fresh.ok) return fresh;
  const otherSigner = signerProblem(locked, fresh.locked, options);
  if (otherSigner !== undefined) return otherSigner;
  const standing = await standingSkill(scope, folder);
  const problems = lintProblems(fresh);
  const common = { name: locked.name, path, findings: fresh.findings };
  const files = standing.kind === "folder" ? standing.files : new Map<string, string>();
  const content = fresh.files;
  const kept = signed === undefined ? {} : { signed };
  const isNew = fresh.locked.digest !== locked.digest;
  const isEdited = standing.kind !== "nothing" && !isAsLocked(standing, locked);
  if (!isNew && standing.kind !== "nothing" && (!isEdited || options.force !== true)) {
    const digest = standing.kind === "folder" ? standing.digest : locked.digest;
    const report = { ...common, digest, status: "unchanged" as const };
    // The same content, signed anew.
    const isResigned = fresh.locked.signature !== locked.signature;
    const entry = isResigned ? { locked: fresh.locked, content, ...kept } : {};
    return { planned: { report, ...entry }, problems: [] };
  }
  if (!isEdited || options.force === true || isSame(standing, fresh)) {
    const changes = {
      ...fileChanges(files, digestsOf(fresh.locked.files)),
      ...modeChanges(standing, content),
    };
    const report = {
      ...common,
      digest: fresh.locked.digest,
      status: "updated" as const,
      files: changes,
    };
    const move = { folder, staged: fresh.directory, digest: fresh.locked.digest };
    return { planned: { report, move, locked: fresh.locked, content, ...kept }, problems };
  }
  const merged = await mergeEdits({ path, folder, locked, standing, fresh }, options, place);
  if (!merged.ok) return merged;
  const changes = {
    ...fileChanges(files, merged.digests),
    ...modeChanges(standing, merged.files),
    kept: merged.kept,
  };
  const report = {
    ...common,
    digest: merged.digest,
    status: "merged" as const,
    files: changes,
  };
  const move = { folder, staged: merged.directory };
  // The lock names what was published; the edits are what `verify` shows.
  return { planned: { report, move, locked: fresh.locked, content, ...kept }, problems };
}

interface Edited {
  readonly path: string;
  readonly folder: string;
  readonly locked: LockedSkill;
  readonly standing: StandingSkill;
  readonly fresh: StagedSkill;
}

interface Merged {
  readonly ok: true;
  readonly directory: string;
  readonly digest: string;
  readonly digests: ReadonlyMap<string, string>;
  readonly files: readonly FolderFile[];
  readonly kept: readonly string[];
}

async function mergeEdits(
  { path, folder, locked, standing, fresh }: Edited,
  { scope }: UpdateOptions,
  place: Workplace,
): Promise<Merged | PackFailure> {
  if (standing.kind !== "folder") {
    const reason = standing.kind === "nothing" ? "nothing is there" : standing.reason;
    return edits(path, `it cannot be merged, since ${reason}`);
  }
  const state = place.stateFolder ?? join(scope.root, ".skillwright");
  const base = readPristine(state, locked);
  if (base === undefined) return edits(path, "the version they were made to is no longer known");
  const local = join(scope.root, folder);
  const merged = await mergeSkill({
    base,
    baseDigests: locked.files,
    local,
    incoming: fresh.directory,
  });
  if (!merged.ok) return merged;
  if (merged.conflicts.length > 0) return conflicted(path, merged.conflicts);
  const directory = join(place.folder(), "merged");
  writeFolder(merged.files.values(), directory);
  const files = [...merged.files].map(([file, { bytes }]) => {
    return { path: file, sha256: createHash("sha256").update(bytes).digest("hex"), size: 0 };
  });
  const digests = new Map(files.map(({ path: file, sha256 }) => [file, sha256]));
  const kept = [...merged.kept, ...merged.merged];
  const contents = [...merged.files.values()];
  return { ok: true, directory, digest: combineDigests(files), digests, files: contents, kept };
}

function conflicted(path: string, conflicts: readonly MergeConflict[]): PackFailure {
  const shown = conflicts.map(({ path: file, reason, diff }) =>
    `${file} (${reason})\n${diff}`.trim(),
  );
  return edits(path, `they cannot be merged with the new version:\n${shown.join("\n")}`);
}

function edits(path: string, why: string): PackFailure {
  return {
    ok: false,
    code: "local-edits",
    message: `${path} has local edits, and ${why}`,
    hint: "take the new version with --force (yours goes to the backup), or leave it",
  };
}

/** What was asked for stays what is asked for. */
function keptRef({ origin: { ref } }: LockedSkill): { readonly ref?: string } {
  return ref === undefined ? {} : { ref };
}

function isAsLocked(standing: StandingSkill, { digest }: LockedSkill): boolean {
  return standing.kind === "folder" && standing.digest === digest;
}

function isSame(standing: StandingSkill, { locked }: StagedSkill): boolean {
  return isAsLocked(standing, locked);
}
