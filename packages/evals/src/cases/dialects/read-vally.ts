import { dirname } from "node:path";
import { type CaseDraft, type DraftFile, Expectation } from "../case-draft.ts";
import { type CaseSource, report } from "../case-source.ts";
import type { DocumentPath } from "../document/data-document.ts";
import { type Fields, fieldsOf, isFields, listOf, textOf, textsOf } from "../fields.ts";
import { addGraders, type GraderPlace } from "./add-graders.ts";
import { addConstraints } from "./limits.ts";
import { FILES_WANTED, readFiles } from "./read-files.ts";
import { timeoutOf, trialsOf } from "./settings.ts";
import { reportOnce } from "./unsupported.ts";
import { addVallyGrader } from "./vally-grader.ts";

/** `eval.yaml` with `stimuli`. */
export function readVally(source: CaseSource): CaseDraft[] {
  const root = source.document.value as Fields;
  if (isFields(root["scoring"])) {
    const message = "scoring is not used here: every grader has to pass";
    report(source, ["scoring"], "case-invalid", message, "warning");
  }
  return listOf(root, "stimuli").flatMap((item, place) =>
    readStimulus(item, ["stimuli", place], source, root),
  );
}

function readStimulus(
  item: unknown,
  path: DocumentPath,
  source: CaseSource,
  root: Fields,
): CaseDraft[] {
  const input = isFields(item) ? textOf(item, "prompt") : undefined;
  if (!isFields(item) || input === undefined) {
    report(source, path, "case-invalid", "a stimulus needs a prompt");
    return [];
  }
  const expectation = new Expectation();
  const places = [
    { source, fields: root, path: [] },
    { source, fields: item, path },
  ];
  const isWhole = places.map((place) =>
    addGraders(place, expectation, (grader, own) => addVallyGrader(grader, item, own)),
  );
  const files = places.map((place) => filesOf(place));
  if (!isWhole.every(Boolean) || !files.every((some) => some !== undefined)) return [];
  for (const { fields, path: at } of places) {
    const constraints = { source, path: [...at, "constraints"] };
    addConstraints(fields["constraints"], constraints, expectation);
  }
  // A rubric that no grader asks for is still what is expected.
  for (const statement of textsOf(item, "rubric")) {
    if (!expectation.statements.includes(statement)) expectation.statements.push(statement);
  }
  const settings = [
    { source, fields: item, path },
    { source, fields: fieldsOf(root, "defaults"), path: ["defaults"] },
    { source, fields: fieldsOf(root, "config"), path: ["config"] },
  ];
  const [runs] = settings.flatMap((place) => trialsOf(place, "runs") ?? []);
  const [timeoutMs] = settings.flatMap((place) => timeoutOf(place, "timeout") ?? []);
  const name = textOf(item, "name") ?? `stimulus-${Number(path.at(-1)) + 1}`;
  return [
    {
      id: name,
      title: name,
      input,
      files: files.flat(),
      expected: expectation.expected,
      constraints: expectation.constraints,
      ...(runs !== undefined && { trials: runs }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      tags: tagsOf(item),
      dialect: "vally",
      ...(source.skill !== undefined && { skill: source.skill }),
      source,
      path,
    },
  ];
}

/** Of the suite or a stimulus. Undefined when one of them cannot be read; what else it prepares is not done here. */
function filesOf({ source, fields, path }: GraderPlace): DraftFile[] | undefined {
  const environment = fieldsOf(fields, "environment");
  const at = [...path, "environment"];
  for (const name of Object.keys(environment)) {
    if (name === "files" || name === "skills") continue;
    const message = `environment.${name} is not prepared here`;
    reportOnce(source, [...at, name], "case-invalid", message, "warning");
  }
  const files = readFiles(environment["files"], dirname(source.file));
  if (files === undefined) {
    reportOnce(source, [...at, "files"], "case-invalid", FILES_WANTED, "error");
  }
  return files;
}

/** A list, or pairs: `{ tier: smoke }` is `tier:smoke`. */
function tagsOf(item: Fields): string[] {
  const pairs = Object.entries(fieldsOf(item, "tags")).flatMap(([name, value]) =>
    ["string", "number", "boolean"].includes(typeof value) ? [`${name}:${String(value)}`] : [],
  );
  return [...textsOf(item, "tags"), ...pairs];
}
