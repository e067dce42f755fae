import type { Expectation } from "../case-draft.ts";
import { durationOf, type Fields, fieldsOf, listOf, textOf, textsOf } from "../fields.ts";
import {
  addCheck,
  addProgram,
  addRegex,
  addSkillLists,
  addTexts,
  addToolPatterns,
  SKILL_LISTS,
} from "./graders.ts";
import { hasOnly } from "./unsupported.ts";

/** False for graders that are not known, say more than is known, or cannot be done here. */
export function addVallyGrader(
  grader: Fields,
  stimulus: Fields,
  expectation: Expectation,
): boolean {
  const isKnown = hasOnly(grader) && hasOnly(fieldsOf(grader, "config"), ...CONFIG);
  return addKnown(grader, stimulus, expectation) && isKnown;
}

/** Of all graders below; which of them it needs each looks for itself. */
const CONFIG = [
  ...SKILL_LISTS,
  "substring",
  "value",
  "pattern",
  "path",
  "max",
  "sequence",
  "parallel",
  "prompt",
  "rubric",
  "model",
  "judge_model",
  "tools",
  "program",
  "command",
  "args",
  "timeout",
];

function addKnown(grader: Fields, stimulus: Fields, expectation: Expectation): boolean {
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
