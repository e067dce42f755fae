import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, extname, isAbsolute, join } from "node:path";
import { executionFailure, type ExecutionFailure } from "./execution-failure.ts";

/** Never the working directory, the user's PATH or a folder that someone else may write to. */
const TRUSTED_DIRECTORIES = [
  ["/usr/bin", "/bin", "/usr/local/bin", "/usr/sbin", "/sbin"],
  ["/run/current-system/sw/bin", "/opt/homebrew/bin"],
].flat();
const OTHERS_MAY_WRITE = 0o022;
const MAY_EXECUTE = 0o111;

const found = new Map<string, string>();
/** Looking for a program that is not there takes longest; it may be installed meanwhile. */
const MISSING_MS = 5000;
const absent = new Map<string, number>();

/** The absolute path of a program in a folder that only the system's owner can change. */
export function trustedProgram(name: string): string | undefined {
  const known = found.get(name);
  if (known !== undefined) return known;
  const now = performance.now();
  if (now - (absent.get(name) ?? -Infinity) < MISSING_MS) return undefined;
  for (const directory of TRUSTED_DIRECTORIES) {
    const file = join(directory, name);
    if (!isTrusted(file)) continue;
    found.set(name, file);
    return file;
  }
  absent.set(name, now);
  return undefined;
}

function isTrusted(file: string): boolean {
  try {
    const real = realpathSync(file);
    const stats = lstatSync(real);
    if (!stats.isFile() || (stats.mode & MAY_EXECUTE) === 0) return false;
    return [file, real].every((path) => isSystemPath(path));
  } catch {
    return false;
  }
}

/** Owned by root all the way up, and not writable by anyone else. */
function isSystemPath(path: string): boolean {
  for (let current = path; ; current = dirname(current)) {
    const stats = lstatSync(current);
    const isOpen = !stats.isSymbolicLink() && (stats.mode & OTHERS_MAY_WRITE) !== 0;
    if (stats.uid !== 0 || isOpen) return false;
    if (current === dirname(current)) return true;
  }
}

interface FoundProgram {
  readonly ok: true;
  readonly name: string;
  readonly program: string;
  /** What a sandbox must show beyond the system's own folders. */
  readonly binds: readonly string[];
}

/**
 * The program of a command, in a folder that only the system's owner can change. One of the working
 * directory is never started by its path: whoever can write there would choose what runs.
 */
export function findProgram(given: string): FoundProgram | ExecutionFailure {
  const name = basename(given);
  const isPath = given.includes("/");
  const found = name === "" || name === "." || name === ".." ? undefined : trustedProgram(name);
  if (found !== undefined && (!isPath || isSame(given, found))) return foundProgram(name, found);
  if (name === "node" && (!isPath || isSame(given, process.execPath))) return runningNode();
  const shown = JSON.stringify(given.slice(0, 200));
  return executionFailure(
    "program-missing",
    `there is no program ${shown} in a folder of the system`,
    isPath
      ? 'Programs of the working directory are not started by their path; name what runs them, such as "bash" or "node", and give the path as an argument.'
      : given === "python" && trustedProgram("python3") !== undefined
        ? 'Use "python3".'
        : "Install it for the whole system, or use another program.",
  );
}

/** Many systems have Python as `python3` only. Policy and approvals must see this command. */
export function withActualProgram(argv: readonly string[]): readonly string[] {
  const isElsewhere =
    argv[0] === "python" &&
    trustedProgram("python") === undefined &&
    trustedProgram("python3") !== undefined;
  return isElsewhere ? ["python3", ...argv.slice(1)] : argv;
}

/** This Node, which is trusted already since it runs us. */
export function runningNode(): FoundProgram {
  return foundProgram("node", realpathSync(process.execPath));
}

function foundProgram(name: string, program: string): FoundProgram {
  const real = realpathSync(program);
  return { ok: true, name, program, binds: isOfSystem(real) ? [] : [real] };
}

function isOfSystem(program: string): boolean {
  return /^\/(?:usr|bin|sbin|lib|lib64)\//.test(program);
}

function isSame(given: string, found: string): boolean {
  try {
    return isAbsolute(given) && realpathSync(given) === realpathSync(found);
  } catch {
    return false;
  }
}

interface InterpreterKind {
  /** In shebangs and commands; programs are tried in this order. */
  readonly names: readonly string[];
  readonly endings: readonly string[];
  readonly args: readonly string[];
  /** Flags of a shebang that are kept; any other is refused. */
  readonly flags: RegExp;
  /** Of Debian. */
  readonly packages: string;
}

