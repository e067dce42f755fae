import { nameProblem } from "@skillwright/core/internal";
import type { PackFailure } from "../../pack-failure.ts";
import { foreignText } from "../foreign-text.ts";
import { sourceFailure } from "../source-failure.ts";

/** One file or archive with its digest (v0.2), or files by name (v0.1). */
export type IndexEntry =
  | {
      readonly name: string;
      readonly type: "skill-md" | "archive";
      /** As given, relative to the index. */
      readonly url: string;
      /** `sha256:…` */
      readonly digest: string;
    }
  | { readonly name: string; readonly type: "files"; readonly files: readonly string[] };

export interface SkillIndex {
  readonly ok: true;
  readonly version: "0.1" | "0.2";
  readonly entries: readonly IndexEntry[];
  readonly notes: readonly string[];
}

const SCHEMA_0_2 = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
const MAX_ENTRIES = 1000;
const MAX_NAME_LENGTH = 64;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

type Fields = Readonly<Record<string, unknown>>;

/** Reads an index. Undefined when it is none, so that another place may be tried. */
export function parseIndex(text: string): SkillIndex | PackFailure | undefined {
  const index = fieldsOf(parseJson(text));
  if (index === undefined) return undefined;
  const schema = ownValue(index, "$schema");
  if (schema !== undefined && schema !== SCHEMA_0_2) {
    const message = `the index is of a version that is not known: ${foreignText(JSON.stringify(schema))}`;
    return sourceFailure("source-invalid", message, {
      hint: `Known are ${SCHEMA_0_2} and the version before it, which names none.`,
    });
  }
  const skills = ownValue(index, "skills");
  if (!Array.isArray(skills)) return undefined;
  if (skills.length > MAX_ENTRIES) {
    const message = `the index has ${skills.length} entries; at most ${MAX_ENTRIES} are read`;
    return sourceFailure("limit-exceeded", message);
  }
  const isNew = schema === SCHEMA_0_2;
  const entries = new Map<string, IndexEntry>();
  const notes: string[] = [];
  for (const value of skills) {
    const entry = isNew ? entryOfNew(fieldsOf(value)) : entryOfOld(fieldsOf(value));
    if (typeof entry === "string") notes.push(`left out: ${entry}`);
    else if (entries.has(entry.name)) notes.push(`left out: a second ${entry.name} of the index`);
    else entries.set(entry.name, entry);
  }
  return { ok: true, version: isNew ? "0.2" : "0.1", entries: [...entries.values()], notes };
}

function entryOfNew(fields: Fields | undefined): IndexEntry | string {
  const name = nameIn(fields);
  if (fields === undefined || !name.ok) return name.shown;
  const type = ownValue(fields, "type");
  const url = ownValue(fields, "url");
  const digest = ownValue(fields, "digest");
  if (type !== "skill-md" && type !== "archive") {
    return `${name.shown}, of the type ${foreignText(JSON.stringify(type) ?? "none")}, which is not known`;
  }
  if (typeof url !== "string" || typeof digest !== "string" || !DIGEST.test(digest)) {
    return `${name.shown}, which has no URL or no digest`;
  }
  return { name: name.shown, type, url, digest };
}

function entryOfOld(fields: Fields | undefined): IndexEntry | string {
  const name = nameIn(fields);
  if (fields === undefined || !name.ok) return name.shown;
  const files = ownValue(fields, "files");
  if (!Array.isArray(files) || !files.every((file) => typeof file === "string")) {
    return `${name.shown}, which lists no files`;
  }
  if (!files.includes("SKILL.md")) return `${name.shown}, which has no SKILL.md`;
  return { name: name.shown, type: "files", files };
}

/** The name becomes a folder and part of a URL. */
function nameIn(fields: Fields | undefined): { readonly ok: boolean; readonly shown: string } {
  const name = fields === undefined ? undefined : ownValue(fields, "name");
  if (typeof name !== "string") return { ok: false, shown: "an entry without a name" };
  const isName = nameProblem(name) === undefined && name.length <= MAX_NAME_LENGTH;
  if (isName && name === name.normalize("NFKC")) return { ok: true, shown: name };
  return { ok: false, shown: `“${foreignText(name)}”, which is no name of a skill` };
}

function fieldsOf(value: unknown): Fields | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Fields) : undefined;
}

function ownValue(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}
