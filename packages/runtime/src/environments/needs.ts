import type { Failure } from "@skillwright/core";
import { canonicalJson } from "@skillwright/core/internal";
import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { basename, extname, posix } from "node:path";
import { trustedProgram } from "../execution/find-program.ts";

/** The libraries that a script declares, and where it does. */
export type EnvironmentNeed = PythonNeed | NodeNeed;

interface Need {
  /** Digest of the declaration and the platform: equal needs share one environment. */
  readonly id: string;
  /** File of the skill that declares them: `scripts/fill.py`, `requirements.txt`, `package-lock.json`. */
  readonly declaredIn: string;
}

export interface PythonNeed extends Need {
  readonly kind: "python";
  /** Lines for the resolver, such as `pypdf>=4` or `six==1.0 --hash=sha256:…`. */
  readonly requirements: readonly string[];
  /** `>=3.10`. */
  readonly requiresPython?: string;
}

export interface NodeNeed extends Need {
  readonly kind: "node";
  readonly manifest: string;
  readonly lockfile: string;
}

export type NeedFailure = Failure<"declaration-invalid" | "declaration-refused">;

/** A file of the skill by its path from the root, or undefined if there is none. */
export type ReadSkillFile = (path: string) => string | undefined;

const MAX_REQUIREMENTS = 200;
const MAX_INCLUDES = 10;

/**
 * What a script of a skill needs: its own PEP 723 block first, then `requirements.txt`, then `pyproject.toml`; for
 * JavaScript and TypeScript `package.json` with its lockfile. Files beside the script come before those at the root.
 * Undefined where nothing is declared.
 */
export async function environmentNeed(
  script: string,
  read: ReadSkillFile,
): Promise<EnvironmentNeed | NeedFailure | undefined> {
  const ending = extname(script).toLowerCase();
  const folders = [...new Set([posix.dirname(script), "."])];
  try {
    if (ending === ".py") return await pythonNeed(script, folders, read);
    if (/^\.[mc]?[jt]s$/.test(ending)) return nodeNeed(folders, read);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.failure;
    throw error;
  }
}

class Refusal extends Error {
  readonly failure: NeedFailure;

  constructor(code: NeedFailure["code"], message: string, hint?: string) {
    super(message);
    this.failure = { ok: false, code, message, ...(hint !== undefined && { hint }) };
  }
}

async function pythonNeed(
  script: string,
  folders: readonly string[],
  read: ReadSkillFile,
): Promise<PythonNeed | undefined> {
  const block = scriptBlock(read(script) ?? "");
  if (block !== undefined) {
    const { dependencies, "requires-python": requires } = await parseToml(block, script);
    return pythonNeedOf(script, listOf(dependencies, script), requires);
  }
  for (const folder of folders) {
    const path = posix.join(folder, "requirements.txt");
    if (read(path) === undefined) continue;
    const lines = requirementLines(path, read);
    return pythonNeedOf(path, lines);
  }
  for (const folder of folders) {
    const path = posix.join(folder, "pyproject.toml");
    const text = read(path);
    if (text === undefined) continue;
    const { project } = await parseToml(text, path);
    if (!isTable(project)) continue;
    return pythonNeedOf(path, listOf(project["dependencies"], path), project["requires-python"]);
  }
  return undefined;
}

function pythonNeedOf(
  declaredIn: string,
  requirements: readonly string[],
  requires?: unknown,
): PythonNeed | undefined {
  if (requirements.length === 0) return undefined;
  for (const one of requirements) checkRequirement(one, declaredIn);
  const requiresPython = typeof requires === "string" ? requires : undefined;
  const id = idOf({ kind: "python", requirements, requiresPython, python: pythonOfSystem() });
  const declared = { kind: "python", id, declaredIn, requirements } as const;
  return { ...declared, ...(requiresPython !== undefined && { requiresPython }) };
}

/** The real path names the version, so none has to be asked for when a script starts. */
function pythonOfSystem(): string {
  const program = trustedProgram("python3");
  return program === undefined ? "" : realpathSync(program);
}

function nodeNeed(folders: readonly string[], read: ReadSkillFile): NodeNeed | undefined {
  for (const folder of folders) {
    const path = posix.join(folder, "package.json");
    const manifest = read(path);
    if (manifest === undefined) continue;
    const declared = parseJson(manifest, path);
    const names = ["dependencies", "optionalDependencies"].flatMap((field) =>
      isTable(declared[field]) ? Object.keys(declared[field]) : [],
    );
    if (names.length === 0) return undefined;
    const declaredIn = posix.join(folder, "package-lock.json");
    const lockfile = read(declaredIn);
    if (lockfile === undefined) {
      throw new Refusal(
        "declaration-invalid",
        `${path} has no package-lock.json beside it, so its libraries are not locked.`,
        "Run `npm install --package-lock-only` in that folder and ship the lockfile with the skill.",
      );
    }
    const node = process.versions.node.split(".")[0];
    return {
      kind: "node",
      id: idOf({ kind: "node", manifest, lockfile, node }),
      declaredIn,
      manifest,
      lockfile,
    };
  }
  return undefined;
}

