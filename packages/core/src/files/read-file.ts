import { closeSync } from "node:fs";
import { basename } from "node:path/posix";
import { nearNames } from "../format/names.ts";
import { normalizeText } from "../format/draft.ts";
import { type ConfinedFile, openSettled } from "../internal/confined.ts";
import { checkOptions, type OptionKinds } from "../internal/options.ts";
import type { InlineSkill } from "../sources/skill-source.ts";
import { inlineFiles, resolveContent } from "../sources/inline-files.ts";
import { listFiles, type SkillFiles } from "./list-files.ts";
import { mediaTypeOf } from "./media-type.ts";
import {
  countLines,
  descriptorContent,
  type FileContent,
  isText,
  type LineRange,
  MAX_COUNTED_BYTES,
  memoryContent,
  readBytes,
  readLines,
  type ReadText,
  SAMPLE_BYTES,
  utf16Order,
  utf16ToUtf8,
} from "./read-lines.ts";
import { readSection } from "./sections.ts";
import {
  type FileFailure,
  parseSkillPath,
  quotePath,
  realDirectory,
  spellings,
} from "./skill-path.ts";

const MAX_CANDIDATES = 5;

/** Says that there is no such file, and which may have been meant. */
async function missingFile(skill: SkillFiles, path: string): Promise<FileFailure> {
  const listed = await listFiles(skill);
  if (!listed.ok) return listed;
  const candidates = nearFiles(
    path,
    listed.files.map((file) => file.path),
  );
  const message = `the skill has no file ${quotePath(path)}`;
  if (candidates.length === 0) {
    const hint = "List the files of the skill to see what there is.";
    return { ok: false, code: "file-not-found", message, hint };
  }
  const hint = "Ask for one of the candidates by its exact path; upper and lower case differ.";
  return { ok: false, code: "file-not-found", message, hint, candidates };
}

/** Says that a path is a folder or something stranger, and what lies in it. */
async function notAFile(skill: SkillFiles, path: string): Promise<FileFailure> {
  const listed = await listFiles(skill, { under: path === "" ? "." : path });
  if (!listed.ok && listed.code === "file-not-found") return listed;
  const inside = listed.ok ? listed.files.slice(0, MAX_CANDIDATES).map((file) => file.path) : [];
  const kind = listed.ok ? "a folder" : "no regular file";
  return {
    ok: false,
    code: "not-a-file",
    message: `${quotePath(path === "" ? "." : path)} is ${kind}`,
    hint: "Ask for a file by its exact path.",
    ...(inside.length > 0 && { candidates: inside }),
  };
}

function nearFiles(path: string, files: readonly string[]): string[] {
  const folded = path.toLowerCase();
  const sameButCase = files.filter((file) => file.toLowerCase() === folded);
  if (sameButCase.length > 0) return sameButCase.slice(0, MAX_CANDIDATES);
  const name = basename(folded);
  const byName = files.map((file) => basename(file));
  const nearByName = new Set(nearNames(name, byName, MAX_CANDIDATES));
  const near = [
    ...files.filter((file) => basename(file).toLowerCase() === name),
    ...nearNames(path, files, MAX_CANDIDATES),
    ...files.filter((file) => nearByName.has(basename(file))),
  ];
  return [...new Set(near)].slice(0, MAX_CANDIDATES);
}

type OpenedFile = { readonly ok: true; readonly content: FileContent } | FileFailure;

/** Opens a file of a skill and of no other place. The caller closes it. */
async function openSkillFile(
  skill: SkillFiles,
  path: string,
  allowHardLinks = false,
): Promise<OpenedFile> {
  const parsed = parseSkillPath(path);
  if (!parsed.ok) return parsed;
  if (parsed.path === "" || path.endsWith("/")) return notAFile(skill, parsed.path);
  if ("inline" in skill) return openInline(skill.inline, parsed.path);
  const real = realDirectory(skill.directory);
  if (!real.ok) return real;
  for (const candidate of spellings(parsed.path)) {
    const opened = await openSettled(real.root, candidate.split("/"));
    if (!opened.ok && opened.reason === "missing") continue;
    if (!opened.ok) return refusal(skill, candidate, opened);
    const { descriptor, stats } = opened;
    if (stats.nlink > 1 && !allowHardLinks) {
      closeSync(descriptor);
      return hardLink(candidate, stats.nlink);
    }
    return { ok: true, content: descriptorContent(candidate, descriptor, stats.size) };
  }
  return missingFile(skill, parsed.path);
}

async function openInline(skill: InlineSkill, path: string): Promise<OpenedFile> {
  const files = inlineFiles(skill);
  for (const candidate of spellings(path)) {
    const made = files.get(candidate);
    if (made === undefined) continue;
    try {
      const bytes = Buffer.from(await resolveContent(made));
      return { ok: true, content: memoryContent(candidate, bytes) };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const message = `${quotePath(candidate)} could not be made: ${reason}`;
      return { ok: false, code: "file-unreadable", message };
    }
  }
  const isFolder = [...files.keys()].some((file) => file.startsWith(`${path}/`));
  return isFolder ? notAFile({ inline: skill }, path) : missingFile({ inline: skill }, path);
}

async function refusal(
  skill: SkillFiles,
  path: string,
  { reason, errorCode = "unknown" }: Exclude<ConfinedFile, { ok: true }>,
): Promise<FileFailure> {
  const shown = quotePath(path);
  switch (reason) {
    case "not-a-file":
      return notAFile(skill, path);
    case "link": {
      const message = `${shown} is a link or lies behind one; links inside a skill are refused`;
      const hint = "Ask for the file itself, or put a copy in the place of the link.";
      return { ok: false, code: "link-refused", message, hint };
    }
    case "denied": {
      const hint = "The permissions of the file or its folder do not allow reading.";
      return { ok: false, code: "access-denied", message: `${shown} may not be read`, hint };
    }
    case "changing": {
      const message = `${shown} was replaced each time it was opened`;
      return { ok: false, code: "file-changing", message, hint: "Try again later." };
    }
    default:
      return {
        ok: false,
        code: "file-unreadable",
        message: `${shown} cannot be read (${errorCode})`,
      };
  }
}

function hardLink(path: string, names: number): FileFailure {
  const message = `${quotePath(path)} is one of ${names} names of the same file, and the others may lie outside the skill`;
  const hint = "Put a copy in its place, or allow hard links when a package manager made them.";
  return { ok: false, code: "link-refused", message, hint };
}

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
