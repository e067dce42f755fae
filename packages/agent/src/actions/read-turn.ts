import { type JsonSchema, nearNames, quoteName } from "@skillwright/core/internal";
import type { ModelCall, ModelProtocol, ModelResponse } from "../models/model.ts";
import {
  type Action,
  type ActionName,
  ACTIONS,
  offeredActions,
  type SkillReference,
} from "./action.ts";
import { type PlanUpdate, readPlanUpdate } from "./plan.ts";
import { findJson, isRecord, readJson, withoutThoughts } from "./read-json.ts";

export interface ReadOptions {
  /** Names of the available tools. */
  readonly tools: readonly string[];
  readonly canRun: boolean;
  /** The run began without a skill. */
  readonly noSkills?: boolean | undefined;
  /** In the tools protocol, JSON in prose is never a decision. */
  readonly protocol: ModelProtocol;
  /** Active skills: a call without a skill means the only one. */
  readonly active?: readonly string[];
  /** The schema of a structured answer. */
  readonly answer?: JsonSchema;
  /** The schema of a tool's input. */
  readonly schemaOf?: (tool: string) => object | undefined;
}

/** What a model said, and why it stopped. */
export interface Said {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  readonly finish?: Extract<ModelResponse, { ok: true }>["finish"] | undefined;
}

type Reading =
  | { readonly ok: true; readonly action: Action }
  | {
      readonly ok: false;
      readonly problem: string;
      /** It could not be parsed at all, which counts towards giving up. */
      readonly unparsed?: true;
    };

/** One call of a turn, or the text of a turn without calls. */
export type ReadCall = Reading & { readonly callId?: string };

type Given = Readonly<Record<string, unknown>>;

const MAX_QUOTED = 80;
const MAX_ANSWER = 200_000;
const MAX_SKILLS = 20;
const MAX_PATH = 1000;
const MAX_NAME = 1000;

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

/** Its input did not arrive, or not all of it. */
function isUnfinished({ input }: ModelCall): boolean {
  return typeof input === "string" || Object.keys(input ?? {}).length === 0;
}

function readCall({ name, input }: ModelCall, options: ReadOptions): Reading {
  const given = argumentsOf(name, input);
  if (!isRecord(given)) {
    const text = `The arguments of ${quoteName(name, MAX_QUOTED)} are not a JSON object.`;
    const own = ownName(name, options);
    return unparsed(isKnown(own, options) ? `${text} ${formOf(own, options)}` : text);
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
/** Calls that models write as text. */
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
    if (!options.tools.includes(name)) return unknownName(name, options);
    const { plan_update, ...input } = given;
    const action = { action: "use_tool", tool: name, input, ...planOf(plan_update) } as const;
    return { ok: true, action };
  }
  const action = name as ActionName;
  if (action === "run_script" && !options.canRun) {
    return problem("run_script: scripts cannot be run here. Use the other tools, or answer.");
  }
  if (action === "final_answer" && isStructured(given, options.answer)) {
    return { ok: true, action: { action, answer: JSON.stringify(given, null, 2) } };
  }
  const { plan_update, ...rest } = given;
  // Models that have to give every property give null for those they do not mean.
  const meant = Object.entries(action === "update_plan" ? given : rest).filter(
    ([, value]) => value !== null,
  );
  const read = READERS[action](Object.fromEntries(meant), options);
  if (typeof read === "string") return problem(`${action}: ${read}. ${formOf(action, options)}`);
  if (read.action === "use_tool" && !options.tools.includes(read.tool)) {
    return unknownName(read.tool, options);
  }
  return { ok: true, action: { ...read, ...planOf(plan_update) } };
}

/** Whether these are the fields of a structured answer, without `answer` around them. */
function isStructured(given: Given, schema: JsonSchema | undefined): boolean {
  const { type, properties, required = [] } = schema ?? {};
  if (type !== "object" || !isRecord(properties)) return false;
  const { answer } = given;
  const isWrapped = isRecord(answer) || (typeof answer === "string" && answer.includes("{"));
  const names = Object.keys(given);
  return (
    !isWrapped &&
    names.length > 0 &&
    names.every((name) => Object.hasOwn(properties, name)) &&
    listOf(required).every((name) => typeof name === "string" && Object.hasOwn(given, name))
  );
}

