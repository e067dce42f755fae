import type { Failure } from "../failure.ts";
import type { ReadText } from "../files/read-lines.ts";
import type { SkillsView } from "../host/skills-view.ts";
import { splitLines, withByte, withLines } from "./line-range.ts";
import { readText } from "./read-text.ts";

export interface NamedRead {
  readonly view: SkillsView;
  readonly maxBytes: number | undefined;
  /** The parameter behind which lines may stand. */
  readonly parameter: string;
}

const SKILL_FILE = "SKILL.md";

/** The whole SKILL.md, or the lines of it that stand behind the skill's name. */
export async function readSkillLines(named: string, options: NamedRead): Promise<string | Failure> {
  const { name, ...range } = splitLines(named);
  const read = await readText(options.view, name, SKILL_FILE, {
    ...range,
    ...wayOfAsking(name, options),
  });
  return textOf(read, name);
}

/** A file, or the lines of it that stand behind its path. A file may really be named so. */
export async function readFileLines(
  skill: string,
  named: string,
  options: NamedRead,
): Promise<string | Failure> {
  const whole = await readText(options.view, skill, named, wayOfAsking(named, options));
  const { name, ...range } = splitLines(named);
  if (whole.ok || whole.code !== "file-not-found" || name === named) return textOf(whole, named);
  const part = await readText(options.view, skill, name, {
    ...range,
    ...wayOfAsking(name, options),
  });
  return textOf(part, name);
}

function wayOfAsking(name: string, { maxBytes, parameter }: NamedRead) {
  const askForLines = (startLine: number, endLine: number) =>
    `give ${JSON.stringify(withLines(name, startLine, endLine))} as ${parameter}`;
  const askForByte = (line: number, startByte: number) =>
    JSON.stringify(withByte(name, line, startByte));
  return { maxBytes, askForLines, askForByte };
}

function textOf(read: ReadText | Failure, name: string): string | Failure {
  if (!read.ok || !read.truncated) return read.ok ? read.text : read;
  const { startLine, endLine, totalLines, text, nextByte } = read;
  const all = totalLines === undefined ? "" : ` of ${totalLines}`;
  const next =
    nextByte === undefined ? withLines(name, endLine + 1) : withByte(name, endLine, nextByte);
  // Of a cut line, every character counts.
  const given = nextByte === undefined ? text.trimEnd() : text;
  return `${given}\n[lines ${startLine}-${endLine}${all}; go on with ${JSON.stringify(next)}]`;
}
