import * as z from "zod";

/** What a grader says of a trial, as it printed it. */
export type GraderReport = z.infer<typeof reportSchema>;

export type FoundReport =
  | { readonly kind: "none" }
  | { readonly kind: "report"; readonly report: GraderReport }
  /** It looks like a report, and nobody can tell what it says. */
  | { readonly kind: "unreadable"; readonly text: string };

/** Sums of binary fractions may be a hair beside a full score. */
const DUST = 1e-9;

const reportSchema = z.object({
  score: z
    .number()
    .min(0)
    .max(1 + DUST)
    .transform((score) => (score >= 1 - DUST ? 1 : score))
    .optional(),
  passed: z.boolean().optional(),
  details: z.string().optional(),
  checks: z
    .array(z.object({ name: z.string(), passed: z.boolean(), message: z.string().optional() }))
    .max(1000)
    .optional(),
});

const NAMES = ["passed", "pass", "score", "checks", "success", "ok", "verdict"];
/** One of them as JSON or another language writes it. */
const NAMED = new RegExp(`["'](?:${NAMES.join("|")})["']\\s*:`, "i");

/** The last report in what was printed: it may stand in one line or in several, with any text around. */
export function findReport(printed: string): FoundReport {
  let found: FoundReport = { kind: "none" };
  for (const piece of piecesOf(printed.split(/\r?\n/))) {
    const one = readReport(piece);
    if (one.kind !== "none") found = one;
  }
  return found;
}

function readReport(text: string): FoundReport {
  const value = parsed(text);
  if (!looksLikeReport(text, value)) return { kind: "none" };
  const report = reportSchema.safeParse(value).data;
  const isTelling = (report?.passed ?? report?.score ?? report?.checks) !== undefined;
  return report !== undefined && isTelling
    ? { kind: "report", report }
    : { kind: "unreadable", text };
}

function looksLikeReport(text: string, value: unknown): boolean {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return Object.keys(value).some((key) => NAMES.includes(key.toLowerCase()));
  }
  const at = text.indexOf("{");
  return at !== -1 && NAMED.test(text.slice(at));
}

/** Whole objects and lists that begin and end with a line, and every other line alone. */
function* piecesOf(lines: readonly string[]): Generator<string> {
  for (let at = 0; at < lines.length; at++) {
    const end: number = /^\s*[{[]/.test(lines[at] ?? "") ? endOfBlock(lines, at) : at;
    yield lines.slice(at, end + 1).join("\n");
    // What is never closed is torn: a part of it is no report of its own.
    at = end;
  }
}

/** The line in which all brackets are closed again; the last one when they never are. */
function endOfBlock(lines: readonly string[], start: number): number {
  let depth = 0;
  for (let at = start; at < lines.length; at++) {
    depth += openedBy(lines[at] ?? "");
    if (depth <= 0) return at;
  }
  return lines.length - 1;
}

/** Brackets that it opens, less those that it closes. No text of JSON goes beyond a line. */
function openedBy(line: string): number {
  let opened = 0;
  let isText = false;
  for (let at = 0; at < line.length; at++) {
    const sign = line[at] ?? "";
    if (isText && sign === "\\") at++;
    else if (sign === '"') isText = !isText;
    else if (isText) continue;
    else if (sign === "{" || sign === "[") opened++;
    else if (sign === "}" || sign === "]") opened--;
  }
  return opened;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
