import { normalizeText } from "../format/text/normalize-text.ts";
import { type FileContent, readBytes } from "./file-content.ts";
import { findSection, headingsOf, nearTitles } from "./find-section.ts";
import { MAX_COUNTED_BYTES } from "./locate-lines.ts";
import { type LineRange, readLines, type ReadText } from "./read-lines.ts";
import type { FileFailure } from "./skill-files.ts";
import { quotePath } from "./skill-path.ts";
import { isText } from "./text-encoding.ts";

const MAX_CANDIDATES = 5;

/** The section below a heading, its subsections included; undefined when the file is not text. */
export async function readSection(
  content: FileContent,
  section: string,
  range: LineRange,
): Promise<ReadText | FileFailure | undefined> {
  if (content.size > MAX_COUNTED_BYTES) {
    const message = `${quotePath(content.path)} is too large to look for sections in it`;
    const hint = "Read lines with startLine and endLine.";
    return { ok: false, code: "file-too-large", message, hint };
  }
  const bytes = readBytes(content, 0, content.size);
  if (!isText(bytes, false)) return undefined;
  const headings = headingsOf(normalizeText(bytes.toString("utf8")));
  const found = findSection(headings, section);
  if (found !== undefined) {
    return readLines(content, { ...range, startLine: found.line, endLine: found.endLine });
  }
  const candidates = nearTitles(headings, section, MAX_CANDIDATES);
  return {
    ok: false,
    code: "section-not-found",
    message: `${quotePath(content.path)} has no section ${quotePath(section)}`,
    hint: "Ask for a section by its heading, or for lines with startLine and endLine.",
    ...(candidates.length > 0 && { candidates }),
  };
}
