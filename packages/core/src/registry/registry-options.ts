import type { RequirementOptions } from "../activation/check-requirements.ts";
import type { ConfigurationInput } from "../config/options.ts";
import type { Logger } from "../logger.ts";
import type { Embedder } from "../search/create-hybrid-index.ts";
import type { SearchStore } from "../search/skill-search.ts";
import type { InlineSkill, ScanCache, SkillSource } from "../sources/skill-source.ts";
import type { Tracer } from "../telemetry.ts";
import type { DefaultSourceOptions } from "./default-sources.ts";
import type { TrustDecision } from "./trust-store.ts";

export interface RegistryOptions extends Partial<DefaultSourceOptions> {
  /** Folders of skills, or any other sources, instead of the default roots. */
  readonly roots?: readonly (string | SkillSource)[];
  /** Named loading: exactly these skills of one folder. Either of the two enters it. */
  readonly directory?: string;
  readonly names?: readonly string[];
  /** Skills defined in code, after all others. */
  readonly inline?: readonly InlineSkill[];
  /** Who decides on trust. Default: what a host opens is trusted. */
  readonly isTrusted?: TrustDecision;
  /** Names or ids of skills that are switched off. */
  readonly disabled?: readonly string[];
  /** Remembers what was read across processes; see `diskCache`. */
  readonly cache?: ScanCache;
  /**
   * Seconds during which no file is looked at again; 0 looks every time. Without it the list of skills
   * is looked at again after 300, and a body whenever it is asked for, so that a change shows at once.
   */
  readonly cacheSeconds?: number;
  /** Run the strict validator over every skill at the start and log what it finds. Default: no. */
  readonly validateOnStartup?: boolean;
  readonly logger?: Logger;
  /** Makes spans of what conversations load, read and search: a tracer of `@opentelemetry/api`. */
  readonly tracer?: Tracer;
  /** Notice changes at once and announce them; see `Skills.onChange`. Default: no. */
  readonly watch?: boolean;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
}

export interface OpenSkillsOptions extends RegistryOptions {
  /**
   * What a conversation's `save()` returned: its options apply where none are given here, and its
   * skills are there until the next look at the files, also those that are gone. Anything of another
   * shape is a state without skills. Pass the same state to `conversation({ state })`.
   */
  readonly restore?: unknown;
  /** Options by their names in configuration files: switches of tools, limits. */
  readonly configuration?: ConfigurationInput;
  /** Variables that requirements of skills name, and PATH. Default: those of the process. */
  readonly env?: RequirementOptions["env"];
  /** Keeps the search index between processes; see `diskSearchStore`. */
  readonly searchStore?: SearchStore;
  /** Search what the `evals/` of skills say people ask. False for evals, which must not find their own cases. Default: yes. */
  readonly examples?: boolean;
  /** Ranks by meaning beside the words of a search; none is bundled. */
  readonly embedder?: Embedder;
}
