import {
  coverOf,
  SANDBOX_HOME,
  SANDBOX_SKILL,
  SANDBOX_TEMPORARY,
  SANDBOX_TYPESCRIPT,
} from "./sandbox-plan.ts";
import type { BubblewrapOptions } from "./bubblewrap-options.ts";
import { cleanEnvironment } from "./clean-environment.ts";
import { NO_PLACES, writablePlaces, type WritablePlaces } from "./control-files.ts";
import { type ExecutionFailure, type ExecutionReceipt, refusedReceipt } from "./executor.ts";
import { finishReceipt } from "./finish-receipt.ts";
import { openSandboxNetwork, type SandboxNetwork } from "./network/sandbox-network.ts";
import { commandOf, prepareRun, pythonPathOf } from "./prepare-run.ts";
import { activePlaceholders } from "./run-directory.ts";
import type { RunTask } from "./run-task.ts";
import { runSandboxed } from "./sandboxed-process.ts";
import { secretsIn } from "./check-request.ts";

/** One run, from the snapshot to the receipt. */
export async function runInBubblewrap(task: RunTask<BubblewrapOptions>): Promise<ExecutionReceipt> {
  const { directory, options, checked } = task;
  if (checked.domains.length === 0) return runWith(task, undefined);
  const network = await openSandboxNetwork(directory, {
    domains: checked.domains,
    admission: options.admission ?? {},
    ...(options.interpreters === undefined ? {} : { interpreters: options.interpreters }),
  });
  try {
    return await runWith(task, network);
  } finally {
    network.close();
  }
}

async function runWith(
  task: RunTask<BubblewrapOptions>,
  network: SandboxNetwork | undefined,
): Promise<ExecutionReceipt> {
  const { request, checked, directory, context, options } = task;
  const { limits, cwd } = checked;
  const refuse = (failure: ExecutionFailure) => refusedReceipt("bubblewrap", failure);
  const started = performance.now();
  const prepared = await prepareRun(request, checked, directory, {
    ...options,
    signal: context.signal,
  });
  if (!prepared.ok) return refuse(prepared);
  const { snapshot, interpreter, typescript, timeoutMs } = prepared;
  const environment = cleanEnvironment(
    {
      home: SANDBOX_HOME,
      temporary: SANDBOX_TEMPORARY,
      skillDirectory: SANDBOX_SKILL,
      skillName: request.skill.name,
      pythonPath: pythonPathOf(prepared, SANDBOX_SKILL),
    },
    request.env,
  );
  if (!environment.ok) return refuse(environment);
  const places = placesOf(task);
  if (!places.ok) return refuse(places);

  const command = commandOf(prepared, checked, request.args, {
    skill: SANDBOX_SKILL,
    ...(typescript === undefined ? {} : { typescript: SANDBOX_TYPESCRIPT }),
  });
  const secrets = cwd === undefined || options.secretFiles === "visible" ? [] : secretsIn(cwd);
  const { end, unenforced, failure } = await runSandboxed({
    directory,
    command,
    env: environment.env,
    limits,
    timeoutMs,
    places,
    network,
    context,
    stdin: request.stdin,
    spillDirectory: request.spillDirectory,
    plan: (files) => ({
      skill: snapshot.directory,
      ...(typescript === undefined ? {} : { typescript }),
      ...(cwd === undefined ? {} : { cwd }),
      hidden: secrets.flatMap((path) => coverOf(path, files)),
      binds: [...new Set([...interpreter.binds, ...(network?.binds ?? [])])],
    }),
  });
  return finishReceipt(end, {
    sandbox: "bubblewrap",
    digest: snapshot.digest,
    command,
    unenforced,
    durationMs: performance.now() - started,
    script: checked.script,
    interpreter: interpreter.name,
    timeoutMs: limits.timeoutMs,
    usesEnvironment: request.virtualEnvironment !== undefined,
    skillFiles: snapshot.files,
    ...(network === undefined ? {} : { network: network.uses() }),
    ...(failure === undefined ? {} : { failure }),
  });
}

function placesOf({
  request: { writable = [] },
  checked: { cwd },
}: RunTask<BubblewrapOptions>): WritablePlaces | ExecutionFailure {
  // A fresh directory is all the script's own.
  if (cwd === undefined || writable.length === 0) return NO_PLACES;
  const active = activePlaceholders();
  return writablePlaces(cwd, writable, (path) => active.has(path));
}
