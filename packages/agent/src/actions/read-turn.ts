import { nearNames } from "@skillwright/core";
import { truncate } from "@skillwright/core/internal";
import type { ModelCall, ModelProtocol, ModelResponse } from "../models/model.ts";
import { type Action, type ActionName, ACTIONS, type SkillReference } from "./action.ts";
import { type PlanUpdate, readPlanUpdate } from "./plan.ts";
import { findJson, isRecord, readJson, withoutThoughts } from "./read-json.ts";

export interface ReadOptions {
  /** Names of the tools there are. */
  readonly tools: readonly string[];
  readonly canRun: boolean;
  /** With native calls prose is prose, whatever it quotes. */
  readonly protocol: ModelProtocol;
  /** Names of active skills: a call that names none means the only one. */
  readonly active?: readonly string[];
}

/** What a model said, and why it stopped. */
export interface Said {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  readonly finish?: Extract<ModelResponse, { ok: true }>["finish"];
}

/** One call of a turn, or the text of a turn without calls. */
export type ReadCall = { readonly callId?: string } & (
  | { readonly ok: true; readonly action: Action }
  | {
      readonly ok: false;
      readonly problem: string;
      /** Nothing in it could be read as a decision, which counts towards giving up. */
      readonly unparsed?: true;
    }
);

type Reading = { readonly ok: true; readonly action: Action } | Problem;
interface Problem {
  readonly ok: false;
  readonly problem: string;
  readonly unparsed?: true;
}
type Given = Readonly<Record<string, unknown>>;

const MAX_QUOTED = 80;
const MAX_ANSWER = 200_000;

/** Reads everything that a model said in one turn, call by call. */
export function readTurn({ text, calls, finish }: Said, options: ReadOptions): ReadCall[] {
  if (calls.length === 0) return [readText(text, finish, options)];
  return calls.map((call, i) => {
    // Only the last call can have been cut off.
    const isCut = i === calls.length - 1 && (finish === "length" || finish === "refused");
    const read = isCut && isUnfinished(call) ? unparsed(CUT[finish]) : readCall(call, options);
    return { ...read, callId: call.id };
  });
}

/** A decision as a mock file or a host writes it: `{ "action": name, … }`. */
export function readWritten(written: Given, options: ReadOptions): Reading {
  const { action: name, ...input } = written;
  if (typeof name !== "string") return problem("Give the name of the action under `action`.");
  return readNamed(name, input, options);
}

const CUT = {
  length: "The answer was cut off because it was too long. Give a shorter one, or do it in parts.",
  refused: "The provider withheld this answer. Try another way, or say that it cannot be done.",
} as const;
const EMPTY = "The answer was empty. Call a tool, or answer.";

/** Nothing of its input arrived, or not all of it. */
function isUnfinished({ input }: ModelCall): boolean {
  return typeof input === "string" || Object.keys(input ?? {}).length === 0;
}

function readCall({ name, input }: ModelCall, options: ReadOptions): Reading {
  const given = argumentsOf(name, input);
  if (!isRecord(given)) {
    return {
      ...problem(`The arguments of ${quoted(name)} are not a JSON object.`),
      unparsed: true,
    };
  }
  return readNamed(name, given, options);
}

/** `select_skills` also takes a bare name or list. */
function argumentsOf(name: string, input: unknown): unknown {
  const isText = typeof input === "string" && input.trim() !== "";
  const isBare = Array.isArray(input) || (isText && !input.includes("{"));
  if (isBare && name === "select_skills") return { skills: input };
  return isText ? readJson(input) : input || {};
}

function readText(text: string, finish: Said["finish"], options: ReadOptions): ReadCall {
  const said = withoutThoughts(text).trim();
  const isProse = options.protocol === "tools" && !OBJECT.test(said);
  const found = isProse ? undefined : findDecision(said, options);
  if (found !== undefined) return found;
  if (finish === "length" || finish === "refused") return unparsed(CUT[finish]);
  if (said === "") return unparsed(EMPTY);
  if (options.protocol === "tools") {
    if (CALL_TAG.test(said) || CALL_OBJECT.test(said) || endsWithCall(said, options)) {
      return unparsed(NOT_CALLED);
    }
  } else if (said.includes("{") || CALL_LINE.test(said)) {
    return unparsed(NOT_JSON);
  }
  return { ok: true, action: { action: "final_answer", answer: said.slice(0, MAX_ANSWER) } };
}

