import type { Activation } from "../activation/activate-skill.ts";
import type { Failure } from "../failure.ts";
import type { ReadFileResult } from "../files/read-file.ts";
import type { ReadText } from "../files/read-lines.ts";
import type { Disclosure } from "../conversation/disclosure.ts";
import { defined } from "../internal/options.ts";
import { promptLine, promptText } from "../internal/text.ts";
import type { ToolContext } from "./skill-tool.ts";

/** What is read, and how much of it at most. */
interface ReadingParts {
  readonly view: Disclosure;
  readonly maxBytes: number | undefined;
  /** The tool that lists files, where there is one. */
  readonly listTool?: string | undefined;
}

interface ReadTextOptions extends AskForMore {
  readonly startLine?: number | undefined;
  readonly endLine?: number | undefined;
  readonly startByte?: number | undefined;
  readonly section?: string;
}

interface AskForMore {
  /** How this tool is asked for lines. */
  readonly askForLines: (startLine: number, endLine: number) => string;
  /** How it is asked to go on in a line that was cut. */
  readonly askForByte: (line: number, startByte: number) => string;
}

/**
 * Text of a skill's file. Asked for as a whole, it is given as a whole or not at all; a part is cut
 * where the limit is.
 */
export async function readText(
  skill: string,
  path: string,
  { view, maxBytes }: ReadingParts,
  { askForLines, askForByte, ...given }: ReadTextOptions,
): Promise<ReadText | Failure> {
  const limit = defined({ maxBytes });
  const range = defined(given);
  const isPart = Object.keys(range).length > 0;
  const read = await view.readFile(skill, path, { ...limit, ...range, page: isPart });
  if (!read.ok) {
    if (read.code !== "file-too-large" || isPart) return read;
    const first = await view.readFile(skill, path, { ...limit, page: true });
    return tooLarge(read, first, { askForLines, askForByte });
  }
  if (read.kind === "binary") return binary(read.path, read.mediaType, read.size);
  return { ...read, text: promptText(read.text) };
}

/** A last line for a file that was not asked for by its exact name. */
export function resolvedNote(path: string, resolvedFrom: string): string {
  return `[Read ${promptLine(path, 200)} (asked for ${promptLine(resolvedFrom, 200)}).]`;
}

/** Says which lines fit, in the way this tool takes them. */
function tooLarge(
  failure: Failure,
  firstPage: ReadFileResult | Failure,
  { askForLines, askForByte }: AskForMore,
): Failure {
  const { ok, code, message } = failure;
  if (!firstPage.ok || firstPage.kind === "binary") return failure;
  const { endLine, nextByte } = firstPage;
  const next =
    nextByte === undefined ? `from line ${endLine + 1} on` : askForByte(endLine, nextByte);
  const hint = `Read it in parts: ${askForLines(1, endLine)} first, then ${next}.`;
  return { ok, code, message, hint };
}

function binary(path: string, mediaType: string, size: number): Failure<"file-binary"> {
  return {
    ok: false,
    code: "file-binary",
    message: `${JSON.stringify(path)} is not text but ${mediaType}, ${size} bytes`,
    hint: "It cannot be shown; hand its path to what can work with it.",
  };
}

/** A name, and lines of what it names. */
interface NameWithLines {
  readonly name: string;
  readonly startLine?: number;
  readonly endLine?: number;
  /** Bytes of the first line that are left out. */
  readonly startByte?: number;
}

/**
 * Founding presets have no parameters for lines, so that lines stand behind the name there:
 * `references/guide.md#L200-400`, or `#L200` for what follows from there, or `#L200+51200` to go on
 * in a line that was cut.
 */
export function splitLines(text: string): NameWithLines {
  const [, name, first, byte, last] =
    /^([^]*)#L(\d{1,9})(?:\+(\d{1,12}))?(?:-L?(\d{1,9}))?$/.exec(text) ?? [];
  if (name === undefined || name === "" || first === undefined) return { name: text };
  return {
    name,
    startLine: Number(first),
    ...(byte === undefined ? undefined : { startByte: Number(byte) }),
    ...(last === undefined ? undefined : { endLine: Number(last) }),
  };
}

