import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Tells a process from a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** Changes when the machine restarts; empty where the system does not say, as are the others. */
  readonly boot: string;
  /** The namespace in which `pid` counts. */
  readonly namespace: string;
  /** Start time in ticks since boot. */
  readonly started: string;
}

let own: ProcessIdentity | undefined;

/** The same for as long as this process lives. */
export function ownIdentity(): ProcessIdentity {
  return (own ??= {
    pid: process.pid,
    host: hostname(),
    boot: orEmpty(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    namespace: orEmpty(() => readlinkSync("/proc/self/ns/pid")),
    started: statusOf("self").started,
  });
}

/** Whether the process has certainly ended. One that cannot be seen from here may be running. */
export function hasProcessEnded(other: ProcessIdentity): boolean {
  const self = ownIdentity();
  if (other.host !== self.host) return false;
  if (other.boot !== self.boot) return other.boot !== "" && self.boot !== "";
  if (other.namespace !== self.namespace) return false;
  if (!isThere(other.pid)) return true;
  const { state, started } = statusOf(String(other.pid));
  if (started === "" || other.started === "") return false;
  return started !== other.started || state === "Z" || state === "X";
}

/** Undefined for anything that is not an identity. */
export function parseIdentity(text: string): ProcessIdentity | undefined {
  try {
    const value = JSON.parse(text) as Partial<ProcessIdentity> | null;
    const { pid = 0, host, boot, namespace, started } = value ?? {};
    const isWhole = [host, boot, namespace, started].every((part) => typeof part === "string");
    return isWhole && Number.isSafeInteger(pid) && pid > 0 ? (value as ProcessIdentity) : undefined;
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

/** From `/proc/<pid>/stat`. The name before these fields is in parentheses and may hold anything. */
function statusOf(pid: string): { readonly state: string; readonly started: string } {
  const text = orEmpty(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return { state: fields[0] ?? "", started: fields[19] ?? "" };
}

function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
