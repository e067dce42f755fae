import { basename, dirname } from "node:path";
import type { Executor } from "@skillwright/runtime";
import type { RunGrader } from "../checks/run-grader.ts";

/**
 * Graders run like scripts of a skill: from a private copy of their folder, without network, and what they
 * write into the working directory of the trial is not kept.
 */
export function createSandboxedGrader(executor: Executor): RunGrader {
  return async ({ file, args, stdin, directory, timeoutMs, signal }) => {
    const receipt = await executor.run(
      {
        skill: { name: "grader", path: dirname(file) },
        script: basename(file),
        args,
        cwd: directory,
        stdin,
        limits: { timeoutMs },
        network: "none",
        writable: [],
      },
      signal === undefined ? {} : { signal },
    );
    const { exitCode, stdout, stderr, failure, timedOut } = receipt;
    // A script that ends with another code than 0 has said something; one that never ran has not.
    if (timedOut || (failure !== undefined && failure.code !== "script-failed")) {
      const message = failure?.message ?? "the grader took longer than it may";
      return { ok: false, code: failure?.code ?? "timed-out", message };
    }
    return { ok: true, exitCode, stdout, stderr };
  };
}
