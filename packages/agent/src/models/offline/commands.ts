import { type Vocabulary, vocabularyOf } from "./request.ts";

export type SlotType =
  | "file"
  | "output"
  | "number"
  | "text"
  | "condition"
  | "url"
  | "choice"
  | "word";

export interface Slot {
  readonly name: string;
  readonly type: SlotType;
  readonly choices: readonly string[];
  readonly isRepeated: boolean;
}

/** An argument of a command: an option, a place to fill, or a word that stands there as it is. */
export interface Part {
  readonly flag?: string;
  readonly slot?: Slot;
  readonly literal?: string;
  readonly isRequired: boolean;
  /** Wordings that ask for an option, from its line in the documentation. */
  readonly phrases: readonly string[];
}

export interface Command {
  /** A script of the skill, or a workspace tool. */
  readonly name: string;
  readonly usage: string;
  readonly parts: readonly Part[];
  /** Heading, prose and comments around it. */
  readonly words: Vocabulary;
}

const MAX_TEXT = 200_000;
const MAX_COMMANDS = 50;
const INTERPRETER =
  /^(?:python\d?(?:\.\d+)?|node|bash|sh|zsh|ruby|perl|php|uv|uvx|run|npx|tsx|deno|bun|pwsh|env|\$|-\w)$/;
const USAGE_TOKEN = /\[[^\]]*\]|"[^"]*"|'[^']*'|<[^>]*>(?:\.{3}|…)?|\S+/g;
const OPTION_LINE = /^\s*(?:[-*+|]\s*)`(--?[\w-]+)[^`]*`\s*[:：|–—-]?\s*(.*)$/u;
const SLOT_TYPES: readonly (readonly [RegExp, SlotType])[] = [
  [/\b(?:out|output|dest|destination|target|save)\b/, "output"],
  [/\b(?:condition|where|filter|expression)\b/, "condition"],
  [/\burl\b/, "url"],
  [/\b(?:file|files|folder|directory|dir|path|input|template|schema)\b|\.\w+$/, "file"],
  [/^(?:n|number|count|value|limit|digits|size|width|height|percent|seconds)$/, "number"],
  [/\b(?:text|title|description|query|pattern|message|prompt|sentence)\b/, "text"],
];

/** The documented calls of scripts that exist, in the order of the text. */
export function readCommands(text: string, names: readonly string[]): readonly Command[] {
  const lines = text.slice(0, MAX_TEXT).split("\n");
  const phrases = optionPhrases(lines);
  const commands: Command[] = [];
  let heading = "";
  let prose: string[] = [];
  let fence: string | undefined;
  let hadCommand = false;
  for (const line of lines) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    const title = fence === undefined ? /^#{1,6}\s+(.*)/.exec(line)?.[1] : undefined;
    const note = /^\s*(?:#|\/\/)\s*(.*)/.exec(line)?.[1];
    if (mark !== undefined) fence = fence === undefined ? mark : undefined;
    else if (title !== undefined) [heading, prose, hadCommand] = [title, [], false];
    else if (fence !== undefined && note === undefined) {
      const command = commandIn(line, names, [heading, ...prose].join("\n"), phrases);
      if (command !== undefined) commands.push(command);
      hadCommand ||= command !== undefined;
    } else if (line.trim() !== "" && !OPTION_LINE.test(line)) {
      if (hadCommand) [prose, hadCommand] = [[], false];
      prose = [...prose.slice(-3), note ?? line];
      for (const [, code = ""] of line.matchAll(/`([^`]+)`/g)) {
        const command = commandIn(code, names, line, phrases);
        if (command !== undefined) commands.push(command);
      }
    }
  }
  return commands.slice(0, MAX_COMMANDS);
}

/** List items and table rows that begin with an option describe when it is wanted. */
function optionPhrases(lines: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const phrases = new Map<string, readonly string[]>();
  for (const line of lines) {
    const [, flag = "", meaning = ""] = OPTION_LINE.exec(line) ?? [];
    if (flag === "") continue;
    const said = meaning.split(/\s*(?:[,;:.，；、：。|()（）]|\bor\b|\s[-–—]\s)\s*/u);
    const known = phrases.get(flag) ?? [];
    phrases.set(flag, [...known, ...said.filter((phrase) => phrase !== "")]);
  }
  return phrases;
}

