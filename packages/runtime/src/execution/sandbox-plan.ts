import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { SANDBOX_NETWORK } from "./network/sandbox-network.ts";
import { systemCallFilter } from "./system-call-filter.ts";

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

export interface SandboxFiles {
  /** Stands in for /etc. */
  readonly etc: string;
  readonly emptyFile: string;
  readonly emptyFolder: string;
  /** System calls that are refused, as bubblewrap takes them. */
  readonly filter?: string;
}

/** Programs look these up; nothing in them is private. */
const COPIED = ["ld.so.cache", "localtime", "mime.types"];
const ALTERNATIVES = "/etc/alternatives";

const known = new Map<string, SandboxFiles>();

/** What a sandbox shows instead of the files of this machine; the same for all runs of a process. */
export function sandboxFiles(directory: string): SandboxFiles {
  let files = known.get(directory);
  if (files === undefined || !existsSync(files.etc)) {
    files = makeSandboxFiles(directory);
    known.set(directory, files);
  }
  return files;
}

function makeSandboxFiles(directory: string): SandboxFiles {
  const emptyFile = join(directory, "empty");
  writeFileSync(emptyFile, "", { mode: 0o400 });
  const emptyFolder = join(directory, "nothing");
  mkdirSync(emptyFolder, { recursive: true, mode: 0o500 });
  const calls = systemCallFilter();
  const filter = join(directory, "filter");
  if (calls !== undefined) writeFileSync(filter, calls, { mode: 0o400 });
  const etc = join(directory, "etc");
  makeEtc(etc);
  return { etc, emptyFile, emptyFolder, ...(calls === undefined ? {} : { filter }) };
}

/**
 * What to mount over a path so that it shows nothing. A link cannot be covered; what it leads to is
 * hidden by its own path.
 */
export function coverOf(
  path: string,
  { emptyFile, emptyFolder }: SandboxFiles,
): readonly { readonly path: string; readonly by: string }[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isSymbolicLink()) return [];
  return [{ path, by: stats.isDirectory() ? emptyFolder : emptyFile }];
}

/** One folder and not a mount for each file: every mount costs time at every start. */
function makeEtc(etc: string): void {
  const user = process.getuid?.() ?? 0;
  const group = process.getgid?.() ?? 0;
  const texts = {
    passwd: `sandbox:x:${user}:${group}::/tmp/.home:/bin/sh\n`,
    group: `sandbox:x:${group}:\n`,
    hosts: "127.0.0.1 localhost\n::1 localhost\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
  };
  mkdirSync(join(etc, "alternatives"), { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(etc, name), text);
  for (const name of COPIED) {
    if (existsSync(join("/etc", name))) copyFileSync(join("/etc", name), join(etc, name));
  }
  if (!existsSync(ALTERNATIVES)) return;
  const links = readdirSync(ALTERNATIVES, { withFileTypes: true });
  for (const { name } of links.filter((entry) => entry.isSymbolicLink())) {
    symlinkSync(readlinkSync(join(ALTERNATIVES, name)), join(etc, "alternatives", name));
  }
}
