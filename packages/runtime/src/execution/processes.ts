import { openSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

/** A file of the system; empty where it cannot be read: processes end, and systems differ. */
export function systemText(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}

/** The parent of a process that lives; undefined when it does not, or only its entry is left. */
export function parentOfProcess(pid: number): number | undefined {
  const stat = systemText(`/proc/${pid}/stat`);
  const [state = "", parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ["", "Z", "X"].includes(state) ? undefined : Number(parent);
}

export function childrenOfProcess(pid: number): readonly number[] {
  const text = systemText(`/proc/${pid}/task/${pid}/children`);
  return text.split(" ").filter(Boolean).map(Number);
}

/** Sends a signal, if the process still lives. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended already.
  }
}

const GONE_ATTEMPTS = 200;

export async function processGone(pid: number): Promise<void> {
  for (let i = 0; i < GONE_ATTEMPTS && parentOfProcess(pid) !== undefined; i++) await setTimeout(2);
}

export const RUN_MARKER = "SKILLWRIGHT_RUN";
const ROUNDS = 5;

/**
 * Ends processes that left the group of their script, found by a variable that they inherited. One that
 * clears its environment is not found: only a sandbox stops that.
 */
export function killMarkedProcesses(marker: string): void {
  if (process.platform !== "linux") return;
  const wanted = `${RUN_MARKER}=${marker}\0`;
  // A process may start another one meanwhile.
  for (let round = 0; round < ROUNDS; round++) {
    const found = readdirSync("/proc").filter(
      (pid) => /^\d+$/.test(pid) && systemText(`/proc/${pid}/environ`).includes(wanted),
    );
    if (found.length === 0) return;
    for (const pid of found) sendSignal(Number(pid), "SIGKILL");
  }
}

const CLOSE_ON_EXECUTE = 0o2000000;
let known: readonly number[] | undefined;
let nothing: number | undefined;

/**
 * What a child gets as its descriptors from `from` on. It must not inherit those that this process was
 * started with: an open folder would be a way out of a sandbox. Node closes only those before a gap.
 */
export function coverDescriptors(from: number): ("ignore" | number)[] {
  known ??= inheritedDescriptors();
  const leaking = known.filter((descriptor) => descriptor >= from);
  if (leaking.length === 0) return [];
  nothing ??= openSync("/dev/null", "r+");
  const cover = nothing;
  const last = Math.max(...leaking);
  return Array.from({ length: last - from + 1 }, (_, i) =>
    leaking.includes(from + i) ? cover : "ignore",
  );
}

function inheritedDescriptors(): readonly number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc/self/fd").flatMap((name) => {
    const flags = /^flags:\s*(\d+)/m.exec(systemText(`/proc/self/fdinfo/${name}`))?.[1];
    const isInherited = (Number.parseInt(flags ?? "", 8) & CLOSE_ON_EXECUTE) === 0;
    return Number(name) > 2 && flags !== undefined && isInherited ? [Number(name)] : [];
  });
}
