import { defined, errorCode, isBelow, quoteName, visibleLine } from "@skillwright/core/internal";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { setTimeout } from "node:timers/promises";
import { controlFolderOf, isControlFolder } from "../workspace/confinement/protected-files.ts";
import { systemText } from "./child-process.ts";
import { type ExecutionLimits, type ExecutionRequest } from "./executor.ts";
import { executionFailure, type ExecutionFailure } from "./execution-failure.ts";
import { trustedProgram } from "./find-program.ts";
import { type DomainRule, parseDomainRule } from "./network/domain-rule.ts";

export interface CheckedRequest {
  readonly ok: true;
  /** The script's path below its skill, or the name of the program. */
  readonly name: string;
  readonly limits: ResolvedLimits;
  /** What it sees of the user's files, by its real path; absent for a fresh folder. */
  readonly root?: string;
  /** Where it starts: the root or a folder below it. */
  readonly cwd?: string;
  /** Real paths below the root in which changes are kept. */
  readonly writable: readonly string[];
  /** What it may reach; empty for nothing. */
  readonly domains: readonly DomainRule[];
}

export type ResolvedLimits = Required<ExecutionLimits>;

/** A value, or why there is none. */
type Checked<Value> = { readonly ok: true; readonly value: Value } | ExecutionFailure;

const MEBIBYTE = 1024 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;

export const DEFAULT_LIMITS: ResolvedLimits = {
  timeoutMs: 60_000,
  outputBytes: 100 * 1024,
  memoryBytes: 2048 * MEBIBYTE,
  cpuSeconds: 120,
  fileBytes: 256 * MEBIBYTE,
  openFiles: 512,
  processes: 128,
  networkBytes: 1024 * MEBIBYTE,
};

const LARGEST: Partial<ResolvedLimits> = { timeoutMs: DAY_MS, outputBytes: 64 * MEBIBYTE };
/** What Linux takes as one argument. */
const MAX_ARGUMENT_BYTES = 128 * 1024 - 1;
const MAX_ARGUMENTS_BYTES = 1024 * 1024;
const MAX_DOMAINS = 500;

/** Everything that can be refused before anything of the skill is opened. */
export function checkRequest(request: ExecutionRequest): CheckedRequest | ExecutionFailure {
  const isCommand = "argv" in request;
  const script = isCommand ? undefined : parseScriptPath(request.script);
  if (script?.ok === false) return script;
  const limits = limitsOf(request);
  if (!limits.ok) return limits;
  const problem = argumentsProblem(isCommand ? request.argv : request.args);
  if (problem !== undefined) return problem;
  const domains = domainsOf(request);
  if (!domains.ok) return domains;
  const folders = foldersOf(request);
  if (!folders.ok) return folders;
  const { root } = folders.value;
  const writable = root === undefined ? [] : writablePlaces(root, request.writable ?? []);
  if ("code" in writable) return writable;
  return {
    ok: true,
    ...folders.value,
    writable,
    name: script?.path ?? basename(isCommand ? (request.argv[0] ?? "") : ""),
    limits: limits.value,
    domains: domains.value,
  };
}

function limitsOf({ limits: given = {} }: ExecutionRequest): Checked<ResolvedLimits> {
  const limits = { ...DEFAULT_LIMITS, ...defined(given) };
  for (const key of Object.keys(DEFAULT_LIMITS) as (keyof ResolvedLimits)[]) {
    const largest = LARGEST[key] ?? Number.MAX_SAFE_INTEGER;
    if (!Number.isSafeInteger(limits[key]) || limits[key] < 1 || limits[key] > largest) {
      const message = `the limit ${key} must be a whole number from 1 to ${largest}`;
      return executionFailure("limits-invalid", message);
    }
  }
  return { ok: true, value: limits };
}

function argumentsProblem(args: readonly string[]): ExecutionFailure | undefined {
  const refuse = (why: string) => executionFailure("arguments-invalid", `an argument ${why}`);
  let total = 0;
  for (const arg of args) {
    if (typeof arg !== "string") return refuse("is not text");
    if (arg.includes("\0")) return refuse("has a NUL character");
    const bytes = Buffer.byteLength(arg);
    total += bytes + 9;
    if (bytes > MAX_ARGUMENT_BYTES || total > MAX_ARGUMENTS_BYTES) {
      return refuse("is too long; give large data as a file or as standard input");
    }
  }
  return undefined;
}

function domainsOf({ network = "none" }: ExecutionRequest): Checked<readonly DomainRule[]> {
  if (network === "none") return { ok: true, value: [] };
  const hint = "Write example.com, *.example.com for what is below it, or example.com:8443.";
  const refuse = (message: string) => executionFailure("network-invalid", message, hint);
  const given: unknown = network.domains;
  if (!Array.isArray(given)) return refuse("the domains must be a list");
  if (given.length > MAX_DOMAINS) return refuse(`there are more than ${MAX_DOMAINS} domains`);
  const rules: DomainRule[] = [];
  for (const text of given as readonly unknown[]) {
    const rule = typeof text === "string" ? parseDomainRule(text) : undefined;
    if (rule === undefined) {
      return refuse(`${JSON.stringify(text)?.slice(0, 100)} is not a domain that can be allowed`);
    }
    rules.push(rule);
  }
  return { ok: true, value: rules };
}

