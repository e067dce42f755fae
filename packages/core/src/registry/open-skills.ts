import type { RequirementOptions } from "../activation/check-requirements.ts";
import type { ConfigurationInput } from "../config/options.ts";
import {
  restoredOptions,
  restoredSource,
  restoreState,
  trustAsSaved,
} from "../conversation/skills-state.ts";
import { checkOptions, type OptionKinds } from "../internal/options.ts";
import { type Logger, safeLogger } from "../logger.ts";
import { isTracer, type Tracer } from "../telemetry.ts";
import type { Embedder } from "../search/create-hybrid-index.ts";
import type { SearchStore } from "../search/skill-search.ts";
import { lintSkill } from "../lazy.ts";
import type { RuleSettings } from "../format/rules/rule.ts";
import { combinedSource } from "../sources/derived-sources.ts";
import { directorySource, namedSource } from "../sources/directory-source.ts";
import { inlineSource } from "../sources/inline-source.ts";
import type { InlineSkill, ScanCache, SkillSource } from "../sources/skill-source.ts";
import { type DefaultSourceOptions, defaultSources } from "./default-sources.ts";
import { Skills } from "./skills.ts";
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
  /** Ranks by meaning beside the words of a search; none is bundled. */
  readonly embedder?: Embedder;
}

const OPEN_SKILLS_OPTIONS: OptionKinds<OpenSkillsOptions> = {
  cwd: "string",
  home: "string",
  roots: (value) => (Array.isArray(value) && value.every(isRoot) ? undefined : ROOTS),
  skillRoots: "strings",
  directory: "string",
  names: "strings",
  inline: "list",
  builtinDirectory: "string",
  dataDir: "string",
  enableProjectSkills: "boolean",
  enableUserSkills: "boolean",
  projectSkillsDir: "string",
  userSkillsDir: "string",
  isTrusted: "function",
  disabled: "strings",
  rules: "object",
  configuration: "object",
  restore: "any",
  env: "object",
  cache: "object",
  cacheSeconds: "number",
  validateOnStartup: "boolean",
  watch: "boolean",
  searchStore: "object",
  embedder: "object",
  logger: "object",
  tracer: (value) => (isTracer(value) ? undefined : "a tracer"),
  clock: "function",
};

const ROOTS = "a list of folders and sources; the path of a file: URL is fileURLToPath(url)";

function isRoot(value: unknown): boolean {
  if (typeof value === "string") return true;
  return typeof value === "object" && value !== null && "scan" in value;
}

/** Finds all skills and gives models their way to them. */
export async function openSkills(given: OpenSkillsOptions = {}): Promise<Skills> {
  checkOptions("openSkills", given, OPEN_SKILLS_OPTIONS);
  const options =
    given.logger === undefined ? given : { ...given, logger: safeLogger(given.logger) };
  if (options.restore === undefined) return start(new Skills(sourceOf(options), options), options);
  const state = restoreState(options.restore);
  const restored = { ...trustAsSaved(state), ...restoredOptions(state, options) };
  const source = restoredSource(sourceOf(restored), state, options);
  return start(new Skills(source, restored), restored);
}

/** Looks at the files for the first time, and does what the options ask for at the start. */
async function start(skills: Skills, options: OpenSkillsOptions): Promise<Skills> {
  const { logger, watch, rules, configuration } = options;
  const { validateOnStartup = configuration?.skillTools?.validateOnStartup } = options;
  await skills.refresh();
  logger?.info("skills loaded", { roots: skills.roots, count: skills.all.length });
  if (validateOnStartup === true && logger !== undefined) {
    await validateSkills(skills, logger, rules);
  }
  if (watch === true) await skills.watch();
  return skills;
}

/** Logs what the strict validator finds, also about what cannot be used. */
async function validateSkills(
  { all, shadowed, unusable }: Skills,
  logger: Logger,
  rules: RuleSettings = {},
): Promise<void> {
  const broken = unusable.flatMap(({ directory, relativePath }) =>
    directory === undefined ? [] : [{ name: relativePath, path: directory }],
  );
  for (const { path, name } of [...all, ...shadowed, ...broken]) {
    if (path.startsWith("inline:")) continue;
    const { diagnostics } = await lintSkill(path, { strict: true, rules });
    for (const { severity, code, message, file, line } of diagnostics) {
      const context = { skill: name, code, file, line };
      if (severity === "warning") logger.warn(message, context);
      if (severity === "error") logger.error(message, context);
    }
  }
}

/** Where these options look for skills. */
function sourceOf(options: RegistryOptions): SkillSource {
  const { roots, directory, names, inline = [], cwd = process.cwd() } = options;
  const rules = options.rules === undefined ? undefined : { rules: options.rules };
  const found =
    directory !== undefined || names !== undefined
      ? [namedSource({ directory: directory ?? "", names: names ?? [], ...rules })]
      : roots === undefined
        ? defaultSources({ ...options, cwd })
        : roots.map((root) =>
            typeof root === "string"
              ? directorySource(root, { label: "project", configured: true, ...rules })
              : root,
          );
  return combinedSource(inline.length === 0 ? found : [...found, inlineSource(inline)]);
}
