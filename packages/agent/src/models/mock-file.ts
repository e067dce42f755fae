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
import { isRecord } from "./http/json.ts";
import { createRulesModel, createSequenceModel, type RulesModelResult } from "./programs.ts";

/** A decision as plain data, or text as a model might write it, bad output included. */
const decision = z.union([z.string(), z.record(z.string(), z.unknown())]);

const step = z.object({ action: decision, after: z.string().max(1000).optional() });

const rule = z.object({
  pattern: z.string().min(1).max(1000),
  flags: z
    .string()
    .regex(/^[ismu]{0,4}$/)
    .optional(),
  steps: z.array(step).min(1).max(1000),
});

const rulesFile = z.object({ rules: z.array(rule).max(1000) });
const sequenceFile = z.object({ actions: z.array(decision) });

const MAX_BYTES = 8 * 1024 * 1024;

export async function openMockModel(
  path: string,
  /** How many actions of a sequence were taken before a run was stopped. */
  { answered = 0 }: { readonly answered?: number } = {},
): Promise<RulesModelResult | Failure<MockFileProblem>> {
  const shown = `"${quoteLine(path, 200)}"`;
  let data: unknown;
  try {
    const text = readRegularFile(path, { maxBytes: MAX_BYTES, follow: true }).toString("utf8");
    data = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    const code = errorCode(error) ?? "unknown";
    if (code === "ENOENT") return invalid("file-not-found", `there is no ${shown}`);
    if (error instanceof SyntaxError) {
      return invalid("file-invalid", `${shown} is not JSON: ${error.message}`);
    }
    const reason = error instanceof UnusableFileError ? error.reason.replace("-", " ") : code;
    return invalid("file-unreadable", `${shown} cannot be read (${reason})`);
  }
  const isRules = isRecord(data) && "rules" in data && !("actions" in data);
  const parsed = isRules ? rulesFile.safeParse(data) : sequenceFile.safeParse(data);
  if (!parsed.success) {
    const problem = truncate(visibleLines(z.prettifyError(parsed.error)), 1000);
    return invalid("file-invalid", `${shown}: ${problem}`);
  }
  if ("rules" in parsed.data) return createRulesModel(parsed.data.rules);
  return { ok: true, model: createSequenceModel(parsed.data.actions.slice(answered)) };
}

type MockFileProblem = "file-not-found" | "file-unreadable" | "file-invalid";

function invalid(code: MockFileProblem, message: string): Failure<MockFileProblem> {
  return { ok: false, code, message };
}
