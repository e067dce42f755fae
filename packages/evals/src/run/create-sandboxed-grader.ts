import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Executor } from "@skillwright/runtime";
import type { GraderRequest, GraderRun, RunGrader } from "../checks/run-grader.ts";
import { stageGrader } from "./stage-grader.ts";

/**
 * Graders run like scripts of a skill: from a private copy of their folder, without network, and what they
 * write into the working directory of the trial is not kept.
 */
export function createSandboxedGrader(executor: Executor): RunGrader {
  return async (request) => {
    const folder = await mkdtemp(join(tmpdir(), "skillwright-grader-"));
    try {
      const staged = await stageGrader(request.file, folder);
      return staged.ok ? await runStaged(executor, folder, staged.script, request) : staged;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

async function runStaged(
  executor: Executor,
  folder: string,
  script: string,
  { args, stdin, directory, timeoutMs, signal }: GraderRequest,
): Promise<GraderRun> {
  const receipt = await executor.run(
    {
      skill: { name: "grader", path: folder },
      script,
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
}
