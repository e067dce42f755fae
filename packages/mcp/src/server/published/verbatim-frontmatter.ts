import { parseSkill } from "@skillwright/core";

export type Frontmatter = Readonly<Record<string, unknown>>;

const CLOSING = /^---[\t ]*$/m;
const KEY = "verbatim";

/**
 * The frontmatter of a SKILL.md as JSON, each value as YAML has it. Undefined when it can be read only
 * with a repair: whoever parses the file to compare would not get the same.
 */
export function verbatimFrontmatter(skillFile: string): Frontmatter | undefined {
  const text = skillFile.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  if (!text.startsWith("---\n")) return undefined;
  const rest = text.slice(4);
  const closing = CLOSING.exec(rest);
  if (closing === null) return undefined;
  // Core keeps values only of keys that it does not know, so that all of it goes below one of them.
  const below = rest.slice(0, closing.index).replaceAll(/^(?=[^\n])/gm, "  ");
  const { skill, diagnostics } = parseSkill(`---\nname: x\ndescription: x\n${KEY}:\n${below}---\n`);
  if (diagnostics.some(({ code }) => code === "yaml-repaired")) return undefined;
  const value = skill?.extra[KEY];
  return isMapping(value) && isJson(value) ? value : undefined;
}

function isMapping(value: unknown): value is Frontmatter {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** YAML has numbers that JSON has not. */
function isJson(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(isJson);
}
