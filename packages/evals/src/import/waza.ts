import { readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type CaseSource, openCaseSource } from "../cases/case-source.ts";
import { Expectation, ownTool } from "../cases/expectation.ts";
import {
  durationOf,
  type Fields,
  fieldsOf,
  idOf,
  isFields,
  listOf,
  textOf,
  textsOf,
  wordList,
} from "../cases/fields.ts";
import type { DocumentPath } from "../cases/read-document.ts";
import { isGlob, matchPath } from "../checks/match-path.ts";
import {
  addCheck,
  addConstraints,
  addGraders,
  addProgram,
  addRegexes,
  addSkillLists,
  addTexts,
  addToolPatterns,
  hasOnly,
  SKILL_LISTS,
  trialsOf,
} from "./graders.ts";
import {
  ImportedCase,
  type ImportedFile,
  type ImportLosses,
  type ImportPlace,
  inner,
} from "./import-draft.ts";

const MAX_DEPTH = 4;
const SUITE = ["name", "description", "skill", "version", "config", "graders", "tasks", "hooks"];

/** An `eval.yaml` with the tasks that it names, or one task file. */
export function importWaza(source: CaseSource, losses: ImportLosses): ImportedCase[] {
  const root = source.document.value as Fields;
  const folder = dirname(source.file);
  if (isFields(root["inputs"])) {
    const none = { source, fields: {}, path: [] };
    return new TaskImport(none, losses).add({ source, fields: root, path: [] });
  }
  const suite = { source, fields: root, path: [] };
  losses.addOthers(suite, SUITE);
  losses.addOthers(inner(suite, "config"), ["trials_per_task", "timeout_seconds"]);
  const tasks = new TaskImport(suite, losses);
  const read = new Set<string>();
  return listOf(root, "tasks").flatMap((task, i) => {
    const path = ["tasks", i];
    if (isFields(task)) return tasks.add({ source, fields: task, path });
    const files = typeof task === "string" ? taskFiles(folder, task) : [];
    if (files.length === 0)
      losses.add("left-out", source, path, `there is no task ${String(task)}`);
    return files.flatMap((file) => {
      if (read.has(file)) return [];
      read.add(file);
      const opened = openCaseSource(file, source);
      const fields: unknown = opened?.document.value;
      if (opened === undefined || !isFields(fields)) {
        losses.add("left-out", source, path, `${basename(file)} cannot be read`);
        return [];
      }
      return tasks.add({ source: opened, fields, path: [] });
    });
  });
}

/** Below the folder of the suite, without links. */
function taskFiles(folder: string, pattern: string): string[] {
  if (!isGlob(pattern))
    return filesBelow(folder, "", 0)
      .filter((file) => file === join(pattern))
      .map(place);
  return filesBelow(folder, "", 0)
    .filter((file) => matchPath(pattern, file))
    .map(place);

  function place(file: string): string {
    return join(folder, file);
  }
}

