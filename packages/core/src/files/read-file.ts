import { checkOptions, type OptionKinds } from "../internal/options.ts";
import { normalizeText } from "../format/text/split-frontmatter.ts";
import {
  type FileContent,
  isText,
  memoryContent,
  readBytes,
  SAMPLE_BYTES,
  utf16Order,
  utf16ToUtf8,
} from "./file-content.ts";
import { mediaTypeOf } from "./media-type.ts";
import { openSkillFile } from "./open-skill-file.ts";
import {
  countLines,
  type LineRange,
  MAX_COUNTED_BYTES,
  readLines,
  type ReadText,
} from "./read-lines.ts";
import { readSection } from "./sections.ts";
import type { SkillFiles } from "./skill-files.ts";
import type { FileFailure } from "./skill-path.ts";
import { quotePath } from "./skill-path.ts";

export interface ReadFileOptions {
  /** First and last line, counted from 1. */
  readonly startLine?: number;
  readonly endLine?: number;
  /** Leave so many bytes of the first line out, to go on in one that was cut. */
  readonly startByte?: number;
  /** A heading: exact, then without regard to case, then contained, then nearly so. */
  readonly section?: string;
  /** The most that is given, in bytes of UTF-8; 51,200 by default. */
  readonly maxBytes?: number;
  /** Give the first lines that fit instead of saying that it is too large. */
  readonly page?: boolean;
  /** Begin each line with its number and a tab. */
  readonly lineNumbers?: boolean;
  /** Also give the bytes of a binary file when they are no more than `maxBytes`. */
  readonly bytes?: boolean;
  /**
   * Read files that have a second name somewhere. A hard link can be the name of a secret, so they
   * are refused; package managers that link from a store make harmless ones.
   */
  readonly allowHardLinks?: boolean;
}

const OPTIONS: OptionKinds<ReadFileOptions> = {
  // A number that is no line is a failure with a hint, not an error.
  startLine: anyNumber,
  endLine: anyNumber,
  startByte: anyNumber,
  section: "string",
  maxBytes: "number",
  page: "boolean",
  lineNumbers: "boolean",
  bytes: "boolean",
  allowHardLinks: "boolean",
};

function anyNumber(value: unknown): string | undefined {
  return typeof value === "number" ? undefined : "a number";
}

export interface ReadBinary {
  readonly ok: true;
  readonly kind: "binary";
  readonly path: string;
  /** The name that was asked for, where it was not quite that of the file. */
  readonly resolvedFrom?: string;
  readonly mediaType: string;
  readonly size: number;
  readonly bytes?: Uint8Array;
}

export type ReadFileResult = ReadText | ReadBinary | FileFailure;

const DEFAULT_MAX_BYTES = 51_200;

export async function readFile(
  skill: SkillFiles,
  path: string,
  options: ReadFileOptions = {},
): Promise<ReadFileResult> {
  checkOptions("readFile", options, OPTIONS);
  const invalid = invalidRange(options);
  if (invalid !== undefined) return invalid;
  const opened = await openSkillFile(skill, path, options.allowHardLinks);
  if (!opened.ok) return opened;
  const { content } = opened;
  try {
    return await readContent(content, options);
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    const message = `${quotePath(content.path)} cannot be read: ${error.message}`;
    return { ok: false, code: "file-unreadable", message };
  } finally {
    content.close();
  }
}

async function readContent(
  content: FileContent,
  options: ReadFileOptions,
): Promise<ReadFileResult> {
  const { maxBytes = DEFAULT_MAX_BYTES, section, startLine, endLine, lineNumbers } = options;
  const { startByte = 0 } = options;
  const limit = Math.max(maxBytes + 1, SAMPLE_BYTES);
  const head = readBytes(content, 0, limit);
  const isWhole = head.length < limit;
  const order = utf16Order(head);
  if (order !== undefined) return readUtf16(content, order, head, options);
  const sample = isWhole ? head : head.subarray(0, SAMPLE_BYTES);
  if (!isText(sample, !isWhole)) return binary(content, head, options);
  const isPart =
    section !== undefined || startLine !== undefined || endLine !== undefined || startByte > 0;
  if (isWhole && !isPart && head.length <= maxBytes && lineNumbers !== true) {
    return wholeText(content.path, head);
  }
  const range: LineRange = {
    startLine: startLine ?? 1,
    endLine: endLine ?? Number.POSITIVE_INFINITY,
    startByte,
    maxBytes,
    page: options.page ?? false,
    lineNumbers: lineNumbers ?? false,
  };
  const read =
    section === undefined
      ? await readLines(content, range)
      : await readSection(content, section, range);
  return read ?? binary(content, head, options);
}

function wholeText(path: string, bytes: Buffer): ReadText {
  const text = normalizeText(bytes.toString("utf8"));
  const totalLines = countLines(text);
  return {
    ok: true,
    kind: "text",
    path,
    text,
    startLine: 1,
    endLine: totalLines,
    totalLines,
    endOfFile: true,
    size: bytes.length,
    truncated: false,
  };
}

async function readUtf16(
  content: FileContent,
  order: "le" | "be",
  head: Buffer,
  options: ReadFileOptions,
): Promise<ReadFileResult> {
  const { path, size } = content;
  if (size > MAX_COUNTED_BYTES) return binary(content, head, options);
  const text = utf16ToUtf8(readBytes(content, 0, MAX_COUNTED_BYTES), order);
  if (text === undefined) return binary(content, head, options);
  const result = await readContent(memoryContent(path, text), options);
  return result.ok ? { ...result, size } : result;
}

function binary(
  { path, size }: FileContent,
  head: Buffer,
  { bytes, maxBytes = DEFAULT_MAX_BYTES }: ReadFileOptions,
): ReadBinary {
  const isGiven = bytes === true && Math.max(size, head.length) <= maxBytes;
  return {
    ok: true,
    kind: "binary",
    path,
    mediaType: mediaTypeOf(path, head),
    size,
    ...(isGiven && { bytes: new Uint8Array(head) }),
  };
}

function invalidRange(options: ReadFileOptions): FileFailure | undefined {
  const { startLine = 1, endLine = Number.MAX_SAFE_INTEGER, section } = options;
  const { maxBytes = DEFAULT_MAX_BYTES, startByte = 0 } = options;
  const refuse = (message: string): FileFailure => {
    const hint = "Lines are counted from 1, and startLine is not above endLine.";
    return { ok: false, code: "range-invalid", message, hint };
  };
  if (![startLine, endLine, maxBytes].every((count) => Number.isSafeInteger(count) && count >= 1)) {
    return refuse("startLine, endLine and maxBytes are whole numbers from 1 on");
  }
  if (!Number.isSafeInteger(startByte) || startByte < 0) {
    return refuse("startByte is a whole number from 0 on");
  }
  if (startLine > endLine) return refuse(`startLine ${startLine} is above endLine ${endLine}`);
  const lines = options.startLine ?? options.endLine ?? options.startByte;
  if (section !== undefined && lines !== undefined) {
    return refuse("a section and lines cannot be asked for at once");
  }
  return undefined;
}
