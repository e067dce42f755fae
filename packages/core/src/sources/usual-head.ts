import { FOLDED_KEYS, PROTOTYPE_KEYS } from "../format/names.ts";
import type { SkillMetadata, Span } from "../format/draft.ts";
import { MAX_DESCRIPTION_LENGTH, MAX_NAME_LENGTH } from "../format/rules/field-rules.ts";
import {
  openParentheses,
  parseToolRule,
  parseToolRules,
  type ToolRule,
} from "../format/tool-rules.ts";
import { MAY_HIDE, zeroWidth } from "../internal/text.ts";

// A grammar of the usual head, as one regular expression: the only code that is as fast at the first
// file as at the last. Each piece ends where the next one cannot start, so that nothing is tried
// twice; a text goes on only on lines that are indented, so that a key in the first column is a key.

const { raw } = String;

/** Line breaks, and what no usual text has. */
const CONTROL = raw`\0-\x1f\x7f`;

const PLAIN_REST = raw`[^${CONTROL}:#]*(?:(?::(?![ \n])|(?<! )#)[^${CONTROL}:#]*)*`;
const PLAIN = raw`[^${CONTROL}\s\-?:,[\]{}#&*!|>'"%@\x60]${PLAIN_REST}`;
const DOUBLE_QUOTED = raw`"[^"\\${CONTROL}]*(?:\\["\\nt][^"\\${CONTROL}]*)*"`;
const SINGLE_QUOTED = raw`'[^'${CONTROL}]*(?:''[^'${CONTROL}]*)*'`;
const SCALAR = `(?:${PLAIN}|(?:${DOUBLE_QUOTED}|${SINGLE_QUOTED}) *)`;
const WORD = raw` *(?:[\w./][^${CONTROL},[\]{}"'#:&*!|>%@\x60\\]*|(?:"[^"\\${CONTROL}]*"|'[^'${CONTROL}]*') *)`;
const WORDS = raw`\[(?:${WORD}(?:,${WORD})*)?\] *`;
const JSON_MAP = raw`\{"[^${CONTROL}]*\} *`;
const COMMENT = raw`(?:(?<= )#[^${CONTROL}]*)?`;
const VALUE = raw` +(?:(?:${SCALAR}|${WORDS})${COMMENT}|${JSON_MAP})\n`;
const IGNORED_LINE = raw` *(?:#[^${CONTROL}]*)?\n`;

const INDENTED = raw`\n +(?![ \n])`;
const LONG_TEXT = [
  raw`${PLAIN}(?:\n +[^${CONTROL}\s:#]${PLAIN_REST})*\n(?! )`,
  raw`"[^"\\${CONTROL}]*(?:(?:\\(?:["\\nt]|u[0-9a-fA-F]{4})|${INDENTED})[^"\\${CONTROL}]*)*" *\n`,
  raw`'[^'${CONTROL}]*(?:(?:''|${INDENTED})[^'${CONTROL}]*)*' *\n`,
  raw`[|>][-+]?\n(?:(?: [^${CONTROL}]*)?\n)+(?![ \n])`,
].join("|");

/** Each group of the expression needs a name of its own. */
let groups = 0;
const newGroup = () => `group${++groups}`;

/** A key that is not there a second time behind the same blanks. */
function key(indent: string, letters: string): string {
  const group = newGroup();
  return raw`${indent}(?<${group}>${letters}):(?![^]*?\n${indent}\k<${group}>:)`;
}

function list(indent: string): string {
  const group = newGroup();
  const inner = raw`${indent}\k<${group}>`;
  return raw`(?=${indent}(?<${group}> *)-)(?:${inner}- +${SCALAR}\n)+`;
}

const NESTED_LEVELS = 3;
const NESTED_KEY = raw`(?!(?:${[...PROTOTYPE_KEYS].join("|")}):)[A-Za-z][\w-]*`;

/** A list of maps, as hooks are written. What belongs to an item stands below its first key. */
function listOfMaps(indent: string, depth: number): string {
  const [group, name] = [newGroup(), newGroup()];
  const outer = raw`${indent}\k<${group}>`;
  const inner = `${outer}  `;
  // The next item may have the same keys.
  const isFirst = raw`(?![^\n]*(?:\n${inner}[^\n]*)*?\n${inner}\k<${name}>:)`;
  const below = depth === 0 ? "" : raw`| *\n${listOfMaps(inner, depth - 1)}`;
  const entry = raw`(?<${name}>${NESTED_KEY}):${isFirst}(?:${VALUE}${below})`;
  return raw`(?=${indent}(?<${group}> *)- )(?:${outer}[- ] ${entry})+`;
}

