import { dirname, relative, sep } from "node:path";
import { type Failure } from "@skillwright/core";
import { plainLine, checkOptions, type OptionKinds } from "@skillwright/core/internal";
import { dump } from "js-yaml";
import type { CaseInput } from "../cases/case-schema.ts";
import { type CaseSource, newReading, openCaseSource } from "../cases/case-source.ts";
import { detectFormat, type ForeignFormat } from "../cases/detect-format.ts";
import { isFields, textOf } from "../cases/fields.ts";
import { caseInputOf, type ImportedCase, type ImportLoss, ImportLosses } from "./import-draft.ts";
import { importPromptfoo } from "./promptfoo.ts";
import { importTriggerSet } from "./trigger-set.ts";
import { importVally } from "./vally.ts";
import { importWaza } from "./waza.ts";

export interface ImportCasesOptions {
  /** The file that will be written, absolute: paths in it are relative to its folder. */
  readonly into: string;
  /** The skill that the cases are about. Default: what the file says, else the skill in whose folder it is. */
  readonly skill?: string;
}

export interface ImportedCases {
  readonly ok: true;
  readonly format: ForeignFormat;
  readonly skill?: string;
  /** In our format. */
  readonly cases: readonly CaseInput[];
  readonly losses: readonly ImportLoss[];
  /** The content of the new file: JSON if its name ends with `.json`, otherwise YAML. */
  readonly text: string;
}

export type ImportFailure = Failure<"file-unreadable" | "format-unknown" | "format-native">;

const IMPORTS: Readonly<
  Record<ForeignFormat, (source: CaseSource, losses: ImportLosses) => ImportedCase[]>
> = {
  "trigger-set": importTriggerSet,
  waza: importWaza,
  vally: importVally,
  promptfoo: importPromptfoo,
};

const OPTIONS: OptionKinds<ImportCasesOptions> = { into: "string", skill: "string" };

/** Converts a file of waza, vally or promptfoo, or a trigger set. `file` is absolute. */
export function importCases(
  file: string,
  options: ImportCasesOptions,
): ImportedCases | ImportFailure {
  checkOptions("importCases", options, OPTIONS, ["into"]);
  const { into, skill } = options;
  const reading = newReading();
  const opened = openCaseSource(file, reading);
  if (opened === undefined) {
    const [problem] = reading.problems;
    const place = problem === undefined || problem.line === 1 ? "" : `line ${problem.line}: `;
    return {
      ok: false,
      code: "file-unreadable",
      message: `${place}${problem?.message ?? "unreadable"}`,
    };
  }
  const { value } = opened.document;
  const format = detectFormat(file, value);
  if (format === undefined) {
    const hint = "Formats: waza, vally, promptfoo and trigger sets.";
    return { ok: false, code: "format-unknown", message: "the format is not known", hint };
  }
  if (format === "own" || format === "evals-json") {
    const message = "this file needs no import: skillwright eval reads it";
    return { ok: false, code: "format-native", message };
  }
  const named = isFields(value) ? textOf(value, "skill", "skill_name") : undefined;
  const about = skill ?? named ?? opened.skill;
  const source = { ...opened, ...(about !== undefined && { skill: about }) };
  const losses = new ImportLosses();
  const cases = uniqueCases(IMPORTS[format](source, losses), source, into, losses);
  const suite = {
    ...(about !== undefined && { skill: about }),
    importedFrom: relative(dirname(into), file).split(sep).join("/"),
    cases,
  };
  const text = /\.json$/i.test(into)
    ? `${JSON.stringify(suite, null, 2)}\n`
    : dump(suite, { lineWidth: 100, noRefs: true });
  return {
    ok: true,
    format,
    ...(about !== undefined && { skill: about }),
    cases,
    losses: losses.all,
    text,
  };
}

function uniqueCases(
  imported: readonly ImportedCase[],
  source: CaseSource,
  into: string,
  losses: ImportLosses,
): CaseInput[] {
  const ids = new Set<string>();
  return imported.flatMap((one) => {
    const plain = plainLine(one.id).slice(0, 150);
    let id = plain;
    for (let i = 2; ids.has(id); i++) id = `${plain}-${i}`;
    const input = caseInputOf(one, id, into);
    if (typeof input === "string") {
      losses.add("left-out", source, [], `${id} cannot be expressed: ${plainLine(input)}`, id);
      return [];
    }
    ids.add(id);
    return [input];
  });
}
