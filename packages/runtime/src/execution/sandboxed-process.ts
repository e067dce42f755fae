import { constants, release } from "node:os";
import { basename } from "node:path";
import { sandboxFiles, type SandboxFiles, type SandboxPlan } from "./sandbox-plan.ts";
import { makePlaceholders, type WritablePlaces } from "./control-files.ts";
import { journalControlFiles } from "./control-files-journal.ts";
import {
  type ExecutionContext,
  executionFailure,
  type ExecutionFailure,
  type ExecutionLimits,
} from "./executor.ts";
import { countOwnThreads, limitArguments, makeProcessCgroup } from "./limits.ts";
import {
  RELAY_PROCESSES,
  relayLimits,
  type SandboxNetwork,
  showCertificates,
} from "./network/sandbox-network.ts";
import { processGone } from "./processes.ts";
import { refuseNewControlFiles } from "./refuse-new-control-files.ts";
import { journalPlaceholders, removePlaceholders, sharedDirectory } from "./run-directory.ts";
import { type StartedSandbox, startBubblewrap, type StartOptions } from "./start-bubblewrap.ts";
import {
  type ChildEnd,
  openOutputPipes,
  superviseChild,
  type SuperviseOptions,
} from "./supervise-child.ts";
import { trustedProgram } from "./find-program.ts";

type SharedParts = "etc" | "writable" | "readOnly" | "network" | "temporaryBytes";
type Descriptors = "statusFd" | "blockFd" | "filterFd";

/** A script or a program, and what the sandbox shows it. */
export interface SandboxedProcess {
  /** Private folder of the run. */
  readonly directory: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly limits: Required<ExecutionLimits>;
  /** What is left of the limit. */
  readonly timeoutMs: number;
  readonly places: WritablePlaces;
  readonly network?: SandboxNetwork | undefined;
  readonly context: ExecutionContext;
  readonly stdin?: string | undefined;
  readonly spillDirectory?: string | undefined;
  plan(files: SandboxFiles): Omit<SandboxPlan, SharedParts | Descriptors>;
}

export interface SandboxedEnd {
  readonly end: ChildEnd;
  readonly unenforced: readonly string[];
  readonly failure?: ExecutionFailure;
}

const MAX_TEMPORARY_BYTES = 64 * 1024 * 1024;
const MAX_RESTARTS = 9;
/** Since this kernel, processes are counted for each user namespace by itself. */
const COUNTED_BY_NAMESPACE = [5, 14] as const;

/** Runs a command in bubblewrap, under its limits, until every process of it has ended. */
export async function runSandboxed(task: SandboxedProcess): Promise<SandboxedEnd> {
  const { directory, command, env, limits, places, network, stdin, spillDirectory } = task;
  const processes = limits.processes + (network === undefined ? 0 : RELAY_PROCESSES);
  const isRoot = process.getuid?.() === 0;
  const counted = isRoot ? undefined : { count: processCount(processes) };
  const limited = limitArguments(limits, counted);
  const unenforced = new Set([...limited.unenforced, ...places.unenforced]);
  if (places.writable.length > 0) unenforced.add("disk");

  journalPlaceholders(directory, places.placeholders);
  journalControlFiles(directory, places, limits.timeoutMs);
  makePlaceholders(places.placeholders);
  const files = sandboxFiles(sharedDirectory(directory));
  if (files.filter === undefined) unenforced.add("systemCalls");
  if (network !== undefined) showCertificates(files.etc);

  // The kernel does not limit the processes of root, a control group does. One more is bubblewrap's.
  const group = isRoot ? makeProcessCgroup(processes + 1) : undefined;
  const { sandbox, end } = await runBubblewrap(
    directory,
    {
      ...(files.filter === undefined ? {} : { filter: files.filter }),
      bubblewrap: trustedProgram("bwrap") ?? "",
      plan: {
        ...task.plan(files),
        etc: files.etc,
        writable: places.writable,
        readOnly: [...places.protectedPaths, ...places.placeholders],
        ...(network === undefined ? {} : { network: network.folder }),
        temporaryBytes: Math.min(limits.fileBytes, MAX_TEMPORARY_BYTES),
      },
      command: [
        // The relay has limits of its own: a script could make it do its work.
        ...(network === undefined ? [] : limitArguments(relayLimits(limits), counted).args),
        ...(network?.relay ?? []),
        ...limited.args,
        ...command,
      ],
      env: { ...env, ...network?.env },
      hasInput: stdin !== undefined,
      onChild: async (pid) => group?.add(pid),
    },
    {
      ...task.context,
      timeoutMs: task.timeoutMs,
      outputBytes: limits.outputBytes,
      ...(stdin === undefined ? {} : { stdin }),
      ...(spillDirectory === undefined ? {} : { spillDirectory }),
    },
  );
  if (sandbox.status.childPid !== undefined) await processGone(sandbox.status.childPid);
  if (group?.isUsed === true) unenforced.delete("processes");
  void group?.remove();
  removePlaceholders(directory);
  const failure =
    refuseNewControlFiles(places, basename(directory)) ?? sandboxFailure(sandbox, end);
  return {
    end: withScriptEnd(sandbox, end),
    unenforced: [...unenforced],
    ...(failure === undefined ? {} : { failure }),
  };
}

function processCount(limit: number): number {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  const [fromMajor, fromMinor] = COUNTED_BY_NAMESPACE;
  const isNew = major > fromMajor || (major === fromMajor && minor >= fromMinor);
  return isNew ? limit + 1 : limit + countOwnThreads();
}

/**
 * Starts bubblewrap and follows it to its end. A process that was just forked is still in the
 * terminal's group, where Ctrl-C ends it: one that ended before anything ran is started again.
 */
export async function runBubblewrap(
  directory: string,
  options: Omit<StartOptions, "pipes">,
  follow: Omit<SuperviseOptions, "pipes" | "terminate" | "kill">,
): Promise<{ readonly sandbox: StartedSandbox; readonly end: ChildEnd }> {
  for (let restarts = 0; ; restarts++) {
    const pipes = openOutputPipes(directory);
    const sandbox = startBubblewrap({ ...options, pipes });
    const end = await superviseChild(sandbox.child, {
      ...follow,
      pipes,
      terminate: () => sandbox.terminate(),
      kill: () => sandbox.kill(),
    });
    const wasStopped = end.timedOut || end.canceled || end.signal === null;
    if (wasStopped || sandbox.status.childPid !== undefined || restarts === MAX_RESTARTS) {
      return { sandbox, end };
    }
  }
}

/** Bubblewrap reports an exit code only for a command that ran. */
function sandboxFailure({ status }: StartedSandbox, end: ChildEnd): ExecutionFailure | undefined {
  const wasStopped = end.timedOut || end.canceled || end.signal !== null;
  if (status.exitCode !== undefined || wasStopped || end.startError !== undefined) return undefined;
  const why = end.stderr.text.trim().split("\n").at(-1) ?? "";
  return executionFailure("sandbox-failed", `the sandbox could not be set up: ${why}`);
}

/** The end of the command, where bubblewrap itself ended otherwise. */
function withScriptEnd({ status }: StartedSandbox, end: ChildEnd): ChildEnd {
  const exitCode = status.exitCode ?? end.exitCode;
  const number = (exitCode ?? 0) - 128;
  const [signal] = Object.entries(constants.signals).find(([, value]) => value === number) ?? [];
  return { ...end, exitCode, signal: end.signal ?? signal ?? null };
}