const OBJECT = /^(?:```\w*\s*)?\{[^]*\}?\s*(?:```)?$/;
/** Ways in which models write calls that no one reads as such. */
const CALL_TAG = /^<\|?(?:tool_calls?|function_calls?|tool_use|function|invoke)\b[^>]{0,500}>/i;
/** Other JSON may well be the answer. */
const CALL_OBJECT = /^(?:```\w*\s*)?\{\s*["']?(?:action|function|tool_name)["']?\s*:/;
const CALL_LINE =
  /^[ \t>*]*Action:[ \t*]*`?[\w.-]{1,100}`?[ \t]*$|<\|?(?:tool_call|function_call|invoke)\b/im;
const NOT_CALLED =
  "This call is only text and was not made. Make it as a tool call, or answer in prose.";
const NOT_JSON =
  'Nothing was done: this is not one complete JSON object. Answer with one, such as {"action": "final_answer", "answer": "…"}.';
const SEVERAL = "This has more than one action, and none was done. Give one action at a time.";

/** The one decision in a text; undefined when there is none. */
function findDecision(text: string, options: ReadOptions): Reading | undefined {
  const { objects, broken } = findJson(text);
  const decisions = new Map<string, Given>();
  for (const { value, start, end } of objects) {
    const decision = isThought(text, start, end) ? undefined : asDecision(value, options);
    if (decision !== undefined) decisions.set(JSON.stringify(decision), decision);
  }
  const [decision] = decisions.values();
  if (decision === undefined) return undefined;
  const isClear = decisions.size === 1 && !broken.some((part) => ACTION_KEY.test(part));
  return isClear ? readWritten(decision, options) : unparsed(SEVERAL);
}

/** Prose may quote JSON anywhere; a whole call on lines of its own at the end was meant to be made. */
function endsWithCall(text: string, options: ReadOptions): boolean {
  const last = findJson(text).objects.at(-1);
  if (last === undefined || !LINE_START.test(text.slice(0, last.start))) return false;
  const name = asDecision(last.value, options)?.["action"];
  return CLOSED.test(text.slice(last.end)) && typeof name === "string" && isKnown(name, options);
}

const LINE_START = /\n[ \t]*$/;
const CLOSED = /^\s*(?:```)?$/;
const ACTION_KEY = /(["']?)\baction\1\s*:/;

/** `{ action, … }`, or a call as APIs write it: `{ name, arguments }`, `{ function: { … } }`. */
function asDecision(value: Given, options: ReadOptions): Given | undefined {
  if (Object.hasOwn(value, "action")) return value;
  const inner = isRecord(value["function"]) ? value["function"] : value;
  const name = inner["name"] ?? inner["tool"] ?? inner["tool_name"];
  const key = ["arguments", "parameters", "input", "args"].find((one) => Object.hasOwn(inner, one));
  if (typeof name !== "string" || key === undefined || !isKnown(name, options)) return undefined;
  const given = inner[key];
  const input = typeof given === "string" ? readJson(given) : given;
  return isRecord(input) ? { ...input, action: name } : undefined;
}

const THOUGHT_TAG = /<(\/?)think(?:ing)?>/gi;

/** After a tag that opens thoughts, or before one that closes them. */
function isThought(text: string, start: number, end: number): boolean {
  const before = [...text.slice(0, start).matchAll(THOUGHT_TAG)].at(-1);
  const [after] = text.slice(end).matchAll(THOUGHT_TAG);
  return before?.[1] === "" || after?.[1] === "/";
}

/** Names of other agents' tools, and ours in another spelling: `ReadFile`, `read-file`, `Bash`. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  read: "read_file",
  write: "write_file",
  edit: "edit_file",
  bash: "run_command",
  shell: "run_command",
  grep: "search_files",
  ls: "list_directory",
};

/** The name as it is offered, where only its spelling differs. */
function ownName(name: string, options: ReadOptions): string {
  if (isKnown(name, options) || name.length > 100) return name;
  const plain = (one: string) => one.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  const meant = plain(name);
  const spelled = [...Object.keys(ACTIONS), ...options.tools].filter((one) => plain(one) === meant);
  if (spelled.length === 1) return spelled[0] ?? name;
  const other = Object.hasOwn(OTHER_NAMES, meant) ? (OTHER_NAMES[meant] ?? name) : name;
  return isKnown(other, options) ? other : name;
}

function isKnown(name: string, { tools }: ReadOptions): boolean {
  return Object.hasOwn(ACTIONS, name) || tools.includes(name);
}

function readNamed(called: string, given: Given, options: ReadOptions): Reading {
  const name = ownName(called, options);
  if (!Object.hasOwn(ACTIONS, name)) {
    if (options.tools.includes(name)) return useTool(name, given);
    return unknownName(name, options);
  }
  const action = name as ActionName;
  if (action === "run_script" && !options.canRun) {
    return problem("run_script: scripts cannot be run here. Use the other tools, or answer.");
  }
  const { plan_update: _, ...rest } = given;
  const input = action === "update_plan" ? given : rest;
  const read = READERS[action](withoutNulls(input), options);
  if (typeof read === "string") return problem(`${action}: ${read}. ${formOf(action)}`);
  if (read.action === "use_tool" && !options.tools.includes(read.tool)) {
    return unknownName(read.tool, options);
  }
  return { ok: true, action: { ...read, ...planOf(given["plan_update"]) } };
}

/** A tool may itself take a `plan_update`; other tools get what models add to every call. */
function useTool(tool: string, given: Given): Reading {
  const { plan_update, ...input } = given;
  return { ok: true, action: { action: "use_tool", tool, input, ...planOf(plan_update) } };
}

/** A plan that cannot be read never voids an action. */
function planOf(given: unknown): { readonly plan_update?: PlanUpdate } {
  const plan_update = readPlanUpdate(given);
  return plan_update === undefined ? {} : { plan_update };
}

/** Models that have to give every property give null for those they do not mean. */
function withoutNulls(given: Given): Given {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

type Reader = (given: Given, options: ReadOptions) => Action | string;

const READERS: Readonly<Record<ActionName, Reader>> = {
  select_skills(given) {
    const skills = listOf(first(given, "skills", "skill", "names", "name", "skill_name"))
      .map(readSkill)
      .filter((skill) => skill !== undefined);
    if (skills.length === 0) return "name at least one skill";
    const reason = first(given, "reason");
    return {
      action: "select_skills",
      skills: skills.slice(0, 20),
      ...(typeof reason === "string" && { reason }),
    };
  },
  unload_skill(given, options) {
    const skill = skillOf(given, options);
    return skill === undefined ? "name the skill" : { action: "unload_skill", skill };
  },
  load_resource(given, options) {
    const path = first(given, "path", "relative_path", "file", "file_path", "resource");
    const skill = skillOf(given, options);
    if (typeof path !== "string" || path === "") return "give the file under `path`";
    if (skill === undefined) return "name the skill";
    const section = first(given, "section", "section_hint");
    return {
      action: "load_resource",
      skill,
      relative_path: path.slice(0, 1000),
      ...(typeof section === "string" && section !== "" && { section_hint: section }),
      ...readLines(given),
    };
  },
  run_script(given, options) {
    const script = first(given, "script", "relative_path", "path", "script_file", "file");
    const skill = skillOf(given, options);
    if (typeof script !== "string" || script === "") return "give the script under `script`";
    if (skill === undefined) return "name the skill";
    const args = readArguments(first(given, "args", "arguments", "argv", "input"));
    if (args === undefined) return "`args` has to be a list of texts";
    return { action: "run_script", skill, relative_path: script.slice(0, 1000), args };
  },
  use_tool(given) {
    const tool = first(given, "tool", "name", "tool_name");
    const input = first(given, "input", "arguments", "args", "parameters") ?? {};
    const read = typeof input === "string" ? readJson(input) : input;
    if (typeof tool !== "string" || tool === "") return "name the tool under `tool`";
    return isRecord(read)
      ? { action: "use_tool", tool, input: read }
      : "`input` has to be an object";
  },
  update_plan(given) {
    const plan_update = readPlanUpdate(given);
    return plan_update === undefined ? "give the steps" : { action: "update_plan", plan_update };
  },
  final_answer(given) {
    const answer = first(given, "answer", "text", "message", "content", "response", "final_answer");
    const text = typeof answer === "string" ? answer : JSON.stringify(answer, null, 2);
    return typeof text === "string" && text.trim() !== ""
      ? { action: "final_answer", answer: text.slice(0, MAX_ANSWER) }
      : "the answer is empty";
  },
};

/** Own properties only: the names come from a model. */
function first(given: Given, ...names: readonly string[]): unknown {
  const name = names.find((one) => Object.hasOwn(given, one));
  return name === undefined ? undefined : given[name];
}

function listOf(given: unknown): readonly unknown[] {
  if (Array.isArray(given)) return given;
  if (typeof given !== "string") return given === undefined ? [] : [given];
  if (!given.trim().startsWith("[")) return given.split(",").map((one) => one.trim());
  try {
    return JSON.parse(given) as unknown[];
  } catch {
    return [given];
  }
}

/** `pdf`, `pdf@user`, `{ name, source }`. */
function readSkill(given: unknown): SkillReference | undefined {
  if (isRecord(given)) {
    const name = first(given, "name", "skill", "skill_name");
    const source = first(given, "source");
    const read = readSkill(typeof name === "string" ? name : undefined);
    return read && typeof source === "string" && source !== "" ? { ...read, source } : read;
  }
  const text = typeof given === "string" ? given.trim().replace(/^\//, "").slice(0, 200) : "";
  const [, name, source] = /^(.+)@([\w-]+)$/.exec(text) ?? [];
  if (name !== undefined && source !== undefined) return { name, source };
  return text === "" ? undefined : { name: text };
}

function skillOf(given: Given, { active = [] }: ReadOptions): SkillReference | undefined {
  const named = first(given, "skill", "skill_name", "skills", "name");
  const read = readSkill(Array.isArray(named) ? named[0] : named);
  const [only] = active;
  return read ?? (active.length === 1 && only !== undefined ? readSkill(only) : undefined);
}

/** `"10-80"`, `[10, 80]`, `{ start, end }`, `start_line` and `end_line`, numbers as text. */
function readLines(given: Given): { readonly start_line?: number; readonly end_line?: number } {
  const lines = first(given, "lines", "line_range", "range");
  const numbers = Array.isArray(lines)
    ? lines
    : isRecord(lines)
      ? [first(lines, "start", "from"), first(lines, "end", "to")]
      : typeof lines === "string" || typeof lines === "number"
        ? (String(lines).match(/\d+/g) ?? [])
        : [first(given, "start_line", "startLine"), first(given, "end_line", "endLine")];
  const [start, end] = numbers.map((one) => lineNumber(one));
  return {
    ...(start !== undefined && { start_line: start }),
    ...(end !== undefined && { end_line: end }),
  };
}

function lineNumber(given: unknown): number | undefined {
  const line = typeof given === "string" || typeof given === "number" ? Number(given) : Number.NaN;
  return Number.isInteger(line) && line >= 1 ? line : undefined;
}

const WORD = /(?:"(?:[^"\\]|\\.)*"|'[^']*'|\S)+/g;
const QUOTED = /"((?:[^"\\]|\\.)*)"|'([^']*)'/g;

