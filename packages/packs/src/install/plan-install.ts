import { symlinkSync } from "node:fs";
import { join } from "node:path";
import type { LockedSkill } from "../lock/lock-file.ts";
import type { PackFailure } from "../pack-failure.ts";
import { realPathOf } from "../scopes/real-path-of.ts";
import { signerProblem } from "../sign/check-signer.ts";
import type { PlannedSkill } from "./commit-change.ts";
import { digestsOf, fileChanges, modeChanges } from "./file-changes.ts";
import type { InstallOptions } from "./install-options.ts";
import { isWithin, realPath } from "./local-origin.ts";
import type { StagedSkill } from "./stage-skill.ts";
import { lockPath, type StandingSkill, standingSkill } from "./standing-skill.ts";

/**
 * Decides what an install does to one place. Nothing is changed yet. `local` is the real folder that
 * the skill was copied from, if there is one.
 */
export async function planInstall(
  skill: StagedSkill,
  locks: Readonly<Record<string, LockedSkill>>,
  options: InstallOptions,
  local: string | undefined,
): Promise<PlannedSkill | PackFailure> {
  const { scope, force } = options;
  const { name, locked: fresh } = skill;
  const standing = await standingSkill(scope, name);
  // A folder that is spelt otherwise keeps its name: on many file systems it is the same.
  const folder = standing.kind === "nothing" ? name : standing.folder;
  const path = lockPath(scope, folder);
  const known = locks[path];
  const isLink = options.link === true && local !== undefined;
  const found: LockedSkill = isLink ? { ...fresh, linked: true } : fresh;
  const refused =
    ownPlaceProblem(local, join(realPathOf(scope.root), folder)) ??
    frozenProblem(name, known, found, options) ??
    signerProblem(known, found, options);
  if (refused !== undefined) return refused;
  const locked = options.frozen === true && known !== undefined ? known : found;
  const files = standing.kind === "folder" ? standing.files : new Map<string, string>();
  const common = { name, digest: fresh.digest, path, findings: skill.findings };
  const content = skill.files;
  const isSame = isLink
    ? standing.kind === "link" && realPath(join(scope.root, folder)) === local
    : standing.kind === "folder" && standing.digest === fresh.digest;
  if (isSame) {
    // One that was put there by hand is known from now on.
    const entry = known === undefined || isOtherEntry(known, locked) ? { locked, content } : {};
    return { report: { ...common, status: "unchanged" }, ...entry };
  }
  const taken = force === true ? undefined : takenProblem(name, standing, known, locked);
  if (taken !== undefined) return taken;
  const status = isLink ? "linked" : standing.kind === "nothing" ? "installed" : "replaced";
  const staged = isLink ? linkTo(skill, local) : skill.directory;
  const changes = {
    ...fileChanges(files, digestsOf(fresh.files)),
    ...modeChanges(standing, content),
  };
  return {
    report: { ...common, status, files: changes },
    move: { folder, staged },
    locked,
    content,
  };
}

/** A skill cannot be fetched from the place that it is to be put into, or from around it. */
function ownPlaceProblem(local: string | undefined, place: string): PackFailure | undefined {
  if (local === undefined || (!isWithin(local, place) && !isWithin(place, local))) return undefined;
  return {
    ok: false,
    code: "source-invalid",
    message: `the source ${local} is or holds the place that it would be installed into`,
    hint: "name the folder or repository that it came from",
  };
}

function takenProblem(
  name: string,
  standing: StandingSkill,
  known: LockedSkill | undefined,
  fresh: LockedSkill,
): PackFailure | undefined {
  if (standing.kind === "nothing") return undefined;
  const what =
    standing.kind === "folder"
      ? `a skill ${JSON.stringify(standing.folder)} with other content is installed`
      : `${JSON.stringify(standing.folder)} stands there already: ${standing.reason}`;
  const isUpdate =
    standing.kind === "folder" && known !== undefined && !isOtherOrigin(known, fresh);
  const next = isUpdate ? `take the new version with \`skillwright update ${name}\`` : undefined;
  const others =
    "replace it with --force (it goes to the backup), or install side by side with --source user or --target <folder>";
  return {
    ok: false,
    code: "name-taken",
    message: what,
    hint: next === undefined ? others : `${next}, or ${others}`,
  };
}

function frozenProblem(
  name: string,
  known: LockedSkill | undefined,
  fresh: LockedSkill,
  { frozen }: InstallOptions,
): PackFailure | undefined {
  const why = frozen === true ? differenceTo(known, fresh) : undefined;
  if (why === undefined) return undefined;
  return { ok: false, code: "lock-differs", message: `the skill ${JSON.stringify(name)} ${why}` };
}

function differenceTo(known: LockedSkill | undefined, fresh: LockedSkill): string | undefined {
  if (known === undefined) return "is not in the lock";
  if (known.digest !== fresh.digest) {
    return `is locked with the digest ${known.digest}, and has ${fresh.digest}`;
  }
  if (isOtherOrigin(known, fresh)) {
    return `is locked from ${known.origin.source}, not from ${fresh.origin.source}`;
  }
  return known.linked === fresh.linked ? undefined : "is not locked as a link";
}

function isOtherEntry(one: LockedSkill, other: LockedSkill): boolean {
  return (
    isOtherOrigin(one, other) ||
    one.origin.ref !== other.origin.ref ||
    one.digest !== other.digest ||
    one.signer !== other.signer ||
    one.signature !== other.signature ||
    one.linked !== other.linked
  );
}

function isOtherOrigin(one: LockedSkill, other: LockedSkill): boolean {
  return (
    one.origin.type !== other.origin.type ||
    one.origin.source !== other.origin.source ||
    one.skillPath !== other.skillPath
  );
}

/** Stands beside the copy that was checked. */
function linkTo({ directory }: StagedSkill, target: string): string {
  const link = `${directory}.link`;
  symlinkSync(target, link);
  return link;
}
