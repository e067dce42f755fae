import { closeSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import type { Failure } from "@skillwright/core";
import { openRegular, replaceAtomic } from "@skillwright/core/internal";
import * as z from "zod";
import { TrialFile } from "../run/trial-file.ts";
import type { EvalResults, TrialResult } from "./eval-results.ts";

const CHUNK_LENGTH = 64 * 1024;
const TRIALS_BEGIN = ' "trials": [';
const TRIALS_END = " ]";

/**
 * The text of a results file: one JSON document, with the trials last and each on a line of its own, so that it can be
 * written, read and compared line by line.
 */
export function* resultsText({ trials, ...head }: EvalResults): Generator<string> {
  const around = JSON.stringify(head, null, 1);
  let text = `${around.slice(0, -2)},\n${TRIALS_BEGIN}`;
  let isFirst = true;
  for (const trial of trials) {
    text += `${isFirst ? "" : ","}\n${JSON.stringify(trial)}`;
    isFirst = false;
    if (text.length < CHUNK_LENGTH) continue;
    yield text;
    text = "";
  }
  yield `${text}\n${TRIALS_END}\n}\n`;
}

export type ReadResultsResult =
  | { readonly ok: true; readonly results: EvalResults }
  | Failure<"results-missing" | "results-unreadable">;

/** As much as fits into one string. */
const MAX_BYTES = 500 * 1024 * 1024;
/** A larger file stays open, and details of its trials are read when somebody looks at them. */
const SMALL_BYTES = 8 * 1024 * 1024;

export async function saveResults(file: string, results: EvalResults): Promise<void> {
  await replaceAtomic(file, (temporary) =>
    writeFile(temporary, resultsText(results), { flag: "wx" }),
  );
}

export async function readResults(file: string): Promise<ReadResultsResult> {
  try {
    const { descriptor, stats } = openRegular(file, { follow: true });
    if (stats.size > SMALL_BYTES) {
      const trials = new TrialFile(descriptor);
      const results = readLines(trials);
      if (results !== undefined) return { ok: true, results };
      trials.close();
      if (stats.size > MAX_BYTES) return unreadable(file, "it is too large and has long lines");
      return readWhole(file, openRegular(file, { follow: true }).descriptor);
    }
    return readWhole(file, descriptor);
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") {
      const hint = "make it: skillwright eval --save <file>";
      return { ok: false, code: "results-missing", message: `there is no file ${file}`, hint };
    }
    return unreadable(file, message);
  }
}

/** As `resultsText` wrote it; undefined for any other layout, or for what holds no results. */
function readLines(file: TrialFile): EvalResults | undefined {
  let head = "";
  let isInside = false;
  const trials: TrialResult[] = [];
  for (const { text, start } of file.lines()) {
    if (!isInside) {
      if (head.length > SMALL_BYTES) return undefined;
      isInside = text === TRIALS_BEGIN;
      head += isInside ? "" : text;
    } else if (text === TRIALS_END) break;
    else {
      const line = text.endsWith(",") ? text.slice(0, -1) : text;
      const parsed = trialSchema.safeParse(parseJson(line));
      if (!parsed.success) return undefined;
      const result = parsed.data as unknown as TrialResult;
      trials.push(file.stored(result, start, Buffer.byteLength(line)));
    }
  }
  const parsed = resultsSchema.safeParse(parseJson(`${head} "trials": [] }`));
  return parsed.success ? { ...(parsed.data as unknown as EvalResults), trials } : undefined;
}

function readWhole(file: string, descriptor: number): ReadResultsResult {
  let text: string;
  try {
    text = readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
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

const trialSchema = z.object({
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
  trials: z.array(trialSchema),
});
