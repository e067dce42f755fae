import type { Failure } from "@skillwright/core";

export type SplitCommand =
  | { readonly ok: true; readonly argv: readonly string[] }
  | Failure<"command-unclear">;

const MAX_LENGTH = 10_000;
/** What a shell would act on when it stands outside quotes. */
const SHELL_SIGNS = /[|&;<>()$`*?[\]{}~#!^\n\r]/;
/** What it would act on inside double quotes. History expansion leaves `!=` and `! ` alone. */
const QUOTED_SIGNS = /^(?:[$`\r]|!(?![ \t\n=]))/;
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/;

/**
 * The words of a command line that is one program with its arguments. There is no shell, so whatever
 * only a shell could do is refused, and what is accepted means the same in every shell.
 */
export function splitCommand(line: string): SplitCommand {
  if (line.length > MAX_LENGTH) return unclear("it is too long");
  if (CONTROLS.test(line)) return unclear("it has control characters");
  const words: string[] = [];
  let word: string | undefined;
  for (let i = 0; i < line.length; i++) {
    const char = line.charAt(i);
    if (char === "'" || char === '"') {
      const quoted = readQuoted(line, i, char);
      if (typeof quoted !== "object") return unclear(quoted);
      word = (word ?? "") + quoted.text;
      i = quoted.end;
    } else if (char === "\\") {
      i++;
      const next = line.charAt(i);
      if (next === "" || next === "\n") return unclear("it ends in a backslash");
      word = (word ?? "") + next;
    } else if (char === " " || char === "\t") {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (SHELL_SIGNS.test(char)) {
      return unclear(
        `it has ${JSON.stringify(char)} outside quotes, which only a shell understands`,
      );
    } else word = (word ?? "") + char;
  }
  if (word !== undefined) words.push(word);
  const [program] = words;
  if (program === undefined || program === "") return unclear("it names no program");
  if (/^\w+=/.test(program)) return unclear("it begins with a variable");
  return { ok: true, argv: words };
}

/** The text between quotes and where they end, or what is wrong with it. */
function readQuoted(
  line: string,
  start: number,
  quote: string,
): { readonly text: string; readonly end: number } | string {
  let text = "";
  for (let i = start + 1; i < line.length; i++) {
    const char = line.charAt(i);
    if (char === quote) return { text, end: i };
    if (quote === '"' && char === "\\" && /["\\$`]/.test(line.charAt(i + 1)))
      text += line.charAt(++i);
    // A shell joins the two lines.
    else if (quote === '"' && char === "\\" && line.charAt(i + 1) === "\n") i++;
    else if (quote === '"' && QUOTED_SIGNS.test(line.slice(i, i + 2))) {
      return `it has ${JSON.stringify(char)} inside double quotes, which only a shell understands`;
    } else text += char;
  }
  return "a quote is not closed";
}

function unclear(reason: string): Failure<"command-unclear"> {
  return {
    ok: false,
    code: "command-unclear",
    message: `the command line cannot be run: ${reason}`,
    hint: 'There is no shell. Give one program with its arguments, best as a list in "argv". For pipes, &&, redirections, globs, variables or heredocs, give "argv": ["bash", "-c", "…"].',
  };
}
