import { readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { hasProcessEnded } from "@skillwright/core";
import { parseHolder } from "./lock-holder.ts";
import { readPlainFile } from "../files/read-plain-file.ts";
import { RootRefusal } from "../root-refusal.ts";
import { takeLock } from "./take-lock.ts";

export interface WaitForLockOptions {
  readonly patienceMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called once, when somebody else has the lock. */
  readonly onWait?: ((pid: number | undefined) => void) | undefined;
}

const STEP_MS = 25;

/** The way to give the lock back. Throws a refusal when its holder does not do so in time. */
export async function waitForLock(
  file: string,
  { patienceMs, signal, onWait }: WaitForLockOptions,
): Promise<() => void> {
  const end = performance.now() + patienceMs;
  for (let hasToldSo = false; ; hasToldSo = true) {
    signal?.throwIfAborted();
    const lock = takeLock(file);
    if (lock.isTaken) {
      removeLeftovers(file);
      return lock.release;
    }
    if (!hasToldSo) onWait?.(lock.holder?.pid);
    if (performance.now() >= end) throw busy(lock.file, lock.holder?.pid);
    await setTimeout(STEP_MS, undefined, signal && { signal }).catch(() => {});
  }
}

/**
 * What processes that were killed while taking the lock left. Nobody wins by them any more: they
 * would have to find the token of a holder who is gone in the lock that is now ours.
 */
function removeLeftovers(file: string): void {
  const folder = dirname(file);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const isLeft =
      name.startsWith(`${basename(file)}.after-`) ||
      (name.startsWith(`${basename(file)}.new-`) && isOfEnded(path));
    if (isLeft) rmSync(path, { force: true, recursive: true });
  }
}

function isOfEnded(file: string): boolean {
  try {
    const holder = parseHolder(readPlainFile(file) ?? "");
    return holder !== undefined && hasProcessEnded(holder);
  } catch {
    return false;
  }
}

function busy(file: string, pid: number | undefined): RootRefusal {
  const who = pid === undefined ? "somebody" : `process ${pid}`;
  return new RootRefusal(`${who} is changing it and holds ${file}`, {
    code: "root-busy",
    hint: `wait for it and try again; if no such process is running, remove ${file}`,
  });
}
