import { realpathSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import { plainLine, truncate, checkOptions, type OptionKinds } from "@skillwright/core/internal";
import { parseSequence } from "../sequence/parse-sequence.ts";
import { resolveCaseFiles, resolveGrader, warnOfArguments } from "./case-files.ts";
import {
  type CaseReading,
  type CaseSource,
  newReading,
  openCaseSource,
  report,
  stem,
} from "./case-source.ts";
import { detectFormat, type ForeignFormat, isResult } from "./detect-format.ts";
import type { CaseFile, CaseProblem, EvalCase, OutputCheck } from "./eval-case.ts";
import type { CaseDraft } from "./expectation.ts";
import { isFields, textOf } from "./fields.ts";
import { findCaseFiles, type FoundCaseFile, isResultName } from "./find-case-files.ts";
import { checkProblem } from "./output-check.ts";
import { readEvalsJson } from "./read-evals-json.ts";
import { readOwnCases } from "./read-own-cases.ts";

export interface ReadCasesOptions {
  /** What relative paths are relative to. Default: the working directory. */
  readonly cwd?: string;
}

export interface ReadCases {
  /** In the order of the paths, then of the files, then of what stands in them. Ids are unique. */
  readonly cases: readonly EvalCase[];
  readonly problems: readonly CaseProblem[];
}

const OPTIONS: OptionKinds<ReadCasesOptions> = { cwd: "string" };

export async function readCases(
  paths: string | readonly string[],
  options: ReadCasesOptions = {},
): Promise<ReadCases> {
  checkOptions("readCases", options, OPTIONS);
  const { cwd = process.cwd() } = options;
  const reading = newReading();
  const { problems } = reading;
  const files = new Map<string, FoundCaseFile>();
  const named = new Set<string>();
  for (const path of typeof paths === "string" ? [paths] : paths) {
    const file = resolve(cwd, path);
    named.add(file);
    const found = await findCaseFiles(file);
    const message = `there is no file or folder ${path}`;
    if (found === undefined) {
      problems.push({ code: "path-missing", severity: "error", message, file, line: 1 });
      continue;
    }
    for (const problem of found.problems) {
      if (!problems.some((one) => one.file === problem.file)) problems.push(problem);
    }
    for (const one of found.files) {
      if (files.get(one.path)?.kind !== "cases") files.set(one.path, one);
    }
  }
  const sources = [...files.values()].flatMap((file) => openFile(file, reading));
  const imported = new Set(sources.flatMap(({ source }) => importedFile(source)));
  const drafts = sources.flatMap(({ source, kind }) =>
    readSource(source, kind, {
      isNamed: named.has(source.file),
      isImported: imported.has(source.file),
      cwd,
    }),
  );
  const cases = finish(drafts);
  reportMaterial([...files.values()], cases, reading);
  return { cases, problems };
}

interface OpenedFile {
  readonly source: CaseSource;
  readonly kind: FoundCaseFile["kind"];
}

function openFile({ path, kind }: FoundCaseFile, reading: CaseReading): OpenedFile[] {
  if (kind === "material") return [];
  const source = openCaseSource(path, reading, kind === "cases" ? "error" : "warning");
  if (source === undefined) return [];
  const { value } = source.document;
  if (kind === "data" && isResultName(basename(path)) && isResult(value)) return [];
  return [{ source, kind }];
}

/** The file that this one was made from by `eval import`. */
function importedFile({ file, document: { value } }: CaseSource): string[] {
  const from = isFields(value) ? textOf(value, "importedFrom") : undefined;
  return from === undefined ? [] : [resolve(dirname(file), from)];
}

const TOOLS: Readonly<Record<ForeignFormat, string>> = {
  "trigger-set": "a trigger set",
  waza: "a file of waza",
  vally: "a file of vally",
  promptfoo: "a file of promptfoo",
};

function readSource(
  source: CaseSource,
  kind: FoundCaseFile["kind"],
  {
    isNamed,
    isImported,
    cwd,
  }: { readonly isNamed: boolean; readonly isImported: boolean; readonly cwd: string },
): CaseDraft[] {
  const { file, document } = source;
  const format = detectFormat(file, document.value);
  if (format === "own") return readOwnCases(source);
  if (format === "evals-json") return readEvalsJson(source);
  if (format !== undefined) {
    if (isImported && !isNamed) return [];
    const message = `this is ${TOOLS[format]}, which is not read`;
    const hint = `Convert it: skillwright eval import ${relative(cwd, file)}`;
    report(source, [], "format-foreign", message, isNamed ? "error" : "warning", hint);
    return [];
  }
  const message = isResult(document.value)
    ? "this is the result of an earlier eval, not a file of cases"
    : "this is not a file of cases in a known format";
  report(source, [], "format-unknown", message, kind === "cases" ? "error" : "warning");
  return [];
}

/** Makes ids unique and resolves the files. What fails is a problem of its case. */
function finish(drafts: readonly CaseDraft[]): EvalCase[] {
  const seen = new Map<string, CaseDraft>();
  return drafts.flatMap((draft) => {
    const owner = draft.skill ?? draft.source.skill ?? stem(draft.source.file);
    const id = `${plainName(owner)}/${plainName(draft.id)}`;
    const before = seen.get(id);
    if (before !== undefined) {
      const where = `${before.source.file}:${before.source.document.lineOf(before.path)}`;
      report(draft.source, draft.path, "id-duplicate", `${where} has the id ${id} already`);
      return [];
    }
    seen.set(id, draft);
    const evalCase = caseOf(id, draft);
    return evalCase === undefined ? [] : [evalCase];
  });
}

function caseOf(id: string, draft: CaseDraft): EvalCase | undefined {
  const { source, path, dialect, expected, skill = source.skill, ...rest } = draft;
  const { files: _, id: __, ...plain } = rest;
  const isReadable = checkSequences(draft) && checkOutputs(draft);
  const files = isReadable ? resolveCaseFiles(draft) : undefined;
  const output = files === undefined ? undefined : withGraders(expected.output, files, draft);
  if (files === undefined || output === undefined) return undefined;
  return {
    ...plain,
    id,
    title: truncate(plainLine(draft.title), 200),
    files,
    expected: { ...expected, output },
    origin: {
      file: source.file,
      line: source.document.lineOf(path),
      dialect,
      ...(skill !== undefined && { skill }),
    },
  };
}

function checkSequences({ source, path, expected }: CaseDraft): boolean {
  return expected.sequence.every((line, i) => {
    const parsed = parseSequence(line);
    if (parsed.ok) return true;
    const message = `${JSON.stringify(line)}, column ${parsed.column}: ${parsed.message}`;
    report(source, [...path, "expected", "sequence", i], "sequence-invalid", message);
    return false;
  });
}

function checkOutputs({ source, path, expected }: CaseDraft): boolean {
  return expected.output.every((check, i) => {
    const problem = checkProblem(check);
    if (problem === undefined) return true;
    report(source, [...path, "expected", "output", i], "case-invalid", problem);
    return false;
  });
}

function withGraders(
  checks: readonly OutputCheck[],
  files: readonly CaseFile[],
  draft: CaseDraft,
): OutputCheck[] | undefined {
  const resolved = checks.map((check) => {
    if (check.type !== "script") return check;
    const file = resolveGrader(check.file, draft);
    if (file === undefined) return undefined;
    const grader = { ...check, file };
    warnOfArguments(grader, files, draft);
    return grader;
  });
  return resolved.every((check) => check !== undefined) ? resolved : undefined;
}

/** Ids are printed, and folders are named after them. */
function plainName(text: string): string {
  const plain = text
    .trim()
    .replaceAll(/[^\p{L}\p{N}._:@+-]+/gu, "-")
    .replace(/^\.+/, "");
  return plain.slice(0, 200) || "case";
}

/** Warns of cases among the files that cases use, where they are neither read nor used. */
function reportMaterial(
  files: readonly FoundCaseFile[],
  cases: readonly EvalCase[],
  { problems, opened, places }: CaseReading,
): void {
  const used = new Set(cases.flatMap((one) => one.files.flatMap(({ from }) => from ?? [])));
  for (const { path, kind } of files) {
    if (kind !== "material" || opened.has(path) || used.has(realPath(path))) continue;
    // Fixtures are often invalid on purpose.
    const source = openCaseSource(path, { problems: [], opened: new Set(), places });
    if (source === undefined || isResult(source.document.value)) continue;
    const format = detectFormat(path, source.document.value);
    if (format !== "own" && format !== "evals-json") continue;
    problems.push({
      code: "file-unreadable",
      severity: "warning",
      message: `it looks like cases, but is in ${basename(dirname(path))}/ and is not read`,
      file: path,
      line: 1,
      hint: "Move it out of that folder, or name it on the command line.",
    });
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
