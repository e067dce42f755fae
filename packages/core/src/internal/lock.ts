import { readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { crypto, linkNew, makeFolder, readIfPresent } from "./files.ts";
import {
  hasProcessEnded,
  ownIdentity,
  parseIdentity,
  type ProcessIdentity,
} from "./process-identity.ts";

/** Held, with the way to release it; or held by another process, unknown when its file is unreadable. */
export type LockAttempt =
  | { readonly ok: true; readonly release: () => void }
  | { readonly ok: false; readonly file: string; readonly holder?: ProcessIdentity };

export interface LockOptions {
  /** How long to wait for the holder. */
  readonly patienceMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called once, when another process holds the lock. */
  readonly onWait?: ((holder: ProcessIdentity | undefined) => void) | undefined;
}

interface Holder extends ProcessIdentity {
  /** Unique to one taking of the lock. */
  readonly token: string;
}

const TOKEN = /^[0-9a-f-]{36}$/;
const MAX_BYTES = 64 * 1024;
/** More dead holders behind each other than kills leave: files that someone planted may form a circle. */
const MAX_DEPTH = 8;
/** Not the same for all, so that those who wait do not come together each time. */
const pauseMs = () => 2 + 10 * Math.random();

/**
 * One attempt at a lock file. The file appears whole, by a hard link.
 *
 * A lock whose process has ended is taken over, by one of many who try: the one that holds a second
 * lock, named after the token in the first, and then still finds that token there. Only the holder of
 * the second lock replaces the dead one, so what it checked stays true until the rename. The second
 * lock is taken in the same way, should its holder have ended as well.
 */
export function takeLock(file: string): LockAttempt {
  // Nearly always this is all there is to do for those who wait.
  const holder = readHolder(file);
  if (typeof holder === "object" && !hasProcessEnded(holder)) return { ok: false, file, holder };
  makeFolder(dirname(file));
  const attempt = tryLock(file, file);
  if (attempt.ok) removeLeftovers(file);
  return attempt;
}

/** Whether a process that may be running holds the lock. */
export function isLockHeld(file: string): boolean {
  const holder = readHolder(file);
  return holder === "unreadable" || (holder !== undefined && !hasProcessEnded(holder));
}

/** Waits for the lock. The last failed attempt is returned when the patience ends. */
export async function waitForLock(
  file: string,
  { patienceMs, signal, onWait }: LockOptions,
): Promise<LockAttempt> {
  const end = performance.now() + patienceMs;
  for (let isFirst = true; ; isFirst = false) {
    signal?.throwIfAborted();
    const attempt = takeLock(file);
    if (attempt.ok) return attempt;
    if (isFirst) onWait?.(attempt.holder);
    if (performance.now() >= end) return attempt;
    await setTimeout(pauseMs(), undefined, signal && { signal }).catch(() => {});
  }
}

/** The same without leaving the current call, for work that takes milliseconds. */
export function waitForLockSync(file: string, patienceMs: number): LockAttempt {
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (const end = performance.now() + patienceMs; ; Atomics.wait(sleeper, 0, 0, pauseMs())) {
    const attempt = takeLock(file);
    if (attempt.ok || performance.now() >= end) return attempt;
  }
}

function tryLock(file: string, family: string, depth = 0): LockAttempt {
  const token = crypto().randomUUID();
  const temporary = `${family}.new-${token}`;
  try {
    const holder: Holder = { ...ownIdentity(), token };
    writeFileSync(temporary, JSON.stringify(holder), { mode: 0o600, flag: "wx" });
    for (;;) {
      if (linkNew(temporary, file)) return held(file, token);
      const current = readHolder(file);
      // Released in between.
      if (current === undefined) continue;
      if (current === "unreadable") return { ok: false, file };
      const isDead = hasProcessEnded(current) && depth < MAX_DEPTH;
      if (!isDead) return { ok: false, file, holder: current };
      const succession = tryLock(`${family}.after-${current.token}`, family, depth + 1);
      if (!succession.ok) return succession;
      try {
        const still = readHolder(file);
        if (typeof still !== "object" || still.token !== current.token) continue;
        renameSync(temporary, file);
        return held(file, token);
      } finally {
        succession.release();
      }
    }
  } finally {
    rmSync(temporary, { force: true });
  }
}

function held(file: string, token: string): LockAttempt {
  const release = () => {
    const current = readHolder(file);
    if (typeof current === "object" && current.token === token) rmSync(file, { force: true });
  };
  return { ok: true, release };
}

function readHolder(file: string): Holder | "unreadable" | undefined {
  try {
    const text = readIfPresent(file, { maxBytes: MAX_BYTES })?.toString("utf8");
    return text === undefined ? undefined : (parseHolder(text) ?? "unreadable");
  } catch {
    return "unreadable";
  }
}

function parseHolder(text: string): Holder | undefined {
  const holder = parseIdentity(text) as Holder | undefined;
  return typeof holder?.token === "string" && TOKEN.test(holder.token) ? holder : undefined;
}

/**
 * What killed processes left while taking the lock. No one can win by these any more: they would have
 * to find the token of a holder that is gone in a lock that is now ours.
 */
function removeLeftovers(file: string): void {
  const folder = dirname(file);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(basename(file))) continue;
    const path = join(folder, name);
    const rest = name.slice(basename(file).length);
    const isLeft = rest.startsWith(".after-") || (rest.startsWith(".new-") && isOfEnded(path));
    if (isLeft) rmSync(path, { force: true, recursive: true });
  }
}

function isOfEnded(path: string): boolean {
  const holder = readHolder(path);
  return typeof holder === "object" && hasProcessEnded(holder);
}
