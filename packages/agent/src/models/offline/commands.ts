import { vocabularyOf } from "./request.ts";

/** An argument of a documented command. */
export interface Part {
  readonly flag?: string;
  /** One of `SLOT_TYPES`, or `word`, `literal`, or `switch` for an option without a value. */
  readonly type: string;
  readonly name: string;
  readonly isRepeated: boolean;
  readonly isRequired: boolean;
  /** Wordings that ask for the option, from its line in the documentation; the values of a choice. */
  readonly phrases: readonly string[];
}

export interface Command {
  readonly script: string;
  readonly usage: string;
  readonly parts: readonly Part[];
  /** The vocabulary of the heading, prose and comments around it. */
  readonly words: string;
}

const MAX_TEXT = 200_000;
const MAX_PROSE = 4;
const INTERPRETER = /^(?:python[\d.]*|node|bash|sh|ruby|perl|php|uv|run|npx|tsx|deno|bun|\$)$/;
const USAGE_TOKEN = /\[[^\]]*\]|"[^"]*"|'[^']*'|<[^>]*>(?:\.{3}|…)?|\S+/g;
const SHELL = /^(?:[|&;<>\\]+|\d?>+)$|\$\(|[;`]/;
const OPTION_LINE = /^\s*[-*+|]\s*`(--?[\w-]+)[^`]*`\s*[:：|–—-]?\s*(.*)$/u;
const BETWEEN_PHRASES = /\s*(?:[,;:.，；、：。|()（）]|\bor\b)\s*/u;
const SWITCH = { name: "", type: "switch", isRepeated: false, phrases: [] };
const SLOT_TYPES: readonly (readonly [RegExp, string])[] = [
  [/\|/, "choice"],
  [/^(?:out|output|dest|target|save)\b/, "output"],
  [/\b(?:condition|where|filter|expression)\b/, "condition"],
  [/\b(?:folder|directory|dir)\b/, "folder"],
  [/\b(?:file|files|path|input)\b|\.[a-z]\w{0,9}$/, "file"],
  [/^(?:n|number|count|value|limit|digits|size|width|height|\d+)$/, "number"],
  [/\b(?:text|title|description|query|pattern|message)\b|^"/, "quoted"],
];

/** The documented calls of scripts that exist, in the order of the text. */
export function readCommands(text: string, scripts: readonly string[]): readonly Command[] {
  const lines = text.slice(0, MAX_TEXT).split("\n");
  const commands: Command[] = [];
  let prose: readonly string[] = [];
  let isFenced = false;
  let count = 0;
  for (const line of lines) {
    const note = /^\s*(?:#+|\/\/)\s*(.*)/.exec(line)?.[1];
    const isCode = isFenced && note === undefined;
    const isProse = !isCode && line.trim() !== "" && !OPTION_LINE.test(line);
    if (/^\s*(?:`{3}|~{3})/.test(line)) isFenced = !isFenced;
    else if (isProse) {
      const isNew = commands.length > count || (note !== undefined && !isFenced);
      prose = [...(isNew ? [] : prose.slice(1 - MAX_PROSE)), note ?? line];
      count = commands.length;
    }
    const codes = isCode ? [line] : line.split("`").filter((_, i) => i % 2 === 1);
    for (const code of codes) commands.push(...commandIn(code, scripts, prose));
  }
  return commands.map((command) => ({ ...command, parts: withPhrases(command.parts, lines) }));
}

/** List items and table rows that begin with an option say when it is wanted. */
function withPhrases(parts: readonly Part[], lines: readonly string[]): readonly Part[] {
  const options = lines.map((line) => OPTION_LINE.exec(line) ?? []);
  return parts.map((part) => {
    if (part.flag === undefined || part.type === "choice") return part;
    const meanings = options
      .filter(([, flag]) => flag === part.flag)
      .map(([, , text = ""]) => text);
    const wordings = meanings.flatMap((text) => text.split(BETWEEN_PHRASES));
    return { ...part, phrases: [part.flag.replaceAll("-", " "), ...wordings].filter(Boolean) };
  });
}

function commandIn(code: string, scripts: readonly string[], prose: readonly string[]): Command[] {
  const [usage = "", ...comments] = code.trim().split(/\s#\s/);
  const tokens = usage.match(USAGE_TOKEN) ?? [];
  const at = tokens.findIndex((token) => !INTERPRETER.test(token));
  const path = `/${tokens[at]?.replace(/^\.\//, "")}`;
  const script = scripts.find((one) => path.endsWith(`/${one}`));
  if (script === undefined || tokens.some((token) => SHELL.test(token))) return [];
  const parts = readParts(tokens.slice(at + 1), true);
  const places = parts.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const words = [script.replace(/^.*\/|\.\w+$/g, ""), ...places, ...prose, ...comments];
  return [{ script, usage, parts, words: vocabularyOf(words.join("\n")) }];
}

function readParts(tokens: readonly string[], isRequired: boolean): readonly Part[] {
  const [token = "", next = "", ...more] = tokens;
  if (tokens.length === 0) return [];
  const rest = () => readParts(tokens.slice(1), isRequired);
  if (/^\[.*\]$/.test(token)) {
    return [...readParts(token.slice(1, -1).match(USAGE_TOKEN) ?? [], false), ...rest()];
  }
  if (!/^--?[a-z]/i.test(token)) return [{ ...slotOf(token, ""), isRequired }, ...rest()];
  const isSwitch = !/^["']?<|^[A-Z_]+$/.test(next);
  const slot = isSwitch ? SWITCH : slotOf(next, token);
  const others = isSwitch ? rest() : readParts(more, isRequired);
  return [{ ...slot, flag: token, isRequired }, ...others];
}

/** A placeholder, or an example that stands for one: `report.pdf`, `"some text"`, `3`. */
function slotOf(token: string, flag: string): Omit<Part, "isRequired"> {
  const bare = token.replace(/(?:\.{3}|…)$/, "");
  const placeholder = /^["']?<(.*)>["']?$/.exec(bare)?.[1] ?? /^\$?([A-Z][A-Z_]+)$/.exec(bare)?.[1];
  const name = (placeholder ?? bare).replaceAll(/[-_]/g, " ").toLowerCase();
  const typeOf = (text: string) => SLOT_TYPES.find(([pattern]) => pattern.test(text))?.[1];
  const isOutput = typeOf(flag.replace(/^-+/, "")) === "output";
  const known = isOutput ? "output" : typeOf(name);
  const type = known ?? (placeholder === undefined ? "literal" : "word");
  const choices = (placeholder ?? "").split("|").map((choice) => choice.trim());
  return { name, type, isRepeated: bare !== token, phrases: type === "choice" ? choices : [] };
}
