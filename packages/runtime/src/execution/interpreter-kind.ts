export interface InterpreterKind {
  /** Tried in this order. */
  readonly programs: readonly string[];
  readonly args: readonly string[];
  /** Flags of a shebang that are kept; any other is refused. */
  readonly flags: RegExp;
  readonly packages: string;
}

/**
 * Not `-I` or `-P`: they would break imports of files beside the script. Not `-E`: it would ignore our
 * PYTHONPATH, and no other variable of Python gets into the environment.
 */
export const PYTHON: InterpreterKind = {
  programs: ["python3", "python"],
  args: ["-s", "-B", "-u"],
  flags: /^-[uBOEsSIP]+$/,
  packages: "python3",
};
/** Node gives a socket as standard input, and bash then reads its start files unless told not to. */
export const BASH: InterpreterKind = {
  programs: ["bash"],
  args: ["--norc", "--noprofile"],
  flags: /^(?:-[euxfvC]+|--norc|--noprofile|-o|pipefail)$/,
  packages: "bash",
};
export const SHELL: InterpreterKind = {
  programs: ["sh"],
  args: [],
  flags: /^-[euxfvC]+$/,
  packages: "dash",
};
export const NODE: InterpreterKind = {
  programs: ["node"],
  args: [],
  flags: /^$/,
  packages: "nodejs",
};
const RUBY: InterpreterKind = {
  programs: ["ruby"],
  args: [],
  flags: /^-w$/,
  packages: "ruby",
};
const PERL: InterpreterKind = {
  programs: ["perl"],
  args: [],
  flags: /^-[wT]+$/,
  packages: "perl",
};

export const BY_EXTENSION: ReadonlyMap<string, InterpreterKind> = new Map([
  [".py", PYTHON],
  [".sh", BASH],
  [".bash", BASH],
  ...[".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"].map((extension) => [extension, NODE] as const),
  [".rb", RUBY],
  [".pl", PERL],
]);

export const BY_PROGRAM: ReadonlyMap<string, InterpreterKind> = new Map([
  ["python3", PYTHON],
  ["python", PYTHON],
  ["bash", BASH],
  ["sh", SHELL],
  ["dash", SHELL],
  ["node", NODE],
  ["nodejs", NODE],
  ["ruby", RUBY],
  ["perl", PERL],
]);
