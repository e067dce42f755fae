import type { JsonValue } from "../frozen-json.ts";
import { showLines } from "../text/show-lines.ts";
import { showCommand, showInput, showList } from "../text/show-values.ts";
import { firstHiddenLine, hidesSomething } from "../text/visible-text.ts";
import type { RequestFacts } from "./request-facts.ts";

type Shown = RequestFacts & { readonly input: JsonValue };

/** What of a call a person will not see as it is. */
export function cautionsOf(call: Shown, diff = ""): string[] {
  const { tool, skill, script, command = [], input, cwd, sandbox = "", writable } = call;
  const network = call.network === "none" ? [] : call.network;
  const names = [tool, skill?.name ?? "", skill?.source ?? "", skill?.digest ?? "", sandbox];
  const texts: readonly [string, readonly string[]][] = [
    ["the command", command],
    ["the input", stringsOf(input)],
    ["a path", [cwd, script?.path ?? "", ...writable]],
    ["a name", [...names, ...network]],
  ];
  const cut: readonly [string, boolean][] = [
    ["the command", showCommand(command).isCut],
    ["the input", showInput(input).isCut],
    ["the list of writable places", showList(writable).isCut],
    ["the list of hosts", showList(network).isCut],
    ["the changes", showLines(diff).isCut],
  ];
  return [
    ...texts
      .filter(([, values]) => values.some(hidesSomething))
      .map(([what]) => `hidden characters in ${what}`),
    ...(firstHiddenLine(diff) === undefined ? [] : ["hidden characters in the changes"]),
    ...cut.filter(([, isCut]) => isCut).map(([what]) => `too long to be shown whole: ${what}`),
  ];
}

/** Every text in a value, names included. */
function stringsOf(value: JsonValue): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => [name, ...stringsOf(item)]);
}
