import type { ChildProcess } from "node:child_process";
import {
  closeSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import type { View } from "../changes/view.ts";
import {
  type ChildEnd,
  childrenOfProcess,
  sendSignal,
  startChild,
  type StartedChild,
  superviseChild,
  type SuperviseOptions,
} from "./child-process.ts";
import { systemCallFilter } from "./system-call-filter.ts";
import { trustedProgram } from "./find-program.ts";

/** What a sandbox shows, and where. */
export interface SandboxPlan {
  /** Snapshot of the skill; a command has none. */
  readonly skill?: string | undefined;
  /** Folder with JavaScript made of TypeScript. */
  readonly typescript?: string | undefined;
  /** Packages of a Node script, from a prepared environment. */
  readonly nodeModules?: string | undefined;
  /** Folder with the way to the network. */
  readonly network?: string | undefined;
  /** What stands in for files of this machine. */
  readonly files: Pick<SandboxFiles, "etc" | "filter">;
  /** The working directory, by its real path; without one there is a fresh one in memory. */
  readonly root?: string | undefined;
  /** Where the command starts: the working directory unless given. */
  readonly cwd?: string | undefined;
  /** Where a view of the working directory is mounted, and what goes before bubblewrap to join it. */
  readonly view?: Pick<View, "prefix" | "mounted"> | undefined;
  /** For temporary files, where it is to be looked at afterwards. */
  readonly temporary?: string | undefined;
  /** Folder for files that outlive the run. */
  readonly output?: string | undefined;
  /** Covered by something empty. */
  readonly hidden?: readonly Cover[];
  /** Interpreters outside of the system's folders. */
  readonly binds?: readonly string[];
  readonly temporaryBytes: number;
}

interface Cover {
  readonly path: string;
  readonly by: string;
}

/** Descriptors of bubblewrap and of its guard. */
const DESCRIPTORS = {
  /** What bubblewrap tells about itself. */
  status: 3,
  /** The permission to begin. */
  block: 4,
  /** The filter of system calls. */
  filter: 5,
  /** Held by this process as long as it lives. */
  life: 6,
};

/** Where the process of a run finds what is its own. */
export const SANDBOX_PLACES = {
  skill: "/skill",
  typescript: "/run/typescript",
  // Above the skill, where Node looks for packages.
  nodeModules: "/node_modules",
  network: "/run/network",
  output: "/output",
  home: "/tmp/.home",
  temporary: "/tmp",
};
const SANDBOX_FRESH = "/work";

/** What a sandbox shows of the system. */
export const SYSTEM_FOLDERS = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

/**
 * The sandbox as arguments of bubblewrap, before `--`. Order matters: later mounts cover earlier
 * ones. Everything that a script could fill is limited in size, and the rest is read-only. A command
 * with its own session leaves the sandbox's first process in the process group of its starter.
 */
function bubblewrapArguments(plan: SandboxPlan, hasOwnSession: boolean): string[] {
  const { files, view, hidden = [], binds = [] } = plan;
  const size = ["--size", String(plan.temporaryBytes)];
  const root = plan.root ?? SANDBOX_FRESH;
  const { skill, typescript, nodeModules, network, output, home, temporary } = SANDBOX_PLACES;
  const bind = (option: "--bind" | "--ro-bind", path: string | undefined, shown: string) =>
    path === undefined ? [] : [option, path, shown];
  const memory = (path: string) => [...size, "--tmpfs", path];
  return [
    // One by one: --unshare-all would accept a kernel that refuses some of them.
    ["--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"],
    ["--unshare-cgroup-try", "--die-with-parent"],
    hasOwnSession ? [] : ["--new-session"],
    // In the namespaces of a view every user is root.
    view === undefined ? [] : ownIds(),
    // Root keeps all capabilities inside otherwise, and can remount what is read-only.
    ["--cap-drop", "ALL", "--hostname", "sandbox"],
    SYSTEM_FOLDERS.flatMap(systemFolder),
    ["--ro-bind", files.etc, "/etc"],
    // Root could still write below /proc/sys: bubblewrap covers it for other users only.
    ["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys"],
    ["--dev", "/dev", ...memory("/dev/shm"), "--remount-ro", "/dev"],
    plan.temporary === undefined ? memory(temporary) : bind("--bind", plan.temporary, temporary),
    ["--dir", home],
    plan.root === undefined ? memory(root) : bind("--ro-bind", view ? undefined : root, root),
    bind("--bind", view?.mounted, root),
    bind("--bind", plan.output, output),
    hidden.flatMap(({ path, by }) => bind("--ro-bind", by, path)),
    binds.flatMap((path) => bind("--ro-bind", path, path)),
    bind("--ro-bind", plan.skill, skill),
    bind("--ro-bind", plan.typescript, typescript),
    bind("--ro-bind", plan.nodeModules, nodeModules),
    bind("--ro-bind", plan.network, network),
    ["--remount-ro", "/", "--chdir", plan.cwd ?? root],
    ["--json-status-fd", String(DESCRIPTORS.status), "--block-fd", String(DESCRIPTORS.block)],
    // The filter refuses new namespaces too, and takes less time.
    files.filter === undefined ? ["--disable-userns"] : ["--seccomp", String(DESCRIPTORS.filter)],
  ].flat();
}

function ownIds(): readonly string[] {
  return ["--uid", String(process.getuid?.() ?? 0), "--gid", String(process.getgid?.() ?? 0)];
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

/** What a sandbox shows instead of the files of this machine; the same for all runs of a process. */
export function sandboxFiles(directory: string): SandboxFiles {
  const etc = join(directory, "etc");
  const emptyFile = join(directory, "empty");
  const emptyFolder = join(directory, "nothing");
  const filter = join(directory, "filter");
  if (!existsSync(etc)) {
    writeFileSync(emptyFile, "", { mode: 0o400 });
    mkdirSync(emptyFolder, { recursive: true, mode: 0o500 });
    const calls = systemCallFilter();
    if (calls !== undefined) writeFileSync(filter, calls, { mode: 0o400 });
    makeEtc(etc);
  }
  return { etc, emptyFile, emptyFolder, ...(existsSync(filter) && { filter }) };
}

/**
 * What to mount over a path so that it shows nothing. A link cannot be covered; what it leads to is
 * hidden by its own path.
 */
export function coverOf(path: string, { emptyFile, emptyFolder }: SandboxFiles): readonly Cover[] {
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

/**
 * The name of the shell is the file by which it joins a control group. A process that joins by itself
 * takes no time; to be moved by another one takes some 10 ms.
 */
const JOIN = `unset PWD OLDPWD SHLVL _
case $0 in /*) { echo 0 > "$0"; } 2>/dev/null ;; esac
`;

/**
 * Bubblewrap binds itself to its parent only after it was started, and its first process only after
 * the mounts are made: a parent that is killed in between would leave them behind. So a shell starts
 * it beside a watcher, which kills their process group once this process no longer holds the other
 * end of the pipe. Bubblewrap and its first process never leave that group. Where a signal ended
 * bubblewrap itself, such as SIGPIPE when its status is no longer read, its first process may
 * still wait for it: then the shell ends the whole group.
 */
const GUARD = `{ read -r _; kill -9 0; } <&${DESCRIPTORS.life} >/dev/null 2>&1 ${Object.values(
  DESCRIPTORS,
)
  .map((descriptor) => `${descriptor}>&-`)
  .join(" ")} &
"$@" ${DESCRIPTORS.life}>&-
code=$?
[ $code -gt 128 ] && kill -9 0
{ kill -9 $!; wait; } 2>/dev/null
exit $code`;

interface BubblewrapRun {
  readonly bubblewrap: string;
  readonly plan: SandboxPlan;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Private folder of the run. */
  readonly directory: string;
  readonly hasInput?: boolean;
  /** File by which the sandbox joins its control group. */
  readonly group?: string | undefined;
  /** Called with the first process of the sandbox before anything runs in it. Must not throw. */
  readonly onChild?: (pid: number) => void;
}

export interface StartedSandbox extends StartedChild {
  /** What bubblewrap tells about itself, apart from the script's own output. */
  readonly status: {
    /** The first process of the sandbox, whose end is the end of all others in it. */
    readonly childPid?: number;
    /** Absent when the script never ran. */
    readonly exitCode?: number;
  };
  terminate(): void;
  kill(): void;
}

/**
 * Starts a command in a sandbox. The clean environment is that of bubblewrap itself: what it would
 * only clear for the script, the script could read from its parent. In a view there is no guard:
 * bubblewrap joins the namespaces of the process that holds the view, and ends with it.
 */
export function startBubblewrap(run: BubblewrapRun): StartedSandbox {
  const { bubblewrap, plan, env, directory, hasInput = false, group, onChild } = run;
  const session = trustedProgram("setsid");
  const command = session === undefined ? run.command : [session, ...run.command];
  const filter = plan.files.filter === undefined ? undefined : openSync(plan.files.filter, "r");
  const shell = (code: string) => [
    trustedProgram("sh") ?? "/bin/sh",
    "-c",
    code,
    group ?? "sandbox",
  ];
  const joined = group === undefined ? [] : shell(`${JOIN}exec "$@"`);
  const life = plan.view === undefined ? "pipe" : "ignore";
  const started = startChild(
    [
      plan.view === undefined ? shell(JOIN + GUARD) : [...joined, ...plan.view.prefix],
      [bubblewrap, ...bubblewrapArguments(plan, session !== undefined), "--", ...command],
    ].flat(),
    { cwd: "/", env, hasInput, directory, more: ["pipe", "pipe", filter ?? "ignore", life] },
  );
  if (filter !== undefined) closeSync(filter);
  const { child } = started;
  const block = child.stdio[DESCRIPTORS.block] as Writable | null | undefined;
  block?.on("error", () => {});
  const status: { childPid?: number; exitCode?: number } = {};
  let text = "";
  const stream = child.stdio[DESCRIPTORS.status] as Readable | null | undefined;
  stream?.on("error", () => {});
  stream?.on("data", (chunk: Buffer) => {
    // The script cannot write here; a few lines are all there is.
    text = (text + chunk.toString("latin1")).slice(0, 4096);
    const code = /"exit-code": (\d+)[^\d]/.exec(text)?.[1];
    if (code !== undefined) status.exitCode = Number(code);
    if (status.childPid !== undefined || !/"child-pid": \d+[^\d]/.test(text)) return;
    // In a view, bubblewrap counts processes of another namespace.
    const pid = firstProcess(child);
    if (pid === undefined) return;
    status.childPid = pid;
    onChild?.(pid);
    block?.end("x");
  });
  /** Only while bubblewrap lives is the number still that of its child. */
  const first = () => {
    const { childPid } = status;
    return childPid === firstProcess(child) ? childPid : undefined;
  };
  return {
    ...started,
    status,
    terminate() {
      const pid = first();
      const scripts = pid === undefined ? [] : childrenOfProcess(pid);
      for (const script of scripts) sendSignal(script, "SIGTERM");
      if (scripts.length === 0) this.kill();
    },
    kill() {
      const pid = first();
      if (pid !== undefined) sendSignal(pid, "SIGKILL");
      else if (child.exitCode === null) killGroup(child);
    },
  };
}

/**
 * The first process of the sandbox: the shell that guards it, or nsenter where it joins a view, starts
 * bubblewrap, which has no other child. Counted in our namespace, where the number that bubblewrap
 * reports may mean nothing.
 */
function firstProcess({ pid = 0 }: ChildProcess): number | undefined {
  return childrenOfProcess(pid).flatMap(childrenOfProcess)[0];
}

/**
 * Before it has reported the number of its child, that one waits for it and does not yet die with it; but
 * it is still in the group that `detached` made. It may wait for one that a signal has ended, too.
 */
function killGroup(child: ChildProcess): void {
  if (child.pid !== undefined) sendSignal(-child.pid, "SIGKILL");
  child.kill("SIGKILL");
}

const MAX_RESTARTS = 9;

/**
 * Starts bubblewrap and follows it to its end. A process that was just forked is still in the
 * terminal's group, where Ctrl-C ends it: one that ended before anything ran is started again.
 */
export async function runBubblewrap(
  run: BubblewrapRun,
  follow: Omit<SuperviseOptions, "terminate" | "kill">,
): Promise<{ readonly status: StartedSandbox["status"]; readonly end: ChildEnd }> {
  for (let restarts = 0; ; restarts++) {
    const sandbox = startBubblewrap(run);
    const { status } = sandbox;
    const end = await superviseChild(sandbox, {
      ...follow,
      terminate: () => sandbox.terminate(),
      kill: () => sandbox.kill(),
    });
    const wasStopped = end.timedOut || end.canceled || end.signal === null;
    if (wasStopped || status.childPid !== undefined || restarts === MAX_RESTARTS) {
      return { status, end };
    }
  }
}