function map(indent: string, depth: number): string {
  const group = newGroup();
  const inner = raw`${indent}\k<${group}>`;
  const deeper = depth === NESTED_LEVELS ? `|${listOfMaps(inner, 1)}` : "";
  const below = depth === 0 ? "" : `(?:${list(inner)}|${map(inner, depth - 1)}${deeper})?`;
  const entry = raw`${key(inner, NESTED_KEY)}(?:${VALUE}| *\n${below})`;
  return raw`(?=${indent}(?<${group}> +)[A-Za-z])(?:${entry})+`;
}

/** Keys whose value is one line, or of no interest to a list of skills. */
const PLAIN_KEYS = [
  "name",
  "version",
  "license",
  "compatibility",
  "author",
  "metadata",
  "allowed-tools",
  "user-invocable",
  "disable-model-invocation",
];
/** All keys that have a meaning or are misspelt such, however they are spelt. */
const MEANT_KEYS = FOLDED_KEYS.map((folded) => folded.replaceAll(/./g, "$&[-_]*"));
const SPECIAL_KEYS = [...MEANT_KEYS, ...PROTOTYPE_KEYS].join("|");
const USUAL_KEY = raw`(?:(?=(?:${PLAIN_KEYS.join("|")}):)|(?!(?:${SPECIAL_KEYS}):))[a-z][a-z0-9_-]*`;

/** Whether one of these two is there a second time is not asked here: to look for a text that is known is faster. */
const NAME_ENTRY = raw`name:${VALUE}`;
const DESCRIPTION_ENTRY = raw`description: +(?:${LONG_TEXT})`;
const ENTRY = raw`${key("", USUAL_KEY)}(?:${VALUE}| *\n(?:${list("")}|${map("", NESTED_LEVELS)})?)`;

const USUAL_HEAD = new RegExp(
  raw`^---\n(?:${NAME_ENTRY}|${DESCRIPTION_ENTRY}|${ENTRY}|${IGNORED_LINE})*---[ \t]*\n?$`,
);

/** V8 compiles an expression twice, for which it takes its time, unless the first text is so long. */
const LONG = 1000;
let isCompiled = false;

/** Whether the head of a SKILL.md, from delimiter to delimiter, is of the usual form but that name and description may be there twice. */
function isUsualHead(text: string): boolean {
  if (!isCompiled) isCompiled = !USUAL_HEAD.test(" ".repeat(LONG));
  return USUAL_HEAD.test(text);
}

