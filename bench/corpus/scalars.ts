import type { Random } from "./random.ts";

/** How a text is written behind a key, from the blank after the colon on. */
export type WriteText = (text: string, random: Random) => string;

const MANY_COLUMNS = 100;

export const plain: WriteText = (text) => ` ${text}`;

/** Running text over several lines, as YAML libraries write it. */
export const wrappedPlain: WriteText = (text) => ` ${wrap(text, MANY_COLUMNS).join("\n  ")}`;

export const doubleQuoted: WriteText = (text, random) => {
  const escaped = text.replace(/["\\]/g, "\\$&");
  if (random.chance(0.03)) return ` "${wrap(escaped, MANY_COLUMNS).join("\n  ")}"`;
  return random.chance(0.3) ? ` "${escapeUnicode(escaped)}"` : ` "${escaped}"`;
};

export const singleQuoted: WriteText = (text, random) => {
  const escaped = text.replaceAll("'", "''");
  return ` '${random.chance(0.3) ? wrap(escaped, MANY_COLUMNS).join("\n  ") : escaped}'`;
};

export const folded: WriteText = (text, random) => {
  const header = random.weighted([
    [5, ">"],
    [5, ">-"],
    [0.2, ">+"],
  ]);
  return ` ${header}\n  ${wrap(text, random.integer(70, MANY_COLUMNS)).join("\n  ")}`;
};

export const literal: WriteText = (text, random) => {
  const sentences = text.split(/(?<=[.。]) /);
  const lines = random.chance(0.4) && sentences.length > 2 ? bullets(sentences) : wrap(text, 90);
  return ` ${random.chance(0.8) ? "|" : "|-"}\n${lines.map(indent).join("\n")}`;
};

function indent(line: string): string {
  return line === "" ? "" : `  ${line}`;
}

function bullets([first = "", ...others]: readonly string[]): string[] {
  return [first, "", ...others.map((sentence) => `- ${sentence}`)];
}

function escapeUnicode(text: string): string {
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replace(/[^ -~]/g, escape);
}

function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + word.length >= columns) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
