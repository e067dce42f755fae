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
import type { SequenceEntry } from "./mock-models.ts";

type MockFileFailure = Failure<"file-not-found" | "file-unreadable" | "file-invalid">;

type MockFileResult<Content> = { readonly ok: true; readonly content: Content } | MockFileFailure;

const MAX_BYTES = 8 * 1024 * 1024;

/** A JSON file of decisions or rules, checked against its schema. Never throws. */
async function readMockFile<Content>(
  path: string,
  schema: z.ZodType<Content>,
): Promise<MockFileResult<Content>> {
  const shown = `"${quoteLine(path, 200)}"`;
  let text: string;
  try {
    text = readRegularFile(path, { maxBytes: MAX_BYTES, follow: true }).toString("utf8");
  } catch (error) {
    if (error instanceof UnusableFileError && error.reason === "too-large") {
      return invalid(`${shown} is larger than ${MAX_BYTES / 1024 / 1024} MiB`);
    }
    const code = error instanceof UnusableFileError ? "not a file" : errorCode(error);
    if (code === "ENOENT") {
      return { ok: false, code: "file-not-found", message: `there is no ${shown}` };
    }
    return {
      ok: false,
      code: "file-unreadable",
      message: `${shown} cannot be read (${code ?? "unknown"})`,
    };
  }
  let data: unknown;
  try {
    data = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    return invalid(`${shown} is not JSON: ${error instanceof Error ? error.message : "unknown"}`);
  }
  const parsed = schema.safeParse(data);
  if (parsed.success) return { ok: true, content: parsed.data };
  return invalid(`${shown}: ${truncate(visibleLines(z.prettifyError(parsed.error)), 1000)}`);
}

function invalid(message: string): MockFileFailure {
  return { ok: false, code: "file-invalid", message };
}

/** One answer of a rule: the decision, and the last observation that it waits for. */
const ruleStepSchema = z.object({
  action: z.union([z.string(), z.record(z.string(), z.unknown())]),
  after: z.string().max(1000).optional(),
});

/**
 * What to do for requests that `pattern` matches. The steps are taken in turn; one with `after` is
 * only taken when the last observation matches that, and is passed over otherwise.
 */
const ruleSchema = z.object({
  pattern: z.string().min(1).max(1000),
  /** Of regular expressions: `i`, `s`, `m`, `u`. Default: `iu`. */
  flags: z
    .string()
    .regex(/^[ismu]{0,4}$/)
    .optional(),
  steps: z.array(ruleStepSchema).min(1).max(1000),
});

export type Rule = z.infer<typeof ruleSchema>;
export type RuleStep = z.infer<typeof ruleStepSchema>;

type RulesFileResult = { readonly ok: true; readonly rules: readonly Rule[] } | MockFileFailure;

const rulesSchema = z.object({ rules: z.array(ruleSchema).max(1000) });

export async function readRulesFile(path: string): Promise<RulesFileResult> {
  const read = await readMockFile(path, rulesSchema);
  return read.ok ? { ok: true, rules: read.content.rules } : read;
}

type SequenceFileResult =
  | { readonly ok: true; readonly actions: readonly SequenceEntry[] }
  | MockFileFailure;

const sequenceSchema = z.object({
  actions: z.array(z.union([z.string(), z.record(z.string(), z.unknown())])),
});

export async function readSequenceFile(path: string): Promise<SequenceFileResult> {
  const read = await readMockFile(path, sequenceSchema);
  return read.ok ? { ok: true, actions: read.content.actions } : read;
}