function idOf(need: Readonly<Record<string, unknown>>): string {
  const { platform, arch } = process;
  const text = canonicalJson(JSON.parse(JSON.stringify({ ...need, platform, arch })));
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

/** Names with versions only: addresses, files and options of a skill would choose where code comes from. */
const REQUIREMENT =
  /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,100}[A-Za-z0-9])?\s*(?:\[[\w\s,.-]{0,200}\])?\s*(?:\(?\s*(?:===?|~=|!=|<=?|>=?)(?:(?!\s--)[^;@#]){1,200})?(?:;(?:(?!\s--)[^#@\\]){1,300}?)?(?:\s+--hash=sha256:[0-9a-f]{64}){0,50}$/;

function checkRequirement(line: string, path: string): void {
  if (REQUIREMENT.test(line)) return;
  throw new Refusal(
    "declaration-refused",
    `${path} asks for ${JSON.stringify(line.slice(0, 200))}, which is not a package name with versions.`,
    "Addresses, files and options are not followed. Name the package and its version, and configure the index in pip or uv.",
  );
}

/** Joins continued lines, drops comments, and follows `-r` to files of the skill. */
function requirementLines(
  path: string,
  read: ReadSkillFile,
  seen: Set<string> = new Set(),
): readonly string[] {
  if (seen.has(path)) return [];
  seen.add(path);
  if (seen.size > MAX_INCLUDES) {
    throw new Refusal("declaration-refused", `${path} includes more than ${MAX_INCLUDES} files.`);
  }
  const text = read(path);
  if (text === undefined) {
    throw new Refusal("declaration-invalid", `${path} is included and is not in the skill.`);
  }
  const lines = text
    .replace(/\\\r?\n/g, " ")
    .split(/\r?\n/)
    .map((line) => line.replace(/(?:^|\s)#.*$/, "").trim())
    .filter((line) => line !== "");
  const all = lines.flatMap((line) => {
    const [, included] = /^(?:-r|--requirement)[\s=]+(\S+)$/.exec(line) ?? [];
    if (included === undefined) return [line.replace(/\s+/g, " ")];
    return requirementLines(posix.join(posix.dirname(path), included), read, seen);
  });
  if (all.length > MAX_REQUIREMENTS) {
    throw new Refusal(
      "declaration-refused",
      `${path} lists more than ${MAX_REQUIREMENTS} packages.`,
    );
  }
  return all;
}

/**
 * The block of PEP 723 as TOML. Line by line: one expression for the whole block can take exponential
 * time.
 */
function scriptBlock(source: string): string | undefined {
  const lines = source.split(/\r?\n/);
  const start = lines.findIndex((line) => /^# \/\/\/ script[ \t]*$/.test(line)) + 1;
  if (start === 0) return undefined;
  const block = lines.slice(start);
  const end = block.findIndex((line) => /^# \/\/\/[ \t]*$/.test(line) || !/^#(?: |$)/.test(line));
  if (block[end]?.startsWith("# ///") !== true) return undefined;
  return block
    .slice(0, end)
    .map((line) => line.replace(/^# ?/, ""))
    .join("\n");
}

/** Whether a Python script declares its libraries itself, and so cannot run without them. */
export function declaresItself(script: string, need: EnvironmentNeed): boolean {
  return need.kind === "python" && need.declaredIn === script;
}

async function parseToml(text: string, path: string): Promise<Readonly<Record<string, unknown>>> {
  const { parse } = await import("smol-toml");
  try {
    return parse(text);
  } catch (error) {
    const why = error instanceof Error ? (error.message.split("\n")[0] ?? "") : "";
    throw new Refusal(
      "declaration-invalid",
      `${path} declares its libraries in TOML that cannot be read: ${why}`,
    );
  }
}

function parseJson(text: string, path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isTable(value)) return value;
  } catch {
    // Reported below.
  }
  throw new Refusal("declaration-invalid", `${path} is not a JSON object.`);
}

function listOf(value: unknown, path: string): readonly string[] {
  if (value === undefined) return [];
  const isList = Array.isArray(value) && value.every((one) => typeof one === "string");
  if (!isList || value.length > MAX_REQUIREMENTS) {
    throw new Refusal(
      "declaration-invalid",
      `${basename(path)}: dependencies is not a list of at most ${MAX_REQUIREMENTS} names.`,
    );
  }
  return value.map((one) => one.trim());
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