function filesBelow(folder: string, prefix: string, depth: number): string[] {
  const entries = readdirSync(join(folder, prefix), { withFileTypes: true });
  return entries
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${prefix}${entry.name}`;
      if (entry.isFile()) return /\.ya?ml$/i.test(path) ? [path] : [];
      if (!entry.isDirectory() || depth === MAX_DEPTH || /^(?:\..*|node_modules)$/.test(entry.name))
        return [];
      return filesBelow(folder, `${path}/`, depth + 1);
    });
}

const TASK = wordList(
  `id name description tags enabled inputs expected graders context_dir timeout_seconds hooks`,
);
const EXPECTED = new Set(
  wordList(`should_trigger output_contains output_not_contains outcomes behavior tool_calls`),
);

class TaskImport {
  readonly #suite: ImportPlace;
  readonly #losses: ImportLosses;

  constructor(suite: ImportPlace, losses: ImportLosses) {
    this.#suite = suite;
    this.#losses = losses;
  }

  add(task: ImportPlace): ImportedCase[] {
    const { source, fields, path } = task;
    const inputs = inner(task, "inputs");
    const input = textOf(inputs.fields, "prompt");
    const leaveOut = (at: DocumentPath, message: string): ImportedCase[] => {
      this.#losses.add("left-out", source, [...path, ...at], message);
      return [];
    };
    if (fields["enabled"] === false) return leaveOut(["enabled"], "the task is disabled");
    if (input === undefined) return leaveOut(["inputs"], "the task has no inputs.prompt");
    if (/\{\{/.test(input)) return leaveOut(["inputs", "prompt"], "the prompt has variables");
    const id = idOf(fields, "id") ?? basename(source.file).replace(/\.[^.]+$/, "");
    const one = new ImportedCase(id, input, this.#losses);
    const folder = dirname(this.#suite.source.file);
    const files = filesOf(inputs.fields, join(folder, textOf(fields, "context_dir") ?? "fixtures"));
    if (files === undefined)
      return leaveOut(["inputs", "files"], "a file is a path, or a path with its content");
    one.files.push(...files);
    one.title = textOf(fields, "name");
    one.tags.push(...textsOf(fields, "tags"));
    const config = inner(this.#suite, "config");
    one.trials = trialsOf(config, "trials_per_task");
    one.timeoutMs =
      durationOf(fields["timeout_seconds"]) ?? durationOf(config.fields["timeout_seconds"]);
    this.#losses.addOthers(task, TASK);
    const prepared = [
      { place: inputs, names: ["environment"] },
      { place: task, names: ["hooks"] },
      { place: this.#suite, names: ["hooks"] },
    ];
    for (const { place, names } of prepared) {
      for (const name of names) {
        const { [name]: value } = place.fields;
        if (typeof value !== "object" || value === null || Object.keys(value).length === 0)
          continue;
        one.unjudged(place, [...place.path, name], `${name} is not prepared`);
      }
    }
    addExpected(one, inner(task, "expected"), this.#suite.source.skill);
    for (const place of [this.#suite, task]) {
      addGraders(one, place, (grader, expectation) => addGrader(grader, expectation, folder));
    }
    return [one];
  }
}

function filesOf(inputs: Fields, base: string): ImportedFile[] | undefined {
  const { files: given = [] } = inputs;
  if (!Array.isArray(given)) return undefined;
  const files = (given as readonly unknown[]).map((file): ImportedFile | undefined => {
    const path =
      typeof file === "string" ? file : isFields(file) ? textOf(file, "path") : undefined;
    if (path === undefined) return undefined;
    const { content } = isFields(file) ? file : {};
    return typeof content === "string" ? { path, content } : { path, from: resolve(base, path) };
  });
  return files.every((file) => file !== undefined) ? files : undefined;
}

function addExpected(one: ImportedCase, place: ImportPlace, skill: string | undefined): void {
  const { source, fields, path } = place;
  const { expectation } = one;
  const { should_trigger: trigger } = fields;
  if (typeof trigger === "boolean") {
    if (skill !== undefined) expectation[trigger ? "use" : "avoid"](skill);
    else
      one.unjudged(
        place,
        [...path, "should_trigger"],
        "should_trigger is about no skill; name one with --skill",
      );
  }
  addTexts(expectation, textsOf(fields, "output_contains"), { ignoreCase: true });
  addTexts(expectation, textsOf(fields, "output_not_contains"), { ignoreCase: true, not: true });
  for (const [i, outcome] of listOf(fields, "outcomes").entries()) {
    // Typed outcomes are checks of their own.
    if (typeof outcome === "string") expectation.statements.push(outcome);
    else
      one.unjudged(
        place,
        [...path, "outcomes", i],
        `the outcome ${JSON.stringify(outcome).slice(0, 200)} cannot be converted`,
      );
  }
  addConstraints(one, inner(place, "behavior"));
  const calls = new Expectation();
  if (addToolCalls(fields["tool_calls"], calls)) expectation.add(calls);
  else {
    one.unjudged(place, [...path, "tool_calls"], "some of tool_calls cannot be converted");
  }
  for (const name of Object.keys(fields)) {
    if (!EXPECTED.has(name))
      one.unjudged({ source }, [...path, name], `expected.${name} cannot be converted`);
  }
}

function addToolCalls(calls: unknown, expectation: Expectation): boolean {
  if (calls === undefined || calls === null) return true;
  const lists = Array.isArray(calls) ? { required: calls as unknown[] } : calls;
  if (!isFields(lists)) return false;
  return [
    addToolPatterns(expectation, listOf(lists, "required", "required_tools"), ""),
    addToolPatterns(expectation, listOf(lists, "forbidden", "forbidden_tools"), "never "),
    hasOnly(lists, "required", "required_tools", "forbidden", "forbidden_tools"),
  ].every(Boolean);
}

const TEXTS =
  wordList(`contains not_contains contains_cs not_contains_cs regex_match must_match regex_not_match
  must_not_match`);

function addGrader(grader: Fields, expectation: Expectation, folder: string): boolean {
  const config = { ...grader, ...fieldsOf(grader, "config") };
  switch (textOf(grader, "type")) {
    case "text":
    case "regex":
      return [
        addRegexes(expectation, textsOf(config, "regex_match", "must_match")),
        addRegexes(expectation, textsOf(config, "regex_not_match", "must_not_match"), true),
        addContained(config, expectation),
      ].every(Boolean);
    case "file":
      for (const path of textsOf(config, "must_exist"))
        addCheck(expectation, { type: "file-exists", path });
      for (const path of textsOf(config, "must_not_exist")) {
        addCheck(expectation, { type: "file-exists", path }, true);
      }
      return hasOnly(config, "must_exist", "must_not_exist");
    case "json_schema": {
      const { schema } = config as Fields;
      if (isFields(schema)) addCheck(expectation, { type: "json-schema", schema });
      return isFields(schema) && hasOnly(config, "schema");
    }
    case "program":
    case "script":
      return (
        addProgram(
          expectation,
          textOf(config, "command", "script") ?? "",
          textsOf(config, "args"),
          folder,
        ) && hasOnly(config, "command", "script", "args", "timeout")
      );
    case "action_sequence":
      return addActions(config, expectation);
    case "skill_invocation":
      return addSkillLists(expectation, config) && hasOnly(config, ...SKILL_LISTS);
    case "trigger": {
      const skill = basename(
        (textOf(config, "skill_path") ?? "").replace(/[/\\](?:SKILL\.md)?$/i, ""),
      );
      if (skill === "") return false;
      expectation[textOf(config, "mode") === "negative" ? "avoid" : "use"](skill);
      return hasOnly(config, "skill_path", "mode");
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
      return texts.length > 0 && hasOnly(config, "prompt", "rubric", "model");
    }
    default:
      return false;
  }
}

function addContained(config: Fields, expectation: Expectation): boolean {
  addTexts(expectation, textsOf(config, "contains"), { ignoreCase: true });
  addTexts(expectation, textsOf(config, "not_contains"), { ignoreCase: true, not: true });
  addTexts(expectation, textsOf(config, "contains_cs"));
  addTexts(expectation, textsOf(config, "not_contains_cs"), { not: true });
  return hasOnly(config, ...TEXTS);
}

/** In any order, each once: the tools are required. Orders and repetitions of tools cannot be expressed exactly. */
function addActions(config: Fields, expectation: Expectation): boolean {
  const tools = textsOf(config, "expected_actions");
  expectation.required.push(...tools.map(ownTool));
  const isAny = (textOf(config, "matching_mode") ?? "").startsWith("any");
  const isEachOnce = new Set(tools).size === tools.length;
  return isAny && isEachOnce && hasOnly(config, "expected_actions", "matching_mode");
}
