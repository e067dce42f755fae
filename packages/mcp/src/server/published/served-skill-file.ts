import { isDeepStrictEqual } from "node:util";
import type { SkillFrontmatter } from "@modelcontextprotocol/server/ext/skills";
import { parseSkill } from "@skillwright/core";
import { SKILL_FILE } from "./published-skill.ts";

/** A SKILL.md as it is served: official clients read in the text what the entry says. */
type ServedSkillFile =
  | {
      readonly ok: true;
      readonly text: string;
      readonly frontmatter: SkillFrontmatter;
      /** The frontmatter was written anew; the body is as it was. */
      readonly isRewritten: boolean;
    }
  | { readonly ok: false; readonly problem: string };

/**
 * The text as it is, if clients read the same fields in it as we do. If not – metadata that is not all
 * text, or YAML beyond what they know – its fields are written so that they do. The same text always
 * gives the same.
 */
export async function servedSkillFile(text: string, name: string): Promise<ServedSkillFile> {
  const parts = verbatimFrontmatter(text);
  if (parts === undefined) {
    return { ok: false, problem: "its frontmatter can be read only with a repair" };
  }
  const frontmatter = asOnTheWire(parts.frontmatter);
  const problem = entryProblem(frontmatter, name);
  if (problem !== undefined) return { ok: false, problem };
  const common = { ok: true, frontmatter: asEntry(frontmatter) } as const;
  if (isPlainHead(text) || (await isReadAs(frontmatter, text, name))) {
    return { ...common, text, isRewritten: false };
  }
  const rewritten = rewrittenText(frontmatter, parts.body);
  if (await isReadAs(frontmatter, rewritten, name)) {
    return { ...common, text: rewritten, isRewritten: true };
  }
  return { ok: false, problem: "clients cannot read its frontmatter" };
}

/** The SDK's own reader is what clients verify with. */
async function isReadAs(frontmatter: Frontmatter, text: string, name: string): Promise<boolean> {
  const { SkillCatalogError, skillEntry } = await import("@modelcontextprotocol/server/ext/skills");
  try {
    const entry = await skillEntry(name, { [SKILL_FILE]: text });
    return isDeepStrictEqual(entry.frontmatter, frontmatter);
  } catch (error) {
    if (SkillCatalogError.isInstance(error)) return false;
    throw error;
  }
}

function asOnTheWire(frontmatter: Frontmatter): Frontmatter {
  return JSON.parse(JSON.stringify(frontmatter)) as Frontmatter;
}

/** It has a name and a description, as was checked. */
function asEntry(frontmatter: Frontmatter): SkillFrontmatter {
  return frontmatter as SkillFrontmatter;
}

/** JSON is YAML. */
function rewrittenText(frontmatter: Frontmatter, body: string): string {
  const lines = Object.entries(frontmatter).map(
    ([key, value]) => `${writtenKey(key)}: ${writtenValue(value)}\n`,
  );
  return `---\n${lines.join("")}---\n${body}`;
}

function writtenKey(key: string): string {
  const isPlain = /^[a-z]+(?:-[a-z]+)*$/.test(key) && !/^(?:true|false|null)$/.test(key);
  return isPlain ? key : writtenValue(key);
}

/** YAML allows fewer characters than JSON. */
function writtenValue(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A key of its own or of `metadata`, and a text on the same line that no reader takes for anything else. */
const KEY = String.raw`(?: {2})?(?!(?:true|false|null|metadata):)[a-z]+(?:-[a-z]+)*`;
const WORDS = String.raw`(?!(?:true|false|null) *$)[A-Za-z](?:[!"$-9;-~]|:(?=[!-~])| (?!#))*`;
const LINE = new RegExp(`^${KEY}: (?:${WORDS}|"[ !#-\\[\\]-~]*"|'[ -&(-~]*')$`, "i");

/**
 * Whether the frontmatter of a SKILL.md is so plain that everybody who reads YAML reads the same in it.
 * That is most of them, and to ask the SDK takes longer than all the rest.
 */
export function isPlainHead(skillFile: string): boolean {
  const end = skillFile.indexOf("\n---\n");
  if (end === -1 || !skillFile.startsWith("---\n")) return false;
  const lines = skillFile.slice("---\n".length, end).split("\n");
  return lines.every((line, at) => {
    if (line === "metadata:") return lines[at + 1]?.startsWith("  ") === true;
    return LINE.test(line);
  });
}

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * Why hosts would refuse an entry with this frontmatter: the rules of the extension, by which official
 * clients refuse a whole list for one entry. Undefined when they would not. That `metadata` has texts
 * only is seen to before.
 */
export function entryProblem(frontmatter: Frontmatter, expectedName: string): string | undefined {
  const { name, description, compatibility } = frontmatter;
  if (typeof name !== "string" || typeof description !== "string") {
    return "its frontmatter has no name and description that are text";
  }
  if (name !== expectedName) return `its frontmatter names it ${JSON.stringify(name)}`;
  if (name.length > 64 || !NAME.test(name)) {
    return "its name is not made of lower-case letters, digits and single hyphens, 64 at most";
  }
  if (!isTextOf(description, 1024)) return "its description does not have 1 to 1,024 characters";
  if (compatibility !== undefined && !isTextOf(compatibility, 500)) {
    return "its compatibility is not text of 1 to 500 characters";
  }
  return undefined;
}

function isTextOf(value: unknown, most: number): boolean {
  return typeof value === "string" && value !== "" && Array.from(value).length <= most;
}

export type Frontmatter = Readonly<Record<string, unknown>>;

interface SkillFileParts {
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
