import { randomUUID } from "node:crypto";
import type { Skills, SkillTool } from "@skillwright/core";
import type { AuditRecord } from "@skillwright/runtime";
import { type Budget, DEFAULT_BUDGET } from "../budget/budget.ts";
import type { RunResume } from "../events/agent-event.ts";
import type { Model } from "../models/model.ts";
import { createMemoryStore } from "./memory-store.ts";
import { Run } from "./run.ts";
import type { RunStore } from "./run-log.ts";
import type { RunPolicy } from "./run-policy.ts";
import { startRun } from "./start-run.ts";

export interface OpenRunOptions {
  /** What the person asks for; `/skill-name …` calls a skill directly. */
  readonly request: string;
  readonly skills: Skills;
  readonly model: Model;
  /** Default: nothing but skills and answers. */
  readonly policy?: RunPolicy;
  /** Default: 12 turns, 30 tool calls, 10 scripts, 200,000 tokens, 10 minutes. */
  readonly budget?: Partial<Budget>;
  readonly signal?: AbortSignal;
  /** Gets every record as it is written. Must not throw. */
  readonly onEvent?: (record: AuditRecord) => void;
  /** Gets the model's text as it comes. Must not throw. */
  readonly onText?: (text: string) => void;
  /** Where the run is recorded. Default: in memory. */
  readonly store?: RunStore;
  /** More tools, such as those of the host; whoever gives them sees to their policy. */
  readonly tools?: readonly SkillTool[];
  /** Tokens that level 1 may take. Default 4,000. */
  readonly catalogTokens?: number;
  /** Milliseconds that only go forward. */
  readonly clock?: () => number;
  /** Gives names of runs. */
  readonly ids?: () => string;
  /** Only of child runs. */
  readonly child?: { readonly parent: string; readonly skill: string };
}

/** A new run: its record is there, the skills are indexed, and nothing was decided yet. */
export async function openRun(options: OpenRunOptions): Promise<Run> {
  const { store = createMemoryStore(), ids = newRunId } = options;
  const log = await store.create(ids());
  const run = await Run.open(log, { ...options, store, ids });
  await startRun(run, options);
  return run;
}

/** A run that was stopped or cut off; undefined when there is none of this name. */
export async function reopenRun(
  runId: string,
  options: Omit<OpenRunOptions, "request">,
  resume: RunResume,
): Promise<Run | undefined> {
  const { store = createMemoryStore(), ids = newRunId } = options;
  const log = await store.open(runId);
  if (log === undefined) return undefined;
  const run = await Run.open(log, { ...options, request: "", store, ids });
  run.record({ event: "run-resume", data: resume });
  return run;
}

export function fullBudget(budget: Partial<Budget> = {}): Budget {
  return { ...DEFAULT_BUDGET, ...budget };
}

function newRunId(): string {
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
  return `${time}-${randomUUID().slice(0, 8)}`;
}