function withLines(name: string, startLine: number, endLine?: number): string {
  return `${name}#L${startLine}${endLine === undefined ? "" : `-${endLine}`}`;
}

function withByte(name: string, startLine: number, startByte: number): string {
  return `${name}#L${startLine}+${startByte}`;
}

/** The whole SKILL.md, or the lines of it that stand behind the skill's name. */
export async function readSkillLines(
  named: string,
  parts: ReadingParts,
): Promise<string | Failure> {
  const { name, ...range } = splitLines(named);
  const more = askBehind(name, "skill_name");
  return textOf(await readText(name, SKILL_FILE, parts, { ...range, ...more }), name);
}

const SKILL_FILE = "SKILL.md";

interface NamedRead {
  /** Behind which lines may stand. */
  readonly parameter: string;
  /** Which files may be given, by path. Default: all. */
  readonly allows?: (path: string) => boolean;
}

/** A file, or the lines of it that stand behind its path. A file may really be named so. */
export async function readFileLines(
  skill: string,
  named: string,
  parts: ReadingParts,
  { parameter, allows = () => true }: NamedRead,
): Promise<string | Failure> {
  const whole = await readText(skill, named, parts, askBehind(named, parameter));
  const { name, ...range } = splitLines(named);
  const isNamed = whole.ok || whole.code !== "file-not-found" || name === named;
  const read = isNamed
    ? whole
    : await readText(skill, name, parts, { ...range, ...askBehind(name, parameter) });
  if (read.ok && !allows(read.path)) {
    const message = `${JSON.stringify(named.slice(0, 200))} may not be read`;
    return { ok: false, code: "path-not-allowed", message };
  }
  return textOf(read, isNamed ? named : name);
}

function askBehind(name: string, parameter: string): AskForMore {
  return {
    askForLines: (startLine, endLine) =>
      `give ${JSON.stringify(withLines(name, startLine, endLine))} as ${parameter}`,
    askForByte: (line, startByte) => JSON.stringify(withByte(name, line, startByte)),
  };
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

/** Activates a skill, and puts its instructions into the conversation unless they are there. */
export async function loadSkill(
  name: string,
  { view, maxBytes: maxBodyBytes, listTool }: ReadingParts,
  { appendMessage }: ToolContext,
): Promise<Activation | Failure> {
  const activation = await view.activate(name, defined({ maxBodyBytes, listTool }));
  if (!activation.ok || activation.alreadyActive) return activation;
  try {
    await appendMessage?.(activation.message);
  } catch (error) {
    // It did not get there, so that the next call must bring it again.
    const found = view.find(name);
    if (found.ok) view.ledger.remove(found.skill.id);
    throw error;
  }
  return activation;
}

/** Longer ones could not be repeated by a model. */
const MAX_NAME_LENGTH = 256;
const MAX_LISTED = 20;

/** The names that a model of this view can ask for. */
export function visibleNames(view: Disclosure): string[] {
  const names = view.skills.map(({ name }) => name);
  return [...new Set(names)].filter((name) => name.length <= MAX_NAME_LENGTH);
}

/**
 * A failure to find a skill names only skills that the model may know of, and all of them when they
 * are few and none is near.
 */
export function withVisibleNames(failure: Failure, view: Disclosure): Failure {
  if (failure.code !== "skill-not-found" && failure.code !== "skill-unusable") return failure;
  const names = visibleNames(view);
  const candidates = failure.candidates?.filter((name) => names.includes(name)) ?? [];
  const { ok, code, message, hint = hintFor(code, names, candidates) } = failure;
  return {
    ok,
    code,
    message,
    ...(hint === undefined ? undefined : { hint }),
    ...(candidates.length === 0 ? undefined : { candidates }),
  };
}

function hintFor(code: string, names: readonly string[], candidates: readonly string[]) {
  if (code !== "skill-not-found" || candidates.length > 0) return undefined;
  if (names.length === 0) return "There are no skills.";
  return names.length > MAX_LISTED ? undefined : `There is: ${names.join(", ")}.`;
}
