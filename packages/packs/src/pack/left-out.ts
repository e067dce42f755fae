import { leftOutAs } from "../archive/entries/left-out.ts";

/** Folders that belong to tools, not to a skill. */
export const LEFT_OUT_FOLDERS: ReadonlySet<string> = new Set([
  ".git",
  ".hg",
  ".idea",
  ".mypy_cache",
  ".pytest_cache",
  ".ruff_cache",
  ".skillwright",
  ".svn",
  ".venv",
  ".vscode",
  "__MACOSX",
  "__pycache__",
  "node_modules",
  "venv",
]);

const LEFT_OUT_FILES: ReadonlySet<string> = new Set([
  ".DS_Store",
  ".git",
  "Desktop.ini",
  "Thumbs.db",
  "desktop.ini",
]);

const LEFT_OUT_NAMES = /^(?:\._.*|\.#.*|#.*#|.+~|.*\.py[co]|\..*\.sw[a-p]|.*\.swp)$/;

/**
 * Whether a file is left by a tool: an editor's backup, a file manager's notes, compiled Python.
 * What a reader of archives drops is left out here, so that what is listed is what arrives.
 */
export function isLeftOut(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (leftOutAs(path.split("/")) !== undefined) return true;
  return LEFT_OUT_FILES.has(name) || LEFT_OUT_NAMES.test(name);
}
