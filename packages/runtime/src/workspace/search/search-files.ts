import { join } from "node:path";
import type { Failure, ToolContext } from "@skillwright/core";
import { plural } from "@skillwright/core/internal";
import { openFolder } from "../confinement/open-folder.ts";
import { parseWorkspacePath, resolveInside } from "../confinement/workspace-path.ts";
import { deletedByScript, missingFile } from "../files/read-file.ts";
import {
  defineWorkspaceTool,
  pathParameter,
  type WorkspaceTool,
} from "../input/define-workspace-tool.ts";
import type { SeenFile } from "../../changes/run-changes.ts";
import type { Workspace } from "../workspace.ts";
import type { FoundFiles, SearchFilesResult } from "./match-lines.ts";
import {
  expandBraces,
  type FoundText,
  type MayRead,
  pathMatcher,
  readSeenText,
  readText,
  walkFiles,
} from "./walk-files.ts";

/** The policy decides about each file that a search reaches. */
interface SearchContext extends ToolContext {
  /** Default: every file may be read. */
  readonly mayRead?: MayRead;
}

interface SearchRequest {
  readonly pattern: string;
  readonly path: string;
  readonly glob: string | undefined;
  readonly ignoreCase: boolean;
  readonly maxResults: number;
  readonly mayRead: MayRead;
  readonly signal: AbortSignal | undefined;
}

const MAX_PATTERN_LENGTH = 1000;
const MAX_RESULTS = 1000;

export function searchFilesTool(workspace: Workspace, timeoutSeconds: number): WorkspaceTool {
  return defineWorkspaceTool({
    name: "search_files",
    description:
      "Finds lines that match a JavaScript regular expression, in text files that .gitignore does not name.",
    parameters: {
      pattern: {
        type: "string",
        description: "Matched line by line.",
        otherNames: ["query", "regex", "regexp", "search"],
      },
      path: {
        ...pathParameter("Folder or file. Default: all."),
        optional: true,
      },
      glob: {
        type: "string",
        optional: true,
        description: 'Such as "src/**/*.{js,ts}".',
        otherNames: ["include", "file_pattern"],
      },
      ignore_case: {
        type: "boolean",
        optional: true,
        description: "Ignore case.",
        otherNames: ["case_insensitive", "i"],
      },
      max_results: {
        type: "integer",
        minimum: 1,
        maximum: MAX_RESULTS,
        optional: true,
        description: "Default: 200.",
        otherNames: ["limit", "n"],
      },
    },
    run: async (
      { pattern, path = ".", glob, ignore_case = false, max_results = 200 },
      { signal, mayRead = () => true }: SearchContext,
    ) =>
      searchWorkspace(workspace, timeoutSeconds, {
        pattern,
        path,
        glob,
        ignoreCase: ignore_case,
        maxResults: max_results,
        mayRead,
        signal,
      }),
    toText: searchText,
  });
}

async function searchWorkspace(
  workspace: Workspace,
  timeoutSeconds: number,
  { pattern, path, glob, ignoreCase, maxResults, mayRead, signal }: SearchRequest,
): Promise<SearchFilesResult | Failure> {
  const flags = flagsFor(pattern, ignoreCase);
  if (typeof flags !== "string") return flags;
  const matchesGlob = glob === undefined ? () => true : pathMatcher(expandBraces(glob));
  if (matchesGlob === undefined) return invalid("the glob has too many wildcards or is too long");
  const parsed = parseWorkspacePath(path, workspace);
  const asked = parsed.ok ? parsed.segments : [];
  const changed = workspace.changes?.seen(asked);
  if (changed === "deleted") return deletedByScript(asked);
  const seen = workspace.changes?.seenFolders();
  const isSeenFolder = seen?.has(asked.join("/")) === true;
  const isSeen = changed !== undefined || isSeenFolder;
  const resolved = await resolveInside(path, workspace);
  if (!resolved.ok && (!isSeen || workspace.root === undefined))
    return resolved.code === "file-not-found" ? missingFile(workspace, path) : resolved;
  const { root, real } = resolved.ok ? resolved : { root: workspace.root ?? "", real: asked };
  const { matchLines } = await import("./match-lines.ts");
  const end = performance.now() + timeoutSeconds * 1000;
  const remaining = (): number => end - performance.now();
  const files =
    (isSeenFolder ? undefined : oneFile(workspace, { root, real, changed, mayRead })) ??
    walkFiles({
      workspace,
      root,
      start: real,
      wants: matchesGlob,
      mayRead,
      seen,
      isOver: () => remaining() <= 0 || signal?.aborted === true,
    });
  return matchLines(files, {
    pattern,
    flags,
    maxResults,
    maxBytes: workspace.maxOutputBytes,
    remaining,
    ...(signal !== undefined && { signal }),
  });
}

