import type { Failure } from "@skillwright/core";

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
