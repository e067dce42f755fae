import { realpathSync } from "node:fs";
import { coverOf, SANDBOX_HOME, SANDBOX_TEMPORARY, type SandboxFiles } from "../sandbox-plan.ts";
import { isBelow } from "../control-files.ts";
import type { ExecutionReceipt } from "../executor.ts";
import { runSandboxed } from "../sandboxed-process.ts";
import { secretsIn } from "../check-request.ts";
import { programEnvironment, programReceipt, type ProgramTask } from "../clean-environment.ts";

/** What the sandbox shows besides the working directory. */
const SYSTEM_FOLDERS = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

/** One program in the sandbox that scripts get, with nothing where their skill would be. */
export async function runProgramInBubblewrap(task: ProgramTask): Promise<ExecutionReceipt> {
  const { program, args, limits, root, cwd, places } = task.checked;
  const started = performance.now();
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
      hidden: hiddenPlaces(task, files),
      binds: program.binds,
    }),
  });
  return programReceipt(end, task, {
    sandbox: "bubblewrap",
    unenforced,
    durationMs: performance.now() - started,
    ...(failure === undefined ? {} : { failure }),
  });
}

/** Secrets, and what must not be seen, as far as the sandbox would show it. */
function hiddenPlaces({ checked: { root, cwd }, hidden }: ProgramTask, files: SandboxFiles) {
  const secrets = [...new Set([root, cwd])].flatMap(secretsIn);
  const shown = [root, ...SYSTEM_FOLDERS.flatMap(realFolder)];
  const visible = hidden.filter((path) => shown.some((folder) => isBelow(folder, path)));
  return [...new Set([...secrets, ...visible])].flatMap((path) => coverOf(path, files));
}

function realFolder(path: string): readonly string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}
