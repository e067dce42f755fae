import { existsSync, lstatSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, extname, isAbsolute, join } from "node:path";
import { executionFailure, type ExecutionFailure } from "./executor.ts";
import { inlineDependencies } from "./inline-dependencies.ts";
import {
  BASH,
  BY_EXTENSION,
  BY_PROGRAM,
  type InterpreterKind,
  NODE,
  PYTHON,
  SHELL,
} from "./interpreter-kind.ts";
import { parseShebang, type Shebang } from "./shebang.ts";
import { trustedProgram } from "./find-program.ts";

export interface Interpreter {
  readonly ok: true;
  readonly name: string;
  readonly program: string;
  /** Stand before the script. */
  readonly args: readonly string[];
  /** What a sandbox must show beyond the system's own folders. */
  readonly binds: readonly string[];
}

export interface InterpreterOptions {
  /** Programs that the user's configuration names, by `python3`, `node`, `uv` and so on. */
  readonly interpreters?: Readonly<Record<string, string>>;
  readonly virtualEnvironment?: string;
}

/** What runs a script: decided by its ending, and by its first line where that says more. */
export function findInterpreter(
  path: string,
  source: string,
  options: InterpreterOptions = {},
): Interpreter | ExecutionFailure {
  const shebang = parseShebang(source);
  const byProgram = shebang === undefined ? undefined : BY_PROGRAM.get(shebang.program);
  const byExtension = BY_EXTENSION.get(extname(path).toLowerCase());
  const isShell = byExtension === BASH && (byProgram === SHELL || byProgram === BASH);
  const kind = isShell ? byProgram : (byExtension ?? byProgram);
  if (kind === undefined) return unknown(path, shebang);
  const flags = kind === byProgram ? (shebang?.flags ?? []) : [];
  const strange = flags.find((flag) => !kind.flags.test(flag));
  if (strange !== undefined) {
    const message = `the first line of ${path} has ${JSON.stringify(strange)}, which is not supported`;
    return executionFailure("interpreter-unknown", message);
  }
  if (kind === NODE) return runningNode(options);
  if (kind === PYTHON) return python(path, source, flags, options);
  return found(kind, flags, options) ?? missing(kind.programs[0] ?? "", kind.packages);
}

function python(
  path: string,
  source: string,
  flags: readonly string[],
  options: InterpreterOptions,
): Interpreter | ExecutionFailure {
  const { virtualEnvironment } = options;
  if (virtualEnvironment !== undefined) return pythonOf(virtualEnvironment, flags);
  const needed = inlineDependencies(source);
  if (needed.length === 0) {
    return found(PYTHON, flags, options) ?? missing("python3", PYTHON.packages);
  }
  const uv = found(
    { programs: ["uv"], args: ["run", "--offline", "--no-project", "--script"] },
    [],
    options,
  );
  return (
    uv ??
    executionFailure(
      "interpreter-missing",
      `${path} declares the packages ${needed.join(", ")} inside itself, and uv is not installed`,
      "Install uv, or name a virtual environment that has these packages as execution.virtualEnvironment. Nothing is downloaded on its own.",
    )
  );
}

function pythonOf(environment: string, flags: readonly string[]): Interpreter | ExecutionFailure {
  const program = join(environment, "bin/python3");
  const isOne = isAbsolute(environment) && existsSync(join(environment, "pyvenv.cfg"));
  if (!isOne || !existsSync(program)) {
    const message = `${JSON.stringify(environment)} is not a virtual environment of Python`;
    const hint =
      "Make one with: python3 -m venv <folder>, and name it as execution.virtualEnvironment.";
    return executionFailure("interpreter-missing", message, hint);
  }
  const binds = [environment, ...bindsOf(realpathSync(program))];
  return { ok: true, name: "python3", program, args: [...PYTHON.args, ...flags], binds };
}

/** This Node, which is trusted already since it runs us. */
export function runningNode({ interpreters }: InterpreterOptions): Interpreter {
  const program = realpathSync(interpreters?.["node"] ?? process.execPath);
  return { ok: true, name: "node", program, args: [], binds: isOfSystem(program) ? [] : [program] };
}

function found(
  kind: Pick<InterpreterKind, "programs" | "args">,
  flags: readonly string[],
  { interpreters = {} }: InterpreterOptions,
): Interpreter | undefined {
  for (const name of kind.programs) {
    const named = Object.hasOwn(interpreters, name) ? interpreters[name] : undefined;
    const program = named === undefined ? trustedProgram(name) : configured(named);
    if (program === undefined) continue;
    const binds = bindsOf(realpathSync(program));
    return { ok: true, name, program, args: [...kind.args, ...flags], binds };
  }
  return undefined;
}

function configured(program: string): string | undefined {
  return isAbsolute(program) && existsSync(program) ? realpathSync(program) : undefined;
}

/** The folder that an interpreter was installed into (pyenv, nvm), never a home folder. */
function bindsOf(program: string): readonly string[] {
  if (isOfSystem(program)) return [];
  const prefix = dirname(dirname(program));
  const isPrefix =
    basename(dirname(program)) === "bin" &&
    lstatSync(join(prefix, "lib"), { throwIfNoEntry: false }) !== undefined &&
    !`${homedir()}/`.startsWith(`${prefix}/`) &&
    prefix !== "/";
  return [isPrefix ? prefix : program];
}

function isOfSystem(program: string): boolean {
  return /^\/(?:usr|bin|sbin|lib|lib64)\//.test(program);
}

function unknown(path: string, shebang: Shebang | undefined): ExecutionFailure {
  const why =
    shebang === undefined
      ? "its ending is not known and its first line names no program"
      : `its first line names ${JSON.stringify(shebang.program)}`;
  return executionFailure(
    "interpreter-unknown",
    `${path} cannot be run: ${why}`,
    `Known endings: ${[...BY_EXTENSION.keys()].join(" ")}; known programs: ${[...BY_PROGRAM.keys()].join(" ")}.`,
  );
}

function missing(program: string, packages: string): ExecutionFailure {
  return executionFailure(
    "interpreter-missing",
    `${program} is not installed in a folder of the system`,
    `Install it (Debian, Ubuntu: apt-get install ${packages}).`,
  );
}