interface OneFile {
  readonly root: string;
  readonly real: readonly string[];
  /** The copy that a script of this run left. */
  readonly changed: SeenFile | undefined;
  readonly mayRead: MayRead;
}

/** A named file is searched even if a `.gitignore` excludes it. */
function oneFile(
  workspace: Workspace,
  { root, real, changed, mayRead }: OneFile,
): FoundFiles | undefined {
  const name = real.at(-1);
  const isFolder = changed === undefined && openedAsFolder(root, real);
  if (name === undefined || isFolder) return undefined;
  const path = real.join("/");
  if (!mayRead(path, join(root, ...real))) return found([], 1);
  if (changed !== undefined) {
    const left = readSeenText(changed, workspace);
    return found(left === undefined ? [] : [{ path, text: left, leftOut: 0 }], 0);
  }
  const opened = openFolder(root, real.slice(0, -1));
  if (!opened.ok) return found([], 0);
  const text = readText(opened.folder, name, workspace);
  opened.folder.close();
  return found(text === undefined ? [] : [{ path, text, leftOut: 0 }], 0);
}

function* found(files: readonly FoundText[], leftOut: number): Generator<FoundText, number> {
  yield* files;
  return leftOut;
}

function openedAsFolder(root: string, real: readonly string[]): boolean {
  const opened = openFolder(root, real);
  if (opened.ok) opened.folder.close();
  return opened.ok;
}

/** With `u` where the pattern allows it, so that surrogate pairs are one character. */
function flagsFor(pattern: string, ignoreCase: boolean): string | Failure {
  if (pattern.length > MAX_PATTERN_LENGTH) {
    return invalid(`the pattern is longer than ${MAX_PATTERN_LENGTH} characters`);
  }
  const letters = ignoreCase ? "i" : "";
  let problem = "";
  for (const flags of [`${letters}u`, letters]) {
    try {
      RegExp(pattern, flags);
      return flags;
    } catch (error) {
      problem = error instanceof Error ? error.message : "unknown reason";
    }
  }
  return invalid(`the pattern is not a regular expression: ${problem.slice(0, 200)}`);
}

function invalid(message: string): Failure<"pattern-invalid"> {
  const hint = "To match one of . * + ? ( ) [ ] { } | ^ $ literally, put a backslash before it.";
  return { ok: false, code: "pattern-invalid", message, hint };
}

function searchText({ matches, truncated, timedOut, leftOut }: SearchFilesResult): string {
  const lines = matches.map(({ path, line, text }) => `${path}:${line}: ${text}`);
  if (timedOut) lines.push("[Incomplete: the search took too long and was stopped.]");
  else if (truncated)
    lines.push("[There are more matches. Narrow the search with path, glob or pattern.]");
  if (lines.length === 0) lines.push("No line matches.");
  if (leftOut > 0) {
    const files = plural(leftOut, "file was", "files were");
    lines.push(`[${files} not searched: the policy does not let them be read without asking.]`);
  }
  return lines.join("\n");
}
