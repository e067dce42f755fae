import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

const GONE_ATTEMPTS = 200;

/** The parent of a process that lives; undefined when it does not, or only its entry is left. */
export function parentOfProcess(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state === "Z" || state === "X" ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}

export function childrenOfProcess(pid: number): readonly number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1");
    return text.split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Sends a signal; a process that is gone is no error. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended already.
  }
}

export async function processGone(pid: number): Promise<void> {
  for (let i = 0; i < GONE_ATTEMPTS && parentOfProcess(pid) !== undefined; i++) await setTimeout(2);
}
