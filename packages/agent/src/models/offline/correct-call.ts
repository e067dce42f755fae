import { fillArguments } from "./fill-arguments.ts";
import { parseUsageParts } from "./parse-usage-parts.ts";
import { scriptCall } from "./read-usages.ts";
import type { RequestFacts } from "./read-request.ts";

const MAX_OBSERVATION = 8000;
const USAGE = /(?:^|\n)[ \t]{0,8}(?:usage|用法)[:：]?[ \t]{0,8}\n?[ \t]{0,8}([^\n]{1,500})/iu;
const UNKNOWN =
  /(?:unrecognized arguments?|unknown (?:option|argument|flag)|unexpected argument)s?:?\s{0,3}['"`]?(--?[\w-]{1,60})/i;
const CHOICES =
  /invalid choice:\s{0,3}['"]([^'"\n]{1,100})['"]\s{0,3}\(choose from ([^)\n]{1,500})\)/i;

/** Other arguments, when what a script printed says what was wrong with the first ones. */
export function correctCall(
  script: string,
  args: readonly string[],
  observation: string,
  facts: RequestFacts,
): string[] | undefined {
  const text = observation.slice(0, MAX_OBSERVATION);
  const corrected =
    withoutUnknown(args, text) ??
    withChoice(args, text, facts) ??
    byUsage(script, args, text, facts);
  if (corrected === undefined || corrected.join("\0") === args.join("\0")) return undefined;
  return corrected;
}

function withoutUnknown(args: readonly string[], text: string): string[] | undefined {
  const flag = UNKNOWN.exec(text)?.[1];
  if (flag === undefined) return undefined;
  const at = args.findIndex((arg) => arg === flag || arg.startsWith(`${flag}=`));
  if (at < 0) return undefined;
  const next = args[at + 1];
  const hasValue = args[at] === flag && next !== undefined && !next.startsWith("-");
  return args.toSpliced(at, hasValue ? 2 : 1);
}

function withChoice(
  args: readonly string[],
  text: string,
  facts: RequestFacts,
): string[] | undefined {
  const match = CHOICES.exec(text);
  const at = args.indexOf(match?.[1] ?? "");
  if (match === null || at < 0) return undefined;
  const choices = (match[2] ?? "").split(/[\s,'"]+/).filter((choice) => choice !== "");
  const [slot] = parseUsageParts([`<${choices.join("|")}>`]);
  if (slot?.kind !== "slot" || choices.length < 2) return undefined;
  const [choice] = fillArguments([slot], facts).args;
  return choice === undefined ? undefined : args.with(at, choice);
}

function byUsage(
  script: string,
  args: readonly string[],
  text: string,
  facts: RequestFacts,
): string[] | undefined {
  const line = USAGE.exec(text)?.[1];
  if (line === undefined) return undefined;
  const call = scriptCall(line, [script]);
  if (call === undefined) return undefined;
  const tokens = call.tokens
    // Help is something every script offers, and nobody asked for.
    .filter((token) => !/^\[-h(?:\]|,|\s)|^\[--help/.test(token))
    // Unlike an author's examples, this names what is positional in plain words.
    .map((token) => (/^[a-z][\w-]*$/.test(token) && !args.includes(token) ? `<${token}>` : token));
  const parts = parseUsageParts(tokens);
  const filled = fillArguments(parts, facts);
  return filled.missing.length > 0 ? undefined : [...filled.args];
}
