import { isBelow, quoteName, visibleLine } from "@skillwright/core/internal";
import { lstatSync, realpathSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, isAbsolute, relative, resolve, sep } from "node:path";
import { controlFolderOf, isControlFolder } from "../workspace/confinement/control-names.ts";
import {
  executionFailure,
  type ExecutionFailure,
  type ExecutionLimits,
  type ExecutionRequest,
} from "./executor.ts";
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
  /** What it may reach; empty for nothing. */
  readonly domains: readonly DomainRule[];
}

export type ResolvedLimits = Required<ExecutionLimits>;

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
  const limits = resolveLimits(request.limits);
  if (!limits.ok) return limits;
  const problem = argumentsProblem(isCommand ? request.argv : request.args);
  if (problem !== undefined) return problem;
  const network = domainsOf(request);
  if (!network.ok) return network;
  const folders = foldersOf(request);
  if (!folders.ok) return folders;
  return {
    ...folders,
    name: script?.path ?? basename(isCommand ? (request.argv[0] ?? "") : ""),
    limits: limits.limits,
    domains: network.domains,
  };
}

/** The limits with their defaults. */
function resolveLimits(
  given: ExecutionLimits = {},
): { readonly ok: true; readonly limits: ResolvedLimits } | ExecutionFailure {
  const limits = { ...DEFAULT_LIMITS };
  for (const key of Object.keys(DEFAULT_LIMITS) as (keyof ResolvedLimits)[]) {
    const value = given[key];
    if (value === undefined) continue;
    const largest = LARGEST[key] ?? Number.MAX_SAFE_INTEGER;
    if (!Number.isSafeInteger(value) || value < 1 || value > largest) {
      const message = `the limit ${key} must be a whole number from 1 to ${largest}`;
      return executionFailure("limits-invalid", message);
    }
    limits[key] = value;
  }
  return { ok: true, limits };
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

function domainsOf({
  network = "none",
}: ExecutionRequest):
  | { readonly ok: true; readonly domains: readonly DomainRule[] }
  | ExecutionFailure {
  if (network === "none") return { ok: true, domains: [] };
  const refuse = (message: string) =>
    executionFailure(
      "network-invalid",
      message,
      "Write example.com, *.example.com for what is below it, or example.com:8443.",
    );
  const given: unknown = network.domains;
  if (!Array.isArray(given)) return refuse("the domains must be a list");
  if (given.length > MAX_DOMAINS) return refuse(`there are more than ${MAX_DOMAINS} domains`);
  const domains: DomainRule[] = [];
  for (const text of given as readonly unknown[]) {
    const rule = typeof text === "string" ? parseDomainRule(text) : undefined;
    if (rule === undefined) {
      return refuse(`${JSON.stringify(text)?.slice(0, 100)} is not a domain that can be allowed`);
    }
    domains.push(rule);
  }
  return { ok: true, domains };
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
  const shown = quoteName(script, 200);
  if (OUTSIDE.test(script.normalize("NFKC")) || ENCODED.test(script)) {
    return refuse("script-outside", `the script ${shown} is not below the skill's scripts folder`);
  }
  const isPlain = script.normalize("NFKC") === script.normalize("NFC");
  const isHiding = visibleLine(script) !== script;
  if (script.length > MAX_LENGTH || isHiding || script.includes("\\") || !isPlain) {
    return refuse("script-invalid", `the script path ${shown} is not allowed`);
  }
  const plain = script.replace(/^(?:\.\/)+/, "");
  const path = plain.startsWith(FOLDER) ? plain : FOLDER + plain;
  const segments = path.split("/");
  const isNamed = segments.every(
    (segment) =>
      segment !== "" &&
      segment !== "." &&
      Buffer.byteLength(segment) <= MAX_SEGMENT_BYTES &&
      !WINDOWS.test(segment),
  );
  if (!isNamed) return refuse("script-invalid", `the script path ${shown} is not allowed`);
  return { ok: true, path };
}

function refuse(code: "script-outside" | "script-invalid", message: string): ExecutionFailure {
  return executionFailure(
    code,
    message,
    'Name a file of the skill\'s "scripts" folder, such as "analyze.py" or "scripts/analyze.py".',
  );
}

const SYSTEM = ["/proc", "/sys", "/dev", "/etc", "/boot", "/run"];
const HELD_BY_NONE = ["/usr", "/var", "/home", "/root", "/bin"];

interface Folders {
  readonly ok: true;
  readonly root?: string;
  readonly cwd?: string;
}

/** The real paths of what the process sees and where it starts. */
function foldersOf({ cwd, root }: ExecutionRequest): Folders | ExecutionFailure {
  if (root === undefined && cwd === "fresh") return { ok: true };
  const shown = workingDirectory(root ?? cwd);
  if (!shown.ok) return shown;
  if (root === undefined) return { ok: true, root: shown.path, cwd: shown.path };
  const start = workingDirectory(cwd);
  if (!start.ok) return start;
  // The approval names this folder; behind a link it could be another one by now.
  if (!isBelow(shown.path, start.path) || start.path !== cwd) {
    const message = `nothing can run in ${JSON.stringify(cwd)}: it is not below the working directory, or lies behind a link`;
    return executionFailure("working-directory-refused", message);
  }
  return { ok: true, root: shown.path, cwd: start.path };
}

/** The real path of a folder that may be shown: one that holds more than a project is refused. */
function workingDirectory(
  cwd: string,
): { readonly ok: true; readonly path: string } | ExecutionFailure {
  const refuse = (why: string, hint?: string) =>
    executionFailure(
      "working-directory-refused",
      `nothing can run in ${JSON.stringify(cwd)}: ${why}`,
      hint,
    );
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
  return { ok: true, path };
}

/** Real paths of places below the working directory. */
export function writablePlaces(
  root: string,
  given: readonly string[],
): { readonly ok: true; readonly places: readonly string[] } | ExecutionFailure {
  const places: string[] = [];
  for (const place of given) {
    const real = writablePlace(root, place);
    if (typeof real !== "string") return real;
    places.push(real);
  }
  return { ok: true, places };
}

function writablePlace(root: string, place: string): string | ExecutionFailure {
  const path = resolve(root, place);
  const refuse = (why: string, hint?: string) =>
    executionFailure(
      "writable-refused",
      `${JSON.stringify(place)} cannot be writable: ${why}`,
      hint,
    );
  if (place === "" || place.includes("\0") || !isBelow(root, path)) {
    return refuse("it is not below the working directory");
  }
  let real: string;
  try {
    real = realpathSync(path);
  } catch {
    return refuse("it does not exist", "Create it first.");
  }
  if (real !== path) return refuse("it is a link or lies behind one");
  const control = controlFolderOf(root) ?? relative(root, real).split(sep).find(isControlFolder);
  return control === undefined ? real : refuse(`${control} tells other programs what to do`);
}
