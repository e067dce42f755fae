import { removeQuietly } from "@skillwright/core/internal";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { trustedProgram } from "../execution/find-program.ts";
import {
  childrenOfProcess,
  coverDescriptors,
  makeRunDirectory,
  removeRunDirectory,
  sendSignal,
} from "../execution/child-process.ts";
import { type Manifest, parentsOf, PERMISSIONS } from "./change.ts";
import { collect, type Collected } from "./collect.ts";
import { failsWith, OpenFolder } from "../workspace/confinement/open-folder.ts";

export interface ViewOptions {
  /** Real path of the working directory. */
  readonly root: string;
  /** Private folder for the mounts; empty. It stays the caller's to remove. */
  readonly folder: string;
  /** What scripts must not see, from the working directory on. */
  readonly masked?: readonly string[];
  /** There is more that they must not see than could be found. */
  readonly isMaskIncomplete?: boolean;
  /** Bytes of everything that scripts write, held in memory; files and folders that they touch. */
  readonly limits?: { readonly bytes?: number; readonly entries?: number };
  readonly signal?: AbortSignal;
}

/** What scripts of a run see of the working directory and may change, without changing it. */
export interface View {
  readonly ok: true;
  /** Goes before a command that is to run where the view is mounted. */
  readonly prefix: readonly string[];
  /** Where it is mounted, for that command. */
  readonly mounted: string;
  /** A new folder for temporary files of one command. Removing it gives some of the names in it. */
  temporary(): { readonly mounted: string; remove(): readonly string[] };
  /** The view itself, for this process. Never follow a link in it. */
  readonly merged: OpenFolder;
  readonly openedAt: number;
  readonly hidesAllSecrets: boolean;
  /** Nothing may run in the view meanwhile. */
  collect(previous?: Manifest): Promise<Collected>;
  /** False once the processes that hold it have ended. */
  isAlive(): boolean;
  close(): Promise<void>;
}

/** Why a view cannot be opened, for people. Scripts then see the working directory read-only. */
export interface NoView {
  readonly ok: false;
  readonly reason: string;
}

const DEFAULT_BYTES = 512 * 1024 * 1024;
const DEFAULT_ENTRIES = 30_000;
const READY = "ok\n";
const SEARCH_PATH = "/usr/bin:/bin:/usr/sbin:/sbin";
const OPEN_TIMEOUT_MS = 20_000;

/**
 * Runs as root of namespaces that this process owns. The end of its input ends it, as does its
 * parent's end, and with it every process that joined. The options of the mounts are constant: no
 * path has to be escaped. The shell stays: while it waits for `cat` it also reaps what scripts leave behind,
 * such as the second process of each bubblewrap.
 */
const HOLDER = `cd "$1" && mount -n -t tmpfs tmpfs -o "$2" t && mkdir t/u t/w && chmod "$3" t/u &&
mount -n -t overlay overlay -o "lowerdir=$4,upperdir=t/u,workdir=t/w,userxattr" m && echo ok && cat >/dev/null; exit`;

/** Opens a copy-on-write view: mounts that only the processes see that join it. */
export async function openView(options: ViewOptions): Promise<View | NoView> {
  // Closed from the last to the first.
  const opened: (() => void)[] = [];
  try {
    return await open(options, opened);
  } catch (error) {
    for (const close of opened.toReversed()) close();
    return noView(error);
  }
}

/** What the system refuses; anything else is a bug, and thrown. */
function noView(error: unknown): NoView {
  const isExpected = error instanceof NotOpened || (error instanceof Error && "syscall" in error);
  if (!isExpected) throw error;
  return { ok: false, reason: error.message };
}

class NotOpened extends Error {}

