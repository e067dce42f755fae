import type { ProgramStart, ReachableCommands } from "../command/reachable-commands.ts";
import { programName } from "../command/wrappers.ts";
import { type CommandPattern, commandPattern, matchPattern } from "./command-pattern.ts";
import type { Match } from "../patterns.ts";

/** A pattern cut behind its program. */
interface ProgramPattern {
  readonly whole: CommandPattern;
  readonly program: string;
  readonly written: string;
  /** undefined when the program alone is meant. */
  readonly rest: CommandPattern | undefined;
}

/** Whether a rule that denies or asks catches any command that a command line may start. */
export function restrictCommand(
  specifier: string | undefined,
  text: string,
  reachable: ReachableCommands,
): Match {
  const whole = commandPattern(specifier);
  if (whole === undefined || matchPattern(whole, text.trim())) return "yes";
  const pattern = programPattern(whole);
  let found: Match = reachable.unseen ? "unclear" : "no";
  for (const { starts, open } of reachable.commands) {
    if (starts.some((start) => startMatches(pattern, start))) return "yes";
    if (open && starts.some((start) => mayBecome(pattern, start))) found = "unclear";
  }
  return found;
}

function programPattern(whole: CommandPattern): ProgramPattern {
  const end = whole.text.search(/\s|$/);
  const written = whole.text.slice(0, end);
  const rest = whole.text.slice(end).trim();
  return {
    whole,
    written,
    program: programName(written),
    rest: rest === "" ? undefined : { ...whole, text: rest },
  };
}

function startMatches(pattern: ProgramPattern, start: ProgramStart): boolean {
  const { whole, program, written, rest } = pattern;
  if (written.includes("*")) {
    return [start.program, start.written].some((name) =>
      matchPattern(whole, start.rest === "" ? name : `${name} ${start.rest}`),
    );
  }
  if (start.program !== program && start.written !== written) return false;
  if (rest === undefined) return whole.prefix || start.rest === "";
  return matchPattern(rest, start.rest);
}

/** The same program, with arguments that are not known before. */
function mayBecome({ program }: ProgramPattern, start: ProgramStart): boolean {
  return program.includes("*") || start.program === program;
}
