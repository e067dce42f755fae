import { byteOrder } from "../byte-order.ts";
import type { LockFile } from "./lock-file.ts";
import { LOCK_FIELDS, ORIGIN_FIELDS, SKILL_FIELDS } from "./lock-problem.ts";

type Entries = readonly (readonly [string, unknown])[];

/**
 * The text of a lock: the same for the same content, whatever order it was built in. Every value has
 * its own line and skills stand in byte order of their folders, so that what two branches add at
 * different places merges by itself.
 */
export function renderLock(lock: LockFile): string {
  const fields = ordered(lock, LOCK_FIELDS).map(([field, value]) =>
    field === "skills"
      ? ([field, skillsText(lock.skills)] as const)
      : ([field, plain(value, 1)] as const),
  );
  return `${objectText(fields, 0)}\n`;
}

function skillsText(skills: LockFile["skills"]): string {
  const texts = sorted(skills).map(([path, skill]) => [path, skillText(skill as object)] as const);
  return objectText(texts, 1);
}

function skillText(skill: object): string {
  const texts = ordered(skill, SKILL_FIELDS).map(([field, value]) => {
    if (field === "origin")
      return [field, fieldsText(ordered(value as object, ORIGIN_FIELDS))] as const;
    if (field === "files") return [field, fieldsText(sorted(value as object))] as const;
    return [field, plain(value, 3)] as const;
  });
  return objectText(texts, 2);
}

function fieldsText(fields: Entries): string {
  return objectText(
    fields.map(([field, value]) => [field, plain(value, 4)] as const),
    3,
  );
}

/** Known fields in their order, then the others in byte order. */
function ordered(record: object, known: readonly string[]): Entries {
  const values = record as Readonly<Record<string, unknown>>;
  const others = Object.keys(record).filter((field) => !known.includes(field));
  return [...known, ...others.sort(byteOrder)]
    .filter((field) => values[field] !== undefined)
    .map((field) => [field, values[field]]);
}

function sorted(record: object): Entries {
  return Object.entries(record).sort(([a], [b]) => byteOrder(a, b));
}

/** By hand, since an object of JavaScript puts names that look like numbers first. */
function objectText(entries: readonly (readonly [string, string])[], depth: number): string {
  if (entries.length === 0) return "{}";
  const indent = "  ".repeat(depth + 1);
  const lines = entries.map(([key, text]) => `${indent}${JSON.stringify(key)}: ${text}`);
  return `{\n${lines.join(",\n")}\n${"  ".repeat(depth)}}`;
}

function plain(value: unknown, depth: number): string {
  return JSON.stringify(value, null, 2).replaceAll("\n", `\n${"  ".repeat(depth)}`);
}