async function open(
  { root, folder, masked = [], isMaskIncomplete = false, limits = {}, signal }: ViewOptions,
  opened: (() => void)[],
): Promise<View> {
  if (process.platform !== "linux") throw new NotOpened("copy-on-write views need Linux");
  const below = mountBelow(root);
  if (below !== undefined) {
    throw new NotOpened(`another file system is mounted at ${JSON.stringify(below)}`);
  }
  const unshare = trustedProgram("unshare");
  const nsenter = trustedProgram("nsenter");
  if (unshare === undefined || nsenter === undefined) {
    throw new NotOpened("unshare and nsenter of util-linux are not installed");
  }
  const openFolder = (path: string) => {
    const found = OpenFolder.at(path);
    opened.push(() => found.close());
    return found;
  };
  const real = openFolder(root);
  const hasMask = makePlaces(folder, root, masked);
  const since = clockOf(folder);
  const { bytes = DEFAULT_BYTES, entries = DEFAULT_ENTRIES } = limits;
  const size = `size=${bytes},nr_inodes=${entries},mode=755`;
  const mode = (statSync(root).mode & PERMISSIONS).toString(8);
  const child = spawn(
    unshare,
    [
      ["--user", "--map-root-user", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"],
      ["--", "/bin/sh", "-c", HOLDER, "sh", folder, size, mode, hasMask ? "k:l" : "l"],
    ].flat(),
    {
      cwd: "/",
      // Ctrl-C is for us to handle.
      detached: true,
      env: { PATH: SEARCH_PATH, LC_ALL: "C" },
      stdio: ["pipe", "pipe", "pipe", ...coverDescriptors(3)],
    },
  );
  opened.push(() => end(child));
  const problem = await ready(child, signal);
  if (problem !== undefined) throw new NotOpened(problem);
  const [holder] = childrenOfProcess(child.pid ?? 0);
  if (holder === undefined) throw new NotOpened("the process that holds the view ended");
  const inside = `/proc/${holder}/root${folder}`;
  const space = `/proc/${holder}/ns`;
  const [user, mount, pid] = [`${space}/user`, `${space}/mnt`, `${space}/pid_for_children`];
  const spaces = [`--user=${user}`, `--mount=${mount}`, `--pid=${pid}`];
  const merged = openFolder(`${inside}/m`);
  const upper = openFolder(`${inside}/t/u`);
  const compared = {
    merged,
    upper,
    real,
    root,
    since,
    masked: new Set(masked),
    digests: new Map(),
  };
  let count = 0;
  let isClosed = false;
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  return {
    ok: true,
    prefix: [nsenter, ...spaces, "--preserve-credentials", "--"],
    mounted: join(folder, "m"),
    temporary() {
      const name = `x${count++}`;
      mkdirSync(`${inside}/t/${name}`, { mode: 0o700 });
      return {
        mounted: join(folder, "t", name),
        remove() {
          const names = namesBelow(`${inside}/t/${name}`);
          setImmediate(() => removeQuietly(`${inside}/t/${name}`));
          return names;
        },
      };
    },
    merged,
    openedAt: performance.now(),
    hidesAllSecrets: !isMaskIncomplete,
    collect: (previous) => collect({ ...compared, previous }),
    isAlive: () => !isClosed && !isOver(),
    async close() {
      if (isClosed) return;
      isClosed = true;
      const over = isOver() ? undefined : once(child, "exit");
      child.ref();
      for (const close of opened.toReversed()) close();
      await over;
    },
  };
}

const MAX_NAMES = 20;

function namesBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder).slice(0, MAX_NAMES);
  } catch {
    return [];
  }
}

/** The holder shows what it has made; what is on standard error otherwise is the reason. */
async function ready(
  child: ChildProcess,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  let output = "";
  let errors = "";
  const cancel = () => end(child);
  const timer = setTimeout(cancel, OPEN_TIMEOUT_MS);
  signal?.addEventListener("abort", cancel, { once: true });
  if (signal?.aborted === true) cancel();
  child.stdin?.on("error", () => {});
  child.stderr?.on("data", (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-1000)));
  try {
    return await new Promise((resolve) => {
      child.stdout?.on("data", (chunk: Buffer) => {
        output += chunk.toString("latin1");
        if (output === READY) resolve(undefined);
      });
      child.once("error", (error) => resolve(error.message));
      child.once("close", () => resolve(errors.trim().split("\n").at(-1) || "it was ended"));
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", cancel);
    // It must not keep this process running: the end of this process is what ends it.
    child.unref();
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      (stream as (Writable & { unref?: () => void }) | null)?.unref?.();
    }
  }
}

