import { defineDirectoryRule } from "../skill-directory.ts";

const USUAL_FOLDERS: ReadonlySet<string> = new Set([
  "scripts",
  "references",
  "reference",
  "assets",
  "evals",
]);
const USUAL_FILES =
  /^(?:SKILL\.md|(?:LICEN[CS]E|NOTICE|README|CHANGELOG|AUTHORS|SECURITY)(?:[.-].*)?|manifest\.json|\..*)$/i;

export const fileMisplaced = defineDirectoryRule({
  code: "file-misplaced",
  severity: "info",
  summary: "A file stands outside of the usual folders.",
  explanation:
    "Clients look for scripts in `scripts/`, documents in `references/`, templates and other material in `assets/`, tests in `evals/`. Notices such as LICENSE and README belong to the top.",
  example: {
    bad: "format-dates/run.py",
    good: "format-dates/scripts/run.py",
  },
  inspect({ entries }, report) {
    for (const { path } of entries) {
      const [folder = "", ...rest] = path.split("/");
      if (rest.length === 0 ? USUAL_FILES.test(path) : USUAL_FOLDERS.has(folder)) continue;
      report({ path, message: `\`${path}\` is in none of the usual folders`, ...hintFor(path) });
    }
  },
});

function hintFor(path: string) {
  if (/\.(?:py|sh|bash|js|mjs|cjs|ts|rb|pl|ps1)$/i.test(path))
    return { hint: "move it to `scripts/`" };
  return /\.(?:md|txt|rst|pdf)$/i.test(path) ? { hint: "move it to `references/`" } : undefined;
}
