import type { Failure } from "../failure.ts";
import type { ReadFileOptions } from "../files/read-file.ts";
import type { ReadText } from "../files/read-lines.ts";
import type { SkillsView } from "../host/skills-view.ts";
import { safeText } from "./safe-text.ts";

export interface ReadTextOptions extends Pick<
  ReadFileOptions,
  "startLine" | "endLine" | "section"
> {
  readonly maxBytes?: number | undefined;
  /** How this tool is asked for lines. */
  readonly askForLines: (startLine: number, endLine: number) => string;
}

/**
 * Text of a skill's file. Asked for as a whole, it is given as a whole or not at all; a part is cut
 * where the limit is.
 */
export async function readText(
  view: SkillsView,
  skill: string,
  path: string,
  { maxBytes, askForLines, ...range }: ReadTextOptions,
): Promise<ReadText | Failure> {
  const limit = maxBytes === undefined ? undefined : { maxBytes };
  const isPart = Object.values(range).some((value) => value !== undefined);
  const read = await view.readFile(skill, path, { ...limit, ...range, page: isPart });
  if (!read.ok) {
    if (read.code !== "file-too-large" || isPart) return read;
    return tooLarge(read, await view.readFile(skill, path, { ...limit, page: true }), askForLines);
  }
  if (read.kind === "binary") return binary(read.path, read.mediaType, read.size);
  return { ...read, text: safeText(read.text) };
}

/** Says which lines fit, in the way this tool takes them. */
function tooLarge(
  failure: Failure,
  firstPage: { readonly ok: boolean; readonly endLine?: number },
  askForLines: ReadTextOptions["askForLines"],
): Failure {
  const { ok, code, message } = failure;
  const { endLine } = firstPage;
  if (endLine === undefined) return failure;
  const hint = `Read it in parts: ${askForLines(1, endLine)} first, then from line ${endLine + 1} on.`;
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