/** The end of the first process in a PID namespace ends all others in it. */
function end(child: ChildProcess): void {
  child.stdin?.destroy();
  if (child.pid === undefined || child.exitCode !== null) return;
  for (const holder of childrenOfProcess(child.pid)) sendSignal(holder, "SIGKILL");
  child.kill("SIGKILL");
}

/**
 * Where the mounts go, and a layer that hides what scripts must not see: a character device 0:0
 * deletes the name below it. False when there is nothing to hide.
 */
function makePlaces(folder: string, root: string, masked: readonly string[]): boolean {
  for (const name of ["m", "t"]) mkdirSync(join(folder, name), { mode: 0o700 });
  symlinkSync(root, join(folder, "l"));
  if (masked.length === 0) return false;
  const nothing = join(folder, "nothing");
  const made = spawnSync(trustedProgram("mknod") ?? "mknod", [nothing, "c", "0", "0"]);
  if (made.status !== 0) throw new NotOpened("secret files cannot be hidden: mknod was refused");
  mkdirSync(join(folder, "k"), { mode: 0o700 });
  for (const path of masked) {
    // The folder of a layer decides the mode that is shown.
    for (const parent of parentsOf(path)) {
      const made = join(folder, "k", parent);
      failsWith("EEXIST ENOTDIR ENOENT", () => {
        mkdirSync(made);
        chmodSync(made, lstatSync(join(root, parent)).mode & PERMISSIONS);
      });
    }
    // It may be in a folder that is hidden already.
    failsWith("EEXIST ENOTDIR", () => linkSync(nothing, join(folder, "k", path)));
  }
  return true;
}

/** The clock that file systems read is coarse: a file says what its time is now. */
function clockOf(folder: string): bigint {
  writeFileSync(join(folder, "clock"), "", { flag: "wx" });
  return lstatSync(join(folder, "clock"), { bigint: true }).ctimeNs;
}

/** A mount below the lower layer cannot be carried over. */
function mountBelow(root: string): string | undefined {
  const text = readFileSync("/proc/self/mountinfo", "utf8");
  const start = root === "/" ? "/" : `${root}/`;
  const octal = (_: string, code: string) => String.fromCharCode(Number.parseInt(code, 8));
  return text
    .split("\n")
    .map((line) => (line.split(" ")[4] ?? "").replace(/\\([0-7]{3})/g, octal))
    .find((point) => point.startsWith(start) && point !== start);
}

type Probe = { readonly ok: true } | NoView;

let probed: Promise<Probe> | undefined;

/** Whether there can be views here; found out once. */
export function probeView(): Promise<Probe> {
  return (probed ??= tryView().catch((error: unknown) => {
    probed = undefined;
    throw error;
  }));
}

/**
 * Deletes a folder and makes it again, which fails where the kernel mounts a view and cannot note what
 * is gone.
 */
async function tryView(): Promise<Probe> {
  const directory = makeRunDirectory();
  let view: View | NoView | undefined;
  try {
    const real = realpathSync(directory);
    const [root, folder] = [join(real, "root"), join(real, "run")];
    mkdirSync(join(root, "folder"), { recursive: true });
    mkdirSync(folder, { mode: 0o700 });
    for (const name of ["file", "secret"]) writeFileSync(join(root, name), "old");
    view = await openView({ root, folder, masked: ["secret"] });
    if (!view.ok) return view;
    const { merged, prefix } = view;
    rmdirSync(merged.child("folder"));
    mkdirSync(merged.child("folder"));
    unlinkSync(merged.child("file"));
    writeFileSync(merged.child("file"), "new", { flag: "wx" });
    rmdirSync(merged.child("folder"));
    const [program = "", ...args] = prefix;
    const joined = spawnSync(program, [...args, trustedProgram("true") ?? "/bin/true"]);
    if (joined.status !== 0) {
      throw new NotOpened(`it cannot be joined: ${joined.stderr.toString().trim()}`);
    }
    const { changes } = await view.collect();
    const found = changes.map(({ path, kind }) => `${kind} ${path}`).join(", ");
    if (found === "deleted folder, modified file") return { ok: true };
    throw new NotOpened(`it shows ${found || "no changes"}`);
  } catch (error) {
    return noView(error);
  } finally {
    if (view?.ok === true) await view.close();
    removeRunDirectory(directory);
  }
}
