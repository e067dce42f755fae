import { basename } from "node:path";
import { type Expectation, ownTool } from "../case-draft.ts";
import { type Fields, fieldsOf, isFields, listOf, textOf, textsOf } from "../fields.ts";
import {
  addCheck,
  addProgram,
  addRegex,
  addSkillLists,
  addTexts,
  addToolPatterns,
  SKILL_LISTS,
} from "./graders.ts";
import { addLimits, LIMITS, unreadLimits } from "./limits.ts";
import { hasOnly } from "./unsupported.ts";

const TEXTS = [
  "contains",
  "not_contains",
  "contains_cs",
  "not_contains_cs",
  "regex_match",
  "must_match",
  "regex_not_match",
  "must_not_match",
];

/** False for graders that are not known, or cannot be done here. */
export function addWazaGrader(grader: Fields, expectation: Expectation): boolean {
  const config = { ...grader, ...fieldsOf(grader, "config") };
  switch (textOf(grader, "type")) {
    case "text":
    case "regex":
      return addText(config, expectation);
    case "file":
      return addFile(config, expectation);
    case "json_schema": {
      const { schema } = config as Fields;
      if (isFields(schema)) addCheck(expectation, { type: "json-schema", schema });
      return isFields(schema);
    }
    case "program":
    case "script":
      return addProgram(
        expectation,
        textOf(config, "command", "script") ?? "",
        textsOf(config, "args"),
      );
    case "behavior":
      addLimits(config, expectation);
      return hasOnly(config, ...LIMITS) && unreadLimits(onlyLimits(config)).length === 0;
    case "action_sequence":
      return addActions(config, expectation);
    case "skill_invocation":
      addSkillLists(expectation, config);
      return hasOnly(config, ...SKILL_LISTS);
    case "trigger": {
      const skill = textOf(config, "skill_path");
      if (skill === undefined) return false;
      const name = basename(skill.replace(/[/\\](?:SKILL\.md)?$/i, ""));
      if (textOf(config, "mode") === "negative") expectation.avoid(name);
      else expectation.use(name);
      return true;
    }
    case "tool_constraint":
      return [
        addToolPatterns(expectation, listOf(config, "expect_tools"), ""),
        addToolPatterns(expectation, listOf(config, "reject_tools"), "never "),
        hasOnly(config, "expect_tools", "reject_tools"),
      ].every(Boolean);
    case "prompt":
    case "llm": {
      const texts = textsOf(config, "prompt", "rubric");
      expectation.statements.push(...texts);
      return texts.length > 0;
    }
    default:
      return false;
  }
}

function onlyLimits(config: Fields): Fields {
  return Object.fromEntries(Object.entries(config).filter(([name]) => LIMITS.includes(name)));
}

function addText(config: Fields, expectation: Expectation): boolean {
  addTexts(expectation, textsOf(config, "contains"), { ignoreCase: true });
  addTexts(expectation, textsOf(config, "not_contains"), { ignoreCase: true, not: true });
  addTexts(expectation, textsOf(config, "contains_cs"));
  addTexts(expectation, textsOf(config, "not_contains_cs"), { not: true });
  const right = textsOf(config, "regex_match", "must_match");
  const wrong = textsOf(config, "regex_not_match", "must_not_match");
  for (const pattern of right) addRegex(expectation, pattern);
  for (const pattern of wrong) addRegex(expectation, pattern, true);
  return hasOnly(config, ...TEXTS);
}

/** Patterns of what stands in a file are left to a judge. */
function addFile(config: Fields, expectation: Expectation): boolean {
  for (const path of textsOf(config, "must_exist")) {
    addCheck(expectation, { type: "file-exists", path });
  }
  for (const path of textsOf(config, "must_not_exist")) {
    addCheck(expectation, { type: "file-exists", path }, true);
  }
  return hasOnly(config, "must_exist", "must_not_exist");
}

/** Names of tools only: what stands between them in our trajectories does not count there. */
function addActions(config: Fields, expectation: Expectation): boolean {
  const tools = textsOf(config, "expected_actions");
  if (tools.length === 0 || tools.length > 60) return false;
  if (!hasOnly(config, "expected_actions", "matching_mode")) return false;
  const steps = tools.map((tool) => `use ${JSON.stringify(ownTool(tool))}`).join(", ");
  const mode = textOf(config, "matching_mode") ?? "";
  expectation.sequence.push(`${mode.startsWith("any") ? "in any order" : "in order"}: ${steps}`);
  if (mode.startsWith("exact")) expectation.sequence.push(`exactly ${tools.length} use *`);
  return true;
}
