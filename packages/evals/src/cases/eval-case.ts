/** A request, and what must come of it. The same form for our format and for `evals.json`. */
export interface EvalCase {
  /** The same in every run, and no other case of the suite has it: `<skill or file>/<id>`. */
  readonly id: string;
  readonly title: string;
  /** The request, as a person would type it. */
  readonly input: string;
  /** Put into the fresh working directory before it begins. */
  readonly files: readonly CaseFile[];
  readonly expected: Expected;
  readonly constraints: CaseConstraints;
  /** Decides instead of the model. Such a case tests the harness and is left out of trigger metrics. */
  readonly mock?: { readonly actions: readonly (string | Readonly<Record<string, unknown>>)[] };
  /** Overrides what the command line says. */
  readonly trials?: number;
  readonly timeoutMs?: number;
  readonly tags: readonly string[];
  readonly origin: CaseOrigin;
}

export interface CaseFile {
  /** In the working directory, with `/`; checked: it stays inside. */
  readonly path: string;
  /** Where it is copied from: absolute, and inside the skill's or the case file's own folder. */
  readonly from?: string;
  readonly content?: string;
}

export interface CaseOrigin {
  /** Absolute. */
  readonly file: string;
  readonly line: number;
  readonly dialect: CaseDialect;
  /** The skill in whose folder the file lies, or that the file names. */
  readonly skill?: string;
}

export type CaseDialect = "skillwright" | "evals-json";

export interface Expected {
  /** Undefined when the case says nothing about it: then it is in no trigger metric. */
  readonly skills?: ExpectedSkills;
  /** Lines of the sequence language, see sequence/parse-sequence.ts. */
  readonly sequence: readonly string[];
  readonly output: readonly OutputCheck[];
  /** In words: only a person or a live judge can tell. */
  readonly statements: readonly string[];
  /** What cannot be checked here. Each stays unjudged, so the case never passes. */
  readonly unsupported?: readonly UnsupportedGrader[];
}

export interface UnsupportedGrader {
  /** `assertions.2: the type diff is not known`. */
  readonly text: string;
  /** Absolute. */
  readonly file: string;
  readonly line: number;
}

export interface ExpectedSkills {
  /** Each of these is selected. */
  readonly used: readonly string[];
  /** None of these is. */
  readonly unused: readonly string[];
  /** No skill beside `used`: with an empty `used`, none at all. */
  readonly only: boolean;
}

/** Each can be turned round with `not`. `label` is the sentence that is shown for it. */
export type OutputCheck = OutputCheckKind & { readonly not?: true; readonly label?: string };

export type OutputCheckKind =
  | { readonly type: "contains"; readonly value: string; readonly ignoreCase?: true }
  | { readonly type: "equals"; readonly value: string }
  /** With the flags of JavaScript; time-bounded. */
  | { readonly type: "regex"; readonly pattern: string; readonly flags?: string }
  /** The answer, or a file, is JSON that the schema allows. */
  | { readonly type: "json-schema"; readonly schema: unknown; readonly file?: string }
  /** `$.a.b[0]` of the answer or a file; without `equals`, that it is there. */
  | {
      readonly type: "json-path";
      readonly path: string;
      readonly equals?: unknown;
      readonly file?: string;
    }
  /** Paths of files are globs: `out/*.pdf`, `**\/*.md`; one of the files that match has to meet the check. */
  | { readonly type: "file-exists"; readonly path: string }
  | { readonly type: "file-contains"; readonly path: string; readonly value: string }
  | { readonly type: "file-equals"; readonly path: string; readonly value: string }
  | { readonly type: "file-hash"; readonly path: string; readonly sha256: string }
  /** The first number that `pattern` captures (default: any number) is within the tolerance of `value`. */
  | {
      readonly type: "number";
      readonly value: number;
      readonly tolerance: number;
      readonly pattern?: string;
    }
  /**
   * A program of the case's own folder, run in the sandbox in the working directory of the trial. It
   * gets `{ answer, steps, input }` as JSON on stdin, and prints `{ score?, passed?, details?, checks? }`, or
   * nothing: then the exit code counts.
   */
  | { readonly type: "script"; readonly file: string; readonly args?: readonly string[] };

export interface CaseConstraints {
  readonly maxTurns?: number;
  readonly maxToolCalls?: number;
  readonly maxScripts?: number;
  readonly maxTokens?: number;
  readonly maxTimeMs?: number;
  readonly maxCost?: number;
  /** Names of tools and actions, `run_script:<skill>/<path>`; `*` at the end stands for anything. */
  readonly forbiddenTools: readonly string[];
  readonly requiredTools: readonly string[];
}

/** Why a case, or a part of it, was not read as it is written. */
export interface CaseProblem {
  readonly code: CaseProblemCode;
  /** `error`: the case or file is left out. `warning`: it is read, without the part. */
  readonly severity: "error" | "warning";
  readonly message: string;
  /** Absolute. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly hint?: string;
}

/**
 * - `path-missing`: a given path does not exist.
 * - `file-unreadable`: the file cannot be opened, is a link, or is too large.
 * - `file-invalid`: not valid JSON or YAML, or hostile.
 * - `format-unknown`: not a file of cases.
 * - `format-foreign`: a file of another tool; `skillwright eval import` converts it.
 * - `case-invalid`: a case lacks something, or has something that cannot be read.
 * - `sequence-invalid`: a line of the sequence language cannot be read.
 * - `case-file-missing`, `case-file-refused`: a file that a case needs does not exist, or lies outside.
 * - `id-duplicate`: an earlier case has the same id.
 * - `grader-unsupported`: something that a case expects cannot be checked here.
 */
export type CaseProblemCode =
  | "path-missing"
  | "file-unreadable"
  | "file-invalid"
  | "format-unknown"
  | "format-foreign"
  | "case-invalid"
  | "sequence-invalid"
  | "case-file-missing"
  | "case-file-refused"
  | "id-duplicate"
  | "grader-unsupported";
