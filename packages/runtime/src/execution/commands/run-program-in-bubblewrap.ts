import { realpathSync } from "node:fs";
import { SANDBOX_HOME, SANDBOX_TEMPORARY } from "../bubblewrap-arguments.ts";
import { isBelow } from "../control-files.ts";
import type { ExecutionReceipt } from "../execution-receipt.ts";
import { coverOf } from "../sandbox-files.ts";
import { runSandboxed } from "../sandboxed-process.ts";
import { secretFilesIn } from "../../workspace/confinement/protected-files.ts";
import { programEnvironment, programReceipt, type ProgramTask } from "./program-task.ts";

/** What the sandbox shows besides the working directory. */
const SYSTEM_FOLDERS = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

/** One program in the sandbox that scripts get, with nothing where their skill would be. */
export async function runProgramInBubblewrap(task: ProgramTask): Promise<ExecutionReceipt> {
  const { program, args, limits, root, cwd, places } = task.checked;
  const started = performance.now();
  const secrets = secretFilesIn(root);
  const { end, unenforced, failure } = await runSandboxed({
    directory: task.directory,
    command: [program.program, ...args],
    env: programEnvironment({ home: SANDBOX_HOME, temporary: SANDBOX_TEMPORARY }),
    limits,
    timeoutMs: limits.timeoutMs,
    places,
    context: task.context,
    plan: (files) => ({
      skill: files.emptyFolder,
      cwd: root,
      start: cwd,
      hidden: [...secrets.paths, ...visibleOf(task)].flatMap((path) => coverOf(path, files)),
      binds: program.binds,
    }),
  });
  return programReceipt(end, task, {
    sandbox: "bubblewrap",
    unenforced: secrets.isComplete ? unenforced : [...unenforced, "secretFiles"],
    durationMs: performance.now() - started,
    ...(failure === undefined ? {} : { failure }),
  });
}

/** What must not be seen, as far as the sandbox would show it. */
function visibleOf({ checked: { root }, hidden }: ProgramTask): readonly string[] {
  const shown = [root, ...SYSTEM_FOLDERS.flatMap(realFolder)];
  return [...new Set(hidden)].filter((path) => shown.some((folder) => isBelow(folder, path)));
}

function realFolder(path: string): readonly string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}
