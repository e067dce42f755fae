import { extname } from "node:path";

interface ScriptInterpreter {
  readonly programs: RegExp;
  readonly endings: readonly string[];
  /** Options that scripts are given anyway, so that leaving them out changes nothing. */
  readonly implied: readonly string[];
}

const INTERPRETERS: readonly ScriptInterpreter[] = [
  {
    programs: /^python(?:3(?:\.\d+)?)?$/,
    endings: [".py"],
    implied: ["-E", "-s", "-B", "-u"],
  },
  {
    programs: /^(?:bash|sh|dash)$/,
    endings: [".sh", ".bash"],
    implied: ["--norc", "--noprofile"],
  },
  {
    programs: /^(?:node|nodejs)$/,
    endings: [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"],
    implied: [],
  },
  { programs: /^ruby$/, endings: [".rb"], implied: [] },
  { programs: /^perl$/, endings: [".pl"], implied: [] },
];

/**
 * Where in a command the script stands that an interpreter would run; undefined when the program is
 * no interpreter, or has options that would be lost.
 */
export function scriptPosition(program: string, words: readonly string[]): number | undefined {
  const interpreter = INTERPRETERS.find(({ programs }) => programs.test(program));
  if (interpreter === undefined) return undefined;
  const position = words.findIndex((word, i) => i > 0 && !interpreter.implied.includes(word));
  return position === -1 || words[position]?.startsWith("-") === true ? undefined : position;
}

/** Whether scripts with this ending are run by this program. */
export function isInterpreterOf(program: string, script: string): boolean {
  const ending = extname(script).toLowerCase();
  return INTERPRETERS.some(
    ({ programs, endings }) => programs.test(program) && endings.includes(ending),
  );
}
