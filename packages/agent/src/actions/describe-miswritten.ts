import type { ModelProtocol } from "../models/model.ts";
import { actionInputs } from "./action.ts";
import { findJson } from "./read-json.ts";

interface MiswrittenOptions {
  readonly tools: readonly string[];
  readonly protocol: ModelProtocol;
}

/** How models write calls when nobody reads them as such. */
const CALL_TAG = /<\|?(?:tool_calls?|function_calls?|tool_use|function|invoke)\b[^>]{0,500}>/i;
const SINGLE_QUOTED = /[{,]\s*'action'\s*:/;
const UNQUOTED = /[{,]\s*action\s*:/;
const QUOTED = /"action"\s*:/;
const BROKEN_OBJECT = /^(?:```\w*\s*)?\{/;
const LINE = /^[ \t>*]*Action:[ \t*]*`?([\w.-]{1,100})`?[ \t]*$/m;

const EXAMPLE = '{"action": "final_answer", "answer": "…"}';
const NOT_CALLED = "This call is only text, and was not done. Make it as a tool call.";
const INCOMPLETE = `This is no action that can be read. Answer with one complete JSON object such as ${EXAMPLE}.`;

/**
 * What is wrong with a text in which somebody tried to write a decision; undefined when it is none. Of
 * a model that makes calls, only what begins as a call was meant as one: prose may quote anything.
 */
export function describeMiswritten(
  text: string,
  { tools, protocol }: MiswrittenOptions,
): string | undefined {
  if (protocol === "tools") {
    if (text.search(CALL_TAG) === 0) return NOT_CALLED;
    return BROKEN_OBJECT.test(text) ? INCOMPLETE : undefined;
  }
  const names = new Set([...Object.keys(actionInputs), ...tools]);
  const called = calledName(text, names) ?? namedLine(text, names);
  if (called !== undefined) return asAction(called);
  if (CALL_TAG.test(text)) return asAction("final_answer");
  if (SINGLE_QUOTED.test(text)) {
    return `This is no JSON: names and texts stand in double quotes, not in single ones. Answer with one object such as ${EXAMPLE}.`;
  }
  if (UNQUOTED.test(text)) {
    return `This is no JSON: names stand in double quotes, as in "action". Answer with one object such as ${EXAMPLE}.`;
  }
  return QUOTED.test(text) || BROKEN_OBJECT.test(text) ? INCOMPLETE : undefined;
}

function asAction(name: string): string {
  return `Calls are not read here, and nothing was done. Answer with one JSON object that has the name under \`action\` and the parameters beside it: {"action": ${JSON.stringify(name)}, …}.`;
}

/** As in `{"name": "read_file", "arguments": {}}`. */
function calledName(text: string, names: ReadonlySet<string>): string | undefined {
  for (const { value } of findJson(text).objects) {
    const { name, function: called } = value;
    const inner = typeof called === "object" && called !== null ? called : {};
    const given = "name" in inner ? inner.name : name;
    if (typeof given === "string" && names.has(given) && hasArguments({ ...value, ...inner })) {
      return given;
    }
  }
  return undefined;
}

function hasArguments(value: object): boolean {
  return ["arguments", "parameters", "input", "args"].some((key) => Object.hasOwn(value, key));
}

/** As in `Action: read_file`, with what it takes below. */
function namedLine(text: string, names: ReadonlySet<string>): string | undefined {
  const [, name = ""] = LINE.exec(text) ?? [];
  return names.has(name) ? name : undefined;
}
