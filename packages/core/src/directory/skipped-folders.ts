/** Folders in which nobody keeps skills and much else lies. */
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set([
  ".git",
  ".hg",
  ".skillwright",
  ".svn",
  ".venv",
  "__pycache__",
  "node_modules",
  "venv",
]);
