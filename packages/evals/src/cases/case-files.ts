import { closeSync, existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, posix, relative, resolve, sep } from "node:path";
import { openConfinedSync } from "@skillwright/core/internal";
import { report } from "./case-source.ts";
import type { CaseFile, OutputCheckKind } from "./eval-case.ts";
import type { CaseDraft, DraftFile } from "./expectation.ts";

const MAX_FILES = 200;
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_DEPTH = 8;
/** Folders whose names only mean that their files are for evals. */
const EVAL_FOLDERS = /^(?:(?:evals|eval|files|fixtures|inputs|assets)\/)+/;

/** Thrown for one file, and caught for its case. */
class FileProblem extends Error {
  readonly code: "case-file-missing" | "case-file-refused";

  constructor(code: FileProblem["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/** Where the files of a case come from and go to. Undefined if one of them cannot be used. */
export function resolveCaseFiles(draft: CaseDraft): readonly CaseFile[] | undefined {
  try {
    const files = draft.files.flatMap((file) => resolveFile(file, draft));
    if (files.length > MAX_FILES) throw refused(`more than ${MAX_FILES} files`);
    const bytes = files.reduce(
      (sum, { from, content = "" }) =>
        sum + (from === undefined ? content.length : statSync(from).size),
      0,
    );
    if (bytes > MAX_BYTES) throw refused(`the files are larger than ${MAX_BYTES} bytes together`);
    const twice = files.find(({ path }, i) => files.findIndex((one) => one.path === path) !== i);
    if (twice !== undefined) throw refused(`two files would be ${twice.path}`);
    return files;
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    report(draft.source, [...draft.path, "files"], error.code, error.message);
    return undefined;
  }
}

/** A program of a case, absolute. Undefined if it is missing or outside. */
export function resolveGrader(file: string, draft: CaseDraft): string | undefined {
  for (const folder of [dirname(draft.source.file), draft.source.bounds]) {
    const place = resolve(folder, file);
    const segments = segmentsIn(draft.source.bounds, realPlace(place));
    if (segments !== undefined && isFile(draft.source.bounds, segments))
      return join(draft.source.bounds, ...segments);
  }
  report(
    draft.source,
    draft.path,
    "case-file-missing",
    `the grader ${file} is not in the folder of the case`,
  );
  return undefined;
}

function resolveFile(file: DraftFile, draft: CaseDraft): CaseFile[] {
  const { bounds } = draft.source;
  if (file.content !== undefined) return [{ path: target(file.path ?? ""), content: file.content }];
  const from = file.from ?? "";
  if (from === "" || isAbsolute(from)) throw refused(`${from} is not a path relative to the case`);
  const place = realPlace(resolve(file.base, from));
  const segments = segmentsIn(bounds, place);
  if (segments === undefined) throw refused(`${from} is outside ${bounds}`);
  const path = target(file.path ?? pathFor(from, draft.input));
  return copies(bounds, segments, path, from);
}

/** The real folder, and the name as given: opening it finds out whether it is a link. */
function realPlace(place: string): string {
  try {
    return join(realpathSync(join(place, "..")), place.slice(place.lastIndexOf(sep) + 1));
  } catch {
    return place;
  }
}

function segmentsIn(bounds: string, place: string): string[] | undefined {
  const inner = relative(bounds, place);
  if (inner === "" || isAbsolute(inner)) return undefined;
  const segments = inner.split(sep);
  return segments[0] === ".." ? undefined : segments;
}

function isFile(bounds: string, segments: readonly string[]): boolean {
  const opened = openConfinedSync(bounds, segments);
  if (opened.ok) closeSync(opened.descriptor);
  return opened.ok;
}

/** A file, or all files of a folder. */
function copies(
  bounds: string,
  segments: readonly string[],
  path: string,
  named: string,
  depth = 0,
): CaseFile[] {
  const from = join(bounds, ...segments);
  const opened = openConfinedSync(bounds, segments);
  if (opened.ok) {
    closeSync(opened.descriptor);
    return [{ path, from }];
  }
  if (opened.reason === "missing")
    throw new FileProblem("case-file-missing", `the file ${named} does not exist`);
  const isFolder = statSync(from, { throwIfNoEntry: false })?.isDirectory() === true;
  if (opened.reason !== "not-a-file" || !isFolder || depth > MAX_DEPTH) {
    throw refused(`${named} cannot be used: ${opened.reason}`);
  }
  const names = readdirSync(from).sort();
  if (names.length > MAX_FILES) throw refused(`${named} holds more than ${MAX_FILES} files`);
  return names.flatMap((name) =>
    copies(bounds, [...segments, name], posix.join(path, name), `${named}/${name}`, depth + 1),
  );
}

/** As the request names it; otherwise without leading folders such as `evals/files`. */
function pathFor(from: string, input: string): string {
  const plain = posix.normalize(from.replaceAll("\\", "/")).replace(/^(?:\.\.?\/)+/, "");
  const [first = ""] = plain.split("/");
  if (plain.includes("/") && input.includes(`${first}/`)) return plain;
  return plain.replace(EVAL_FOLDERS, "");
}

function target(path: string): string {
  const plain = posix.normalize(path.replaceAll("\\", "/")).replace(/\/$/, "");
  if (plain === "" || plain === "." || /^(?:\/|\.\.(?:\/|$)|[a-z]:)|\0/i.test(plain)) {
    throw refused(`${JSON.stringify(path)} is not a path in the working directory`);
  }
  return plain;
}

function refused(message: string): FileProblem {
  return new FileProblem("case-file-refused", message);
}

/** Warns of arguments that name files which a grader cannot see: it sees the trial's files and its own folder. */
export function warnOfArguments(
  { file, args = [] }: Extract<OutputCheckKind, { type: "script" }>,
  files: readonly CaseFile[],
  { source, path }: CaseDraft,
): void {
  const own = dirname(source.file);
  const folders = new Set([own, source.bounds, dirname(file)]);
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
      hint: "List it under files, or put it beside the grader, which finds it by its own path.",
    });
  }
}
