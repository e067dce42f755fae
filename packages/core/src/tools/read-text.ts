import type { Failure } from "../failure.ts";
import type { ReadFileOptions, ReadFileResult } from "../files/read-file.ts";
import type { ReadText } from "../files/read-lines.ts";
import type { SkillsView } from "../host/skills-view.ts";
import { promptLine, promptText } from "../internal/frame.ts";

export interface ReadTextOptions extends Pick<
  ReadFileOptions,
  "startLine" | "endLine" | "startByte" | "section"
> {
  readonly maxBytes?: number | undefined;
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
  view: SkillsView,
  skill: string,
  path: string,
  { maxBytes, askForLines, askForByte, ...range }: ReadTextOptions,
): Promise<ReadText | Failure> {
  const limit = maxBytes === undefined ? undefined : { maxBytes };
  const isPart = Object.values(range).some((value) => value !== undefined);
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
  { askForLines, askForByte }: Pick<ReadTextOptions, "askForLines" | "askForByte">,
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
