import { dump } from "js-yaml";
import type { ParsedSkill } from "./parsed-skill.ts";
import { formatToolRules } from "./tool-rules/tool-rule.ts";
import type { YamlValue } from "./yaml/yaml-node.ts";

/** What is written of a skill; what is absent takes its default when read again. */
export type RenderableSkill = Pick<ParsedSkill, "name" | "description"> & Partial<ParsedSkill>;

/** Writes a SKILL.md that parses to the same skill. */
export function renderSkill(skill: RenderableSkill): string {
  const frontmatter = dump(frontmatterOf(skill), { lineWidth: -1, noRefs: true });
  return `---\n${frontmatter}---\n${skill.body ?? ""}`;
}

function frontmatterOf(skill: RenderableSkill): Record<string, YamlValue> {
  const { metadata: nested, ...extra } = skill.extra ?? {};
  const merged = { ...skill.metadata, ...(isMapping(nested) ? nested : undefined) };
  const metadata = Object.keys(merged).length > 0 || isMapping(nested) ? merged : nested;
  return {
    name: skill.name,
    description: skill.description,
    ...given("license", skill.license),
    ...given("compatibility", skill.compatibility),
    ...given("version", skill.version),
    ...given("author", skill.author),
    ...given("metadata", metadata),
    ...given("allowed-tools", skill.allowedTools && toolsOf(skill.allowedTools)),
    ...given("disable-model-invocation", skill.disableModelInvocation === true || undefined),
    ...given("user-invocable", skill.userInvocable === false ? false : undefined),
    ...given("run-mode", skill.runMode === "subagent" ? "subagent" : undefined),
    ...extra,
  };
}

function toolsOf(rules: NonNullable<ParsedSkill["allowedTools"]>): YamlValue {
  return rules.length === 0 ? [] : formatToolRules(rules);
}

function given(key: string, value: YamlValue | undefined): Record<string, YamlValue> {
  return value === undefined ? {} : { [key]: value };
}

function isMapping(value: YamlValue | undefined): value is Record<string, YamlValue> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
