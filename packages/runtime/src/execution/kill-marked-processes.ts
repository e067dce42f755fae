import { readdirSync, readFileSync } from "node:fs";
import { sendSignal } from "./process-alive.ts";

export const RUN_MARKER = "SKILLWRIGHT_RUN";
const ROUNDS = 5;

/**
 * Ends processes that left the group of their script, known by a variable they inherited. A process
 * that clears its environment is not found: only a sandbox holds against one that wants to stay.
 */
export function killMarkedProcesses(marker: string): void {
  if (process.platform !== "linux") return;
  const wanted = `${RUN_MARKER}=${marker}\0`;
  // A process may start another while it is looked for.
  for (let round = 0; round < ROUNDS; round++) {
    const found = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && isMarked(pid, wanted));
    if (found.length === 0) return;
    for (const pid of found) sendSignal(Number(pid), "SIGKILL");
  }
}

function isMarked(pid: string, wanted: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").includes(wanted);
  } catch {
    return false;
  }
}
