import { closeSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { parseSkill } from "../format/parse-skill.ts";
import { readYaml } from "../format/yaml/read-yaml.ts";
import { yamlValue } from "../format/yaml/yaml-node.ts";
import { openConfined } from "../internal/confined.ts";
import { readUpTo } from "../internal/files.ts";

/** What a skill's own evals say people ask of it, and what they ask of others. */
export interface TriggerExamples {
  readonly examples: readonly string[];
  readonly negatives: readonly string[];
}

const CASE_FILE = /^[\w][\w .-]*\.(?:json|ya?ml)$/i;
const MAX_FILES = 8;
const MAX_BYTES = 256 * 1024;
const MAX_EXAMPLES = 64;
const MAX_LENGTH = 400;
const MAX_DEPTH = 8;
const QUERIES = ["query", "prompt", "input", "question", "text", "utterance", "request"];
/** What is listed under `evals` is asked of the skill, unless it says otherwise. */
const POSITIVES = /^(?:evals|should_?trigger|positives?(?:_cases)?|triggers?|must_?trigger)$/i;
const NEGATIVES =
  /^(?:should_?not_?trigger|must_?not_?trigger|negatives?(?:_cases)?|near_?miss(?:es)?)$/i;

const NONE: TriggerExamples = { examples: [], negatives: [] };

/** Reads `evals/` of a skill. Anything that cannot be read holds no examples. */
export async function readExamples(directory: string, skill: string): Promise<TriggerExamples> {
  const names = await readdir(join(directory, "evals")).catch(() => []);
  const files = names.filter((name) => CASE_FILE.test(name)).sort();
  const collected = new Collected(skill);
  for (const file of files.slice(0, MAX_FILES)) {
    const text = await readText(directory, `evals/${file}`).catch(() => undefined);
    if (text !== undefined) collected.read(valueOf(text, file), undefined, 0);
  }
  return files.length === 0 ? NONE : collected;
}

/** `metadata.triggers`: text with commas or lines, a list, or lists by language. */
export function metadataTriggers({ skill }: ReturnType<typeof parseSkill>): readonly string[] {
  const given = skill?.metadata["triggers"] ?? Object(skill?.extra["metadata"])["triggers"];
  const texts: string[] = [];
  const read = (value: unknown, depth: number): void => {
    if (typeof value === "string") texts.push(...value.split(/[\n,，、;；]/));
    else if (typeof value === "object" && value !== null && depth < MAX_DEPTH) {
      for (const one of Object.values(value)) read(one, depth + 1);
    }
  };
  read(given, 0);
  const trimmed = texts.map((text) => text.trim().slice(0, MAX_LENGTH));
  return trimmed.filter((text) => text !== "").slice(0, MAX_EXAMPLES);
}

async function readText(directory: string, path: string): Promise<string | undefined> {
  const { descriptor, stats } = await openConfined(directory, path);
  try {
    if (stats.size > MAX_BYTES) return undefined;
    return readUpTo(descriptor, MAX_BYTES, stats.size).toString("utf8");
  } finally {
    closeSync(descriptor);
  }
}

function valueOf(text: string, file: string): unknown {
  if (!file.toLowerCase().endsWith(".json")) {
    const read = readYaml(text);
    return read.ok ? yamlValue(read.node) : undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

class Collected implements TriggerExamples {
  readonly examples: string[] = [];
  readonly negatives: string[] = [];
  readonly #skill: string;

  constructor(skill: string) {
    this.#skill = skill;
  }

  /** `label` is what the list around it says of its requests. */
  read(value: unknown, label: boolean | undefined, depth: number): void {
    if (depth > MAX_DEPTH || typeof value !== "object" || value === null) {
      if (typeof value === "string" && label !== undefined) this.#add(value, label);
      return;
    }
    if (Array.isArray(value)) {
      for (const item of value) this.read(item, label, depth + 1);
      return;
    }
    const fields = value as Readonly<Record<string, unknown>>;
    const query = QUERIES.map((name) => fields[name]).find((text) => typeof text === "string");
    if (query !== undefined) {
      const own = this.#labelOf(fields) ?? label;
      if (own !== undefined) this.#add(query, own);
      return;
    }
    for (const [name, inner] of Object.entries(fields)) {
      const list = POSITIVES.test(name) ? true : NEGATIVES.test(name) ? false : label;
      this.read(inner, list, depth + 1);
    }
  }

  /** Undefined: the case says nothing about whether the skill is meant. */
  #labelOf(fields: Readonly<Record<string, unknown>>): boolean | undefined {
    const label = fields["should_trigger"] ?? fields["shouldTrigger"];
    if (typeof label === "boolean") return label;
    const { skills } = Object(fields["expected"]) as { readonly skills?: unknown };
    if (isNamed(skills, this.#skill)) return true;
    const { used, unused, selected } = Object(skills) as Readonly<Record<string, unknown>>;
    if (isNamed(used, this.#skill) || isNamed(selected, this.#skill)) return true;
    return isNamed(unused, this.#skill) ? false : undefined;
  }

  #add(text: string, isPositive: boolean): void {
    const list = isPositive ? this.examples : this.negatives;
    const line = text.trim().replaceAll(/\s+/g, " ").slice(0, MAX_LENGTH);
    if (line !== "" && list.length < MAX_EXAMPLES) list.push(line);
  }
}

function isNamed(names: unknown, skill: string): boolean {
  return names === skill || (Array.isArray(names) && names.includes(skill));
}