const FOLDER = "scripts/";
const MAX_LENGTH = 1024;
const MAX_SEGMENT_BYTES = 255;
const OUTSIDE = /^(?:[/\\~]|[a-z]:|[a-z][a-z0-9+.-]+:)|(?:^|[/\\])\.\.(?:[/\\]|$)/i;
/** A dot, slash or backslash that something could decode later. */
const ENCODED = /%(?:25)*(?:2e|2f|5c|00|c0|c1|e0)/i;
/** What Windows takes for a device, a stream, or another name. */
const WINDOWS = /:|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * The path of a script below its skill. `analyze.py` and `scripts/analyze.py` are the same. Decided
 * by the text alone: nothing is opened, decoded or resolved.
 */
export function parseScriptPath(
  script: string,
): { readonly ok: true; readonly path: string } | ExecutionFailure {
  const hint =
    'Name a file of the skill\'s "scripts" folder, such as "analyze.py" or "scripts/analyze.py".';
  const shown = quoteName(script, 200);
  if (OUTSIDE.test(script.normalize("NFKC")) || ENCODED.test(script)) {
    const message = `the script ${shown} is not below the skill's scripts folder`;
    return executionFailure("script-outside", message, hint);
  }
  const plain = script.replace(/^(?:\.\/)+/, "");
  const path = plain.startsWith(FOLDER) ? plain : FOLDER + plain;
  const isAllowed =
    script.length <= MAX_LENGTH &&
    visibleLine(script) === script &&
    !script.includes("\\") &&
    script.normalize("NFKC") === script.normalize("NFC") &&
    path.split("/").every(isFileName);
  if (isAllowed) return { ok: true, path };
  return executionFailure("script-invalid", `the script path ${shown} is not allowed`, hint);
}

function isFileName(name: string): boolean {
  const isShort = name !== "" && Buffer.byteLength(name) <= MAX_SEGMENT_BYTES;
  return isShort && name !== "." && !WINDOWS.test(name);
}

const SYSTEM = ["/proc", "/sys", "/dev", "/etc", "/boot", "/run"];
const HELD_BY_NONE = ["/usr", "/var", "/home", "/root", "/bin"];

/** The real paths of what the process sees and where it starts. */
function foldersOf({ cwd, root }: ExecutionRequest): Checked<Pick<CheckedRequest, "root" | "cwd">> {
  if (root === undefined && cwd === "fresh") return { ok: true, value: {} };
  const shown = workingDirectory(root ?? cwd);
  if (!shown.ok) return shown;
  const start = root === undefined ? shown : workingDirectory(cwd);
  if (!start.ok) return start;
  // The approval names this folder; behind a link it could be another one by now.
  if (root === undefined || (start.value === cwd && isBelow(shown.value, cwd))) {
    return { ok: true, value: { root: shown.value, cwd: start.value } };
  }
  const message = `nothing can run in ${JSON.stringify(cwd)}: it is not below the working directory, or lies behind a link`;
  return executionFailure("working-directory-refused", message);
}

/** The real path of a folder that may be shown: one that holds more than a project is refused. */
function workingDirectory(cwd: string): Checked<string> {
  const refuse = (why: string, hint?: string) => {
    const message = `nothing can run in ${JSON.stringify(cwd)}: ${why}`;
    return executionFailure("working-directory-refused", message, hint);
  };
  if (!isAbsolute(cwd) || cwd.includes("\0")) return refuse("it is not an absolute path");
  let path: string;
  try {
    path = realpathSync(cwd);
    if (!lstatSync(path).isDirectory()) return refuse("it is not a folder");
  } catch {
    return refuse("it does not exist");
  }
  const holds = [homedir(), tmpdir(), ...HELD_BY_NONE].some((other) => isBelow(path, other));
  if (holds || SYSTEM.some((system) => isBelow(system, path))) {
    return refuse(
      "it holds more than a project",
      "Start in the folder of a project, or run scripts in a fresh working directory.",
    );
  }
  return { ok: true, value: path };
}

