import { dump } from "js-yaml";
import { type KnownKey, meantKey } from "./names.ts";
import type { ParsedSkill } from "./draft.ts";
import { formatToolRules } from "./tool-rules.ts";
import type { YamlValue } from "./yaml/yaml-node.ts";

/** What is written of a skill; what is absent takes its default when read again. */
export type RenderableSkill = Pick<ParsedSkill, "name" | "description"> & Partial<ParsedSkill>;

/** Writes a SKILL.md that parses to the same skill. */
export function renderSkill(skill: RenderableSkill): string {
  const frontmatter = dump(frontmatterOf(skill), { lineWidth: -1, noRefs: true, flowLevel: 4 });
  return `---\n${frontmatter}---\n${skill.body ?? ""}`;
}

function frontmatterOf(skill: RenderableSkill): Record<string, YamlValue> {
  const { metadata: nested, ...extra } = skill.extra ?? {};
  const merged = { ...skill.metadata, ...(isMapping(nested) ? nested : undefined) };
  const metadata = Object.keys(merged).length > 0 || isMapping(nested) ? merged : nested;
  const { disableModelInvocation = false, userInvocable = true, runMode = "inline" } = skill;
  const rivals = rivalKeys(extra);
  const given = (key: KnownKey, value: YamlValue | undefined): Record<string, YamlValue> => {
    if (value !== undefined) return { [key]: value };
    return rivals.has(key) ? { [key]: null } : {};
  };
  const unlessDefault = (key: KnownKey, value: YamlValue, isDefault: boolean) =>
    given(key, isDefault && !rivals.has(key) ? undefined : value);
  return {
    name: skill.name,
    description: skill.description,
    ...given("license", skill.license),
    ...given("compatibility", skill.compatibility),
    ...given("version", skill.version),
    ...given("author", skill.author),
    ...given("metadata", metadata),
    ...given("allowed-tools", skill.allowedTools && toolsOf(skill.allowedTools)),
    ...unlessDefault("disable-model-invocation", disableModelInvocation, !disableModelInvocation),
    ...unlessDefault("user-invocable", userInvocable, userInvocable),
    ...unlessDefault("run-mode", runMode, runMode === "inline"),
    ...extra,
  };
}

/** Known keys that something in `extra` would be read as, were they not there themselves. */
function rivalKeys(extra: Readonly<Record<string, YamlValue>>): Set<KnownKey> {
  const rivals = new Set<KnownKey>();
  for (const key of Object.keys(extra)) {
    const { surely } = meantKey(key);
    if (surely !== undefined) rivals.add(surely);
    if (key === "context") rivals.add("run-mode");
  }
  return rivals;
}

function toolsOf(rules: NonNullable<ParsedSkill["allowedTools"]>): YamlValue {
  return rules.length === 0 ? [] : formatToolRules(rules);
}

function isMapping(value: YamlValue | undefined): value is Record<string, YamlValue> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
