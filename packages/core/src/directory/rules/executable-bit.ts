import { defineDirectoryRule } from "../skill-directory.ts";

const DOCUMENT = /\.(?:md|txt|json|ya?ml|csv|tsv|html?|css|svg|png|jpe?g|gif|pdf)$/i;
const SHELL_SCRIPT = /^scripts\/.*\.(?:sh|bash)$/;

export const executableBit = defineDirectoryRule({
  code: "executable-bit",
  severity: "info",
  summary: "An executable bit does not fit the file.",
  explanation:
    "A script with a `#!` line is meant to be run directly and needs the bit; a document does not. Scripts run through their interpreter here either way.",
  example: {
    bad: "-rwxr-xr-x references/FORMS.md",
    good: "-rw-r--r-- references/FORMS.md",
  },
  inspect({ entries }, report) {
    if (process.platform === "win32") return;
    for (const { path, kind, mode } of entries) {
      if (kind !== "file") continue;
      const executable = (mode & 0o111) !== 0;
      if (executable && DOCUMENT.test(path)) {
        report({ path, message: `\`${path}\` is executable`, hint: `chmod -x ${path}` });
      } else if (!executable && SHELL_SCRIPT.test(path)) {
        report({ path, message: `\`${path}\` is not executable`, hint: `chmod +x ${path}` });
      }
    }
  },
});
