import { realpathSync } from "node:fs";
import { basename, isAbsolute } from "node:path";
import { executionFailure, type ExecutionFailure } from "./executor.ts";
import { trustedProgram } from "./trusted-program.ts";

export interface FoundProgram {
  readonly ok: true;
  readonly name: string;
  readonly program: string;
  /** What a sandbox must show beyond the system's own folders. */
  readonly binds: readonly string[];
}

/**
 * The program of a command, in a folder that only the system's owner can change. One of the working
 * directory is never started by its path: whoever can write there would choose what runs.
 */
export function findProgram(given: string): FoundProgram | ExecutionFailure {
  const name = basename(given);
  const isPath = given.includes("/");
  const found = name === "" || name === "." || name === ".." ? undefined : trustedProgram(name);
  if (found !== undefined && (!isPath || isSame(given, found))) return foundProgram(name, found);
  if (name === "node" && (!isPath || isSame(given, process.execPath))) return runningNode();
  const shown = JSON.stringify(given.slice(0, 200));
  return executionFailure(
    "program-missing",
    `there is no program ${shown} in a folder of the system`,
    isPath
      ? 'Programs of the working directory are not started by their path; name what runs them, such as "bash" or "node", and give the path as an argument.'
      : given === "python" && trustedProgram("python3") !== undefined
        ? 'Use "python3".'
        : "Install it for the whole system, or use another program.",
  );
}

/** Many systems have Python as `python3` only. Policy and approvals must see this command. */
export function withActualProgram(argv: readonly string[]): readonly string[] {
  const isElsewhere =
    argv[0] === "python" &&
    trustedProgram("python") === undefined &&
    trustedProgram("python3") !== undefined;
  return isElsewhere ? ["python3", ...argv.slice(1)] : argv;
}

/** This Node, which is trusted already since it runs us. */
export function runningNode(): FoundProgram {
  return foundProgram("node", realpathSync(process.execPath));
}

function foundProgram(name: string, program: string): FoundProgram {
  const real = realpathSync(program);
  return { ok: true, name, program, binds: isOfSystem(real) ? [] : [real] };
}

export function isOfSystem(program: string): boolean {
  return /^\/(?:usr|bin|sbin|lib|lib64)\//.test(program);
}

function isSame(given: string, found: string): boolean {
  try {
    return isAbsolute(given) && realpathSync(given) === realpathSync(found);
  } catch {
    return false;
  }
}
