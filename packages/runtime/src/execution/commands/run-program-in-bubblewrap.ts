import { lstatSync, realpathSync } from "node:fs";
import { basename } from "node:path";
import { SANDBOX_HOME, SANDBOX_TEMPORARY } from "../bubblewrap-arguments.ts";
import { isBelow, makePlaceholders } from "../control-files.ts";
import { journalControlFiles } from "../control-files-journal.ts";
import type { ExecutionReceipt } from "../execution-receipt.ts";
import { limitArguments } from "../limit-arguments.ts";
import { openOutputPipes } from "../output-pipes.ts";
import { processGone } from "../process-alive.ts";
import { makeProcessCgroup } from "../process-cgroup.ts";
import { refuseNewControlFiles } from "../refuse-new-control-files.ts";
import { journalPlaceholders, removePlaceholders, sharedDirectory } from "../run-directory.ts";
import { processCount, sandboxFailure, withScriptEnd } from "../run-in-bubblewrap.ts";
import { type SandboxFiles, sandboxFiles } from "../sandbox-files.ts";
import { startBubblewrap } from "../start-bubblewrap.ts";
import { superviseChild } from "../supervise-child.ts";
import { trustedProgram } from "../trusted-program.ts";
import { secretsIn } from "../working-directory.ts";
import { programEnvironment, programReceipt, type ProgramTask } from "./program-task.ts";

const MAX_TEMPORARY_BYTES = 64 * 1024 * 1024;
/** What the sandbox shows besides the working directory. */
const SYSTEM_FOLDERS = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

/** One program in the sandbox that scripts get, with nothing where their skill would be. */
export async function runProgramInBubblewrap(task: ProgramTask): Promise<ExecutionReceipt> {
  const { checked, directory, context } = task;
  const { program, args, limits, root, cwd, places } = checked;
  const started = performance.now();
  const isRoot = process.getuid?.() === 0;
  const group = isRoot ? makeProcessCgroup(limits.processes + 1) : undefined;
  const limited = limitArguments(
    limits,
    isRoot ? undefined : { count: processCount(limits.processes) },
  );
  const unenforced = new Set(limited.unenforced);
  if (places.writable.length > 0) unenforced.add("disk");
  for (const name of places.unenforced) unenforced.add(name);

  journalPlaceholders(directory, places.placeholders);
  journalControlFiles(directory, places, limits.timeoutMs);
  makePlaceholders(places.placeholders);
  const files = sandboxFiles(sharedDirectory(directory));
  if (files.filter === undefined) unenforced.add("systemCalls");
  const pipes = openOutputPipes(directory);
  const sandbox = startBubblewrap({
    pipes,
    ...(files.filter === undefined ? {} : { filter: files.filter }),
    bubblewrap: trustedProgram("bwrap") ?? "",
    plan: {
      skill: files.emptyFolder,
      etc: files.etc,
      cwd: root,
      start: cwd,
      writable: places.writable,
      readOnly: [...places.protectedPaths, ...places.placeholders],
      hidden: hiddenPlaces(task, files),
      binds: program.binds,
      temporaryBytes: Math.min(limits.fileBytes, MAX_TEMPORARY_BYTES),
    },
    command: [...limited.args, program.program, ...args],
    env: programEnvironment({ home: SANDBOX_HOME, temporary: SANDBOX_TEMPORARY }),
    hasInput: false,
    onChild: async (pid) => group?.add(pid),
  });
  const end = await superviseChild(sandbox.child, {
    ...context,
    pipes,
    timeoutMs: limits.timeoutMs,
    outputBytes: limits.outputBytes,
    terminate: () => sandbox.terminate(),
    kill: () => sandbox.kill(),
  });
  if (sandbox.status.childPid !== undefined) await processGone(sandbox.status.childPid);
  if (group?.isUsed === true) unenforced.delete("processes");
  void group?.remove();
  removePlaceholders(directory);
  const failure =
    refuseNewControlFiles(places, basename(directory)) ?? sandboxFailure(sandbox, end);
  return programReceipt(withScriptEnd(sandbox, end), task, {
    sandbox: "bubblewrap",
    unenforced: [...unenforced],
    durationMs: performance.now() - started,
    ...(failure === undefined ? {} : { failure }),
  });
}

/** Secrets, and what must not be seen, as far as the sandbox would show it. */
function hiddenPlaces(
  { checked: { root, cwd }, hidden }: ProgramTask,
  { emptyFile, emptyFolder }: SandboxFiles,
): readonly { readonly path: string; readonly by: string }[] {
  const secrets = [...new Set([root, cwd])].flatMap(secretsIn);
  const shown = [root, ...SYSTEM_FOLDERS.flatMap(realFolder)];
  const visible = hidden.filter((path) => shown.some((folder) => isBelow(folder, path)));
  return [...new Set([...secrets, ...visible])].flatMap((path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    // Nothing can be mounted over a link; what it leads to is hidden by its own path.
    if (stats === undefined || stats.isSymbolicLink()) return [];
    return [{ path, by: stats.isDirectory() ? emptyFolder : emptyFile }];
  });
}

function realFolder(path: string): readonly string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}
