import type { SimpleCommand, Word } from "../command/simple-command.ts";
import { matchWildcard } from "../patterns.ts";

/** The specifier of a rule for commands, such as `git:*`. */
export interface CommandPattern {
  /** Without the wildcard at its end. */
  readonly text: string;
  /** Ends in ` *` or `:*`: more words may follow. */
  readonly prefix: boolean;
  /** Has no wildcard at all. */
  readonly exact: boolean;
}

/** How skills write the folder they are in. */
const SKILL_FOLDER = /(?:\$\{?(?:CLAUDE_)?(?:SKILL_(?:DIR|ROOT)|PLUGIN_ROOT)\}?|\{baseDir\})\//g;
const PLAIN = /^[\w@%+=:,./~^{}#?*[\]!-]+$/;

/** undefined when the specifier covers every command. */
export function commandPattern(specifier: string | undefined): CommandPattern | undefined {
  const whole = (specifier ?? "*").trim().replace(SKILL_FOLDER, "");
  const prefix = /(?: |:)\*$/.test(whole);
  const text = prefix ? whole.slice(0, -2).trimEnd() : whole;
  if (text === "" || /^\*+$/.test(text)) return undefined;
  return { text, prefix, exact: !prefix && !text.includes("*") };
}

export function matchPattern({ text, prefix }: CommandPattern, command: string): boolean {
  if (!prefix) return matchWildcard(text, command);
  return matchWildcard(text, command) || matchWildcard(`${text} *`, command);
}

/**
 * A command in one spelling: single blanks, and quotes only where they are needed. A word with a
 * blank in it never looks like two.
 */
export function plainText({ words }: SimpleCommand): string {
  return words.map(plainWord).join(" ");
}

function plainWord({ value, dynamic }: Word): string {
  return dynamic || PLAIN.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`;
}
