import {
  argumentsProblem,
  type ResolvedLimits,
  resolveLimits,
  workingDirectory,
} from "../check-request.ts";
import { isBelow, writablePlaces, type WritablePlaces } from "../control-files.ts";
import { executionFailure, type ExecutionFailure } from "../executor.ts";
import { activePlaceholders } from "../run-directory.ts";
import type { ProgramRequest } from "./command-executor.ts";
import { findProgram, type FoundProgram } from "../find-program.ts";

export interface CheckedProgram {
  readonly ok: true;
  readonly program: FoundProgram;
  readonly args: readonly string[];
  readonly limits: ResolvedLimits;
  /** Real paths. */
  readonly root: string;
  readonly cwd: string;
  readonly places: WritablePlaces;
}

/** Everything that can be refused before a process is started. */
export function checkProgram(request: ProgramRequest): CheckedProgram | ExecutionFailure {
  const [name = "", ...args] = request.argv;
  const limits = resolveLimits(request.limits);
  if (!limits.ok) return limits;
  const problem = argumentsProblem(request.argv);
  if (problem !== undefined) return problem;
  const root = workingDirectory(request.root);
  if (!root.ok) return root;
  const cwd = workingDirectory(request.cwd);
  if (!cwd.ok) return cwd;
  const isInside = root.path !== undefined && isBelow(root.path, cwd.path ?? "/");
  // What was approved names the folder; behind a link it may be another one by now.
  if (root.path === undefined || !isInside || cwd.path !== request.cwd) {
    const message = `commands cannot run in ${JSON.stringify(request.cwd)}: it is not below the working directory, or lies behind a link`;
    return executionFailure("working-directory-refused", message);
  }
  const program = findProgram(name);
  if (!program.ok) return program;
  const { writable = [] } = request;
  const active: ReadonlySet<string> = writable.length === 0 ? new Set() : activePlaceholders();
  const places = writablePlaces(root.path, writable, (path) => active.has(path));
  if (!places.ok) return places;
  return {
    ok: true,
    program,
    args,
    limits: limits.limits,
    root: root.path,
    cwd: cwd.path,
    places,
  };
}
