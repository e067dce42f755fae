import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** A process, so that another that later has the same number is not taken for it. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** Differs after a restart of the machine; empty where that is not known. */
  readonly boot: string;
  /** The namespace in which `pid` is a number; empty where there are none. */
  readonly namespace: string;
  /** When the process was started, in ticks since the machine was; empty where that is not known. */
  readonly started: string;
}

export function thisProcess(): ProcessIdentity {
  return {
    pid: process.pid,
    host: hostname(),
    boot: orEmpty(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    namespace: orEmpty(() => readlinkSync("/proc/self/ns/pid")),
    started: statusOf("self")?.started ?? "",
  };
}

/** Whether the process has surely ended. One that cannot be seen from here may be running. */
export function hasEnded(other: ProcessIdentity): boolean {
  const self = thisProcess();
  if (other.host !== self.host) return false;
  if (other.boot !== self.boot) return other.boot !== "" && self.boot !== "";
  if (other.namespace !== self.namespace) return false;
  if (!isThere(other.pid)) return true;
  const status = statusOf(String(other.pid));
  if (status === undefined || other.started === "") return false;
  return status.started !== other.started || status.state === "Z" || status.state === "X";
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** From `/proc/<pid>/stat`; what follows the name in parentheses, which may hold anything. */
function statusOf(pid: string): { readonly state: string; readonly started: string } | undefined {
  const text = orEmpty(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, started] = [fields[0], fields[19]];
  return state === undefined || started === undefined ? undefined : { state, started };
}

function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
