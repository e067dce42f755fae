import { isToml } from "./is-toml.ts";
import type { ServerEntry } from "./server-entry.ts";

export type EditedToml =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

/**
 * The text with a table for this server at its end: that is always valid where nothing of that name
 * is there. What is there already is left to the person who wrote it.
 */
export function editToml(text: string, key: string, name: string, entry: ServerEntry): EditedToml {
  const table = tableText(key, name, entry);
  const lines = linesOutsideTexts(text);
  if (lines === undefined) return { ok: false, reason: "a text in it has no end" };
  if (!isToml(text)) return { ok: false, reason: "it is no TOML" };
  if (`\n${lines.join("\n")}`.includes(`\n${table}`)) return { ok: true, text };
  // A name in its bare and quoted forms.
  const forms = (word: string) => `(?:${word}|"${word}"|'${word}')`;
  const dot = String.raw`\s*\.\s*`;
  const own = new RegExp(`^\\s*\\[{1,2}\\s*${forms(key)}${dot}${forms(name)}\\s*(?:\\]|\\.)`);
  const other = new RegExp(`^\\s*(?:${forms(key)}\\s*[.=]|\\[\\[\\s*${forms(key)}\\s*\\]\\])`);
  const inTable = new RegExp(`^\\s*${forms(name)}\\s*[.=]`);
  const head = new RegExp(`^\\s*\\[\\s*${forms(key)}\\s*\\]`);
  let isInside = false;
  for (const line of lines) {
    if (own.test(line)) return { ok: false, reason: `it has a table for ${name} already` };
    if (/^\s*\[/.test(line)) isInside = head.test(line);
    if (other.test(line) || (isInside && inTable.test(line))) {
      return { ok: false, reason: `it writes ${key} in another way` };
    }
  }
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const gap = text.trim() === "" ? "" : text.endsWith("\n") ? newline : newline + newline;
  const edited = text + gap + table.replaceAll("\n", newline);
  // Names can be written in many ways.
  if (!isToml(edited)) return { ok: false, reason: `it writes ${key} in another way` };
  return { ok: true, text: edited };
}

export function tableText(key: string, name: string, { command, args }: ServerEntry): string {
  const list = args.map(tomlText).join(", ");
  return `[${key}.${name}]\ncommand = ${tomlText(command)}\nargs = [${list}]\n`;
}

/** JSON escapes what a basic string has to escape, but for one character. */
function tomlText(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}

const FENCES = ['"""', "'''"] as const;

/** Lines that begin inside a text of several lines mean nothing, whatever they look like. */
function linesOutsideTexts(text: string): string[] | undefined {
  const outside: string[] = [];
  let fence: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    if (fence === undefined) outside.push(line);
    let rest = line;
    for (;;) {
      if (fence !== undefined) {
        const end = rest.indexOf(fence);
        if (end < 0) break;
        rest = rest.slice(end + fence.length);
        fence = undefined;
      }
      const next = firstFence(rest);
      if (next === undefined) break;
      fence = next.fence;
      rest = rest.slice(next.at + 3);
    }
  }
  return fence === undefined ? outside : undefined;
}

/** Outside of comments and of texts on one line. */
function firstFence(line: string): { readonly fence: string; readonly at: number } | undefined {
  for (let at = 0; at < line.length; at++) {
    const found = FENCES.find((fence) => line.startsWith(fence, at));
    if (found !== undefined) return { fence: found, at };
    const character = line[at];
    if (character === "#") return undefined;
    if (character === "'") at = endOf(line, "'", at);
    if (character === '"') at = endOf(line, '"', at);
  }
  return undefined;
}

function endOf(line: string, quote: string, start: number): number {
  for (let at = start + 1; at < line.length; at++) {
    if (quote === '"' && line[at] === "\\") at++;
    else if (line[at] === quote) return at;
  }
  return line.length;
}
