import { riskyOption } from "../command/risky-options.ts";
import type { ParsedCommand, SimpleCommand } from "../command/simple-command.ts";
import { unwrapCommand } from "../command/unwrap-command.ts";
import { isHarmlessVariable, programName, SHELL_CHANGERS } from "../command/wrappers.ts";
import { type CommandPattern, commandPattern, matchPattern, plainText } from "./command-pattern.ts";
import { best, type Match, worst } from "../patterns.ts";
import { writtenFiles } from "./redirected-files.ts";

interface PermitOptions {
  /** Whether the same rules permit writing a file that output is redirected to. */
  readonly mayWrite: (path: string) => Match;
}

const MAX_LENGTH = 10_000;
const MAX_WRAPPERS = 12;
const MOVES: ReadonlySet<string> = new Set(["cd", "pushd", "popd", "chdir", "-C", "--chdir"]);

/** Whether rules permit a command line: each command in it must be covered by one of them. */
export function permitCommand(
  specifiers: readonly (string | undefined)[],
  text: string,
  parsed: ParsedCommand,
  options: PermitOptions,
): Match {
  if (specifiers.length === 0) return "no";
  const patterns: CommandPattern[] = [];
  for (const specifier of specifiers) {
    const pattern = commandPattern(specifier);
    if (pattern === undefined) return "yes";
    patterns.push(pattern);
  }
  if (text.length > MAX_LENGTH) return "unclear";
  const all = permitAll(patterns, parsed.commands, options, 0);
  const isUnclear = parsed.unclear.length + Number(writesElsewhere(parsed.commands)) > 0;
  return isUnclear || parsed.commands.length === 0 ? worst([all, "unclear"]) : all;
}

/** After `cd`, a relative path is not what it says. */
function writesElsewhere(commands: readonly SimpleCommand[]): boolean {
  const moves = commands.some(({ words }) => words.some(({ value }) => MOVES.has(value)));
  return moves && commands.some((command) => writtenFiles(command).paths.some(isRelative));
}

function isRelative(path: string): boolean {
  return !path.startsWith("/");
}

function permitAll(
  patterns: readonly CommandPattern[],
  commands: readonly SimpleCommand[],
  options: PermitOptions,
  depth: number,
): Match {
  return worst(
    commands.map((command) =>
      worst([permitOne(patterns, command, options, depth), permitWrites(command, options)]),
    ),
  );
}

function permitWrites(command: SimpleCommand, { mayWrite }: PermitOptions): Match {
  const { paths, unclear } = writtenFiles(command);
  return worst([...paths.map(mayWrite), ...(unclear ? (["unclear"] as const) : [])]);
}

function permitOne(
  patterns: readonly CommandPattern[],
  command: SimpleCommand,
  options: PermitOptions,
  depth: number,
): Match {
  const first = command.words[0];
  if (patterns.some((pattern) => isExactly(pattern, command))) return "yes";
  if (command.assignments.some(({ name }) => !isHarmlessVariable(name))) return "unclear";
  if (first === undefined) return "yes";
  if (first.dynamic || first.glob || depth >= MAX_WRAPPERS) return "unclear";
  const { kind, inner, unclear } = unwrapCommand(command, depth);
  const own = best(patterns.map((pattern) => permitText(pattern, command)));
  if (kind === "plain" || kind === "runner" || inner.length + unclear.length === 0) return own;
  const behind = permitAll(patterns, inner, options, depth + 1);
  if (unclear.length > 0) return worst([own, behind, "unclear"]);
  return kind === "transparent" ? behind : worst([own, behind]);
}

function isExactly(pattern: CommandPattern, command: SimpleCommand): boolean {
  if (!pattern.exact || command.words.some(({ dynamic }) => dynamic)) return false;
  if (command.assignments.length > 0) return pattern.text === command.source;
  return pattern.text === plainText(command) || pattern.text === command.source;
}

function permitText(pattern: CommandPattern, command: SimpleCommand): Match {
  const isQuoted = /["'\\$]/.test(pattern.text);
  const covers =
    matchPattern(pattern, plainText(command)) ||
    (isQuoted && matchPattern(pattern, command.source));
  if (!covers) return "no";
  const name = programName(command.words[0]?.value ?? "");
  if (riskyOption(command, pattern.text) !== undefined || SHELL_CHANGERS.has(name))
    return "unclear";
  return "yes";
}
