import type { SkillEntry } from "./rank-skills.ts";

const MAX_TEXT = 20_000;
const MAX_SKILLS = 50;
const LINE =
  /^\s{0,4}(?:[-*]|\d{1,3}[.)])\s{1,4}\**`?([\p{L}\p{N}/_-]{1,130})(?:@([\w-]{1,64}))?`?\**\s{0,3}[:：–—-]\s{1,3}(\S.{0,1500})$/gmu;

/** What `search_skills` found, from its text or its JSON. */
export function foundSkills(observation: string): SkillEntry[] {
  const text = observation.slice(0, MAX_TEXT);
  const fromJson = parseList(text);
  if (fromJson !== undefined) return fromJson.slice(0, MAX_SKILLS);
  return Array.from(text.matchAll(LINE), ([, name = "", source, description = ""]) => ({
    name,
    description,
    ...(source !== undefined && { source }),
  })).slice(0, MAX_SKILLS);
}

function parseList(text: string): SkillEntry[] | undefined {
  const start = text.search(/\[\s*\{/);
  if (start < 0) return undefined;
  try {
    const data: unknown = JSON.parse(text.slice(start, text.lastIndexOf("]") + 1));
    return Array.isArray(data) ? data.filter(isEntry) : undefined;
  } catch {
    return undefined;
  }
}

function isEntry(value: unknown): value is SkillEntry {
  if (typeof value !== "object" || value === null) return false;
  const name: unknown = Object.hasOwn(value, "name") ? Reflect.get(value, "name") : undefined;
  const description: unknown = Reflect.get(value, "description");
  return typeof name === "string" && name !== "" && typeof description === "string";
}
