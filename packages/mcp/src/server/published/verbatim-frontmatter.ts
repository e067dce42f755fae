import { parseSkill } from "@skillwright/core";

export type Frontmatter = Readonly<Record<string, unknown>>;

export interface SkillFileParts {
  readonly frontmatter: Frontmatter;
  /** What stands behind the frontmatter. */
  readonly body: string;
}

/** After these, whoever parses the file to compare would not get the same. */
const REPAIRS: ReadonlySet<string> = new Set(["yaml-repaired", "frontmatter-not-first"]);

/**
 * The frontmatter of a SKILL.md as JSON, each value as YAML has it, but for `metadata`, which has texts
 * only: a number as it is written, a list or mapping as JSON. Undefined when it can be read only with a
 * repair.
 */
export function verbatimFrontmatter(skillFile: string): SkillFileParts | undefined {
  const { skill, values, diagnostics } = parseSkill(skillFile, { values: true });
  if (skill === undefined || values === undefined) return undefined;
  if (diagnostics.some(({ code }) => REPAIRS.has(code))) return undefined;
  const { metadata, body } = skill;
  const frontmatter = Object.hasOwn(values, "metadata")
    ? { ...values, metadata: textMap(values["metadata"], metadata) }
    : values;
  return isJson(frontmatter) ? { frontmatter, body } : undefined;
}

/** `read` is what the parser makes of those that are single values. */
function textMap(
  given: unknown,
  read: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  // A metadata that is no mapping says nothing that anybody could look up.
  if (typeof given !== "object" || given === null || Array.isArray(given)) return {};
  const entries = Object.entries(given).map(([key, value]): [string, string] => [
    key,
    typeof value === "object" && value !== null
      ? JSON.stringify(value)
      : Object.hasOwn(read, key)
        ? (read[key] ?? "")
        : String(value ?? ""),
  ]);
  return Object.fromEntries(entries);
}

/** YAML has numbers that JSON has not. */
function isJson(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(isJson);
}
