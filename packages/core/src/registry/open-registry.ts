import { combinedSource } from "../sources/derived-sources.ts";
import { directorySource } from "../sources/directory-source.ts";
import { inlineSource } from "../sources/inline-source.ts";
import { namedSource } from "../sources/named-source.ts";
import type { SkillSource } from "../sources/skill-source.ts";
import { defaultSources } from "./default-sources.ts";
import type { RegistryOptions } from "./registry-options.ts";
import { SkillRegistry } from "./skill-registry.ts";
import type { ValidatedSkill } from "./validate-skills.ts";

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
