export {
  combineDigests,
  fileDigests,
  type FileDigest,
  skillDigest,
} from "./directory/skill-digest.ts";
export { directoryRules } from "./directory/directory-rules.ts";
export type { FoundSkills } from "./directory/find-skills.ts";
export type { FixOptions } from "./directory/fix-skill.ts";
export { type ConfinedFile, type ConfinedOptions, openConfinedSync } from "./internal/confined.ts";
export type { LintedContent, LintOptions, LintResult } from "./directory/lint-skill.ts";
export { estimateTokens, knownTokens } from "./format/body/estimate-tokens.ts";
export { findReferences, type FileReference } from "./format/body/find-references.ts";
export { type Heading, outlineBody } from "./format/body/outline-body.ts";
export type { Diagnostic, Effect, Severity, TextEdit } from "./format/diagnostic.ts";
export {
  lintSkillText,
  type MetadataResult,
  type ParseOptions,
  type ParseResult,
  parseSkill,
  readSkillMetadata,
} from "./format/parse-skill.ts";
export type { ParsedSkill, RunMode, SkillMetadata } from "./format/parsed-skill.ts";
export { renderSkill, type RenderableSkill } from "./format/render-skill.ts";
export type { Rule, RuleSettings } from "./format/rules/rule.ts";
export { fieldsRules } from "./format/rules/field-rules.ts";
export { qualityRules } from "./format/rules/quality-rules.ts";
export { safetyRules } from "./format/rules/safety-rules.ts";
export { syntaxRules } from "./format/rules/syntax-rules.ts";
export { nameProblem, nearNames, slugify } from "./format/text/skill-name.ts";
export {
  formatToolRules,
  parseToolRules,
  type ToolRule,
  type ToolRulesResult,
} from "./format/tool-rules/parse-tool-rules.ts";
export { SkillwrightError, type SkillwrightErrorCode } from "./skillwright-error.ts";
export {
  defaultSources,
  projectFolder,
  ROOT_FOLDERS,
  type DefaultSourceOptions,
} from "./registry/default-sources.ts";
export { defaultCacheDirectory, diskCache } from "./registry/disk-cache.ts";
export type { ExplainedPlace, Explanation } from "./registry/explain.ts";
export type { Logger } from "./logger.ts";
export type { OpenSkillsOptions, RegistryOptions } from "./registry/open-skills.ts";
export type { SkillChange } from "./registry/skill-change.ts";
export { isVisibleToModel, type SkillRecord } from "./registry/skill-record.ts";
export type { CacheStatistics, SkillExplanation, Skills } from "./registry/skills.ts";
export type { FindResult } from "./registry/known-skills.ts";
export { defaultStateDirectory } from "./registry/state-file.ts";
export type { SwitchStore } from "./registry/switch-store.ts";
export type { TrustDecision, TrustStore } from "./registry/trust-store.ts";
export {
  combinedSource,
  filteredSource,
  labelledSource,
  renamedSource,
} from "./sources/derived-sources.ts";
export {
  directorySource,
  type DirectorySourceOptions,
  namedSource,
  type NamedSourceOptions,
} from "./sources/directory-source.ts";
export { inlineSource } from "./sources/inline-source.ts";
export { registryRules } from "./sources/scan-rules.ts";
export {
  type FolderIndex,
  type FoundSkill,
  type InlineSkill,
  type Lazy,
  type MissedSkill,
  type ScanCache,
  type ScanContext,
  type SkillSource,
  type SourceScan,
  TimeSlice,
  type WantedSkill,
} from "./sources/skill-source.ts";
export type {
  ConfigurationNote,
  LoadConfigurationOptions,
  LoadedConfiguration,
} from "./config/load-configuration.ts";
export { userConfigurationFile } from "./config/layers/find-files.ts";
export type { ConfigurationProblem, Origin } from "./config/layers/file-options.ts";
export { OPTION_PATHS as CONFIGURATION_PATHS, optionValue } from "./config/option-path.ts";
export type { Configuration, ConfigurationInput } from "./config/options.ts";
export type { SetValueResult } from "./config/set-value.ts";
export { type DirectoryEntry, walkDirectory, type WalkResult } from "./internal/walk.ts";
export {
  type ActivateOptions,
  type Activation,
  type ActivationFailure,
  isSkillContent,
} from "./activation/activate-skill.ts";
export { type SkillMessage } from "./activation/ledger.ts";
export {
  type CheckedRequirement,
  checkRequirements,
  type RequirementOptions,
  type VersionRequirement,
  versionRequirements,
} from "./activation/check-requirements.ts";
export { type ActiveSkill, Ledger, type SavedActivation } from "./activation/ledger.ts";
export type { CatalogFormat } from "./catalog/catalog-options.ts";
export { type Catalog, catalogLevel, renderCatalog } from "./catalog/render-catalog.ts";
export type { CatalogOptions } from "./catalog/catalog-options.ts";
export type { Failure } from "./failure.ts";
export type { FileEntry, FileList, ListFilesOptions, SkillFiles } from "./files/list-files.ts";
export type { ReadBinary, ReadFileOptions, ReadFileResult } from "./files/read-file.ts";
export type { ReadText } from "./files/read-lines.ts";
export type { FileFailure, FileFailureCode } from "./files/skill-path.ts";
export { type AiSdkTool, toAiSdkTools } from "./host/adapters/ai-sdk.ts";
export {
  type AnthropicTool,
  type AnthropicToolResult,
  type AnthropicToolUse,
  runAnthropicToolUse,
  toAnthropicTools,
} from "./host/adapters/anthropic.ts";
export {
  type LangChainTool,
  type MakeLangChainTool,
  toLangChainTools,
} from "./host/adapters/langchain.ts";
export {
  type OpenAiChatCall,
  type OpenAiChatResult,
  type OpenAiChatTool,
  type OpenAiResponsesCall,
  type OpenAiResponsesResult,
  type OpenAiResponsesTool,
  runOpenAiChatCall,
  runOpenAiResponsesCall,
  toOpenAiChatTools,
  toOpenAiResponsesTools,
} from "./host/adapters/openai.ts";
export {
  openSkillService,
  type SkillAgent,
  type SkillService,
  type SkillServiceSettings,
  type SkillsPlugin,
  skillsPlugin,
  type SkillsPluginOptions,
} from "./host/skills-plugin.ts";
export type {
  ActivateSeveralOptions,
  Conversation,
  ConversationLimits,
  ConversationOptions,
  Deactivation,
  SeveralActivations,
} from "./conversation/conversation.ts";
export type { SkillHit } from "./conversation/disclosure.ts";
export type { VisibleSkill } from "./conversation/visible-skills.ts";
export {
  createHybridIndex,
  type Embedder,
  type FuseOptions,
  fuseRanks,
  type HybridIndex,
  type HybridIndexOptions,
  type RankedId,
} from "./search/create-hybrid-index.ts";
export {
  createSkillIndex,
  type SearchHit,
  type SearchOptions,
  type SkillDocument,
  type SkillIndex,
} from "./search/create-skill-index.ts";
export { decodeSkillIndex, encodeSkillIndex } from "./search/encode-skill-index.ts";
export { diskSearchStore, type SearchStore, type SkillSearch } from "./search/skill-search.ts";
export { restoreState, type SavedOptions, type SkillsState } from "./conversation/skills-state.ts";
export type { ToolOptions, ToolSwitches } from "./tools/create-tools.ts";
export { defineTool, type StandardSchema, type ToolDefinition } from "./tools/define-tool.ts";
export type {
  InputSchema,
  JsonSchema,
  ScriptExecutor,
  ScriptRequest,
  ScriptResult,
  ToolFailure,
  SkillTool,
  ToolContext,
  ToolPreset,
  ToolProvider,
} from "./tools/skill-tool.ts";
export {
  findSkills,
  fixSkill,
  lintSkill,
  openSwitchStore,
  createTrustDecision,
  openTrustStore,
  loadConfiguration,
  setConfigurationValue,
  listFiles,
  readFile,
  openSkills,
} from "./lazy.ts";
