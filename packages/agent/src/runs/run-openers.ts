import type { Failure } from "@skillwright/core";
import type { RunResume } from "../events/run-event.ts";
import type { OpenRunOptions } from "./open-run-options.ts";
import type { Run, RunOptions } from "./run.ts";
import type { RunLog } from "./run-log.ts";

/** How runs begin and go on: a child does as its parent did. */
export interface RunOpeners {
  readonly openRun: (options: OpenRunOptions, empty?: RunLog) => Promise<Run>;
  readonly reopenRun: (
    log: RunLog,
    options: ReopenRunOptions,
    resume: Omit<RunResume, "means">,
  ) => Promise<ReopenResult>;
}

export type ReopenRunOptions = Omit<OpenRunOptions, "request"> &
  Pick<RunOptions, "store" | "approve">;

export type ReopenResult = { readonly ok: true; readonly run: Run } | Failure;
