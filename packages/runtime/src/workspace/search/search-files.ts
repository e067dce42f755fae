import { join } from "node:path";
import type { Failure, ToolContext } from "@skillwright/core";
import { plural } from "@skillwright/core/internal";
import { inFolder } from "../confinement/open-folder.ts";
import { locate, type LocatedPath } from "../confinement/workspace-path.ts";
import {
  defineWorkspaceTool,
  type Workspace,
  type WorkspaceOptions,
  type WorkspaceTool,
} from "../workspace.ts";
import type { SearchFilesResult } from "./match-lines.ts";
import {
  expandBraces,
  type FoundText,
  type MayRead,
  pathMatcher,
  readText,
  walkFiles,
} from "./walk-files.ts";

/** The policy decides about each file that a search reaches. */
interface SearchContext extends ToolContext {
  /** Default: every file may be read. */
  readonly mayRead?: MayRead;
}

const MAX_PATTERN_LENGTH = 1000;
const MAX_RESULTS = 1000;

export function searchFilesTool(
  workspace: Workspace,
  { searchTimeoutSeconds = 10 }: WorkspaceOptions,
): WorkspaceTool {
  return defineWorkspaceTool({
    name: "search_files",
    description:
      "Finds lines that match a JavaScript regular expression, in text files that .gitignore does not name.",
    parameters: {
      pattern: { type: "string" },
      path: { type: "string", optional: true, description: "Folder or file. Default: all." },
      glob: { type: "string", optional: true, description: 'Such as "src/**/*.{js,ts}".' },
      ignore_case: { type: "boolean", optional: true },
      max_results: {
        type: "integer",
        minimum: 1,
        maximum: MAX_RESULTS,
        optional: true,
        description: "Default: 200.",
      },
    },
    run: async (
      { pattern, path = ".", glob, ignore_case = false, max_results: maxResults = 200 },
      { signal, mayRead = () => true }: SearchContext,
    ): Promise<SearchFilesResult | Failure> => {
      const flags = flagsFor(pattern, ignore_case);
      if (typeof flags !== "string") return flags;
      const wants = glob === undefined ? () => true : pathMatcher(expandBraces(glob));
      if (wants === undefined) return invalid("the glob has too many wildcards or is too long");
      const located = await locate(path, workspace);
      if (!located.ok) return located;
      const { root, real, seen } = located;
      const end = performance.now() + searchTimeoutSeconds * 1000;
      const remaining = (): number => end - performance.now();
      const isOver = () => remaining() <= 0 || signal?.aborted === true;
      const isFolder =
        seen === undefined ? inFolder(root, real, () => true) : seen.type === "folder";
      const files =
        isFolder === true
          ? walkFiles({ workspace, root, start: real, wants, mayRead, isOver })
          : oneFile(workspace, located, mayRead);
      const { matchLines } = await import("./match-lines.ts");
      const maxBytes = workspace.maxOutputBytes;
      return matchLines(files, { pattern, flags, maxResults, maxBytes, remaining, signal });
    },
    toText: searchText,
  });
}

/** A named file is searched even if a `.gitignore` excludes it. */
function* oneFile(
  { maxFileBytes }: Workspace,
  { root, real, seen }: LocatedPath,
  mayRead: MayRead,
): Generator<FoundText> {
  const path = real.join("/");
  const isAllowed = mayRead(path, join(root, ...real));
  const read = () =>
    seen?.type === "file"
      ? readText(seen.copy, maxFileBytes)
      : inFolder(root, real.slice(0, -1), (folder) =>
          readText(folder.child(real.at(-1) ?? ""), maxFileBytes),
        );
  yield { path, text: (isAllowed ? read() : undefined) ?? "", leftOut: isAllowed ? 0 : 1 };
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
