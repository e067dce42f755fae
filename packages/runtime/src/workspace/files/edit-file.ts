import { promptText, truncate, unescapedFrames } from "@skillwright/core/internal";
import { quotePath, refuse, type WorkspaceFailure } from "../confinement/open-folder.ts";
import {
  defineWorkspaceTool,
  openWorkspace,
  type Workspace,
  type WorkspaceOptions,
  type WorkspaceTool,
} from "../workspace.ts";
import {
  changeFile,
  type ChangeMode,
  changeText,
  type FileChange,
  type NewText,
  type PlannedChange,
} from "./write-file.ts";

export interface EditFileInput {
  readonly path: string;
  readonly old_text: string;
  readonly new_text: string;
  /** Replaces every occurrence; without it there has to be exactly one. */
  readonly all?: boolean | undefined;
}

const MAX_NAMED_LINES = 20;
const MAX_SHOWN_LINES = 20;
const MAX_SHOWN_LENGTH = 300;
/** Below this, the closest match is unrelated to old_text. */
const MIN_LIKENESS = 0.4;

export function editFileTool(workspace: Workspace): WorkspaceTool {
  return defineWorkspaceTool({
    name: "edit_file",
    description: "Replaces text in a file. old_text must occur exactly once, or set all.",
    parameters: {
      path: { type: "string" },
      old_text: { type: "string", description: "Exactly as in the file.", private: true },
      new_text: { type: "string", mayBeEmpty: true, private: true },
      all: { type: "boolean", optional: true },
    },
    run: async (input) => changeFile(workspace, plannedEdit(input)),
    toText: (result) => changeText(result, "Edited"),
  });
}

/** What a call of `edit_file` does, or would do, for the person who approves it. */
export async function changeByEdit(
  options: WorkspaceOptions,
  input: EditFileInput,
  mode: ChangeMode,
): Promise<FileChange | WorkspaceFailure> {
  return changeFile(openWorkspace(options), plannedEdit(input), mode);
}

function plannedEdit(input: EditFileInput): PlannedChange {
  const { path } = input;
  return {
    path,
    mustExist: true,
    newText(previous) {
      const text = previous === "missing" ? undefined : previous.text;
      if (text !== undefined) return editedText(text, input);
      return refuse("file-binary", `${quotePath(path)} is not text, or too large to edit`);
    },
  };
}

function editedText(
  text: string,
  { path, old_text, new_text: given, all = false }: EditFileInput,
): NewText | WorkspaceFailure {
  // Models see and write plain line feeds, also where the file has CRLF.
  const plain = withLineFeeds(text);
  const asGiven = withLineFeeds(old_text);
  // Tags of frames are escaped when a file is read.
  const isEscaped = !plain.includes(asGiven) && plain.includes(unescapedFrames(asGiven));
  const wanted = isEscaped ? unescapedFrames(asGiven) : asGiven;
  const new_text = isEscaped ? unescapedFrames(given) : given;
  const shown = quotePath(path);
  if (LONE_SURROGATE.test(wanted + new_text)) {
    return refuse("text-invalid", "old_text or new_text has half of a character");
  }
  // What overlaps counts too: which of them is meant is not known.
  const found = placesOf(wanted, plain, all ? wanted.length : 1);
  if (found.length === 0) return notFound(plain, wanted, shown);
  if (found.length > 1 && !all) {
    const lines = found.slice(0, MAX_NAMED_LINES).map((place) => lineAt(plain, place));
    const more = found.length > lines.length ? ", …" : "";
    return refuse(
      "text-ambiguous",
      `old_text occurs ${found.length} times in ${shown}, at lines ${lines.join(", ")}${more}`,
      "Include the lines around it so that it occurs once, or set all to true.",
    );
  }
  if (wanted === withLineFeeds(new_text)) {
    return refuse("text-unchanged", "old_text and new_text are identical");
  }
  const replacement = withLineFeeds(new_text);
  const usual = withNewlinesOf(text, replacement);
  const offset = originalOffsets(text);
  let result = "";
  let end = 0;
  for (const place of found) {
    const start = offset(place);
    result += text.slice(end, start);
    end = offset(place + wanted.length);
    const replaced = text.slice(start, end);
    result += replaced.includes("\n") ? withNewlinesOf(replaced, replacement) : usual;
  }
  return { ok: true, text: result + text.slice(end), replacements: found.length };
}

const LONE_SURROGATE = /\p{Cs}/u;

function placesOf(wanted: string, text: string, step: number): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + step)) {
    places.push(at);
  }
  return places;
}

function withLineFeeds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function withNewlinesOf(file: string, text: string): string {
  const feeds = file.split("\n").length - 1;
  const pairs = file.split("\r\n").length - 1;
  return pairs * 2 > feeds ? text.replaceAll("\n", "\r\n") : text;
}

/** From places in the text with plain line feeds to those in the original. They must ascend. */
function originalOffsets(text: string): (place: number) => number {
  let passed = 0;
  let next = text.indexOf("\r\n");
  return (place) => {
    // The line feed of this pair is at `next - passed` in the plain text.
    while (next !== -1 && next - passed < place) {
      passed++;
      next = text.indexOf("\r\n", next + 2);
    }
    return place + passed;
  };
}

function lineAt(text: string, place: number): number {
  return text.slice(0, place).split("\n").length;
}

function notFound(text: string, wanted: string, shown: string): WorkspaceFailure {
  const message = `${shown} does not contain old_text`;
  return refuse("text-not-found", message, hintFor(text, wanted));
}

function hintFor(text: string, wanted: string): string {
  const withoutNumbers = wanted.replaceAll(/^ *\d+\t/gm, "");
  if (withoutNumbers !== wanted && text.includes(withoutNumbers)) {
    return "Leave the line numbers out of old_text.";
  }
  if (promptText(text).includes(wanted)) {
    return "The file has invisible characters there. Rewrite it with write_file.";
  }
  const lines = text.split("\n");
  const compared = wanted.replace(/\n$/, "").split("\n").slice(0, MAX_SHOWN_LINES);
  const first = nearestLine(lines, compared);
  if (first === undefined) return "Nothing in the file resembles it. Read the file again.";
  const numbered = lines
    .slice(first, first + compared.length)
    .map((line, index) => `${first + index + 1}\t${truncate(line, MAX_SHOWN_LENGTH)}`);
  return `The closest match starts at line ${first + 1}:\n${numbered.join("\n")}\nCopy old_text exactly, without the line numbers.`;
}

/** Where the lines begin that are most like the wanted ones, compared line by line. */
function nearestLine(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const compared = wanted.map((line) => line.trim());
  const trimmed = lines.map((line) => line.trim());
  let best = { score: 0, start: 0 };
  for (let start = 0; start < lines.length; start++) {
    const likenesses = compared.map((line, index) => likeness(line, trimmed[start + index] ?? ""));
    const score = likenesses.reduce((sum, one) => sum + one, 0);
    if (score > best.score) best = { score, start };
  }
  return best.score / compared.length >= MIN_LIKENESS ? best.start : undefined;
}

/** How much of two lines is the same at their start and end, from 0 to 1. */
function likeness(a: string, b: string): number {
  const [shorter, longer] = [Math.min(a.length, b.length), Math.max(a.length, b.length)];
  if (longer === 0) return 1;
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return (start + end) / longer;
}
