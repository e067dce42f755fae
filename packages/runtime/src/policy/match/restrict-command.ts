import type { ReachableCommands } from "../command/reachable-commands.ts";
import type { SimpleCommand } from "../command/simple-command.ts";
import { commandPattern, loosePattern, looseTexts, matchPattern } from "./command-pattern.ts";
import type { Match } from "./match.ts";

/** Whether a rule that denies or asks catches any command that a command line may start. */
export function restrictCommand(
  specifier: string | undefined,
  text: string,
  reachable: ReachableCommands,
): Match {
  const pattern = commandPattern(specifier);
  if (pattern === undefined) return "yes";
  const loose = loosePattern(pattern);
  const program = loose.text.split(/[\s*]/, 1)[0] ?? "";
  if (matchPattern(pattern, text.trim())) return "yes";
  let found: Match = reachable.unseen ? "unclear" : "no";
  for (const command of reachable.commands) {
    const texts = looseTexts(command);
    if (texts.some((known) => matchPattern(pattern, known) || matchPattern(loose, known))) {
      return "yes";
    }
    if (isOpen(command) && texts.some((known) => known.startsWith(program))) found = "unclear";
  }
  return found;
}

/** Has parts that are not known before. */
function isOpen({ words }: SimpleCommand): boolean {
  return words.some(({ dynamic, glob }) => dynamic || glob);
}
