export type { Candidate, FetchedPack, FetchOptions, PackProgress } from "./fetched-pack.ts";
export { findCandidates, type FoundCandidates } from "./archive/find-candidates.ts";
export { readArchive } from "./archive/read-archive.ts";
export {
  listChanges,
  type ListedChange,
  type ListedChanges,
} from "./change/history/list-changes.ts";
export type {
  ChangeReport,
  ChangeStatus,
  FileChanges,
  ReportedProblem,
  ReportedSkill,
} from "./install/change-report.ts";
export { installSkills } from "./install/install-skills.ts";
export type { InstallOptions } from "./install/install-options.ts";
export {
  type OutdatedReport,
  type OutdatedSkill,
  outdatedSkills,
} from "./install/outdated-skills.ts";
export type { Acceptance, PackSession } from "./install/pack-session.ts";
export { restoreSkills } from "./install/restore-skills.ts";
export type { RestoreOptions } from "./install/restore-options.ts";
export { pruneRoot, type Undone, undoLast } from "./install/undo-last.ts";
export { type UninstallOptions, uninstallSkills } from "./install/uninstall-skills.ts";
export { type UpdateOptions, updateSkills } from "./install/update-skills.ts";
export type { InstallScope } from "./install-scope.ts";
export type { LockedSkill, LockFile } from "./lock/lock-file.ts";
export { readLock, type ReadLock } from "./lock/read-lock.ts";
export type { PackFailure, PackFailureCode } from "./pack-failure.ts";
export { DEFAULT_LIMITS, type PackLimits } from "./pack-limits.ts";
export type { PackOrigin } from "./pack-origin.ts";
export type { PackManifest } from "./pack/manifest.ts";
export type { PackFormat, PackLayout, PackOptions, PackResult } from "./pack/pack-options.ts";
export { packSkills } from "./pack/pack-skills.ts";
export { isAtLeast, SEVERITIES } from "./scan/scan-check.ts";
export type { ScanFinding, ScanResult, ScanRule, ScanSeverity } from "./scan/scan-finding.ts";
export { scanRules } from "./scan/scan-rules.ts";
export { type ScanOptions, scanSkill } from "./scan/scan-skill.ts";
export { resolveScope, type ScopeRequest } from "./scopes/resolve-scope.ts";
export { signPack, type SignOptions, type SignResult } from "./sign/sign-pack.ts";
export { verifyPack, type VerifyResult } from "./sign/verify-pack.ts";
export { fetchPack } from "./sources/fetch-pack.ts";
export { verifyInstalled, type Verified } from "./verify/verify-installed.ts";
export type {
  FileStatus,
  SkillStatus,
  VerifiedFile,
  VerifiedSkill,
} from "./verify/verified-skill.ts";
