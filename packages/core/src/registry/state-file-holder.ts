import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** A process, so that another that later has the same number is not taken for it. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** Differs after a restart of the machine; empty where that is not known, as are the others. */
  readonly boot: string;
  readonly namespace: string;
  readonly started: string;
}

export function thisHolder(): string {
  return JSON.stringify(ownIdentity());
}

/** Whether the process that wrote this has surely ended. One that cannot be seen may be running. */
export function hasHolderEnded(text: string): boolean {
  const other = parseHolder(text);
  return other !== undefined && hasProcessEnded(other);
}

/** The same for one whose identity is known. */
export function hasProcessEnded(other: ProcessIdentity): boolean {
  const self = ownIdentity();
  if (other.host !== self.host) return false;
  if (other.boot !== self.boot) return other.boot !== "" && self.boot !== "";
  if (other.namespace !== self.namespace) return false;
  if (!isThere(other.pid)) return true;
  const started = startOf(String(other.pid));
  return other.started !== "" && started !== "" && other.started !== started;
}

/** Of this process. */
export function ownIdentity(): ProcessIdentity {
  return {
    pid: process.pid,
    host: hostname(),
    boot: orEmpty(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    namespace: orEmpty(() => readlinkSync("/proc/self/ns/pid")),
    started: startOf("self"),
  };
}

function parseHolder(text: string): ProcessIdentity | undefined {
  try {
    const value = JSON.parse(text) as ProcessIdentity;
    return Number.isInteger(value.pid) && value.pid > 0 ? value : undefined;
  } catch {
    return undefined;
  }
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