/** A list; a text is split at blanks outside quotes. No shell reads it. */
function readArguments(given: unknown): readonly string[] | undefined {
  if (given === undefined) return [];
  if (typeof given === "string") {
    if (given.trim().startsWith("[")) {
      const list = listOf(given);
      return list[0] === given ? undefined : readArguments(list);
    }
    return [...given.matchAll(WORD)].map(([word]) =>
      word.replaceAll(QUOTED, (_, double?: string, single?: string) =>
        double === undefined ? (single ?? "") : double.replaceAll(/\\(["\\])/g, "$1"),
      ),
    );
  }
  if (!Array.isArray(given)) return undefined;
  const isText = (one: unknown) => ["string", "number", "boolean"].includes(typeof one);
  return given.every(isText) ? given.map(String) : undefined;
}

function unknownName(name: string, { tools, canRun, protocol }: ReadOptions): Problem {
  const actions = Object.keys(ACTIONS).filter(
    (one) =>
      one !== "use_tool" &&
      (canRun || one !== "run_script") &&
      (protocol === "json" || one !== "final_answer"),
  );
  const names = [...actions, ...tools];
  const near = nearNames(name.slice(0, 100), names, 3);
  const advice =
    near.length > 0
      ? `Did you mean ${near.join(" or ")}?`
      : `There are: ${names.slice(0, 30).join(", ")}.`;
  return problem(`There is no tool ${quoted(name)}. ${advice}`);
}

function formOf(name: ActionName): string {
  return `Right: ${name} ${JSON.stringify(ACTIONS[name].example)}`;
}

function quoted(name: string): string {
  return JSON.stringify(truncate(name, MAX_QUOTED));
}

function problem(text: string): Problem {
  return { ok: false, problem: text };
}

function unparsed(text: string): Problem {
  return { ok: false, problem: text, unparsed: true };
}
