import type { Times } from "../parse/measure-rounds.ts";
import { timesOf } from "../scan/measure-scan.ts";
import { runNode } from "../scan/run-process.ts";

/** A command line of Node, each time started anew. */
export interface Start {
  readonly name: string;
  readonly args: readonly string[];
}

export interface StartOptions {
  readonly cwd: string;
  readonly rounds: number;
}

/** Each once per round, by turns, after one of each that is not counted. */
export function measureStarts(starts: readonly Start[], { cwd, rounds }: StartOptions): Times[] {
  const once = ({ args }: Start) => runNode(args, { cwd, quiet: true }).milliseconds;
  for (const start of starts) once(start);
  const all = Array.from({ length: rounds }, () => starts.map(once));
  return starts.map(({ name }, i) =>
    timesOf(
      name,
      all.map((round) => round[i] ?? Number.NaN),
    ),
  );
}
