import { lstatSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { AuditError, forgetAudit } from "@skillwright/runtime";
import { isRunId } from "./run-folder.ts";

interface Place {
  /** The name of a record in the folder of its run. */
  readonly recordFile: string;
  readonly stateDirectory: string;
}

/** No name of a run begins like this. */
const REMOVED = ".removed-";

/**
 * Removes a run; false when somebody writes its record. It is there as a whole or not at all: first
 * its folder goes out of the way, then what is known of its record, then its files.
 */
export function removeRun(folder: string, { recordFile, stateDirectory }: Place): boolean {
  const removed = join(dirname(folder), `${REMOVED}${basename(folder)}`);
  try {
    forgetAudit(join(folder, recordFile), {
      stateDirectory,
      before() {
        rmSync(removed, { recursive: true, force: true });
        renameSync(folder, removed);
      },
    });
  } catch (error) {
    if (AuditError.isInstance(error) && error.code === "audit-locked") return false;
    if (isThere(removed) && !isThere(folder)) renameSync(removed, folder);
    throw error;
  }
  rmSync(removed, { recursive: true, force: true });
  return true;
}

/** What is left of runs whose removal was cut off. */
export function removeRemains(runs: string, { recordFile, stateDirectory }: Place): void {
  for (const name of readdirSync(runs)) {
    const runId = name.startsWith(REMOVED) ? name.slice(REMOVED.length) : "";
    if (!isRunId(runId)) continue;
    const folder = join(runs, runId);
    if (!isThere(folder)) forgetAudit(join(folder, recordFile), { stateDirectory });
    rmSync(join(runs, name), { recursive: true, force: true });
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
