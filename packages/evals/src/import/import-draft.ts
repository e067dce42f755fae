import { dirname, relative, sep } from "node:path";
import { type CaseInput, caseSchema } from "../cases/case-schema.ts";
import { type CaseSource } from "../cases/case-source.ts";
import { Expectation } from "../cases/expectation.ts";
import { type Fields, fieldsOf } from "../cases/fields.ts";
import { checkProblem, outputCheckOf } from "../cases/output-check.ts";
import type { DocumentPath } from "../cases/read-document.ts";
import { parseSequence } from "../sequence/parse-sequence.ts";

/** What our format cannot express of a file. */
export interface ImportLoss {
  /**
   * - `left-out`: the case is not in the result.
   * - `unjudged`: the case is, with an entry under `expected.unjudged`, and never passes.
   * - `changed`: a setting was left out or has a slightly different meaning; what is checked stays the same.
   */
  readonly effect: "left-out" | "unjudged" | "changed";
  readonly message: string;
  /** Absolute. */
  readonly file: string;
  readonly line: number;
  /** The case it belongs to; undefined for the file as a whole. */
  readonly caseId?: string;
}

/** A place in a file of another tool. */
export interface ImportPlace {
  readonly source: CaseSource;
  readonly fields: Fields;
  readonly path: DocumentPath;
}

export function inner({ source, fields, path }: ImportPlace, name: string): ImportPlace {
  return { source, fields: fieldsOf(fields, name), path: [...path, name] };
}

/** A file that a case needs: copied from an absolute path, or with its content. */
export interface ImportedFile {
  readonly path: string;
  readonly from?: string;
  readonly content?: string;
}

/** A case while it is converted. */
export class ImportedCase {
  readonly id: string;
  readonly input: string;
  readonly expectation = new Expectation();
  readonly files: ImportedFile[] = [];
  readonly tags: string[] = [];
  title: string | undefined;
  trials: number | undefined;
  timeoutMs: number | undefined;
  readonly #losses: ImportLosses;

  constructor(id: string, input: string, losses: ImportLosses) {
    this.id = id;
    this.input = input;
    this.#losses = losses;
  }

  /** Something the case expects cannot be checked. */
  unjudged(place: Pick<ImportPlace, "source">, path: DocumentPath, message: string): void {
    const { file, document } = place.source;
    const line = document.lineOf(path);
    const isKnown = this.expectation.unsupported.some((one) => one.text === message);
    if (!isKnown) this.expectation.unsupported.push({ text: message, file, line });
    this.#losses.add("unjudged", place.source, path, message, this.id);
  }

  changed(place: Pick<ImportPlace, "source">, path: DocumentPath, message: string): void {
    this.#losses.add("changed", place.source, path, message, this.id);
  }
}

/** All that was lost, each once: what a suite says is read for every case. */
export class ImportLosses {
  readonly all: ImportLoss[] = [];

  add(
    effect: ImportLoss["effect"],
    { file, document }: CaseSource,
    path: DocumentPath,
    message: string,
    caseId?: string,
  ): void {
    const line = document.lineOf(path);
    const isKnown = this.all.some(
      (one) => one.file === file && one.line === line && one.message === message,
    );
    if (isKnown) return;
    this.all.push({ effect, message, file, line, ...(caseId !== undefined && { caseId }) });
  }

  /** Settings that are not known. */
  addOthers({ source, fields, path }: ImportPlace, known: readonly string[]): void {
    for (const [name, value] of Object.entries(fields)) {
      if (known.includes(name) || value === null || value === undefined) continue;
      const full = [...path, name].join(".");
      this.add("changed", source, [...path, name], `${full} is not converted`);
    }
  }
}

/** The case in our format. A text: the reason why it cannot be one. */
export function caseInputOf(one: ImportedCase, id: string, into: string): CaseInput | string {
  const { expected, constraints } = one.expectation;
  const { skills, sequence, output, statements, unsupported = [] } = expected;
  const { maxTimeMs, forbiddenTools, requiredTools, ...limits } = constraints;
  const files = one.files.map(({ from, ...file }) => ({
    ...file,
    ...(from !== undefined && { from: relativePath(into, from) }),
  }));
  const input = withoutEmpty({
    id,
    title: one.title === one.input ? undefined : one.title?.slice(0, 1000),
    input: one.input,
    files,
    expected: withoutEmpty({
      skills: skills === undefined ? undefined : skillsInput(skills),
      sequence,
      output: output.map((check) =>
        check.type === "script" ? { ...check, file: relativePath(into, check.file) } : check,
      ),
      statements,
      unjudged: unsupported.map(({ text }) => text),
    }),
    constraints: withoutEmpty({
      ...limits,
      maxTime: maxTimeMs === undefined ? undefined : maxTimeMs / 1000,
      forbiddenTools,
      requiredTools,
    }),
    trials: one.trials,
    timeout: one.timeoutMs === undefined ? undefined : one.timeoutMs / 1000,
    tags: [...new Set(one.tags)],
  });
  const read = caseSchema.safeParse(input);
  if (!read.success) {
    const [issue] = read.error.issues;
    return `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "invalid"}`;
  }
  for (const line of sequence) {
    const parsed = parseSequence(line);
    if (!parsed.ok) return `${line}: ${parsed.message}`;
  }
  const checks = (read.data.expected?.output ?? []) as readonly Parameters<
    typeof outputCheckOf
  >[0][];
  const problem = checks.map((check) => checkProblem(outputCheckOf(check))).find(Boolean);
  return problem ?? (input as CaseInput);
}

function skillsInput(skills: NonNullable<Expectation["expected"]["skills"]>) {
  const { used, unused, only } = skills;
  if (!only && unused.length === 0) return used;
  if (only && used.length + unused.length === 0) return "none";
  return { ...withoutEmpty({ used, unused }), ...(only && { only }) };
}

/** Undefined, empty lists and empty objects mean the same as nothing. */
function withoutEmpty(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) =>
        value !== undefined &&
        !(typeof value === "object" && value !== null && Object.keys(value).length === 0),
    ),
  );
}

function relativePath(into: string, path: string): string {
  return relative(dirname(into), path).split(sep).join("/");
}
