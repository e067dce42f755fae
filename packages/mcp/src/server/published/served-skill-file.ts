import { isDeepStrictEqual } from "node:util";
import type { SkillFrontmatter } from "@modelcontextprotocol/server/ext/skills";
import { entryProblem } from "./entry-problem.ts";
import { isPlainHead } from "./is-plain-head.ts";
import { SKILL_FILE } from "./published-skill.ts";
import { type Frontmatter, verbatimFrontmatter } from "./verbatim-frontmatter.ts";

/** A SKILL.md as it is served: official clients read in the text what the entry says. */
export type ServedSkillFile =
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
