import { parseSequence } from "../../sequence/parse-sequence.ts";
import { Expectation } from "../case-draft.ts";
import type { CaseSource } from "../case-source.ts";
import { checkProblem } from "../check-problem.ts";
import type { DocumentPath } from "../document/data-document.ts";
import { type Fields, isFields, textOf } from "../fields.ts";
import { addUnsupported, reportOnce } from "./unsupported.ts";

/** What is there to read graders from. */
export interface GraderPlace {
  readonly source: CaseSource;
  readonly fields: Fields;
  readonly path: DocumentPath;
}

/**
 * Adds what the graders of another client say. One that cannot be done here is a warning and stays
 * unjudged. False when one of them is wrong: such a case is not run, for it would check less.
 */
export function addGraders(
  { source, fields, path }: GraderPlace,
  expectation: Expectation,
  addOne: (grader: Fields, own: Expectation) => boolean,
): boolean {
  const { graders = [] } = fields;
  if (graders === null) return true;
  if (!Array.isArray(graders)) return refuse([...path, "graders"], "graders are a list");
  const added = graders.map((grader: unknown, place) => {
    const at = [...path, "graders", place];
    const type = isFields(grader) ? textOf(grader, "type") : undefined;
    if (!isFields(grader) || type === undefined) return refuse(at, "a grader needs a type");
    const own = new Expectation();
    const isDone = addOne(grader, own) && !own.isEmpty;
    const problem = problemOf(own);
    if (problem !== undefined) return refuse(at, `the grader ${type}: ${problem}`);
    if (!isDone) {
      const name = textOf(grader, "name");
      const called = name === undefined || name === type ? type : `${type} (${name})`;
      addUnsupported(source, at, own, `the grader ${called} cannot be run here`);
    }
    expectation.add(own);
    return true;
  });
  return added.every(Boolean);

  function refuse(at: DocumentPath, message: string): false {
    reportOnce(source, at, "case-invalid", message, "error");
    return false;
  }
}

function problemOf({ output, sequence }: Expectation): string | undefined {
  const ofOutput = output.map(checkProblem).find((problem) => problem !== undefined);
  if (ofOutput !== undefined) return ofOutput;
  const ofSequence = sequence.map(parseSequence).find((parsed) => !parsed.ok);
  return ofSequence?.ok === false ? ofSequence.message : undefined;
}
