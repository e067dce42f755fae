import type { Failure } from "@skillwright/core";
import { readRegularFile, replaceAtomic } from "@skillwright/core/internal";
import { writeFile } from "node:fs/promises";
import * as z from "zod";
import type { EvalResults } from "./eval-results.ts";

const CHUNK_LENGTH = 64 * 1024;

/**
 * The text of a results file, as `JSON.stringify(results, null, 1)` would give it with the trials last, in pieces: the whole of it may be
 * many times what is in memory.
 */
export function* resultsText({ trials, ...head }: EvalResults): Generator<string> {
  const around = JSON.stringify({ ...head, trials: [] }, null, 1);
  const end = around.lastIndexOf("]");
  let text = around.slice(0, end);
  let isFirst = true;
  for (const trial of trials) {
    text += `${isFirst ? "" : ","}\n  ${JSON.stringify(trial, null, 1).replaceAll("\n", "\n  ")}`;
    isFirst = false;
    if (text.length < CHUNK_LENGTH) continue;
    yield text;
    text = "";
  }
  yield `${text}${isFirst ? "" : "\n "}${around.slice(end)}\n`;
}

export type ReadResultsResult =
  | { readonly ok: true; readonly results: EvalResults }
  | Failure<"results-missing" | "results-unreadable">;

/** As much as fits into one string. */
const MAX_BYTES = 500 * 1024 * 1024;

export async function saveResults(file: string, results: EvalResults): Promise<void> {
  await replaceAtomic(file, (temporary) =>
    writeFile(temporary, resultsText(results), { flag: "wx" }),
  );
}

export async function readResults(file: string): Promise<ReadResultsResult> {
  let text: string;
  try {
    text = readRegularFile(file, { maxBytes: MAX_BYTES, follow: true }).toString("utf8");
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") {
      const hint = "make it: skillwright eval --save <file>";
      return { ok: false, code: "results-missing", message: `there is no file ${file}`, hint };
    }
    return unreadable(file, message);
  }
  const parsed = resultsSchema.safeParse(parseJson(text));
  if (parsed.success) return { ok: true, results: parsed.data as unknown as EvalResults };
  const [issue] = parsed.error.issues;
  const where = issue === undefined ? "" : `: ${issue.path.join(".")}: ${issue.message}`;
  return { ok: false, code: "results-unreadable", message: `${file} holds no results${where}` };
}

function unreadable(file: string, why: string): Failure<"results-unreadable"> {
  const message = why.includes(file) ? why : `${file} cannot be read: ${why}`;
  return {
    ok: false,
    code: "results-unreadable",
    message,
    hint: "remove it and run the eval again",
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    return undefined;
  }
}

const outcome = z.enum(["pass", "fail", "error", "unjudged"]);
const armName = z.enum(["with_skill", "without_skill", "old_skill"]);
const names = z.array(z.string());
const count = z.number().nonnegative();

const grade = z.object({
  metric: z.enum(["trigger", "sequence", "output", "cost", "judge"]),
  text: z.string(),
  outcome,
  score: z.number(),
  evidence: z.string(),
});

const step = z.object({
  action: z.string(),
  subject: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  ok: z.boolean(),
  observation: z.string(),
  turn: count,
  atMs: count,
});

const usage = z.object({
  turns: count,
  toolCalls: count,
  scripts: count,
  inputTokens: count,
  outputTokens: count,
  cost: count,
  timeMs: count,
});

const trial = z.object({
  caseId: z.string(),
  title: z.string(),
  input: z.string(),
  origin: z.object({
    file: z.string(),
    line: count,
    dialect: z.string(),
    skill: z.string().optional(),
  }),
  arm: armName,
  trial: z.int().min(1),
  isRetry: z.literal(true).optional(),
  outcome,
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  grades: z.array(grade),
  expectedSkills: z.object({ used: names, unused: names, only: z.boolean() }).optional(),
  isMock: z.boolean(),
  tags: names,
  skills: names,
  answer: z.string(),
  status: z.string(),
  steps: z.array(step),
  usage,
  catalogTokens: count,
  activationTokens: count,
  runId: z.string(),
});

const compared = z.object({ caseId: z.string(), trial: z.int().min(1), other: armName });
const preference = z.union([
  compared.extend({
    winner: z.enum(["first", "second", "tie"]),
    evidence: z.string(),
    dependsOnOrder: z.literal(true).optional(),
  }),
  compared.extend({ error: z.object({ code: z.string(), message: z.string() }) }),
]);

const resultsSchema = z.object({
  schemaVersion: z.literal(1),
  id: z.string(),
  startedAt: z.string(),
  endedAt: z.string(),
  setup: z.object({
    model: z.string(),
    isDeterministic: z.boolean(),
    sampling: z.record(z.string(), z.unknown()).optional(),
    recording: z.string().optional(),
    judge: z.string().optional(),
    seed: z.number(),
    trials: z.number(),
    arms: z
      .array(
        z.object({
          name: z.string(),
          reference: z.string().optional(),
          digest: z.string().optional(),
          leftOut: names.optional(),
        }),
      )
      .min(1),
    skills: z.array(z.object({ name: z.string(), digest: z.string() })),
    casesDigest: z.string(),
    version: z.string(),
    platform: z.string(),
  }),
  preferences: z.array(preference).optional(),
  trials: z.array(trial),
});
