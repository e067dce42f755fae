import { lstatSync, readlinkSync } from "node:fs";
import { SANDBOX_NETWORK } from "./network/sandbox-network.ts";

export interface SandboxPlan {
  /** Snapshot of the skill. */
  readonly skill: string;
  /** Folder with JavaScript made of TypeScript. */
  readonly typescript?: string;
  /** Folder with the way to the network, where there is one. */
  readonly network?: string;
  /** Stands in for /etc, where there are private keys and root may read them. */
  readonly etc: string;
  /** Real path of the working directory; without one there is a fresh one in memory. */
  readonly cwd?: string;
  /** Where the command starts, when that is a folder below. */
  readonly start?: string;
  readonly writable: readonly string[];
  /** Shown read-only although what holds them is writable. */
  readonly readOnly: readonly string[];
  /** Covered by nothing. */
  readonly hidden: readonly { readonly path: string; readonly by: string }[];
  /** Interpreters outside of the system's folders. */
  readonly binds: readonly string[];
  readonly temporaryBytes: number;
  /** File descriptor of bubblewrap for its status. */
  readonly statusFd: number;
  /** For the word to begin. */
  readonly blockFd: number;
  /** For the filter of system calls, where there is one for this processor. */
  readonly filterFd?: number;
}

export const SANDBOX_SKILL = "/skill";
export const SANDBOX_TYPESCRIPT = "/run/typescript";
export const SANDBOX_HOME = "/tmp/.home";
export const SANDBOX_TEMPORARY = "/tmp";
const SANDBOX_FRESH = "/work";

const SYSTEM_FOLDERS = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
/**
 * The sandbox as arguments of bubblewrap, before `--`. Order matters: later mounts cover earlier
 * ones. Everything that a script could fill is limited in size, and the rest is read-only. A command
 * with its own session leaves the sandbox's first process in the process group of its starter.
 */
export function bubblewrapArguments(plan: SandboxPlan, hasOwnSession: boolean): string[] {
  const size = ["--size", String(plan.temporaryBytes)];
  const cwd = plan.cwd ?? SANDBOX_FRESH;
  return [
    // One by one: --unshare-all would accept a kernel that refuses some of them.
    ["--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"],
    ["--unshare-cgroup-try", "--die-with-parent"],
    hasOwnSession ? [] : ["--new-session"],
    // Root keeps all capabilities inside otherwise, and can remount what is read-only.
    ["--cap-drop", "ALL", "--hostname", "sandbox"],
    ["--ro-bind", "/usr", "/usr"],
    SYSTEM_FOLDERS.flatMap(systemFolder),
    ["--ro-bind", plan.etc, "/etc"],
    // Root could still write below /proc/sys: bubblewrap covers it for other users only.
    ["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys"],
    ["--dev", "/dev", ...size, "--tmpfs", "/dev/shm", "--remount-ro", "/dev"],
    [...size, "--tmpfs", SANDBOX_TEMPORARY, "--dir", SANDBOX_HOME],
    plan.cwd === undefined ? [...size, "--tmpfs", cwd] : ["--ro-bind", cwd, cwd],
    plan.writable.flatMap((path) => ["--bind", path, path]),
    plan.readOnly.flatMap((path) => ["--ro-bind", path, path]),
    plan.hidden.flatMap(({ path, by }) => ["--ro-bind", by, path]),
    // After what is writable, which may hold them.
    plan.binds.flatMap((path) => ["--ro-bind", path, path]),
    ["--ro-bind", plan.skill, SANDBOX_SKILL],
    plan.typescript === undefined ? [] : ["--ro-bind", plan.typescript, SANDBOX_TYPESCRIPT],
    plan.network === undefined ? [] : ["--ro-bind", plan.network, SANDBOX_NETWORK],
    ["--remount-ro", "/", "--chdir", plan.start ?? cwd],
    ["--json-status-fd", String(plan.statusFd), "--block-fd", String(plan.blockFd)],
    // The filter refuses new namespaces too, and takes less time.
    plan.filterFd === undefined ? ["--disable-userns"] : ["--seccomp", String(plan.filterFd)],
  ].flat();
}

/** As it is here: a link to /usr on most systems, a folder on others. */
function systemFolder(path: string): readonly string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  return stats.isSymbolicLink()
    ? ["--symlink", readlinkSync(path), path]
    : ["--ro-bind", path, path];
}
