import type { Action } from "../actions/action.ts";
import type { Plan } from "../actions/plan.ts";
import type { RunStatus } from "../events/run-event.ts";
import type { RunUsage } from "../budget/run-usage.ts";

/** What `run.json` holds: a run in short, made from its record and from nothing else. */
export interface RunSummary {
  readonly schemaVersion: 2;
  readonly runId: string;
  readonly parent?: string;
  /** The conversation that it is a part of, and which request of it this is, from 1 on. */
  readonly conversation?: { readonly id: string; readonly turn: number };
  /** `unfinished` when it is running, or was cut off. */
  readonly status: RunStatus | "unfinished";
  readonly startedAt: string;
  /** Of the last record. */
  readonly updatedAt: string;
  readonly request: string;
  readonly model: string;
  readonly answer: string;
  readonly reason?: string;
  /** What is missing, when the run ended for the want of something. */
  readonly code?: string;
  readonly approval?: string;
  readonly skills: readonly SummarySkill[];
  /** Files of skills. */
  readonly resources: readonly { skill: string; path: string; ok: boolean }[];
  /** Files of the workspace that tools reached. */
  readonly files: readonly { path: string; act: "read" | "write" | "delete" }[];
  readonly tools: readonly { tool: string; ok: boolean | null }[];
  readonly scripts: readonly SummaryScript[];
  readonly decisions: readonly SummaryDecision[];
  readonly approvals: readonly SummaryApproval[];
  readonly denials: readonly { tool: string; reason: string }[];
  readonly children: readonly { runId: string; skill: string; status: RunStatus | "unfinished" }[];
  readonly plan?: Plan;
  readonly usage: RunUsage;
  /** How often it went on after it was stopped or cut off. */
  readonly resumed: number;
}

interface SummarySkill {
  readonly name: string;
  readonly source: string;
  readonly digest: string;
  readonly by: "model" | "person";
}

interface SummaryScript {
  readonly skill: string;
  readonly script: string;
  readonly args: readonly string[];
  /** Null when it was cut off, or never came to run. */
  readonly exitCode: number | null;
  readonly ok: boolean;
}

interface SummaryDecision {
  readonly turn: number;
  readonly action: Action["action"] | "rejected";
  /** What it was for: names, a path, a tool. */
  readonly subject: string;
  readonly ok: boolean;
  readonly code?: string;
  /** The beginning of what came of it. */
  readonly summary: string;
  /** Of the whole. */
  readonly digest: string;
  readonly output?: string;
}

interface SummaryApproval {
  readonly request: string;
  readonly tool: string;
  /** Whose script it is; of other tools there are none of these. */
  readonly skill?: string;
  readonly script?: string;
  /** Of the skill. */
  readonly digest?: string;
  /** Null while nobody has decided. */
  readonly approved: boolean | null;
  readonly by: string;
}
