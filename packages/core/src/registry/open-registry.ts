import type { Logger } from "../logger.ts";
import { combinedSource } from "../sources/derived-sources.ts";
import { directorySource } from "../sources/directory-source.ts";
import { inlineSource } from "../sources/inline-source.ts";
import { namedSource } from "../sources/named-source.ts";
import type { InlineSkill, ScanCache, SkillSource } from "../sources/skill-source.ts";
import { type DefaultSourceOptions, defaultSources } from "./default-sources.ts";
import { SkillRegistry } from "./skill-registry.ts";
import type { TrustDecision } from "./trust-store.ts";
import type { ValidatedSkill } from "./validate-skills.ts";

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
  /** Notice changes at once and announce them; see `SkillRegistry.onChange`. Default: no. */
  readonly watch?: boolean;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
}

export async function openRegistry(options: RegistryOptions = {}): Promise<SkillRegistry> {
  const registry = new SkillRegistry(sourceOf(options), options);
  await startRegistry(registry, options);
  return registry;
}

/** Looks at the files for the first time, and does what the options ask for at the start. */
export async function startRegistry(
  registry: SkillRegistry,
  { logger, validateOnStartup, watch, rules }: RegistryOptions,
): Promise<void> {
  await registry.refresh();
  logger?.info("skills loaded", { roots: registry.roots, count: registry.all.length });
  if (validateOnStartup === true && logger !== undefined) {
    const { validateSkills } = await import("./validate-skills.ts");
    await validateSkills(validated(registry), logger, rules);
  }
  if (watch === true) await registry.watch();
}

/** Also what cannot be used: there is most to say about it. */
function validated({ all, shadowed, unusable }: SkillRegistry): ValidatedSkill[] {
  const broken = unusable.flatMap(({ directory, relativePath }) =>
    directory === undefined ? [] : [{ name: relativePath, path: directory }],
  );
  return [...all, ...shadowed, ...broken];
}

/** Where these options look for skills. */
export function sourceOf(options: RegistryOptions): SkillSource {
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
