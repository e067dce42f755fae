import {
  restoredOptions,
  restoredSource,
  restoreState,
  trustAsSaved,
} from "../conversation/skills-state.ts";
import { checkOptions, type OptionKinds } from "../internal/options.ts";
import { type Logger, safeLogger } from "../logger.ts";
import { isTracer } from "../telemetry.ts";
import type { RuleSettings } from "../format/draft.ts";
import { combinedSource } from "../sources/derived-sources.ts";
import { directorySource, namedSource } from "../sources/directory-source.ts";
import { inlineSource } from "../sources/inline-source.ts";
import type { SkillSource } from "../sources/skill-source.ts";
import { defaultSources } from "./default-sources.ts";
import type { OpenSkillsOptions, RegistryOptions } from "./registry-options.ts";
import { Skills } from "./skills.ts";

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
  examples: "boolean",
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
  const { lintSkill } = await import("../directory/lint-skill.ts");
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
