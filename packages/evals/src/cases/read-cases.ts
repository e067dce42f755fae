import { basename, dirname, resolve } from "node:path";
import { plainLine, truncate } from "@skillwright/core/internal";
import { parseSequence } from "../sequence/parse-sequence.ts";
import type { CaseDraft } from "./case-draft.ts";
import type { CaseProblem } from "./case-problem.ts";
import { CasePlaces } from "./case-places.ts";
import { type CaseReading, type CaseSource, report } from "./case-source.ts";
import { checkProblem } from "./check-problem.ts";
import { detectDialect } from "./dialects/detect-dialect.ts";
import { readEvalsJson } from "./dialects/read-evals-json.ts";
import { readOwnCases } from "./dialects/read-own-cases.ts";
import { readTriggerSet } from "./dialects/read-trigger-set.ts";
import { readVally } from "./dialects/read-vally.ts";
import { readWazaSuite } from "./dialects/read-waza-suite.ts";
import { readWazaTask } from "./dialects/read-waza.ts";
import type { CaseFile, EvalCase, OutputCheck } from "./eval-case.ts";
import { findCaseFiles } from "./find/find-case-files.ts";
import { type FoundCaseFile, isResultName } from "./find/found-case-files.ts";
import { isResult } from "./find/is-result.ts";
import { reportMaterial } from "./find/report-material.ts";
import { openCaseSource } from "./open-case-source.ts";
import { resolveCaseFiles, resolveGrader } from "./resolve-case-files.ts";
import { warnOfArguments } from "./warn-of-arguments.ts";

export interface ReadCasesOptions {
  /** What relative paths are relative to. Default: the working directory. */
  readonly cwd?: string;
}

export interface ReadCases {
  /** In the order of the paths, then of the files, then of what stands in them. Ids are unique. */
  readonly cases: readonly EvalCase[];
  readonly problems: readonly CaseProblem[];
}

export async function readCases(
  paths: string | readonly string[],
  { cwd = process.cwd() }: ReadCasesOptions = {},
): Promise<ReadCases> {
  const reading: CaseReading = { problems: [], opened: new Set(), places: new CasePlaces() };
  const { problems } = reading;
  const files = new Map<string, FoundCaseFile>();
  for (const path of typeof paths === "string" ? [paths] : paths) {
    const file = resolve(cwd, path);
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
  const drafts = [...files.values()].flatMap((file) => readFile(file, reading));
  const cases = finish(drafts);
  reportMaterial([...files.values()], cases, reading);
  return { cases, problems };
}

function readFile({ path, kind }: FoundCaseFile, reading: CaseReading): CaseDraft[] {
  if (kind === "material") return [];
  const severity = kind === "cases" ? "error" : "warning";
  const source = openCaseSource(path, reading, severity);
  if (source === undefined) return [];
  const { value } = source.document;
  if (kind === "data" && isResultName(basename(path)) && isResult(value)) return [];
  return readSource(source, severity);
}

function readSource(source: CaseSource, severity: CaseProblem["severity"]): CaseDraft[] {
  switch (detectDialect(source.file, source.document)) {
    case "own":
      return readOwnCases(source);
    case "evals-json":
      return readEvalsJson(source);
    case "trigger-set":
      return readTriggerSet(source, "trigger-set");
    case "waza-triggers":
      return readTriggerSet(source, "waza");
    case "waza-suite":
      return readWazaSuite(source);
    case "waza-task":
      return readWazaTask(source, source.document.value, [], undefined);
    case "vally":
      return readVally(source);
    default:
      report(source, [], "format-unknown", unknownText(source), severity);
      return [];
  }
}

function unknownText({ document }: CaseSource): string {
  return isResult(document.value)
    ? "this is what came of an earlier eval, and no file of cases"
    : "this is no file of cases that is known here";
}

/** Makes ids unique and looks for the files; what fails is a problem of its case. */
function finish(drafts: readonly CaseDraft[]): EvalCase[] {
  const seen = new Map<string, CaseDraft>();
  return drafts.flatMap((draft) => {
    const owner = draft.skill ?? draft.source.skill ?? stem(draft.source.file);
    const id = `${plainName(owner)}/${plainName(ownId(draft))}`;
    const before = seen.get(id);
    if (before !== undefined) {
      const where = `${before.source.file}:${before.source.document.lineOf(before.path)}`;
      report(draft.source, draft.path, "id-duplicate", `the id ${id} is that of ${where}`);
      return [];
    }
    seen.set(id, draft);
    const evalCase = caseOf(id, draft);
    return evalCase === undefined ? [] : [evalCase];
  });
}

function caseOf(id: string, draft: CaseDraft): EvalCase | undefined {
  const { source, path, dialect, expected, skill = source.skill, ...rest } = draft;
  const { files: _, id: __, programs: ___, ...plain } = rest;
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

/** Trigger sets number their requests as others do, so the file is part of it. */
function ownId({ id, dialect, source }: CaseDraft): string {
  const isSet = dialect === "trigger-set" || /trigger/i.test(basename(source.file));
  return isSet ? `${stem(source.file)}-${id}` : id;
}

/** Ids are printed, and folders are named after them. */
function plainName(text: string): string {
  const plain = text
    .trim()
    .replaceAll(/[^\p{L}\p{N}._:@+-]+/gu, "-")
    .replace(/^\.+/, "");
  return plain.slice(0, 200) || "case";
}

/** The name of the file, or of the folder when it says no more than `evals`. */
function stem(file: string): string {
  const name = basename(file).replace(/(?:\.evals?|\.cases)?\.[^.]+$/i, "");
  if (!/^evals?$/i.test(name)) return name;
  const folder = basename(dirname(file));
  return /^evals?$/i.test(folder) ? basename(dirname(dirname(file))) : folder;
}
