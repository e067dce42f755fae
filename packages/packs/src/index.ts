export type { Candidate, FetchedPack, FetchOptions, PackProgress } from "./fetched-pack.ts";
export type { FoundCandidates } from "./archive/find-candidates.ts";
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
export type { InstallOptions } from "./install/install-options.ts";
export type { OutdatedReport, OutdatedSkill } from "./install/outdated-skills.ts";
export type { Acceptance, PackSession } from "./install/pack-session.ts";
export type { RestoreOptions } from "./install/restore-options.ts";
export type { Undone } from "./install/undo-last.ts";
export type { UninstallOptions } from "./install/uninstall-skills.ts";
export type { UpdateOptions } from "./install/update-skills.ts";
export type { InstallScope } from "./install-scope.ts";
export type { LockedSkill, LockFile } from "./lock/lock-file.ts";
export { readLock, type ReadLock } from "./lock/read-lock.ts";
export type { PackFailure, PackFailureCode } from "./pack-failure.ts";
export { DEFAULT_LIMITS, type PackLimits } from "./pack-limits.ts";
export type { PackOrigin } from "./pack-origin.ts";
export type { PackManifest } from "./pack/manifest.ts";
export type { PackFormat, PackLayout, PackOptions, PackResult } from "./pack/pack-options.ts";
export { isAtLeast, SEVERITIES } from "./scan/scan-check.ts";
export type { ScanFinding, ScanResult, ScanRule, ScanSeverity } from "./scan/scan-finding.ts";
export type { ScanOptions } from "./scan/scan-skill.ts";
export { readSuppressions, SUPPRESSION_FILE, type Suppression } from "./scan/suppressions.ts";
export { type Client, CLIENTS } from "./clients/clients.ts";
export {
  clientCatalog,
  type Portability,
  type PortabilityFinding,
  portabilityOf,
  portabilityPage,
} from "./clients/portability.ts";
export { detectedAgents, resolveScope, type ScopeRequest } from "./scopes/resolve-scope.ts";
export type { SignOptions, SignResult } from "./sign/sign-pack.ts";
export type { VerifyResult } from "./sign/verify-pack.ts";
export type { Verified } from "./verify/verify-installed.ts";
export type {
  FileStatus,
  SkillStatus,
  VerifiedFile,
  VerifiedSkill,
} from "./verify/verified-skill.ts";
export {
  findCandidates,
  readArchive,
  installSkills,
  outdatedSkills,
  restoreSkills,
  pruneRoot,
  undoLast,
  uninstallSkills,
  updateSkills,
  packSkills,
  scanRules,
  scanSkill,
  signPack,
  verifyPack,
  fetchPack,
  verifyInstalled,
} from "./lazy.ts";
