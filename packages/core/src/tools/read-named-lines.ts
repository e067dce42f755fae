import type { Failure } from "../failure.ts";
import type { ReadText } from "../files/read-lines.ts";
import type { SkillsView } from "../host/skills-view.ts";
import { splitLines, withByte, withLines } from "./line-range.ts";
import { readText, resolvedNote } from "./read-text.ts";

export interface NamedRead {
  readonly view: SkillsView;
  readonly maxBytes: number | undefined;
  /** The parameter behind which lines may stand. */
  readonly parameter: string;
  /** Which files may be given, by path. Default: all. */
  readonly allows?: (path: string) => boolean;
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
  const { view, allows = () => true } = options;
  const whole = await readText(view, skill, named, wayOfAsking(named, options));
  const { name, ...range } = splitLines(named);
  const isNamed = whole.ok || whole.code !== "file-not-found" || name === named;
  const read = isNamed
    ? whole
    : await readText(view, skill, name, { ...range, ...wayOfAsking(name, options) });
  if (read.ok && !allows(read.path)) {
    const message = `${JSON.stringify(named.slice(0, 200))} may not be read`;
    return { ok: false, code: "path-not-allowed", message };
  }
  return textOf(read, isNamed ? named : name);
}

function wayOfAsking(name: string, { maxBytes, parameter }: NamedRead) {
  const askForLines = (startLine: number, endLine: number) =>
    `give ${JSON.stringify(withLines(name, startLine, endLine))} as ${parameter}`;
  const askForByte = (line: number, startByte: number) =>
    JSON.stringify(withByte(name, line, startByte));
  return { maxBytes, askForLines, askForByte };
}

function textOf(read: ReadText | Failure, name: string): string | Failure {
  if (!read.ok) return read;
  const { path, resolvedFrom, startLine, endLine, totalLines, text, nextByte } = read;
  const notes = resolvedFrom === undefined ? [] : [resolvedNote(path, resolvedFrom)];
  if (!read.truncated) return withNotes(text, notes);
  const all = totalLines === undefined ? "" : ` of ${totalLines}`;
  const next =
    nextByte === undefined ? withLines(name, endLine + 1) : withByte(name, endLine, nextByte);
  const place = `[lines ${startLine}-${endLine}${all}; go on with ${JSON.stringify(next)}]`;
  return withNotes(text, [place, ...notes]);
}

/** The text as it is, and lines of ours behind it. */
function withNotes(text: string, notes: readonly string[]): string {
  if (notes.length === 0) return text;
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${notes.join("\n")}`;
}
