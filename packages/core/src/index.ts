export { skillDigest } from "./directory/skill-files.ts";
export type { Diagnostic } from "./format/diagnostic.ts";
export { parseSkill } from "./format/parse-skill.ts";
export { SkillwrightError } from "./skillwright-error.ts";
export { defaultSources } from "./registry/default-sources.ts";
export { diskCache } from "./registry/disk-cache.ts";
export type { Logger } from "./logger.ts";
export type { OpenSkillsOptions } from "./registry/registry-options.ts";
export type { SkillRecord } from "./registry/skill-record.ts";
export type { Skills } from "./registry/skills.ts";
export { defaultStateDirectory } from "./registry/state-file.ts";
export { directorySource } from "./sources/directory-source.ts";
export { inlineSource } from "./sources/inline-source.ts";
export type { FoundSkill, InlineSkill, SkillSource } from "./sources/skill-source.ts";
export { type Activation, isSkillContent } from "./activation/activate-skill.ts";
export type { Failure } from "./failure.ts";
export { type SkillService, skillsPlugin } from "./host/skills-plugin.ts";
export type { Conversation, ConversationOptions } from "./conversation/conversation.ts";
export type { Embedder } from "./search/create-hybrid-index.ts";
export { createSkillIndex } from "./search/create-skill-index.ts";
export type { ToolOptions } from "./tools/create-tools.ts";
export { defineTool, script } from "./tools/define-tool.ts";
export type { ScriptExecutor, SkillTool, ToolContext } from "./tools/skill-tool.ts";
export { lintSkill, loadConfiguration, openSkills } from "./lazy.ts";
export {
  createFileStates,
  createMemoryStates,
  type StateStore,
} from "./conversation/state-store.ts";
export { storageSource, type StorageOptions, type StoredSkill } from "./sources/storage-source.ts";
export type { Tracer } from "./telemetry.ts";