function commandIn(
  line: string,
  names: readonly string[],
  prose: string,
  phrases: ReadonlyMap<string, readonly string[]>,
): Command | undefined {
  const [code = "", ...comments] = line.trim().split(/\s#\s/);
  const tokens = code.match(USAGE_TOKEN) ?? [];
  const at = tokens.findIndex((token) => !INTERPRETER.test(token));
  const path = tokens[at]?.replace(/^\.\//, "");
  const name = names.find((one) => one === path || path?.endsWith(`/${one}`) === true);
  if (name === undefined) return undefined;
  const parts = readParts(tokens.slice(at + 1), true, phrases);
  if (parts === undefined) return undefined;
  const base = name.replace(/^.*\//, "").replace(/\.\w+$/, "");
  const slots = parts.map(({ slot, isRequired }) => (isRequired ? (slot?.name ?? "") : ""));
  const words = vocabularyOf([base, ...slots, prose, ...comments].join("\n"));
  return { name, usage: code, parts, words };
}

/** Undefined for anything that only a shell could run. */
function readParts(
  tokens: readonly string[],
  isRequired: boolean,
  phrases: ReadonlyMap<string, readonly string[]>,
): readonly Part[] | undefined {
  const parts: Part[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? "";
    if (/^(?:[|&;<>\\]|\d?>|&&|\|\|)$|\$\(|^[^<]*[;`]/.test(token)) return undefined;
    if (token.startsWith("[") && token.endsWith("]")) {
      const inner = readParts(token.slice(1, -1).match(USAGE_TOKEN) ?? [], false, phrases);
      if (inner === undefined) return undefined;
      parts.push(...inner);
    } else if (/^--?[a-z]/i.test(token)) {
      const next = tokens[at + 1];
      const slot = next === undefined ? undefined : slotIn(next, token);
      const isSlot = slot !== undefined && /^["']?[<{]|^[A-Z_]+$/.test(next ?? "");
      const said = [token.replace(/^-+/, "").replaceAll("-", " "), ...(phrases.get(token) ?? [])];
      parts.push({ flag: token, isRequired, phrases: said, ...(isSlot && { slot }) });
      if (isSlot) at++;
    } else {
      const slot = slotIn(token, "");
      const content = slot === undefined ? { literal: token } : { slot };
      parts.push({ ...content, isRequired, phrases: [] });
    }
  }
  return parts;
}

/** A placeholder, or an example that stands for one: `report.pdf`, `"some text"`, `3`. */
function slotIn(token: string, flag: string): Slot | undefined {
  const isRepeated = /(?:\.{3}|…)>?$/.test(token);
  const bare = token.replace(/(?:\.{3}|…)$/, "");
  const isQuoted = /^["']/.test(bare);
  const inner = bare.replace(/^["']|["']$/g, "");
  const placeholder = /^[<{](.*)[>}]$/.exec(inner)?.[1] ?? /^\$?([A-Z][A-Z_]+)$/.exec(inner)?.[1];
  const name = (placeholder ?? inner).replaceAll(/[-_]/g, " ").toLowerCase().replace("…", "");
  const isExample = isQuoted || /^[\w./-]*\w\.[A-Za-z]\w{0,9}$/.test(inner) || /^\d+$/.test(inner);
  if (placeholder === undefined && !isExample) return undefined;
  if (name.includes("|")) {
    const choices = (placeholder ?? "").split("|").map((choice) => choice.trim());
    return { name, type: "choice", choices, isRepeated };
  }
  if (placeholder === undefined && /^\d+$/.test(inner)) {
    return { name: "number", type: "number", choices: [], isRepeated };
  }
  const [, byFlag] = SLOT_TYPES[0]?.[0].test(flag.replace(/^-+/, "")) ? [0, "output"] : [];
  const known = SLOT_TYPES.find(([pattern]) => pattern.test(name))?.[1];
  const type = byFlag === undefined ? (known ?? (isQuoted ? "text" : "word")) : "output";
  return { name, type, choices: [], isRepeated };
}