/** A plan that cannot be read never voids an action. */
function planOf(given: unknown): { readonly plan_update?: PlanUpdate } {
  const plan_update = readPlanUpdate(given);
  return plan_update === undefined ? {} : { plan_update };
}

/** The fields of actions, with the names that models give them. */
const FIELDS = {
  skills: ["skills", "skill", "names", "name", "skill_name"],
  skill: ["skill", "skill_name", "skills", "name"],
  name: ["name", "skill", "skill_name"],
  path: ["path", "relative_path", "file", "file_path", "resource"],
  section: ["section", "section_hint"],
  lines: ["lines", "line_range", "range"],
  start: ["start_line", "startLine", "start", "from"],
  end: ["end_line", "endLine", "end", "to"],
  script: ["script", "relative_path", "path", "script_file", "file"],
  args: ["args", "arguments", "argv", "input"],
  tool: ["tool", "name", "tool_name"],
  input: ["input", "arguments", "args", "parameters"],
  answer: ["answer", "text", "message", "content", "response", "final_answer"],
} as const;

/** Own properties only: the names come from a model. */
function field(given: Given, name: keyof typeof FIELDS): unknown {
  const found = FIELDS[name].find((one) => Object.hasOwn(given, one));
  return found === undefined ? undefined : given[found];
}

function textField(given: Given, name: keyof typeof FIELDS): string | undefined {
  const text = field(given, name);
  return typeof text === "string" && text !== "" ? text : undefined;
}

/** Gives an action, or what is missing. */
const READERS: Readonly<
  Record<ActionName, (given: Given, options: ReadOptions) => Action | string>
> = {
  select_skills(given) {
    const skills = listOf(field(given, "skills")).flatMap((one) => readSkill(one) ?? []);
    if (skills.length === 0) return "name at least one skill";
    const { reason } = given;
    return {
      action: "select_skills",
      skills: skills.slice(0, MAX_SKILLS),
      ...(typeof reason === "string" && { reason }),
    };
  },
  unload_skill(given, options) {
    const skill = skillOf(given, options);
    return skill === undefined ? "name the skill" : { action: "unload_skill", skill };
  },
  load_resource(given, options) {
    const path = textField(given, "path");
    if (path === undefined) return "give the file under `path`";
    const skill = skillOf(given, options);
    if (skill === undefined) return "name the skill";
    const section = textField(given, "section");
    return {
      action: "load_resource",
      skill,
      relative_path: path.slice(0, MAX_PATH),
      ...(section !== undefined && { section_hint: section }),
      ...readLines(given),
    };
  },
  run_script(given, options) {
    const script = textField(given, "script");
    if (script === undefined) return "give the script under `script`";
    const skill = skillOf(given, options);
    if (skill === undefined) return "name the skill";
    const args = readArguments(field(given, "args"));
    if (args === undefined) return "`args` has to be a list of texts";
    return { action: "run_script", skill, relative_path: script.slice(0, MAX_PATH), args };
  },
  use_tool(given) {
    const tool = textField(given, "tool");
    if (tool === undefined) return "name the tool under `tool`";
    const input = field(given, "input") ?? {};
    const read = typeof input === "string" ? readJson(input) : input;
    return isRecord(read)
      ? { action: "use_tool", tool, input: read }
      : "`input` has to be an object";
  },
  update_plan(given) {
    const plan_update = readPlanUpdate(given);
    return plan_update === undefined ? "give the steps" : { action: "update_plan", plan_update };
  },
  final_answer(given) {
    const answer = field(given, "answer");
    const text = typeof answer === "string" ? answer : (JSON.stringify(answer, null, 2) ?? "");
    return text.trim() === ""
      ? "the answer is empty"
      : { action: "final_answer", answer: text.slice(0, MAX_ANSWER) };
  },
};

