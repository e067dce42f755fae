import { type Failure, nearNames, readFile as readConfined } from "@skillwright/core";
import { imageTypeOf, plural } from "@skillwright/core/internal";
import { readdirSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { openFolder } from "../confinement/open-folder.ts";
import { quotePath, refuse, type WorkspaceFailure } from "../confinement/workspace-failure.ts";
import {
  parseWorkspacePath,
  resolveInside,
  type ResolvedPath,
} from "../confinement/workspace-path.ts";
import {
  defineWorkspaceTool,
  pathParameter,
  type WorkspaceTool,
} from "../input/define-workspace-tool.ts";
import type { Workspace } from "../workspace.ts";

const MAX_NAMES = 5000;

/** A failure that names similar files of the folder. */
export function missingFile(workspace: Workspace, path: string): WorkspaceFailure {
  const failure = refuse(
    "file-not-found",
    `${quotePath(path)} does not exist`,
    "Use list_directory or search_files to see what there is.",
  );
  const parsed = parseWorkspacePath(path, workspace);
  const name = parsed.ok ? parsed.segments.at(-1) : undefined;
  if (!parsed.ok || name === undefined || workspace.root === undefined) return failure;
  const folder = parsed.segments.slice(0, -1);
  const candidates = nearNames(name, namesIn(workspace.root, folder)).map((near) =>
    [...folder, near].join("/"),
  );
  if (candidates.length === 0) return failure;
  return { ...failure, hint: "Upper and lower case differ.", candidates };
}

/**
 * The path of the one file or folder that differs only in upper and lower case; undefined where the path
 * itself exists, or none or several fit. Follows no links.
 */
export function pathInOtherCase(
  { root, changes }: Pick<Workspace, "root" | "changes">,
  segments: readonly string[],
): string | undefined {
  if (root === undefined || changes?.seen(segments) !== undefined) return undefined;
  const found: string[] = [];
  for (const segment of segments) {
    const names = namesIn(root, found);
    const fold = (name: string) => name.normalize("NFC").toLowerCase();
    const fitting = names.filter((name) => fold(name) === fold(segment));
    const [fit] = fitting.includes(segment) ? [segment] : fitting;
    const isUnclear = fit !== segment && (fitting.length > 1 || names.length >= MAX_NAMES);
    if (fit === undefined || isUnclear) return undefined;
    found.push(fit);
  }
  const path = found.join("/");
  return path === segments.join("/") ? undefined : path;
}

function namesIn(root: string, segments: readonly string[]): readonly string[] {
  const opened = openFolder(root, segments);
  if (!opened.ok) return [];
  try {
    return readdirSync(opened.folder.itself).slice(0, MAX_NAMES);
  } catch {
    return [];
  } finally {
    opened.folder.close();
  }
}

interface ReadFileResult {
  readonly ok: true;
  readonly path: string;
  readonly text: string;
  readonly startLine: number;
  /** 0 for an empty file. */
  readonly endLine: number;
  readonly totalLines?: number;
  /** Of the file, in bytes. */
  readonly size: number;
  /** Less than what was asked for; the rest begins at `endLine + 1`. */
  readonly truncated: boolean;
}

/** A picture, for a model that can look at it. */
interface ReadImageResult {
  readonly ok: true;
  readonly kind: "image";
  readonly path: string;
  readonly mediaType: string;
  readonly bytes: number;
  /** The bytes in base64, for hosts to attach. */
  readonly image: { readonly mediaType: string; readonly data: string };
}

const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
export function readFileTool(workspace: Workspace): WorkspaceTool {
  return defineWorkspaceTool({
    name: "read_file",
    description: "Reads a text file, or some lines of it, or an image (PNG, JPEG, GIF, WebP).",
    parameters: {
      path: pathParameter("In the working directory."),
      start_line: {
        type: "integer",
        minimum: 1,
        optional: true,
        description: "From 1.",
        otherNames: ["offset", "from", "start"],
      },
      end_line: {
        type: "integer",
        minimum: 1,
        optional: true,
        description: "Inclusive.",
        otherNames: ["to", "end"],
      },
      limit: {
        type: "integer",
        minimum: 1,
        optional: true,
        description: "How many lines to read, instead of end_line.",
        otherNames: ["count", "lines", "max_lines", "num_lines"],
      },
      line_numbers: {
        type: "boolean",
        optional: true,
        description: "Number the lines.",
      },
    },
    run: async ({ path, start_line, end_line, limit, line_numbers }) => {
      const last = lastLine(start_line, end_line, limit);
      return readWorkspaceFile(workspace, path, {
        ...(start_line !== undefined && { startLine: start_line }),
        ...(last !== undefined && { endLine: last }),
        lineNumbers: line_numbers ?? false,
      });
    },
    toText: readText,
  });
}

/** The nearer end counts when both are given. */
function lastLine(start = 1, end?: number, limit?: number): number | undefined {
  if (limit === undefined) return end;
  const last = Math.min(start + limit - 1, Number.MAX_SAFE_INTEGER);
  return end === undefined ? last : Math.min(end, last);
}

interface Range {
  readonly startLine?: number;
  readonly endLine?: number;
  readonly lineNumbers: boolean;
}

async function readWorkspaceFile(
  workspace: Workspace,
  path: string,
  range: Range,
): Promise<ReadFileResult | ReadImageResult | Failure> {
  const resolved = resolveSeen(path, workspace) ?? (await resolveInside(path, workspace));
  if (!resolved.ok)
    return resolved.code === "file-not-found" ? missingFile(workspace, path) : resolved;
  const { root, segments, real } = resolved;
  const plain = segments.join("/");
  if (real.length === 0) return isFolder(plain);
  const stats = await lstat(join(root, ...real)).catch(() => undefined);
  if (stats?.isDirectory() === true) return isFolder(plain);
  const { maxFileBytes, maxOutputBytes } = workspace;
  if (stats !== undefined && stats.size > maxFileBytes) {
    return tooLarge(plain, stats.size, maxFileBytes);
  }
  // Links were resolved above; from here on every link means that something was swapped.
  const read = await readConfined({ directory: root }, real.join("/"), {
    ...range,
    maxBytes: maxOutputBytes,
    page: true,
  });
  if (!read.ok) return inWorkspaceWords(read, plain);
  if (read.size > maxFileBytes) return tooLarge(plain, read.size, maxFileBytes);
  if (read.kind === "binary") {
    const image = await readImage(plain, root, real);
    if (image !== undefined) return image;
    const message = `${quotePath(plain)} is not text (${read.mediaType}, ${plural(read.size, "byte")})`;
    return refuse("file-binary", message, "This tool cannot show it.");
  }
  const { text, startLine, endLine, totalLines, size, truncated } = read;
  return {
    ok: true,
    path: plain,
    text,
    startLine,
    endLine,
    ...(totalLines !== undefined && { totalLines }),
    size,
    truncated,
  };
}

export function deletedByScript(segments: readonly string[]): WorkspaceFailure {
  const path = quotePath(segments.join("/"));
  return refuse("file-deleted", `a script deleted ${path}; a person has not approved it yet`);
}

/** The copy that a script of this run left, where it changed the file. */
function resolveSeen(path: string, workspace: Workspace): ResolvedPath | undefined {
  const parsed = parseWorkspacePath(path, workspace);
  const seen = parsed.ok ? workspace.changes?.seen(parsed.segments) : undefined;
  if (!parsed.ok || seen === undefined) return undefined;
  const { segments } = parsed;
  if (seen === "deleted") return deletedByScript(segments);
  return { ok: true, root: seen.folder, segments, real: [seen.name] };
}

/** Undefined for other files, and for images that are too large for a model. */
async function readImage(
  path: string,
  root: string,
  real: readonly string[],
): Promise<ReadImageResult | undefined> {
  const options = { bytes: true, maxBytes: MAX_IMAGE_BYTES };
  const read = await readConfined({ directory: root }, real.join("/"), options);
  if (!read.ok || read.kind !== "binary" || read.bytes === undefined) return undefined;
  const bytes = Buffer.from(read.bytes);
  const mediaType = imageTypeOf(bytes);
  if (mediaType === undefined) return undefined;
  const image = { mediaType, data: bytes.toString("base64") };
  return { ok: true, kind: "image", path, mediaType, bytes: bytes.length, image };
}

function readText(result: ReadFileResult | ReadImageResult): string {
  if ("image" in result) return `${result.mediaType}, ${result.bytes} bytes`;
  const { text, startLine, endLine, totalLines, truncated } = result;
  if (!truncated) return text;
  const of = totalLines === undefined ? "" : ` of ${totalLines}`;
  const note = `[Lines ${startLine} to ${endLine}${of}. Continue with start_line ${endLine + 1}.]`;
  return `${text}${text.endsWith("\n") ? "" : "\n"}${note}`;
}

/** Core words its failures for skills. */
function inWorkspaceWords(failure: Failure, path: string): Failure {
  const { code, message, hint } = failure;
  const shown = quotePath(path);
  switch (code) {
    case "link-refused":
      return refuse(code, `${shown} became a link, or has a second name (a hard link)`);
    case "not-a-file":
      return refuse(code, `${shown} is not a regular file`);
    case "file-not-found":
      return refuse(code, `${shown} does not exist`);
    case "range-invalid":
      return refuse(code, message, hint);
    default:
      return { ok: false, code, message };
  }
}

function isFolder(path: string): WorkspaceFailure {
  const hint = "Use list_directory to see what is in it.";
  return refuse("not-a-file", `${quotePath(path || ".")} is a folder`, hint);
}

function tooLarge(path: string, size: number, limit: number): WorkspaceFailure {
  const message = `${quotePath(path)} is ${size} bytes long; the limit is ${limit}`;
  return refuse("file-too-large", message, "This tool cannot read it.");
}
