import { median, type Times } from "../parse/measure-rounds.ts";
import { runNode } from "./run-process.ts";
import { type BenchProject, CACHE_FOLDER } from "./skill-roots.ts";
import type { Task, WorkerResult } from "./worker.ts";

export interface Measurement {
  readonly name: string;
  readonly task: Task | "openskills";
  readonly project: BenchProject;
  /** For the task that opens another root first. */
  readonly other?: BenchProject;
}

export interface Measured extends Times {
  /** The main thread's time on a processor. */
  readonly busy: Times;
  /** The whole process, Node's own start included. */
  readonly process: Times;
  readonly skills: number;
}

export interface ScanOptions {
  readonly worker: string;
  /** The command line of openskills. */
  readonly openskills: string;
  readonly rounds: number;
}

/** Each measurement once per round, each time in a fresh process; a text says why one failed. */
export function measureScan(
  measurements: readonly Measurement[],
  options: ScanOptions,
): (Measured | string)[] {
  const rounds = Array.from({ length: options.rounds }, () =>
    measurements.map((measurement) => tryOnce(measurement, options)),
  );
  return measurements.map(({ name }, i) => {
    const all = rounds.map((round) => round[i] ?? "nothing was measured");
    const failure = all.find((once) => typeof once === "string");
    if (failure !== undefined) return failure;
    const own = all.filter((once) => typeof once !== "string");
    const times = (key: "milliseconds" | "busy" | "whole") =>
      timesOf(
        name,
        own.map((once) => once[key]),
      );
    const skills = own[0]?.skills ?? 0;
    return { ...times("milliseconds"), busy: times("busy"), process: times("whole"), skills };
  });
}

export function runWorker(
  worker: string,
  task: Task,
  { root }: BenchProject,
  { flags = [], other }: { flags?: readonly string[]; other?: BenchProject | undefined } = {},
): WorkerResult & { readonly whole: number } {
  const rest = other === undefined ? [] : [other.root];
  const { stdout, milliseconds } = runNode([...flags, worker, task, root, CACHE_FOLDER, ...rest]);
  return { ...(JSON.parse(stdout) as WorkerResult), whole: milliseconds };
}

export function timesOf(name: string, rounds: readonly number[]): Times {
  return { name, rounds, median: median(rounds) };
}

function tryOnce({ task, project, other }: Measurement, { worker, openskills }: ScanOptions) {
  try {
    if (task !== "openskills") return runWorker(worker, task, project, { other });
    const { milliseconds } = runNode([openskills, "list"], { cwd: project.folder, quiet: true });
    return { milliseconds, busy: Number.NaN, whole: milliseconds, skills: project.count };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
