import { defineDirectoryRule } from "../skill-directory.ts";

const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/i;

export const pathUnsafe = defineDirectoryRule({
  code: "path-unsafe",
  severity: "error",
  summary: "A file's name does not work everywhere.",
  explanation:
    "Control characters, backslashes, names that Windows reserves, and trailing dots or blanks make archives unsafe or files unreachable on another system.",
  example: {
    bad: "references/aux.md",
    good: "references/auxiliary.md",
  },
  inspect({ entries }, report) {
    for (const { path } of entries) {
      const problem = pathProblem(path);
      if (problem === undefined) continue;
      report({ path, message: `${JSON.stringify(path)} ${problem}`, hint: "rename the file" });
    }
  },
});

function pathProblem(path: string): string | undefined {
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  if (/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\uFFFD]/.test(path))
    return "has characters that are not allowed";
  if (/[\\:*?"<>|]/.test(path)) return "has characters that Windows does not allow";
  const segments = path.split("/");
  if (segments.some((segment) => RESERVED.test(segment))) return "is a name that Windows reserves";
  if (segments.some((segment) => /[. ]$/.test(segment))) return "ends in a dot or blank";
  return segments.some((segment) => Buffer.byteLength(segment) > 255) ? "is too long" : undefined;
}
