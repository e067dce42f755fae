import { wholeCharacters } from "../files/read-lines.ts";
import { estimateTokens } from "../format/body/estimate-tokens.ts";
import { type Heading, outlineBody } from "../format/body/markdown.ts";
import type { ParsedSkill } from "../format/draft.ts";
import type { YamlValue } from "../format/yaml/yaml-node.ts";
import { promptLine, promptText } from "../internal/text.ts";

export interface BodyLimits {
  readonly maxLines: number;
  readonly maxBytes: number;
  /** Tokens for the body, its outline included. Infinity when nobody counts them. */
  readonly roomTokens: number;
}

export interface FittedBody {
  /** What can be shown at once. */
  readonly text: string;
  /** A line for each heading of what was left out, with its lines in the file. */
  readonly outline: readonly string[];
  /** Absent when all of the body is there. */
  readonly rest?: BodyRest;
}

/** Lines of SKILL.md that are not shown. */
export interface BodyRest {
  readonly startLine: number;
  readonly endLine: number;
  /** Of the first of these lines, this many bytes are shown. */
  readonly startByte?: number;
}

/** Stands for a line break in what a person typed. */
const BREAK = "\0";
/** What introduces the outline. */
const INTRODUCTION_TOKENS = 50;
/** The outline takes at most this share of the room. */
const OUTLINE_SHARE = 1 / 3;
const MAX_TITLE = 200;

/**
 * A skill's body as it is shown. Only invisible characters and look-alikes of frames differ from the
 * file, and they are replaced last, so that lines and bytes are those of the file. What a person typed
 * behind the skill's name is put in its place, or follows what is shown.
 */
export function prepareBody(
  skill: ParsedSkill,
  typed: string | undefined,
  limits: BodyLimits,
): FittedBody {
  const { body, bodyLine } = skill;
  if (typed === undefined) return shown(fitBody(body, bodyLine, limits));
  const declared = skill.extra["arguments"];
  const value = promptText(typed);
  const { text, placed } = substituteArguments(body.replaceAll(BREAK, ""), value, declared);
  const fitted = fitBody(text, bodyLine, limits);
  const whole = shown({ ...fitted, text: fitted.text.replaceAll(BREAK, "\n") });
  if (value.trim() === "" || (placed && fitted.rest === undefined)) return whole;
  const separator = whole.text.endsWith("\n") ? "\n" : "\n\n";
  const appended = `Arguments: ${value.slice(0, limits.maxBytes)}\n`;
  return { ...whole, text: `${whole.text}${separator}${appended}` };
}

function shown(body: FittedBody): FittedBody {
  return { ...body, text: promptText(body.text) };
}

/** Lines of a text; a newline at its end does not begin another. */
export function countBodyLines(body: string): number {
  const lines = body.split("\n").length;
  return body.endsWith("\n") ? lines - 1 : lines;
}

/**
 * The whole body if it fits, otherwise its first part and an outline of the rest. Cut before a heading
 * if there is one in the second half of the part. `bodyLine` is the body's first line in the file.
 */
function fitBody(body: string, bodyLine: number, limits: BodyLimits): FittedBody {
  const { maxBytes, roomTokens } = limits;
  const hasRoom = roomTokens === Number.POSITIVE_INFINITY || estimateTokens(body) <= roomTokens;
  if (hasRoom && Buffer.byteLength(body) <= maxBytes) return { text: body, outline: [] };
  const lines = body.split("\n");
  const headings = outlineBody(body, bodyLine);
  const outlineRoom = Math.max(0, roomTokens * OUTLINE_SHARE - INTRODUCTION_TOKENS);
  const outlineTokens = Math.min(outlineRoom, tokensOf(headings.map(outlineLine)));
  const left = Math.max(0, roomTokens - outlineTokens - INTRODUCTION_TOKENS);
  const fitting = linesWithin(lines, { ...limits, roomTokens: left });
  const cut = headings
    .map(({ line }) => line - bodyLine)
    .findLast((line) => line <= fitting && line >= fitting / 2);
  const count = countBodyLines(body);
  const kept = Math.min(cut ?? fitting, count - 1);
  const startLine = bodyLine + kept;
  const endLine = bodyLine + count - 1;
  const outline = fitOutline(
    headings.filter((heading) => heading.endLine >= startLine),
    outlineRoom,
  );
  if (kept > 0) {
    return { text: lines.slice(0, kept).join("\n"), outline, rest: { startLine, endLine } };
  }
  // The first line alone is too long: its beginning is more than nothing.
  const text = beginning(lines[0] ?? "", { maxBytes, roomTokens: left });
  const startByte = Buffer.byteLength(text);
  return { text, outline, rest: { startLine, endLine, ...(startByte > 0 && { startByte }) } };
}

