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

export const NOT_WRITTEN = /(\S{1,200}) may not be written here\b/;
const LISTED =
  /\b(?:there is no|no such|unknown|invalid|not a valid)\s[\w -]{0,40}?\s?("[^"\n]{1,100}"|'[^'\n]{1,100}'|[^\s;:,]{1,100})[;:,.(]{1,2}\s{0,3}(?:there are|available|known|valid|expected|choose from|one of|must be one of)[^:\n]{0,30}:?\s{1,3}([^\n)]{1,2000})/iu;

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
    withoutOutput(args, text) ??
    withChoice(args, text, facts) ??
    withListed(args, text, facts) ??
    byUsage(script, args, text, facts);
  if (corrected === undefined || corrected.join("\0") === args.join("\0")) return undefined;
  return corrected;
}

/** What cannot be written to a file can still be printed. */
function withoutOutput(args: readonly string[], text: string): string[] | undefined {
  const path = NOT_WRITTEN.exec(text)?.[1];
  const at = path === undefined ? -1 : args.lastIndexOf(path);
  return at > 0 && args[at - 1]?.startsWith("-") === true ? args.toSpliced(at - 1, 2) : undefined;
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

/** "there is no column points; there are: name, score": the one that was meant, if that is clear. */
function withListed(
  args: readonly string[],
  text: string,
  { text: request }: RequestFacts,
): string[] | undefined {
  const [, wrong = "", list = ""] = LISTED.exec(text) ?? [];
  const at = args.indexOf(wrong.replace(/^(["'`“])(.*)["'`”]$/, "$2"));
  if (at < 0) return undefined;
  const listed = list
    .split(/[,;|、]\s*/u)
    .map((name) => name.trim().replace(/^["'`]|["'`.]$/g, ""));
  const names = listed.filter((name) => name !== "" && !args.includes(name));
  const given = args[at] ?? "";
  const words = new Set(request.toLowerCase().match(/[\p{L}\p{N}_-]{2,60}/gu));
  const same = names.filter((name) => isAlike(name, given));
  const said = names.filter((name) => words.has(name.toLowerCase()));
  const [only, another] = same.length > 0 ? same : said;
  return only === undefined || another !== undefined ? undefined : args.with(at, only);
}

/** "Amounts" and "amount", "unit price" and "unit_price", "salary" and "salary_eur". */
function isAlike(name: string, given: string): boolean {
  const [one, other] = [name, given].map((word) =>
    word
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]/gu, "")
      .replace(/s$/, ""),
  );
  if (one === undefined || other === undefined || one === "" || other === "") return false;
  return one === other || (other.length > 3 && (one.startsWith(other) || one.endsWith(other)));
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
  const isWhole = filled.missing.length === 0 && filled.unclear.length === 0;
  return isWhole ? [...filled.args] : undefined;
}
