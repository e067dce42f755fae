import type { RequirementOptions } from "../activation/check-requirements.ts";
import type { ConfigurationInput } from "../config/options.ts";
import type { RegistryOptions } from "../registry/registry-options.ts";
import type { Embedder } from "../search/create-hybrid-index.ts";
import type { SearchStore } from "../search/skill-search.ts";
import type { ScriptExecutor, ToolProvider } from "../tools/skill-tool.ts";

export interface OpenSkillsOptions extends RegistryOptions {
  /**
   * What `save()` gave: its options hold where none are given here, its ledger goes on, and its
   * skills are there until the next look at the files, also those that are gone. What has another
   * shape is a state without skills.
   */
  readonly restore?: unknown;
  /** Options by their names in configuration files: switches of tools, limits. */
  readonly configuration?: ConfigurationInput;
  /** Runs scripts; the runtime package has one. Without it no script tool is offered. */
  readonly executor?: ScriptExecutor;
  /** More tools beside the generated ones. */
  readonly toolProviders?: readonly ToolProvider[];
  /** Variables that requirements of skills name, and PATH. Default: those of the process. */
  readonly env?: RequirementOptions["env"];
  /** Keeps the search index between processes; see `diskSearchStore`. */
  readonly searchStore?: SearchStore;
  /** Ranks by meaning beside the words of a search; none is bundled. */
  readonly embedder?: Embedder;
}
