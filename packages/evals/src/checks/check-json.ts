import type { Failure } from "@skillwright/core";
import { Ajv, type Options } from "ajv";
import formats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isDeepStrictEqual } from "node:util";
import type { OutputCheckKind } from "../cases/eval-case.ts";
import {
  type CheckVerdict,
  decided,
  nothingThere,
  shown,
  undecided,
  withinTime,
} from "./check-verdict.ts";

type JsonInText = { readonly ok: true; readonly value: unknown } | Failure<"no-json">;

const FENCED = /^```(?:json[c5]?)?[^\S\n]*\n(.*?)\n[^\S\n]*```/gims;
const MAX_FENCES = 20;

/** The JSON that a text is, or the first fenced block in it that is some. */
function jsonInText(text: string): JsonInText {
  const fenced = [...text.matchAll(FENCED)].slice(0, MAX_FENCES).map(([, inner = ""]) => inner);
  for (const candidate of [text, ...fenced]) {
    const value = parsed(candidate);
    if (value !== undefined) return { ok: true, value };
  }
  return { ok: false, code: "no-json", message: "it is no JSON, and holds no block of it" };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export type JsonPath =
  | { readonly ok: true; readonly segments: readonly PathSegment[] }
  | Failure<"path-invalid">;

type PathSegment = { readonly key: string } | { readonly index: number } | "*";

const SEGMENT =
  /\.(?<name>[\p{L}_$][\p{L}\p{N}_$-]*)|\.(?<star>\*)|\[(?:(?<index>-?\d{1,9})|(?<all>\*)|(?<quoted>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'))\]/uy;
const MAX_SEGMENTS = 64;
const MAX_VALUES = 10_000;

/**
 * Reads `$`, `.name`, `["name"]`, `[0]`, `[-1]`, `.*` and `[*]`: what points at values, and nothing that
 * computes.
 */
export function parseJsonPath(path: string): JsonPath {
  if (!path.startsWith("$")) return invalid("a path begins with $, such as $.total", 1);
  const segments: PathSegment[] = [];
  let at = 1;
  while (at < path.length) {
    SEGMENT.lastIndex = at;
    const groups = SEGMENT.exec(path)?.groups;
    if (groups === undefined) return invalid("expected .name, [0], [*] or the end", at + 1);
    const segment = segmentOf(groups);
    if (segment === undefined) return invalid("the name in quotes cannot be read", at + 1);
    segments.push(segment);
    at = SEGMENT.lastIndex;
    if (segments.length > MAX_SEGMENTS) return invalid(`more than ${MAX_SEGMENTS} parts`, at);
  }
  return { ok: true, segments };
}

/** Every value that the path leads to, by own properties only. */
export function valuesAt(value: unknown, segments: readonly PathSegment[]): readonly unknown[] {
  let values: readonly unknown[] = [value];
  for (const segment of segments) {
    values = values.flatMap((one) => step(one, segment)).slice(0, MAX_VALUES);
  }
  return values;
}

function segmentOf(groups: Readonly<Record<string, string | undefined>>): PathSegment | undefined {
  const { name, index, quoted } = groups;
  if (name !== undefined) return { key: name };
  if (index !== undefined) return { index: Number(index) };
  if (quoted === undefined) return "*";
  if (quoted.startsWith("'")) return { key: quoted.slice(1, -1).replaceAll(/\\(.)/g, "$1") };
  try {
    return { key: JSON.parse(quoted) as string };
  } catch {
    return undefined;
  }
}

function step(value: unknown, segment: PathSegment): readonly unknown[] {
  if (typeof value !== "object" || value === null) return [];
  if (segment === "*") return Object.values(value);
  if ("index" in segment) {
    const place =
      segment.index < 0 && Array.isArray(value) ? value.length + segment.index : segment.index;
    return Array.isArray(value) && place >= 0 && place < value.length ? [value[place]] : [];
  }
  if (Array.isArray(value) || !Object.hasOwn(value, segment.key)) return [];
  return [(value as Readonly<Record<string, unknown>>)[segment.key]];
}

function invalid(message: string, column: number): Failure<"path-invalid"> {
  return { ok: false, code: "path-invalid", message: `column ${column}: ${message}` };
}

type Of<Type> = Extract<OutputCheckKind, { type: Type }>;

const OPTIONS: Options = { strict: false, logger: false, validateSchema: true, allErrors: false };
const MAX_SCHEMA = 200_000;

/** A schema may be hostile: it is compiled anew, fetches nothing, and is ended when it runs away. */
export function checkJsonSchema({ schema }: Of<"json-schema">, text: string): CheckVerdict {
  const json = jsonInText(text);
  if (!json.ok) return nothingThere(`${json.message}: ${shown(text)}`);
  try {
    const result = withinTime(() => validate(schema, json.value));
    if (!result.ok) return undecided(result.message);
    return result.value === undefined
      ? decided(true, "the schema allows it")
      : decided(false, result.value);
  } catch (error) {
    return undecided(`the schema cannot be used: ${reasonOf(error)}`);
  }
}

export function checkJsonPath(check: Of<"json-path">, text: string): CheckVerdict {
  const path = parseJsonPath(check.path);
  if (!path.ok) return undecided(path.message);
  const json = jsonInText(text);
  if (!json.ok) return nothingThere(`${json.message}: ${shown(text)}`);
  const values = valuesAt(json.value, path.segments);
  if (values.length === 0) return decided(false, `there is nothing at ${check.path}`);
  const evidence = `${check.path} is ${shown(values.map((one) => JSON.stringify(one)).join(", "))}`;
  const isEqual = (value: unknown) => isDeepStrictEqual(value, check.equals);
  return decided(!("equals" in check) || values.some(isEqual), evidence);
}

/** The first problem; undefined when there is none. */
function validate(schema: unknown, value: unknown): string | undefined {
  if (typeof schema !== "boolean" && (typeof schema !== "object" || schema === null)) {
    throw new TypeError("a schema is an object, true or false");
  }
  if (JSON.stringify(schema).length > MAX_SCHEMA) throw new RangeError("it is too long");
  const ajv = isOldDraft(schema) ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS);
  formats.default(ajv);
  const check = ajv.compile(schema);
  if (check(value)) return undefined;
  const [first] = check.errors ?? [];
  return `${first?.instancePath === "" ? "it" : (first?.instancePath ?? "it")} ${first?.message ?? "is not allowed"}`;
}

function isOldDraft(schema: object | boolean): boolean {
  const draft: unknown = typeof schema === "object" && "$schema" in schema ? schema.$schema : "";
  return typeof draft === "string" && /draft-0[4-7]/.test(draft);
}

function reasonOf(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error
    ? String(error.message)
    : "unknown reason";
}
