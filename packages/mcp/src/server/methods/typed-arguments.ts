import { randomInt } from "node:crypto";

export interface TypedArguments {
  /** As a person would type them behind the name of the skill. */
  readonly typed: string;
  /** Puts back what cannot be typed, into the text that the arguments went into. */
  readonly restore: (text: string) => string;
}

/** What stands behind the name of a skill when it declares no arguments of its own. */
export const ALL_ARGUMENTS = "arguments";

/** For private use: 65,000 characters that no text has to have. */
const FIRST_PRIVATE = 0xf0000;
const LAST_PRIVATE = 0xffffd;

/** The arguments of a prompt, each of which reaches the skill as it is. */
export function typedArguments(
  given: Readonly<Record<string, string>>,
  declared: readonly string[],
): TypedArguments {
  const valueOf = (name: string) => (Object.hasOwn(given, name) ? (given[name] ?? "") : "");
  if (declared.length === 0) return { typed: valueOf(ALL_ARGUMENTS), restore: String };
  const values = declared.map(valueOf);
  if (values.every((value) => value === "")) return { typed: "", restore: String };
  const mark = unusedCharacter(values.join(""));
  return {
    typed: values.map((value) => word(value, mark)).join(" "),
    restore: (text) => text.replaceAll(mark, '"'),
  };
}

/** A word stays one. What has both kinds of quotes has no way to be typed: one of them is marked. */
function word(value: string, mark: string): string {
  if (/^[^\s"']\S*$/.test(value)) return value;
  if (!value.includes('"')) return `"${value}"`;
  return value.includes("'") ? `"${value.replaceAll('"', mark)}"` : `'${value}'`;
}

/** Drawn, so that no skill can have it on purpose. */
function unusedCharacter(text: string): string {
  for (;;) {
    const character = String.fromCodePoint(randomInt(FIRST_PRIVATE, LAST_PRIVATE + 1));
    if (!text.includes(character)) return character;
  }
}
