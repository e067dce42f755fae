import type { ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { childrenOfProcess, sendSignal } from "./processes.ts";
import { bubblewrapArguments, DESCRIPTORS, type SandboxPlan } from "./sandbox-plan.ts";
import {
  type ChildEnd,
  startChild,
  type StartedChild,
  superviseChild,
  type SuperviseOptions,
} from "./supervise-child.ts";
import { trustedProgram } from "./trusted-program.ts";

/**
 * Bubblewrap binds itself to its parent only after it was started, and its first process only after
 * the mounts are made: a parent that is killed in between would leave them behind. So a shell starts
 * it beside a watcher, which kills their process group once this process no longer holds the other
 * end of the pipe. Bubblewrap and its first process never leave that group. Where a signal ended
 * bubblewrap itself, such as SIGPIPE when its status is no longer read, its first process may
 * still wait for it: then the shell ends what is left of the group. The name of the shell is the file
 * by which it joins the control group, where there is one.
 */
const GUARD = `
unset PWD OLDPWD SHLVL _
case $0 in /*) { echo 0 > "$0"; } 2>/dev/null ;; esac
{ read -r _; kill -9 0; } <&${DESCRIPTORS.life} >/dev/null 2>&1 ${Object.values(DESCRIPTORS)
  .map((descriptor) => `${descriptor}>&-`)
  .join(" ")} &
"$@" ${DESCRIPTORS.life}>&-
code=$?
if [ $code -gt 128 ]; then
  for stat in /proc/[0-9]*/stat; do
    { read -r line < "$stat"; } 2>/dev/null || continue
    set -- \${line##*) }
    pid=\${stat#/proc/}
    pid=\${pid%/stat}
    if [ "$3" = $$ ] && [ $pid != $$ ]; then kill -9 $pid 2>/dev/null; fi
  done
fi
{ kill -9 $!; wait; } 2>/dev/null
exit $code`;

export interface BubblewrapRun {
  readonly bubblewrap: string;
  readonly plan: SandboxPlan;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Private folder of the run. */
  readonly directory: string;
  readonly hasInput?: boolean;
  /** File by which the sandbox joins its control group. */
  readonly group?: string | undefined;
  /** Called with the first process of the sandbox before anything runs in it. Must not throw. */
  readonly onChild?: (pid: number) => void;
}

export interface StartedSandbox extends StartedChild {
  /** What bubblewrap tells about itself, apart from the script's own output. */
  readonly status: {
    /** The first process of the sandbox, whose end is the end of all others in it. */
    readonly childPid?: number;
    /** Absent when the script never ran. */
    readonly exitCode?: number;
  };
  terminate(): void;
  kill(): void;
}

/**
 * Starts a command in a sandbox. The clean environment is that of bubblewrap itself: what it would
 * only clear for the script, the script could read from its parent.
 */
export function startBubblewrap(run: BubblewrapRun): StartedSandbox {
  const { bubblewrap, plan, env, directory, hasInput = false, group, onChild } = run;
  const session = trustedProgram("setsid");
  const command = session === undefined ? run.command : [session, ...run.command];
  const filter = plan.files.filter === undefined ? undefined : openSync(plan.files.filter, "r");
  const started = startChild(
    [
      [trustedProgram("sh") ?? "/bin/sh", "-c", GUARD, group ?? "sandbox"],
      [...(plan.view?.prefix ?? []), bubblewrap],
      [...bubblewrapArguments(plan, session !== undefined), "--", ...command],
    ].flat(),
    { cwd: "/", env, hasInput, directory, more: ["pipe", "pipe", filter ?? "ignore", "pipe"] },
  );
  if (filter !== undefined) closeSync(filter);
  const { child } = started;
  const block = child.stdio[DESCRIPTORS.block] as Writable | null | undefined;
  block?.on("error", () => {});
  const depth = plan.view === undefined ? 2 : 3;
  const status: { childPid?: number; exitCode?: number } = {};
  let text = "";
  const stream = child.stdio[DESCRIPTORS.status] as Readable | null | undefined;
  stream?.on("error", () => {});
  stream?.on("data", (chunk: Buffer) => {
    // The script cannot write here; a few lines are all there is.
    text = (text + chunk.toString("latin1")).slice(0, 4096);
    const code = /"exit-code": (\d+)[^\d]/.exec(text)?.[1];
    if (code !== undefined) status.exitCode = Number(code);
    if (status.childPid !== undefined || !/"child-pid": \d+[^\d]/.test(text)) return;
    // In a view, bubblewrap counts processes of another namespace.
    const pid = descendantAt(child.pid ?? 0, depth);
    if (pid === undefined) return;
    status.childPid = pid;
    onChild?.(pid);
    block?.end("x");
  });
  /** Only while bubblewrap lives is the number still that of its child. */
  const first = () => {
    const { childPid } = status;
    return childPid === descendantAt(child.pid ?? 0, depth) ? childPid : undefined;
  };
  return {
    ...started,
    status,
    terminate() {
      const pid = first();
      const scripts = pid === undefined ? [] : childrenOfProcess(pid);
      for (const script of scripts) sendSignal(script, "SIGTERM");
      if (scripts.length === 0) this.kill();
    },
    kill() {
      const pid = first();
      if (pid !== undefined) sendSignal(pid, "SIGKILL");
      else if (child.exitCode === null && child.signalCode === null) killGroup(child);
    },
  };
}

/**
 * The first process of the sandbox: the shell that guards it starts bubblewrap, by way of nsenter
 * where it joins a view, and bubblewrap has no other child. Counted in our namespace, where the
 * number that bubblewrap reports may mean nothing.
 */
function descendantAt(pid: number, depth: number): number | undefined {
  if (depth === 0) return pid;
  for (const child of childrenOfProcess(pid)) {
    const found = descendantAt(child, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Before it has reported the number of its child, that one waits for it and does not yet die with it; but
 * it is still in the group that `detached` made.
 */
function killGroup(child: ChildProcess): void {
  if (child.pid !== undefined) sendSignal(-child.pid, "SIGKILL");
  child.kill("SIGKILL");
}

const MAX_RESTARTS = 9;

/**
 * Starts bubblewrap and follows it to its end. A process that was just forked is still in the
 * terminal's group, where Ctrl-C ends it: one that ended before anything ran is started again.
 */
export async function runBubblewrap(
  run: BubblewrapRun,
  follow: Omit<SuperviseOptions, "terminate" | "kill">,
): Promise<{ readonly status: StartedSandbox["status"]; readonly end: ChildEnd }> {
  for (let restarts = 0; ; restarts++) {
    const sandbox = startBubblewrap(run);
    const { status } = sandbox;
    const end = await superviseChild(sandbox, {
      ...follow,
      terminate: () => sandbox.terminate(),
      kill: () => sandbox.kill(),
    });
    const wasStopped = end.timedOut || end.canceled || end.signal === null;
    if (wasStopped || status.childPid !== undefined || restarts === MAX_RESTARTS) {
      return { status, end };
    }
  }
}
