import { FOLDED_KEYS } from "../format/fields/known-keys.ts";
import { PROTOTYPE_KEYS } from "../format/yaml/prototype-keys.ts";

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
const NAME = raw`name:${VALUE}`;
const DESCRIPTION = raw`description: +(?:${LONG_TEXT})`;
const ENTRY = raw`${key("", USUAL_KEY)}(?:${VALUE}| *\n(?:${list("")}|${map("", NESTED_LEVELS)})?)`;

const USUAL_HEAD = new RegExp(
  raw`^---\n(?:${NAME}|${DESCRIPTION}|${ENTRY}|${IGNORED_LINE})*---[ \t]*\n?$`,
);

/** V8 compiles an expression twice, for which it takes its time, unless the first text is so long. */
const LONG = 1000;
let isCompiled = false;

/** Whether the head of a SKILL.md, from delimiter to delimiter, is of the usual form but that name and description may be there twice. */
export function isUsualHead(text: string): boolean {
  if (!isCompiled) isCompiled = !USUAL_HEAD.test(" ".repeat(LONG));
  return USUAL_HEAD.test(text);
}
