import { defineDirectoryRule } from "../skill-directory.ts";

const MAX_FILES = 2000;
const MAX_BYTES = 50 * 1024 * 1024;

export const directoryTooLarge = defineDirectoryRule({
  code: "directory-too-large",
  severity: "warning",
  strict: "error",
  summary: "The skill has more than 2,000 files or 50 MiB.",
  explanation:
    "Installers refuse packs of this size by default, and every approval hashes all of it. Generated files, dependencies and datasets do not belong into a skill.",
  example: {
    bad: "assets/node_modules/ with 9,000 files",
    good: "assets/template.json",
  },
  inspect({ entries, truncated }, report) {
    const bytes = entries.reduce((sum, { size }) => sum + size, 0);
    if (entries.length <= MAX_FILES && bytes <= MAX_BYTES && !truncated) return;
    const mebibytes = (bytes / 1024 / 1024).toFixed(1);
    const more = truncated ? "more than " : "";
    report({
      message: `the skill has ${more}${entries.length} files and ${mebibytes} MiB`,
      hint: `at most ${MAX_FILES} files and ${MAX_BYTES / 1024 / 1024} MiB are accepted by installers`,
    });
  },
});
