import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** A process, so that another that later has the same number is not taken for it. */
export interface LockHolder {
  readonly pid: number;
  /** Of this taking of the lock; no two are the same. */
  readonly token: string;
  readonly host: string;
  /** Differs after a restart of the machine; empty where that is not known, as are the others. */
  readonly boot: string;
  readonly namespace: string;
  readonly started: string;
}

export function thisHolder(token: string): LockHolder {
  return {
    pid: process.pid,
    token,
    host: hostname(),
    boot: orEmpty(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    namespace: orEmpty(() => readlinkSync("/proc/self/ns/pid")),
    started: startOf("self"),
  };
}

export function parseHolder(text: string): LockHolder | undefined {
  try {
    const value = JSON.parse(text) as Readonly<Record<keyof LockHolder, unknown>> | null;
    const { pid, token } = value ?? {};
    const isHolder =
      Number.isSafeInteger(pid) &&
      (pid as number) > 0 &&
      typeof token === "string" &&
      /^[0-9a-f-]{36}$/.test(token);
    return isHolder ? (value as LockHolder) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether this process has surely ended. One that cannot be seen may be running. */
export function hasHolderEnded(other: LockHolder): boolean {
  const self = thisHolder("");
  if (other.host !== self.host) return false;
  if (other.boot !== self.boot) return other.boot !== "" && self.boot !== "";
  if (other.namespace !== self.namespace) return false;
  if (!isThere(other.pid)) return true;
  const started = startOf(String(other.pid));
  return other.started !== "" && started !== "" && other.started !== started;
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** When a process started. It stands behind the name in parentheses, which may hold anything. */
function startOf(pid: string): string {
  const text = orEmpty(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
