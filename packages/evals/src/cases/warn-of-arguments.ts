import { existsSync } from "node:fs";
import { dirname, posix, resolve } from "node:path";
import type { CaseDraft } from "./case-draft.ts";
import type { CaseFile, OutputCheckKind } from "./eval-case.ts";

/**
 * A grader starts in the working directory of the trial, and of the files of the eval sees only the folder that it
 * lies in. An argument that names another one would lead nowhere.
 */
export function warnOfArguments(
  { file, args = [] }: Extract<OutputCheckKind, { type: "script" }>,
  files: readonly CaseFile[],
  { source, path, programs }: CaseDraft,
): void {
  const own = dirname(source.file);
  const folders = new Set([own, programs ?? own, source.bounds, dirname(file)]);
  const copied = new Set(files.map((one) => one.path));
  for (const argument of args) {
    const named = argument.replace(/^--?[\w-]+=/, "");
    const plain = posix.normalize(named.replaceAll("\\", "/"));
    const isCopied = copied.has(plain) || files.some((one) => one.path.startsWith(`${plain}/`));
    const isPath = /[/\\]|\.\w{1,8}$/.test(named) && !/^[a-z]+:\/\//i.test(named);
    if (!isPath || isCopied) continue;
    const isThere = [...folders].some((folder) => existsSync(resolve(folder, named)));
    if (!isThere && !plain.startsWith("../")) continue;
    source.problems.push({
      code: "case-file-refused",
      severity: "warning",
      message: `the grader ${file} cannot see ${named}: it starts in the working directory of the trial`,
      file: source.file,
      line: source.document.lineOf(path),
      hint: "name it under files, or put it beside the grader, which finds it from its own path",
    });
  }
}