/** Whether a link is on the way. A script may make a folder that is not there yet. */
function leadsElsewhere(path: string): boolean {
  for (let place = path; place !== dirname(place); place = dirname(place)) {
    if (lstatSync(place, { throwIfNoEntry: false }) !== undefined) {
      return realPath(place) !== place;
    }
  }
  return false;
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Real paths of places below the working directory. */
function writablePlaces(
  root: string,
  given: readonly string[],
): readonly string[] | ExecutionFailure {
  const places = given.map((place) => resolve(root, place));
  for (const [i, path] of places.entries()) {
    const refuse = (why: string, hint?: string) => {
      const message = `${JSON.stringify(given[i])} cannot be writable: ${why}`;
      return executionFailure("writable-refused", message, hint);
    };
    if (given[i] === "" || path.includes("\0") || !isBelow(root, path)) {
      return refuse("it is not below the working directory");
    }
    if (leadsElsewhere(path)) return refuse("it is a link or lies behind one");
    const control = controlFolderOf(root) ?? relative(root, path).split(sep).find(isControlFolder);
    if (control !== undefined) return refuse(`${control} tells other programs what to do`);
  }
  return places;
}

interface LimitArguments {
  /** Stand before the command; empty when nothing can be limited. */
  readonly args: readonly string[];
  readonly unenforced: readonly string[];
}

/**
 * The command that limits the processes of a script. Memory is `RLIMIT_DATA`: Node reserves more
 * address space than any `RLIMIT_AS` would leave it. That does not count shared memory, which
 * therefore is never enforced. `RLIMIT_NPROC` does not bind root; without a number there is none.
 */
export function limitArguments(limits: ResolvedLimits, processes?: number): LimitArguments {
  const prlimit = trustedProgram("prlimit");
  const unlimited = ["sharedMemory", ...(processes === undefined ? ["processes"] : [])];
  if (prlimit === undefined) {
    const rest = ["memoryBytes", "cpuSeconds", "fileBytes", "openFiles", "processes"];
    return { args: [], unenforced: [...new Set([...unlimited, ...rest])] };
  }
  const hard = systemText("/proc/self/limits");
  // Raising a hard limit is refused, so ours is never above it.
  const most = (title: string, value: number) => {
    const limit = new RegExp(`^${title}\\s+\\S+\\s+(\\d+)`, "m").exec(hard)?.[1];
    return Math.min(value, Number(limit ?? value));
  };
  const cpu = most("Max cpu time", limits.cpuSeconds);
  const args = [
    prlimit,
    `--data=${most("Max data size", limits.memoryBytes)}`,
    // The signal of the soft limit can be ignored, the end at the hard one cannot.
    `--cpu=${cpu}:${most("Max cpu time", cpu + 1)}`,
    `--fsize=${most("Max file size", limits.fileBytes)}`,
    `--nofile=${most("Max open files", limits.openFiles)}`,
    "--core=0",
    ...(processes === undefined ? [] : [`--nproc=${most("Max processes", processes)}`]),
    "--",
  ];
  return { args, unenforced: unlimited };
}

/** Threads of this user, which `RLIMIT_NPROC` counts outside of a namespace. */
export function countOwnThreads(): number {
  const uid = process.getuid?.();
  let count = 0;
  for (const pid of readdirSync("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    if (statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid !== uid) continue;
    const threads = /^Threads:\s*(\d+)/m.exec(systemText(`/proc/${pid}/status`))?.[1];
    count += Number(threads ?? 1);
  }
  return count;
}

const MOUNT = "/sys/fs/cgroup";
const PREFIX = "skillwright-";
const REMOVE_ATTEMPTS = 50;

let parent: string | undefined;
let count = 0;

/** A group of processes whose number the kernel limits, also for root. */
export class ProcessGroup {
  /**
   * Where a process writes 0 to join. That takes some 10 ms in version 2, and no time in version 1 for
   * a process with one thread.
   */
  readonly door: string;
  readonly #directory: string;

  /** A new group, or undefined where this user may not make one. */
  static make(limit: number): ProcessGroup | undefined {
    try {
      parent ??= findParent();
      const directory = join(parent, `${PREFIX}${process.pid}-${++count}`);
      mkdirSync(directory);
      try {
        writeFileSync(join(directory, "pids.max"), String(limit));
      } catch (error) {
        rmdirSync(directory);
        throw error;
      }
      return new ProcessGroup(directory);
    } catch {
      return undefined;
    }
  }

  private constructor(directory: string) {
    const tasks = join(directory, "tasks");
    this.door = existsSync(tasks) ? tasks : join(directory, "cgroup.procs");
    this.#directory = directory;
  }

  has(pid: number): boolean {
    return systemText(`/proc/${pid}/cgroup`).includes(`/${basename(this.#directory)}\n`);
  }

  /** Once it is empty; callers need not wait. */
  async remove(): Promise<void> {
    for (let attempt = 0; attempt < REMOVE_ATTEMPTS; attempt++) {
      if (tryRemove(this.#directory)) return;
      await setTimeout(10, undefined, { ref: false });
    }
  }
}

/** Version 1 has a separate tree for this; in version 2 a group with processes cannot have children. */
function findParent(): string {
  const text = readFileSync("/proc/self/cgroup", "utf8");
  const own = /^\d+:(?:[^:\n]*,)?pids(?:,[^:\n]*)?:(.*)$/m.exec(text)?.[1];
  const second = /^0::(.+)$/m.exec(text)?.[1] ?? "/";
  const found = own === undefined ? join(MOUNT, dirname(second)) : join(MOUNT, "pids", own);
  for (const name of readdirSync(found)) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length).split("-")[0]) : 0;
    if (pid !== 0 && systemText(`/proc/${pid}/stat`) === "") tryRemove(join(found, name));
  }
  return found;
}

function tryRemove(directory: string): boolean {
  try {
    rmdirSync(directory);
    return true;
  } catch (error) {
    return errorCode(error) === "ENOENT";
  }
}
