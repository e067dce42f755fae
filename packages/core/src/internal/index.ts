export {
  type ConfinedFile,
  type ConfinedOptions,
  type DirectoryEntry,
  openConfined,
  openConfinedSync,
  openSettled,
  walkDirectory,
  type WalkLimits,
  type WalkResult,
} from "./confined.ts";
export { imageTypeOf } from "../files/media-type.ts";
export { resolvedNote } from "../tools/read-text.ts";
export { resolveFileName, type ResolvedName, resolveScriptName } from "../files/skill-path.ts";
export {
  type ParameterDefinitions,
  type ParameterValues,
  toInputSchema,
} from "../tools/preset-tool.ts";
export { type InputRules, readInput } from "../tools/read-input.ts";
export { failureText, isFailure } from "../tools/result-text.ts";
export { copyFiles, type CopyOptions, type CopyResult } from "./copy.ts";
export { unifiedDiff, type DiffOptions, type UnifiedDiff } from "./diff.ts";
export {
  APPEND_FLAGS,
  CREATE_FLAGS,
  errorCode,
  linkNew,
  makeFolder,
  openRegular,
  placeNew,
  READ_FLAGS,
  readIfPresent,
  type ReadOptions,
  readRegularFile,
  readUpTo,
  removeQuietly,
  replaceAtomic,
  syncFolder,
  temporaryPath,
  TimeSlice,
  UnusableFileError,
  type UnusableReason,
  writeAtomic,
  writeNew,
  type WriteOptions,
} from "./files.ts";
export { canonicalJson, type CanonicalOptions, isNestedDeeper } from "./json.ts";
export { editJson, type ParsedJson, parseJsonc, withValue } from "./json-edit.ts";
export { isBelow, leadsOut } from "./leads-out.ts";
export {
  checkOptions,
  defined,
  isHostError,
  markHostError,
  oneOf,
  type OptionKinds,
} from "./options.ts";
export {
  isLockHeld,
  type LockAttempt,
  type LockOptions,
  takeLock,
  waitForLock,
  waitForLockSync,
} from "./lock.ts";
export {
  hasProcessEnded,
  ownIdentity,
  parseIdentity,
  type ProcessIdentity,
} from "./process-identity.ts";
export {
  escapeCharacter,
  escapeHiddenInJson,
  escapeXml,
  frame,
  FRAME_TAGS,
  frameParts,
  type FrameTag,
  plainLine,
  plural,
  promptLine,
  promptText,
  quoteLine,
  quoteName,
  quoteNames,
  stripHidden,
  truncate,
  truncateMiddle,
  unescapedFrames,
  visibleLine,
  visibleLines,
} from "./text.ts";
export { displayWidth, splitAtWidth, splitGraphemes, truncateWidth } from "./width.ts";
export { combineDigests, fileDigests, type FileDigest } from "../directory/skill-files.ts";
export { directoryRules } from "../directory/directory-rules.ts";
export type { LintOptions } from "../directory/lint-skill.ts";
export { estimateTokens, knownTokens } from "../format/body/estimate-tokens.ts";
export { findReferences, outlineBody } from "../format/body/markdown.ts";
export type { Effect, Severity, TextEdit } from "../format/diagnostic.ts";
export {
  lintSkillText,
  type ParseOptions,
  type ParseResult,
  readSkillMetadata,
} from "../format/parse-skill.ts";
export type { ParsedSkill, Rule, RuleSettings, RunMode } from "../format/draft.ts";
export { renderSkill, type RenderableSkill } from "../format/render-skill.ts";
export { fieldsRules } from "../format/rules/field-rules.ts";
export { qualityRules } from "../format/rules/quality-rules.ts";
export { safetyRules } from "../format/rules/safety-rules.ts";
export { syntaxRules } from "../format/rules/syntax-rules.ts";
export { nameProblem, nearNames, slugify } from "../format/names.ts";
export { formatToolRules, parseToolRules, type ToolRule } from "../format/tool-rules.ts";
export {
  projectFolder,
  ROOT_FOLDERS,
  type DefaultSourceOptions,
} from "../registry/default-sources.ts";
export { defaultCacheDirectory } from "../registry/disk-cache.ts";
export type { Explanation } from "../registry/explain.ts";
export type { RegistryOptions } from "../registry/registry-options.ts";
export type { SkillChange } from "../registry/skill-change.ts";
export { isVisibleToModel } from "../registry/skill-record.ts";
export type { SwitchStore } from "../registry/switch-store.ts";
export type { TrustStore } from "../registry/trust-store.ts";
export {
  combinedSource,
  filteredSource,
  labelledSource,
  renamedSource,
} from "../sources/derived-sources.ts";
export type { DirectorySourceOptions } from "../sources/directory-source.ts";
export { namedSource } from "../sources/directory-source.ts";
export { registryRules } from "../sources/scan-rules.ts";
export type { FolderIndex, ScanCache, SourceScan } from "../sources/skill-source.ts";
export type {
  LoadConfigurationOptions,
  LoadedConfiguration,
} from "../config/load-configuration.ts";
export { userConfigurationFile } from "../config/find-files.ts";
export type { Origin } from "../config/file-options.ts";
export { OPTION_PATHS as CONFIGURATION_PATHS, optionValue } from "../config/options.ts";
export type { Configuration, OptionPath } from "../config/options.ts";
export type { ActivateOptions } from "../activation/activate-skill.ts";
export { type SkillMessage, Ledger } from "../conversation/context.ts";
export { versionRequirements } from "../activation/check-requirements.ts";
export type { CatalogFormat, CatalogOptions } from "../catalog/catalog-entry.ts";
export { type Catalog, catalogLevel, renderCatalog } from "../catalog/render-catalog.ts";
export type { FileEntry } from "../files/list-files.ts";
export type { ReadFileOptions, ReadFileResult } from "../files/read-file.ts";
export type { SkillFiles } from "../files/list-files.ts";
export type { SkillServiceSettings } from "../host/skills-plugin.ts";
export { createHybridIndex } from "../search/create-hybrid-index.ts";
export type { SkillIndex } from "../search/create-skill-index.ts";
export type { SkillDocument } from "../search/document-features.ts";
export { decodeSkillIndex, encodeSkillIndex } from "../search/encode-skill-index.ts";
export { diskSearchStore } from "../search/skill-search.ts";
export { restoreState, type SkillsState } from "../conversation/skills-state.ts";
export type {
  InputSchema,
  JsonSchema,
  ScriptRequest,
  ScriptResult,
  ToolFailure,
  ToolPreset,
  ToolProvider,
} from "../tools/skill-tool.ts";
export {
  findSkills,
  fixSkill,
  openSwitchStore,
  createTrustDecision,
  openTrustStore,
  setConfigurationValue,
  unsetConfigurationValue,
  listFiles,
  readFile,
} from "../lazy.ts";
export { runSkillScript } from "../tools/run-script.ts";
export type { CodeRequest } from "../tools/skill-tool.ts";
export { isTracer, type SpanAttributes, traced, tracedTool } from "../telemetry.ts";