/** Tabs, controls, other line breaks, byte order marks, lone surrogates: not simple. */
export const UNUSUAL =
  /[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\ud800-\udfff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Matches every unusual text and few others. Most emoji, which are pairs of surrogates, are usual. */
const MAY_BE_UNUSUAL =
  /[^\n\x20-\x5b\x5d-\x7e\xa0-\xac\xae-\u034e\u0350-\u061b\u061d-\u115e\u1161-\u17b3\u17b6-\u180a\u1810-\u200a\u2010-\u2027\u202f-\u205f\u2070-\u3163\u3165-\ud7ff\udc00-\udfff\ue000-\ufdcf\ufdf0-\ufdff\ufe10-\ufefe\uff00-\uff9f\uffa1-\uffef\ufffc\ufffd\ud83c-\ud83e]|[\ud83c-\ud83e](?![\udc00-\udfff])|(?<![\ud83c-\ud83e])[\udc00-\udfff]/;

/** Whether a text has characters, or escapes of such, that the usual head has not. */
export function isUnusual(text: string): boolean {
  if (!MAY_BE_UNUSUAL.test(text)) return false;
  return UNUSUAL.test(text) || MAY_HIDE.test(text) || zeroWidth().test(text);
}

/** Level 1 of a skill of which only the name may be wrong. */
export interface UsualHead {
  readonly metadata: SkillMetadata;
  /** The name is valid and the folder's. */
  readonly isFaultless: boolean;
}

const NAME = textOnOneLine("name");
const VERSION = textOnOneLine("version");
const CONTEXT = textOnOneLine("context");
const DESCRIPTION =
  /\ndescription: +(?:("[^"\\]*(?:\\.[^"\\]*)*")|('[^']*(?:''[^']*)*')|([|>][-+]?\n(?:(?: [^\n]*)?\n)+)|([^\n]*(?:\n +[^\n]*)*))/;
const TRUE_OR_FALSE = / +(true|false) *(?:(?<= )#[^\n]*)?\n/y;
/** One look for all of them takes less time than a look for each. */
const HAS_OTHERS =
  /\n(?:user-invocable|disable-model-invocation|context|version|metadata|allowed-tools):|\{"/;
const NAMES_PROTOTYPE = new RegExp(`"(?:${[...PROTOTYPE_KEYS].join("|")})"`);
const JSON_MAPS = /: +(\{"[^\n]*\}) *\n/g;

/** What is a boolean or null to some version of YAML. */
const NO_TEXT = "(?!(?:null|true|false|y|yes|n|no|on|off)$)";
/** Letters that are none of these, a version of three numbers, or words after a number that is not the year of a date. */
const SURELY_TEXT = new RegExp(
  String.raw`^${NO_TEXT}[a-z\u0080-\uffff]|^\d+\.\d+\.\d+$|^(?!\d{4}-)\d[!-9;-~]* +[a-z]{2}`,
  "i",
);
const ASCII_NAME = /^[!-;=?-~](?:[ -;=?-~]{0,62}[!-;=?-~])?$/;
/** What both of these allow, and every rule about names but the one about their length. */
const PLAIN_NAME = new RegExp(
  String.raw`^(?:${NO_TEXT}[a-z][a-z0-9]*|\d+-[a-z][a-z0-9]*)(?:-[a-z0-9]+)*$`,
);
const MAX_JSON_DEPTH = 10;

/**
 * Level 1 of a SKILL.md whose head is written as nearly all are. Undefined for every head that is in
 * any way special; what it does return is what the parser would, which a property test holds it to.
 */
export function readUsualHead(
  text: string,
  isAscii: boolean,
  directoryName: string,
): UsualHead | undefined {
  if (!isUsualHead(text) || (!isAscii && isUnusual(text))) return undefined;
  const nameLine = startOfValue(text, NAME_KEY);
  const descriptionLine = startOfValue(text, DESCRIPTION_KEY);
  if (nameLine === -1 || text.includes(NAME_KEY, nameLine)) return undefined;
  if (descriptionLine === -1 || text.includes(DESCRIPTION_KEY, descriptionLine)) return undefined;
  const line = text.slice(nameLine, text.indexOf("\n", nameLine));
  const isPlain = line.length <= MAX_NAME_LENGTH && PLAIN_NAME.test(line);
  const name = isPlain ? line : textOf(NAME.exec(text));
  if (!isPlain && !ASCII_NAME.test(name)) return undefined;
  const description = readDescription(text, descriptionLine);
  if (!isUsualDescription(description)) return undefined;
  const isFolders = name === directoryName;
  // Of two texts that are equal one is enough to keep.
  const metadata = readOthers(text, isFolders ? directoryName : name, description);
  return metadata === undefined ? undefined : { metadata, isFaultless: isFolders && isPlain };
}

/** Offset of what stands behind a key, as a rule the first one; -1 when there is no such key. */
function startOfValue(text: string, key: string): number {
  const at = text.startsWith(key, "---".length) ? "---".length : text.indexOf(key);
  if (at === -1) return -1;
  let start = at + key.length;
  while (text.charCodeAt(start) === BLANK) start++;
  return start;
}

const NAME_KEY = "\nname:";
const DESCRIPTION_KEY = "\ndescription:";
const BLANK = 0x20;
const DOUBLE_QUOTE = 0x22;

/** Offsets of the name of a usual head. */
export function spanOfName(text: string, name: string): Span {
  const start = text.indexOf(name, startOfValue(text, NAME_KEY));
  return { start, end: start + name.length };
}

function textOnOneLine(key: string): RegExp {
  const { raw } = String;
  return new RegExp(
    raw`\n${key}: +(?:"([^"'\\\n]*)"|'([^"'\\\n]*)'|([^"'#\n]*[^"'# \n])) *(?:(?<= )#[^\n]*)?\n`,
  );
}

/** Empty when it is not text for sure. */
function textOf(match: RegExpExecArray | null): string {
  if (match === null) return "";
  const plain = match[3] ?? "";
  return match[1] ?? match[2] ?? (SURELY_TEXT.test(plain) ? plain : "");
}

/** Empty when it is not text for sure. */
function readDescription(text: string, start: number): string {
  const isQuoted = text.charCodeAt(start) === DOUBLE_QUOTE;
  const end = isQuoted ? text.indexOf('"', start + 1) : text.indexOf("\n", start);
  const line = text.slice(isQuoted ? start + 1 : start, end);
  const value = line.trim();
  const isOneLine = isQuoted
    ? !line.includes("\\") && !line.includes("\n")
    : text.charCodeAt(end + 1) !== BLANK && SURELY_TEXT.test(value);
  return isOneLine ? value : readLongDescription(DESCRIPTION.exec(text));
}

function readLongDescription(match: RegExpExecArray | null): string {
  if (match === null) return "";
  const double = match[1];
  const single = match[2];
  const block = match[3];
  if (double !== undefined) return readDouble(joinLines(double)).trim();
  if (single !== undefined) return joinLines(single).slice(1, -1).replaceAll("''", "'").trim();
  // Whether line breaks at its end are kept makes no difference here.
  if (block !== undefined) return foldBlock(block).trim();
  const line = joinLines(match[4] ?? "").trim();
  return SURELY_TEXT.test(line) ? line : "";
}

/** The text of a `|` or `>` block; empty when its lines are not evenly indented. */
function foldBlock(block: string): string {
  const isFolded = block.startsWith(">");
  const lines = block.slice(0, -1).split("\n").slice(1);
  const indent = indentOf(lines[0] ?? "");
  let value = "";
  let breaks = 0;
  for (const line of lines) {
    const spaces = indentOf(line);
    const isBlank = spaces === line.length;
    const isUneven = isBlank ? spaces > indent || breaks === 0 : spaces < indent;
    if (isUneven || (isFolded && !isBlank && spaces > indent)) return "";
    if (!isBlank) {
      if (value !== "") value += isFolded ? folded(breaks) : "\n".repeat(breaks);
      value += line.slice(indent);
      breaks = 0;
    }
    breaks++;
  }
  return value;
}

/** One line break is a blank, and of several the first one is lost. */
function folded(breaks: number): string {
  return breaks === 1 ? " " : "\n".repeat(breaks - 1);
}

function indentOf(line: string): number {
  let spaces = 0;
  while (line.charCodeAt(spaces) === BLANK) spaces++;
  return spaces;
}

/** A line break inside a text is a blank. */
function joinLines(text: string): string {
  return text.includes("\n") ? text.replaceAll(/ *\n +/g, " ") : text;
}

/** The escapes that are usual mean the same in JSON. */
function readDouble(text: string): string {
  if (!text.includes("\\")) return text.slice(1, -1);
  const value: unknown = JSON.parse(text);
  return typeof value === "string" && !isUnusual(value) ? value : "";
}

function isUsualDescription(description: string): boolean {
  const { length } = description;
  if (length === 0 || length > MAX_DESCRIPTION_LENGTH) return false;
  return !description.includes("<") && !description.includes(">");
}

/**
 * With what few heads have; undefined when something of it is special. Made in one go: an object that
 * is changed later makes code slow that relied on what it was.
 */
function readOthers(text: string, name: string, description: string): SkillMetadata | undefined {
  if (!HAS_OTHERS.test(text)) {
    return {
      name,
      description,
      disableModelInvocation: false,
      userInvocable: true,
      runMode: "inline",
      hiddenFromModel: false,
    };
  }
  const userInvocable = readFlag(text, "\nuser-invocable:", true);
  const disableModelInvocation = readFlag(text, "\ndisable-model-invocation:", false);
  if (userInvocable === undefined || disableModelInvocation === undefined) return undefined;
  const context = text.includes("\ncontext:") ? textOf(CONTEXT.exec(text)) : "none";
  if (context === "" || (text.includes('{"') && !hasUsualJson(text))) return undefined;
  const runMode = context === "fork" ? "subagent" : "inline";
  const version = text.includes("\nversion:") ? textOf(VERSION.exec(text)) : undefined;
  const metadata = text.includes("\nmetadata:") ? readUsualPairs(text) : undefined;
  const tools = text.includes("\nallowed-tools:") ? readUsualTools(text) : undefined;
  if (version === "" || tools === "unclear") return undefined;
  return {
    name,
    description,
    disableModelInvocation,
    userInvocable,
    runMode,
    hiddenFromModel: false,
    ...(version !== undefined && { version }),
    ...(metadata !== undefined && { metadata }),
    ...(tools !== undefined && { allowedTools: tools }),
  };
}

const PAIRS = /\nmetadata:([^\n]*)\n((?: [^\n]*\n)*)/;
const TOOLS = /\nallowed-tools:([^\n]*)\n((?:(?: |- )[^\n]*\n)*)/;
const FLOW_LIST = /^\[(?:[^\]"']|"[^"]*"|'[^']*')*\]/;
const FLOW_ITEM = /"[^"]*"|'[^']*'|[^\s,[\]"'][^,[\]"']*/g;
const QUOTED = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/;

/** The texts of a usual `metadata`; undefined when it has none. What is nested is left out. */
function readUsualPairs(text: string): Record<string, string> | undefined {
  const [, inline = "", block = ""] = PAIRS.exec(text) ?? [];
  const pairs = inline.trimStart().startsWith('{"') ? pairsOfJson(inline) : pairsOfLines(block);
  return Object.keys(pairs).length === 0 ? undefined : pairs;
}

function pairsOfJson(json: string): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const [key, value] of Object.entries(JSON.parse(json) as Record<string, unknown>)) {
    if (typeof value !== "object" || value === null) pairs[key] = String(value);
  }
  return pairs;
}

function pairsOfLines(block: string): Record<string, string> {
  const pairs: Record<string, string> = {};
  // Blank lines and comments can only follow the last pair.
  const lines = block.split("\n").filter((line) => /^ *[^ #]/.test(line));
  const indent = indentOf(lines[0] ?? "");
  for (const [index, line] of lines.entries()) {
    if (indentOf(line) !== indent || line[indent] === "-") continue;
    const colon = line.indexOf(":");
    const value = line.slice(colon + 1).trim();
    const isNested = value === "" ? isBelow(lines[index + 1], indent) : /^[[{]/.test(value);
    if (!isNested) pairs[line.slice(indent, colon)] = scalarOf(value);
  }
  return pairs;
}

function isBelow(line: string | undefined, indent: number): boolean {
  return line !== undefined && (indentOf(line) > indent || line[indent] === "-");
}

/** The text of a usual scalar on one line, without a comment behind it. */
function scalarOf(value: string): string {
  const quoted = QUOTED.exec(value)?.[0];
  if (quoted === undefined) return value.replace(/ +#.*$/, "");
  if (quoted.startsWith("'")) return quoted.slice(1, -1).replaceAll("''", "'");
  return quoted.includes("\\") ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
}

/** The rules of a usual `allowed-tools`; `unclear` where the parser has to look. */
function readUsualTools(text: string): readonly ToolRule[] | "unclear" {
  const [, inline = "", block = ""] = TOOLS.exec(text) ?? [];
  const value = inline.trim();
  if (value !== "" && !value.startsWith("[")) {
    const tools = toolTextOf(value);
    return tools === undefined ? "unclear" : parseToolRules(tools).rules;
  }
  if (value === "" && !/^ *- /.test(block)) return "unclear";
  const items =
    value === ""
      ? Array.from(block.matchAll(/^ *- +(.*)/gm), ([, item = ""]) => item)
      : ((FLOW_LIST.exec(value)?.[0] ?? "").match(FLOW_ITEM) ?? []);
  const rules: ToolRule[] = [];
  for (const item of items) {
    const tools = toolTextOf(item.trim());
    // An item with an open parenthesis goes on in the next one.
    if (tools === undefined || openParentheses(tools) > 0) return "unclear";
    const rule = parseToolRule(tools.trim());
    if (rule !== undefined) rules.push(rule);
  }
  return rules;
}

/** Undefined when it is not text for sure. */
function toolTextOf(value: string): string | undefined {
  const isSure = QUOTED.test(value) || SURELY_TEXT.test(scalarOf(value));
  return isSure ? scalarOf(value) : undefined;
}

function readFlag(text: string, key: string, absent: boolean): boolean | undefined {
  const at = text.indexOf(key);
  if (at === -1) return absent;
  TRUE_OR_FALSE.lastIndex = at + key.length;
  const word = TRUE_OR_FALSE.exec(text)?.[1];
  return word === undefined ? undefined : word === "true";
}

/** YAML reads a mapping in JSON alike if no key is repeated. */
function hasUsualJson(text: string): boolean {
  for (const [, json = ""] of text.matchAll(JSON_MAPS)) if (!isUsualJson(json)) return false;
  return true;
}

function isUsualJson(json: string): boolean {
  if (json.includes("\\") || json.split(/[{[]/).length > MAX_JSON_DEPTH) return false;
  try {
    const compact = json.replace(/("[^"]*")| +/g, "$1");
    return !NAMES_PROTOTYPE.test(json) && JSON.stringify(JSON.parse(json)) === compact;
  } catch {
    return false;
  }
}
