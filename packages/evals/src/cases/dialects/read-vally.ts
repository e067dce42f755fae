import { dirname } from "node:path";
import { type CaseDraft, type DraftFile, Expectation } from "../case-draft.ts";
import { type CaseSource, report } from "../case-source.ts";
import type { DocumentPath } from "../document/data-document.ts";
import {
  durationOf,
  type Fields,
  fieldsOf,
  isFields,
  listOf,
  numberOf,
  textOf,
  textsOf,
} from "../fields.ts";
import {
  addCheck,
  addProgram,
  addRegex,
  addSkillLists,
  addTexts,
  addToolPatterns,
} from "./graders.ts";
import { addGraders } from "./add-graders.ts";
import { addLimits } from "./limits.ts";

/** `eval.yaml` with `stimuli`. */
export function readVally(source: CaseSource): CaseDraft[] {
  const root = source.document.value as Fields;
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
    addGraders(place, expectation, (grader, own) => addGrader(grader, item, own)),
  );
  if (!isWhole.every(Boolean)) return [];
  addLimits(root["constraints"], expectation);
  addLimits(item["constraints"], expectation);
  const settings = { ...fieldsOf(root, "config"), ...fieldsOf(root, "defaults") };
  const runs = numberOf(item, "runs") ?? numberOf(settings, "runs");
  const timeoutMs = durationOf(item["timeout"] ?? settings["timeout"]);
  const name = textOf(item, "name") ?? `stimulus-${Number(path.at(-1)) + 1}`;
  return [
    {
      id: name,
      title: name,
      input,
      files: filesOf(fieldsOf(item, "environment"), dirname(source.file)),
      expected: expectation.expected,
      constraints: expectation.constraints,
      ...(runs !== undefined && runs >= 1 && { trials: Math.trunc(runs) }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      tags: tagsOf(item),
      dialect: "vally",
      ...(source.skill !== undefined && { skill: source.skill }),
      source,
      path,
    },
  ];
}

/** False for graders that are not known, or cannot be done here. */
function addGrader(grader: Fields, stimulus: Fields, expectation: Expectation): boolean {
  const config = fieldsOf(grader, "config");
  const type = textOf(grader, "type") ?? "";
  const not = type.includes("-not-");
  const value = textOf(config, "substring", "value");
  const pattern = textOf(config, "pattern");
  const path = textOf(config, "path");
  const max = config["max"];
  switch (type.replace("-not-", "-")) {
    case "output-contains":
      if (value !== undefined) addTexts(expectation, [value], { not });
      return value !== undefined;
    case "output-matches":
      if (pattern !== undefined) addRegex(expectation, pattern, not);
      return pattern !== undefined;
    case "file-exists":
      if (path !== undefined) addCheck(expectation, { type: "file-exists", path }, not);
      return path !== undefined;
    case "file-contains":
      if (path === undefined || value === undefined) return false;
      addCheck(expectation, { type: "file-contains", path, value }, not);
      return true;
    case "skill-invocation":
      addSkillLists(expectation, config);
      return true;
    case "tool-calls":
      return [
        addToolPatterns(expectation, listOf(config, "required"), ""),
        addToolPatterns(expectation, listOf(config, "disallowed"), "never "),
        config["sequence"] === undefined && config["parallel"] === undefined,
      ].every(Boolean);
    case "prompt":
    case "panel": {
      const rubric = textsOf(stimulus, "rubric");
      expectation.statements.push(
        ...(rubric.length > 0 ? rubric : textsOf(config, "prompt", "rubric")),
      );
      return true;
    }
    case "completed":
    case "exit-success":
      expectation.sequence.push("answer");
      return true;
    case "token-budget":
      expectation.limit("maxTokens", max);
      return true;
    case "tool-call-count":
      expectation.limit("maxToolCalls", max);
      return config["tools"] === undefined;
    case "turn-count":
      expectation.limit("maxTurns", max);
      return true;
    case "wall-time":
      expectation.limit("maxTimeMs", durationOf(max));
      return true;
    case "error-count":
      if (typeof max !== "number" || !Number.isInteger(max) || max < 0) return false;
      expectation.sequence.push(`at most ${max} step where failed`);
      return true;
    case "program":
    case "run-command":
      return addProgram(
        expectation,
        textOf(config, "program", "command") ?? "",
        textsOf(config, "args"),
      );
    default:
      return false;
  }
}

function filesOf(environment: Fields, base: string): DraftFile[] {
  return listOf(environment, "files").flatMap((file): DraftFile[] => {
    if (typeof file === "string") return [{ from: file, base }];
    if (!isFields(file)) return [];
    const path = textOf(file, "dest", "destination", "path");
    const from = textOf(file, "src", "source", "from");
    const content = typeof file["content"] === "string" ? file["content"] : undefined;
    if (content !== undefined && path !== undefined) return [{ path, content, base }];
    return from === undefined ? [] : [{ from, ...(path !== undefined && { path }), base }];
  });
}

/** A list, or pairs: `{ tier: smoke }` is `tier:smoke`. */
function tagsOf(item: Fields): string[] {
  const pairs = Object.entries(fieldsOf(item, "tags")).flatMap(([name, value]) =>
    ["string", "number", "boolean"].includes(typeof value) ? [`${name}:${String(value)}`] : [],
  );
  return [...textsOf(item, "tags"), ...pairs];
}
