import { type ReadLock, readLock } from "../lock/read-lock.ts";
import type { PackFailure, PackFailureCode } from "../pack-failure.ts";
import type { VerifiedSkill } from "../verify/verified-skill.ts";
import { verifyInstalled } from "../verify/verify-installed.ts";
import type { ReportedProblem } from "./change-report.ts";
import type { RestoreOptions } from "./restore-options.ts";
import { folderOf } from "./standing-skill.ts";

/** How a root differs from the lock. */
export interface ExaminedRoot {
  readonly ok: true;
  readonly before: ReadLock;
  readonly verified: readonly VerifiedSkill[];
  /** To be put in place. */
  readonly wanted: readonly VerifiedSkill[];
  /** Edited skills, which stay as they are. */
  readonly problems: readonly ReportedProblem[];
  /** What differs in other roots of the lock. */
  readonly elsewhere: readonly VerifiedSkill[];
}

/** What differs from the lock, or why that may not be changed. */
export async function examineRoot(options: RestoreOptions): Promise<ExaminedRoot | PackFailure> {
  const { scope, signal, onProgress, frozen, force } = options;
  const before = readLock(scope);
  if (!before.ok) return before;
  const { trustedKeys, revokedKeys, requireSignature } = options;
  const signatures = { trustedKeys, revokedKeys, requireSignature };
  const checks = { signatures, ...(signal && { signal }), ...(onProgress && { onProgress }) };
  const verified = await verifyInstalled(scope, checks);
  if (!verified.ok) return verified;
  const unsigned = verified.problems.filter(({ code }) => code.startsWith("sign"));
  const [first] = unsigned;
  if (first !== undefined && (frozen === true || requireSignature === true)) {
    const { code, message, hint } = first;
    return { ok: false, code: code as PackFailureCode, message, ...(hint && { hint }) };
  }
  const different = verified.skills.filter((skill) => !isFine(skill, options));
  const isHere = ({ path }: VerifiedSkill) => folderOf(path, scope) !== undefined;
  const isMissing = ({ status }: VerifiedSkill) => status === "missing";
  if (frozen === true) {
    const changed = different.filter((skill) => !isMissing(skill));
    if (changed.length > 0) return lockDiffers(changed);
  }
  const here = different.filter(isHere);
  const isWanted = (skill: VerifiedSkill) => isMissing(skill) || force === true;
  return {
    ok: true,
    before,
    verified: verified.skills,
    wanted: here.filter(isWanted),
    problems: [
      ...here.filter((skill) => !isWanted(skill)).map(localEdits),
      ...unsigned.map((problem) => ({ ...problem, severity: "error" as const })),
    ],
    elsewhere: different.filter((skill) => !isHere(skill)),
  };
}

/** What a link leads to is worked on: only who wants exactly what is locked minds. */
function isFine({ status, linked }: VerifiedSkill, { frozen }: RestoreOptions): boolean {
  if (status === "ok" || status === "linked") return true;
  if (frozen === true) return false;
  return status === "unlocked" || (status === "modified" && linked === true);
}

export function lockDiffers(skills: readonly VerifiedSkill[]): PackFailure {
  const [first] = skills;
  const more = skills.length > 1 ? ` and ${skills.length - 1} more` : "";
  const isLinked = first?.linked === true ? ", behind a link" : "";
  return {
    ok: false,
    code: "lock-differs",
    message: `what is installed differs from the lock: ${first?.path} is ${first?.status}${isLinked}${more}`,
    hint: "`skillwright verify` shows every file; nothing was changed",
  };
}

function localEdits({ name, path, status }: VerifiedSkill): ReportedProblem {
  return {
    code: "local-edits",
    severity: "warning",
    message: `${path} was edited (${status}) and left as it is`,
    skill: name,
    hint: "`skillwright verify` shows every file; --force goes back to the lock and keeps what stands there in the backup",
  };
}
