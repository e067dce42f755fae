import { combinedSource } from "../sources/derived-sources.ts";
import { directorySource } from "../sources/directory-source.ts";
import { inlineSource } from "../sources/inline-source.ts";
import { namedSource } from "../sources/named-source.ts";
import type { SkillSource } from "../sources/skill-source.ts";
import { defaultSources } from "./default-sources.ts";
import type { OpenSkillsOptions } from "./open-skills-options.ts";
import { Skills } from "./skills.ts";

/** Finds all skills and gives access to them. */
export async function openSkills(options: OpenSkillsOptions = {}): Promise<Skills> {
  const skills = new Skills(sourceOf(options), options);
  await skills.refresh();
  const { logger } = options;
  logger?.info("skills loaded", { roots: skills.roots, count: skills.all.length });
  if (options.validateOnStartup === true && logger !== undefined) {
    const { validateSkills } = await import("./validate-skills.ts");
    await validateSkills(skills.all, logger);
  }
  if (options.watch === true) await skills.watch();
  return skills;
}

function sourceOf(options: OpenSkillsOptions): SkillSource {
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