/**
 * Not `-I` or `-P`: they would break imports of files beside the script. Not `-E`: it would ignore our
 * PYTHONPATH, and no other variable of Python gets into the environment.
 */
const PYTHON: InterpreterKind = {
  names: ["python3", "python"],
  endings: [".py"],
  args: ["-s", "-B", "-u"],
  flags: /^-[uBOEsSIP]+$/,
  packages: "python3",
};
const NODE: InterpreterKind = {
  names: ["node", "nodejs"],
  endings: [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"],
  args: [],
  flags: /^$/,
  packages: "nodejs",
};

/** The first one with an ending runs the scripts that have it, unless their first line says more. */
const INTERPRETERS: readonly InterpreterKind[] = [
  PYTHON,
  {
    names: ["bash"],
    endings: [".sh", ".bash"],
    // Node gives a socket as standard input, and bash then reads its start files unless an option forbids it.
    args: ["--norc", "--noprofile"],
    flags: /^(?:-[euxfvC]+|--norc|--noprofile|-o|pipefail)$/,
    packages: "bash",
  },
  {
    names: ["sh", "dash"],
    endings: [".sh", ".bash"],
    args: [],
    flags: /^-[euxfvC]+$/,
    packages: "dash",
  },
  NODE,
  { names: ["ruby"], endings: [".rb"], args: [], flags: /^-w$/, packages: "ruby" },
  { names: ["perl"], endings: [".pl"], args: [], flags: /^-[wT]+$/, packages: "perl" },
];

/** By the name of a program, which may end in a version: `python3.12`. */
export function interpreterNamed(program: string): InterpreterKind | undefined {
  const name = program.replace(/^(python3|ruby|perl)[\d.]+$/, "$1");
  return INTERPRETERS.find(({ names }) => names.includes(name));
}

function interpreterOf(ending: string): InterpreterKind | undefined {
  return INTERPRETERS.find(({ endings }) => endings.includes(ending));
}

interface Interpreter extends FoundProgram {
  /** Stand before the script. */
  readonly args: readonly string[];
}

/** What runs a script: decided by its ending, and by its first line where that says more. */
export function findInterpreter(
  path: string,
  source: string,
  virtualEnvironment?: string,
): Interpreter | ExecutionFailure {
  const [program, ...given] = shebangOf(source);
  const named = interpreterNamed(program ?? "");
  const ending = extname(path).toLowerCase();
  const kind = named?.endings.includes(ending) === true ? named : (interpreterOf(ending) ?? named);
  if (kind === undefined) return unknown(path, program);
  const flags = kind === named ? given : [];
  const strange = flags.find((flag) => !kind.flags.test(flag));
  if (strange !== undefined) {
    const message = `the first line of ${path} has ${JSON.stringify(strange)}, which is not supported`;
    return executionFailure("interpreter-unknown", message);
  }
  if (kind === NODE) return { ...runningNode(), args: [] };
  const args = [...kind.args, ...flags];
  if (kind === PYTHON && virtualEnvironment !== undefined)
    return pythonOf(virtualEnvironment, args);
  return installed(kind.names, args) ?? missing(kind);
}

function pythonOf(environment: string, args: readonly string[]): Interpreter | ExecutionFailure {
  const program = join(environment, "bin/python3");
  const isOne = isAbsolute(environment) && existsSync(join(environment, "pyvenv.cfg"));
  if (!isOne || !existsSync(program)) {
    const message = `${JSON.stringify(environment)} is not a virtual environment of Python`;
    const hint =
      "Make one with: python3 -m venv <folder>, and name it as execution.virtualEnvironment.";
    return executionFailure("interpreter-missing", message, hint);
  }
  const binds = [environment, ...bindsOf(realpathSync(program))];
  return { ok: true, name: "python3", program, args, binds };
}

function installed(names: readonly string[], args: readonly string[]): Interpreter | undefined {
  for (const name of names) {
    const program = trustedProgram(name);
    if (program === undefined) continue;
    return { ok: true, name, program, args, binds: bindsOf(realpathSync(program)) };
  }
  return undefined;
}

/** The folder that an interpreter was installed into (pyenv, Nix), never a home folder. */
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

function unknown(path: string, program: string | undefined): ExecutionFailure {
  const why =
    program === undefined
      ? "its ending is not known and its first line names no program"
      : `its first line names ${JSON.stringify(program)}`;
  return executionFailure(
    "interpreter-unknown",
    `${path} cannot be run: ${why}`,
    `Known endings: ${[...new Set(INTERPRETERS.flatMap(({ endings }) => endings))].join(" ")}; known programs: ${INTERPRETERS.flatMap(({ names }) => names).join(" ")}.`,
  );
}

function missing({ names: [program = ""], packages }: InterpreterKind): ExecutionFailure {
  return executionFailure(
    "interpreter-missing",
    `${program} is not installed in a folder of the system`,
    `Install it (Debian, Ubuntu: apt-get install ${packages}).`,
  );
}

/**
 * Whether a file of this name may be a script. One without an ending may have a first line that says
 * so, which is seen only when it is to run. Opens nothing.
 */
export function canInterpret(path: string): boolean {
  const extension = extname(path).toLowerCase();
  if (extension === "") return !basename(path).startsWith(".");
  return interpreterOf(extension) !== undefined;
}

export function isTypeScript(path: string): boolean {
  return /\.[mc]?ts$/i.test(path) && !path.endsWith(".d.ts");
}

const SHEBANG = /^#![ \t]*([^\r\n]{1,256})/;
const ENV = /^(?:[^ \t]*\/)?env(?:[ \t]+-S)?(?:[ \t]+|$)/;

/** The program that the first line names, without its folder, and its flags. */
function shebangOf(source: string): readonly string[] {
  const line = (SHEBANG.exec(source)?.[1] ?? "").trim().replace(ENV, "");
  const [program = "", ...flags] = line.split(/[ \t]+/);
  const name = program.slice(program.lastIndexOf("/") + 1);
  return name === "" ? [] : [name, ...flags];
}

/** Libraries of Python that skills commonly need, by the module that they are imported as. */
const PYTHON_LIBRARIES: Readonly<Record<string, string>> = {
  pypdf: "pypdf",
  pdfplumber: "pdfplumber",
  reportlab: "reportlab",
  fitz: "PyMuPDF",
  openpyxl: "openpyxl",
  pandas: "pandas",
  numpy: "numpy",
  matplotlib: "matplotlib",
  docx: "python-docx",
  pptx: "python-pptx",
  PIL: "Pillow",
  lxml: "lxml",
  yaml: "PyYAML",
  bs4: "beautifulsoup4",
  requests: "requests",
};

const PROGRAMS = ["soffice", "pdftotext", "qpdf", "pandoc", "ffmpeg", "tesseract"];

const known = new Map<string, readonly string[]>();

/**
 * Those of the libraries that this Python can import, found by looking into its folders: no process is started.
 * Default: the Python of the system. Looked for once in a process.
 */
export function pythonLibraries(program = trustedProgram("python3")): readonly string[] {
  if (program === undefined) return [];
  const found = known.get(program) ?? librariesIn(packageFolders(program));
  known.set(program, found);
  return found;
}

/** The programs that skills commonly start. */
export function commonPrograms(): readonly string[] {
  const found = known.get("") ?? PROGRAMS.filter((name) => trustedProgram(name) !== undefined);
  known.set("", found);
  return found;
}

function librariesIn(folders: readonly string[]): readonly string[] {
  const isThere = (module: string) =>
    folders.some((folder) =>
      [join(module, "__init__.py"), `${module}.py`].some((file) => existsSync(join(folder, file))),
    );
  return Object.entries(PYTHON_LIBRARIES).flatMap(([module, name]) =>
    isThere(module) ? [name] : [],
  );
}

/** Where a Python looks for packages; not in the folder of the user, since scripts get `-s`. */
function packageFolders(program: string): readonly string[] {
  try {
    const real = realpathSync(program);
    const [version] = /\d+\.\d+$/.exec(basename(real)) ?? [];
    const environment = dirname(dirname(program));
    const settings = join(environment, "pyvenv.cfg");
    const prefix = dirname(dirname(real));
    const own = existsSync(settings) ? [environment] : [];
    const isAlone =
      own.length > 0 &&
      !/^include-system-site-packages\s*=\s*true/im.test(readFileSync(settings, "utf8"));
    const shared = prefix === "/usr" ? ["/usr/local", prefix] : [prefix];
    return [...own, ...(isAlone ? [] : shared)].flatMap((one) =>
      foldersBelow(join(one, "lib"), version),
    );
  } catch {
    return [];
  }
}

function foldersBelow(lib: string, version: string | undefined): readonly string[] {
  if (!existsSync(lib)) return [];
  const isOurs = (name: string) =>
    name === "python3" ||
    (version === undefined ? /^python3\.\d+$/.test(name) : name === `python${version}`);
  return readdirSync(lib)
    .filter(isOurs)
    .flatMap((name) => ["site-packages", "dist-packages"].map((one) => join(lib, name, one)));
}