function listOf(given: unknown): readonly unknown[] {
  if (Array.isArray(given)) return given;
  if (typeof given !== "string") return given === undefined ? [] : [given];
  if (!given.trim().startsWith("[")) return given.split(",");
  try {
    return JSON.parse(given) as unknown[];
  } catch {
    return [given];
  }
}

/** `pdf`, `pdf@user`, `{ name, source }`. */
function readSkill(given: unknown): SkillReference | undefined {
  if (isRecord(given)) {
    const read = readSkill(textField(given, "name"));
    const { source } = given;
    return read && typeof source === "string" && source !== "" ? { ...read, source } : read;
  }
  const named = typeof given === "string" ? given.trim().slice(0, MAX_NAME) : "";
  // As a person calls it. Public skills have names such as `/scan – a scanner` too.
  const text = named.replace(/^\/(?=\S+$)/, "");
  const [, name = text, source] = /^(.+)@([\w-]+)$/.exec(text) ?? [];
  return name === "" ? undefined : { name, ...(source !== undefined && { source }) };
}

function skillOf(given: Given, { active = [] }: ReadOptions): SkillReference | undefined {
  const named = field(given, "skill");
  const read = readSkill(Array.isArray(named) ? named[0] : named);
  return read ?? (active.length === 1 ? readSkill(active[0]) : undefined);
}

/** `"10-80"`, `[10, 80]`, `{ start, end }`, `start_line` and `end_line`, numbers as text. */
function readLines(given: Given): { readonly start_line?: number; readonly end_line?: number } {
  const lines = field(given, "lines") ?? given;
  let pair: readonly unknown[] = [];
  if (Array.isArray(lines)) pair = lines;
  else if (isRecord(lines)) pair = [field(lines, "start"), field(lines, "end")];
  else if (typeof lines === "string") pair = lines.match(/\d+/g) ?? [];
  else pair = [lines];
  const [start, end] = pair.map(Number);
  const isLine = (line: number | undefined) => Number.isInteger(line) && Number(line) >= 1;
  return {
    ...(isLine(start) && { start_line: start as number }),
    ...(isLine(end) && { end_line: end as number }),
  };
}

const WORD = /(?:"(?:[^"\\]|\\.)*"|'[^']*'|\S)+/g;
const QUOTED = /"((?:[^"\\]|\\.)*)"|'([^']*)'/g;

/** A list, or text that is split at blanks outside quotes. No shell is involved. */
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

function unknownName(name: string, options: ReadOptions): Reading {
  const names = [...offeredActions(options), ...options.tools];
  const near = nearNames(name.slice(0, 100), names, 3);
  const advice =
    near.length > 0
      ? `Did you mean ${near.join(" or ")}?`
      : `There are: ${names.slice(0, 30).join(", ")}.`;
  return problem(`There is no tool ${quoteName(name, MAX_QUOTED)}. ${advice}`);
}

function formOf(name: string, { schemaOf }: ReadOptions): string {
  const example = Object.hasOwn(ACTIONS, name)
    ? ACTIONS[name as ActionName].example
    : exampleOf(schemaOf?.(name));
  return `Right: ${name} ${JSON.stringify(example)}`;
}

const EXAMPLES: Readonly<Record<string, unknown>> = {
  array: ["…"],
  boolean: true,
  integer: 1,
  number: 1,
  object: {},
};

/** With the parameters that a tool needs. */
function exampleOf(schema: object = {}): object {
  const { properties, required } = schema as JsonSchema;
  const typeOf = (name: string) => Object((Object(properties) as Given)[name]) as JsonSchema;
  const names = listOf(required).filter((name) => typeof name === "string");
  return Object.fromEntries(
    names.map((name) => [name, EXAMPLES[String(typeOf(name)["type"])] ?? "…"]),
  );
}

function problem(text: string): Reading {
  return { ok: false, problem: text };
}

function unparsed(text: string): Reading {
  return { ok: false, problem: text, unparsed: true };
}
