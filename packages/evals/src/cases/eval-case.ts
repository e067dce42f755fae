/** What is asked of the agent once, and how it is told whether that went well. One form for every dialect. */
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

export type CaseDialect = "skillwright" | "evals-json" | "trigger-set" | "waza" | "vally";

export interface Expected {
  /** Undefined when the case says nothing about it: then it is in no trigger metric. */
  readonly skills?: ExpectedSkills;
  /** Lines of the constraint language, see sequence/constraint.ts. */
  readonly sequence: readonly string[];
  readonly output: readonly OutputCheck[];
  /** In words: only a person or a live judge can tell. */
  readonly statements: readonly string[];
  /** Checks of other clients that cannot be done here; each stays unjudged, whoever judges. */
  readonly unsupported?: readonly UnsupportedGrader[];
}

export interface UnsupportedGrader {
  /** `the grader diff cannot be run here`. */
  readonly text: string;
  /** Where it stands, which for graders of a suite is not where the case does; absolute. */
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
