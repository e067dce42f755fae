import {
  insideHeldFolder,
  insideProject,
  type LeadsOut,
  type Narrowed,
  type Narrowing,
  onlyFalse,
  onlyFewer,
  onlyMore,
  onlyMoreApprovals,
  onlySmaller,
  onlyStricterSandbox,
  onlyTrue,
  refuse,
  rootsInsideProject,
  safetyRulesOnlyStricter,
} from "./narrowing-kinds.ts";
import {
  onlyDomainsCovered,
  onlyFoldersCovered,
  onlyHigherRisks,
  onlyStricterReading,
  onlySmallerPacks,
  onlyStricterScan,
} from "./narrowing-permissions.ts";
import { onlyLessOfServers } from "./narrowing-servers.ts";
import { type OptionPath, optionValue, type OptionValue } from "./option-path.ts";
import type { Configuration } from "./options.ts";

/**
 * What a project's own configuration may do with each option: never more than the user allows. An
 * option without a row does not compile.
 */
export const NARROWING: { readonly [P in OptionPath]: Narrowing<OptionValue<P>> } = {
  skill_roots: rootsInsideProject,
  "trust.roots": refuse("only the user decides what is trusted"),
  "skillTools.enableUserSkills": onlyFalse,
  "skillTools.enableProjectSkills": onlyFalse,
  "skillTools.userSkillsDir": refuse("only the user decides where their own skills are"),
  "skillTools.projectSkillsDir": insideProject,
  "skillTools.dataDir": insideProject,
  "skillTools.cacheSkills": onlyFalse,
  "skillTools.validateOnStartup": onlyTrue,
  "skillTools.skillsCacheDurationSeconds": onlySmaller,
  "skillTools.enableReadSkillTool": onlyFalse,
  "skillTools.enableReadFileTool": onlyFalse,
  "skillTools.enableListDirectoryTool": onlyFalse,
  "skillTools.maxOutputSizeBytes": onlySmaller,
  // Moving the folder also moves what the user's rules and writable folders count from.
  "workspace.workingDirectory": refuse("only the user decides where the tools work"),
  "workspace.skillsDirectory": insideHeldFolder,
  "workspace.skillNames": onlyFewer,
  "workspace.enableReadFile": onlyFalse,
  "workspace.enableWriteFile": onlyFalse,
  "workspace.enableListDirectory": onlyFalse,
  "workspace.enableSearchFiles": onlyFalse,
  "workspace.enableRunCommand": onlyFalse,
  "workspace.enableReadSkill": onlyFalse,
  "workspace.maxFileSizeBytes": onlySmaller,
  "workspace.commandTimeoutSeconds": onlySmaller,
  "workspace.maxOutputSizeBytes": onlySmaller,
  "model.provider": refuse("only the user decides which model is asked"),
  "model.params": refuse("only the user decides what a model's provider is given"),
  "model.prices": refuse("only the user decides what a model costs"),
  "execution.require_approval_for": onlyMoreApprovals,
  "execution.sandbox": onlyStricterSandbox,
  "execution.domains": onlyDomainsCovered,
  "execution.writable": onlyFoldersCovered,
  "execution.virtualEnvironment": refuse("only the user decides what else scripts run"),
  "execution.freshDirectory": onlyTrue,
  "execution.memoryBytes": onlySmaller,
  "execution.cpuSeconds": onlySmaller,
  "execution.processes": onlySmaller,
  "policy.allow": onlyFewer,
  "policy.ask": onlyMore,
  "policy.deny": onlyMore,
  "policy.allowedTools": onlyStricterReading,
  "policy.denySecretReads": onlyTrue,
  "policy.enableDeleteFile": onlyFalse,
  "policy.enableNetworkRequest": onlyFalse,
  "policy.risks": onlyHigherRisks,
  "approvals.terminalOnly": onlyTrue,
  "runs.keep": refuse("only the user decides which records are kept"),
  "runs.keepDays": refuse("only the user decides which records are kept"),
  "packs.trustedKeys": refuse("only the user decides whose signature counts"),
  "packs.requireSignature": onlyTrue,
  "packs.failOn": onlyStricterScan,
  "packs.limits": onlySmallerPacks,
  "security.max_skill_body_lines": onlySmaller,
  "security.block_angle_brackets_in_frontmatter": onlyTrue,
  "lint.rules": safetyRulesOnlyStricter,
  disabledSkills: onlyMore,
  mcpServers: onlyLessOfServers,
};

/** What a project gets of a valid value, held against the configuration without the project. */
export function narrowOption(
  path: OptionPath,
  wanted: unknown,
  held: Configuration,
  leadsOut: LeadsOut,
): Narrowed {
  const { narrow } = NARROWING[path] as Narrowing<unknown>;
  return narrow(wanted, optionValue(held, path), held, leadsOut);
}
