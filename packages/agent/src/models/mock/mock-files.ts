import type { Failure } from "@skillwright/core";
import {
  errorCode,
  quoteLine,
  readRegularFile,
  truncate,
  UnusableFileError,
  visibleLines,
} from "@skillwright/core/internal";
import * as z from "zod";

/** A decision as plain data, or text as a model might write it, bad output included. */
const decision = z.union([z.string(), z.record(z.string(), z.unknown())]);

const step = z.object({ action: decision, after: z.string().max(1000).optional() });

const rule = z.object({
  pattern: z.string().min(1).max(1000),
  /** Of regular expressions: `i`, `s`, `m`, `u`. Default: `iu`. */
  flags: z
    .string()
    .regex(/^[ismu]{0,4}$/)
    .optional(),
  steps: z.array(step).min(1).max(1000),
});

/**
 * What to do for requests that `pattern` matches. The steps are taken in turn; one with `after` is
 * passed over unless the last observation matches it.
 */
export type Rule = z.infer<typeof rule>;
export type RuleStep = z.infer<typeof step>;

const rulesFile = z.object({ rules: z.array(rule).max(1000) });
const sequenceFile = z.object({ actions: z.array(decision) });

export function readRulesFile(path: string) {
  return readMockFile(path, rulesFile);
}

export function readSequenceFile(path: string) {
  return readMockFile(path, sequenceFile);
}

type MockFileResult<Content> =
  | ({ readonly ok: true } & Readonly<Content>)
  | Failure<"file-not-found" | "file-unreadable" | "file-invalid">;

const MAX_MIB = 8;

/** A JSON file of decisions or rules, checked against its schema. Never throws. */
async function readMockFile<Content extends object>(
  path: string,
  schema: z.ZodType<Content>,
): Promise<MockFileResult<Content>> {
  const shown = `"${quoteLine(path, 200)}"`;
  const invalid = (problem: string): MockFileResult<Content> => {
    return { ok: false, code: "file-invalid", message: `${shown}${problem}` };
  };
  let text: string;
  try {
    const options = { maxBytes: MAX_MIB * 1024 * 1024, follow: true };
    text = readRegularFile(path, options).toString("utf8");
  } catch (error) {
    const reason = error instanceof UnusableFileError ? error.reason : undefined;
    const code = errorCode(error);
    if (reason === "too-large") return invalid(` is larger than ${MAX_MIB} MiB`);
    if (code === "ENOENT") {
      return { ok: false, code: "file-not-found", message: `there is no ${shown}` };
    }
    const why = reason === undefined ? (code ?? "unknown") : "not a file";
    return { ok: false, code: "file-unreadable", message: `${shown} cannot be read (${why})` };
  }
  let data: unknown;
  try {
    data = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    return invalid(` is not JSON: ${error instanceof Error ? error.message : "unknown"}`);
  }
  const parsed = schema.safeParse(data);
  if (parsed.success) return { ok: true, ...parsed.data };
  return invalid(`: ${truncate(visibleLines(z.prettifyError(parsed.error)), 1000)}`);
}