function beginning(line: string, { maxBytes, roomTokens }: Omit<BodyLimits, "maxLines">): string {
  const bytes = Buffer.from(line);
  let limit = maxBytes;
  for (;;) {
    const text = wholeCharacters(bytes.subarray(0, limit)).toString();
    if (limit === 0 || roomTokens === Number.POSITIVE_INFINITY) return text;
    if (estimateTokens(text) <= roomTokens) return text;
    limit = Math.floor(Math.min(limit, bytes.length) / 2);
  }
}

function linesWithin(lines: readonly string[], limits: BodyLimits): number {
  const { maxLines, maxBytes, roomTokens } = limits;
  let bytes = 0;
  let tokens = 0;
  for (const [i, line] of lines.entries()) {
    bytes += Buffer.byteLength(line) + 1;
    if (roomTokens !== Number.POSITIVE_INFINITY) tokens += estimateTokens(`${line}\n`);
    if (i >= maxLines || bytes > maxBytes + 1 || tokens > roomTokens) return i;
  }
  return lines.length;
}

/** All headings if there is room, otherwise the upper levels, otherwise the first of them. */
function fitOutline(headings: readonly Heading[], roomTokens: number): string[] {
  let lines = headings.map(outlineLine);
  for (let level = 5; level > 0 && tokensOf(lines) > roomTokens; level--) {
    const upper = headings.filter((heading) => heading.level <= level).map(outlineLine);
    if (upper.length > 0) lines = upper;
  }
  let tokens = 0;
  const end = lines.findIndex((line) => (tokens += tokensOf([`${line}\n`])) > roomTokens);
  return end === -1 ? lines : lines.slice(0, end);
}

function outlineLine({ level, title, line, endLine }: Heading): string {
  return `${"  ".repeat(Math.min(level, 4) - 1)}- lines ${line}-${endLine}: ${promptLine(title, MAX_TITLE)}`;
}

function tokensOf(lines: readonly string[]): number {
  return estimateTokens(lines.join("\n"));
}

/**
 * Puts what a person typed behind a skill's name into its body: `$ARGUMENTS` is all of it, and a
 * declared name (`arguments: issue branch`) the word in its place. Taken literally, and once: what is
 * put in is not looked through again. Line breaks in it are `BREAK`, so the body keeps its lines.
 */
function substituteArguments(
  body: string,
  typed: string,
  declared: YamlValue | undefined,
): { readonly text: string; readonly placed: boolean } {
  const words = splitWords(typed);
  const values = new Map<string, string>([["ARGUMENTS", typed]]);
  for (const [i, name] of namesOf(declared).entries()) values.set(name, words[i] ?? "");
  let placed = false;
  const text = body.replace(
    /\$(?:\{(\w+)\}|([A-Za-z_]\w*))/g,
    (match, braced?: string, bare?: string) => {
      const value = values.get(braced ?? bare ?? "");
      if (value === undefined) return match;
      placed = true;
      return value.replaceAll("\n", BREAK);
    },
  );
  return { text, placed };
}

function namesOf(declared: YamlValue | undefined): string[] {
  const names = typeof declared === "string" ? declared.split(/[\s,]+/) : declared;
  if (!Array.isArray(names)) return [];
  return names.filter(
    (name): name is string => typeof name === "string" && /^[A-Za-z_]\w*$/.test(name),
  );
}

/** At blanks, but not between quotes. */
function splitWords(typed: string): string[] {
  return Array.from(
    typed.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g),
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
}
