import { KNOWN_KEYS } from "../names.ts";

/** A top-level value that was quoted so that it can be read. */
interface Repair {
  readonly key: string;
  /** Span of the unquoted value in the broken text. */
  readonly start: number;
  readonly end: number;
  /** The entry as it should be written. */
  readonly quoted: string;
  /** What is left out as a comment, if anything. */
  readonly comment: string;
}

export interface RepairedYaml {
  readonly text: string;
  readonly repairs: readonly Repair[];
  /** What was put in, by offset in the broken text; nothing is ever taken away. */
  readonly insertions: readonly Insertion[];
}

export interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** More broken lines than this are not slips of the pen. */
const MAX_REPAIRS = 16;

/**
 * Quotes top-level plain values that YAML cannot read because of an unquoted colon or a stray
 * indicator (`argument-hint: [file] - optional`). Called only for text that does not parse. Each
 * top-level entry is judged alone and one that parses alone is left as it is, so a repair never
 * changes a value that could be read. Quoted, anchored, tagged, block, flow and commented values
 * are left alone too.
 */
export function repairYaml(
  text: string,
  canBeRead: (entry: string) => boolean,
): RepairedYaml | undefined {
  const repairs: Repair[] = [];
  const insertions: Insertion[] = [];
  for (const entry of topLevelEntries(text)) {
    const value = brokenPlainValue(entry.text);
    if (value === undefined) continue;
    if (canBeRead(entry.text)) continue;
    if (repairs.length === MAX_REPAIRS) return undefined;
    const start = entry.start + value.start;
    const end = entry.start + value.end;
    const added = quote(text.slice(start, end), start);
    insertions.push(...added);
    const quoted = insert(text.slice(entry.start, end), added, entry.start);
    const comment = /^[ \t]+(#.*)/.exec(text.slice(end))?.[1] ?? "";
    repairs.push({ key: value.key, start, end, quoted, comment });
  }
  return repairs.length === 0 ? undefined : { text: insert(text, insertions), repairs, insertions };
}

/** What there is to say about each repair. `offset` is where the YAML starts in its file. */
export function repairFindings({ repairs, insertions }: RepairedYaml, offset: number) {
  return repairs.map(({ key, start, end, quoted, comment }) => {
    const left = comment === "" ? "" : `, without the comment \`${comment}\``;
    return {
      start: offset + start,
      end: offset + end,
      message: `\`${key}\` cannot be read as YAML and was read as quoted text${left}`,
      hint: `write ${quoted}`,
      fix: insertions
        .filter(({ at }) => at >= start && at <= end)
        .map(({ at, text }) => ({ start: offset + at, end: offset + at, text })),
    };
  });
}

/** Tells where an offset of the repaired text stood in the broken one. */
export function createRepairMap(insertions: readonly Insertion[]): (offset: number) => number {
  const starts: number[] = [];
  let added = 0;
  for (const { at, text } of insertions) {
    starts.push(at + added);
    added += text.length;
  }
  return (offset) => {
    // The last insertion that starts before the offset; all before it are wholly behind us.
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    const last = insertions[low - 1];
    if (last === undefined) return offset;
    const behind = offset - (starts[low - 1] ?? 0) - last.text.length;
    return last.at + Math.max(0, behind);
  };
}

interface EntryText {
  readonly start: number;
  readonly text: string;
}

/** Cuts the text before each line that starts with a word; other lines belong to the entry above. */
function topLevelEntries(text: string): EntryText[] {
  const entries: EntryText[] = [];
  const starts = [...text.matchAll(/(?<![^\n])[^\s#-]/g)].map((match) => match.index);
  starts.forEach((start, i) => entries.push({ start, text: text.slice(start, starts[i + 1]) }));
  return entries;
}

/** A simple key, quoted or not, in any script, before the first colon. */
const ENTRY =
  /^("[^"\n]{1,128}"|'[^'\n]{1,128}'|[^\s#:"'&*!|>?@`%[\]{},-][^:\n]{0,127}?)[ \t]*:[ \t]+(?=\S)/;
const LEAVE_ALONE = /^["'&*!|>#?]|^-(?:\s|$)/;
const COMMENT = /^[ \t]*#/;
/**
 * A later line that does not continue running text: not indented, or a field that slipped to the
 * right. Other words with a colon, such as `Triggers: pdf`, cannot be a key there.
 */
const ENDS_PLAIN_TEXT = new RegExp(`^[ \\t]+(?:${KNOWN_KEYS.join("|")}):(?:[ \\t]|$)|^[^ \\t\\n]`);

/** The span of a plain value with something in it that YAML would misread, if that is what it is. */
function brokenPlainValue(entry: string): { key: string; start: number; end: number } | undefined {
  const match = ENTRY.exec(entry);
  if (match === null || LEAVE_ALONE.test(entry.slice(match[0].length))) return undefined;
  const [prefix, key = ""] = match;
  const lines = entry.slice(prefix.length).split("\n");
  const contents: string[] = [];
  let end = prefix.length;
  let offset = prefix.length;
  for (const [i, line] of lines.entries()) {
    if (i > 0 && COMMENT.test(line)) {
      // Comments below the value stay; text below a comment would not belong to it.
      if (lines.slice(i).every((rest) => COMMENT.test(rest) || rest.trim() === "")) break;
      return undefined;
    }
    if (i > 0 && ENDS_PLAIN_TEXT.test(line)) return undefined;
    const content = withoutComment(line);
    contents.push(content);
    if (content !== "") end = offset + content.length;
    if (content.length < line.trimEnd().length) break;
    offset += line.length + 1;
  }
  const [first = ""] = contents;
  const isBroken = /^[[{]/.test(first) ? isStrayFlow(first) : contents.some(isMisread);
  return isBroken ? { key, start: prefix.length, end } : undefined;
}

function withoutComment(line: string): string {
  const comment = line.search(/[ \t]#/);
  return (comment === -1 ? line : line.slice(0, comment)).trimEnd();
}

function isMisread(line: string): boolean {
  return /:(?:[ \t]|$)/.test(line) || /^[@`%,\]}]/.test(line);
}

/** `[a] - b` is text that happens to start with a bracket; `[a, b` is a list that was not closed. */
function isStrayFlow(line: string): boolean {
  return /^\[[^[\]]*\][^\S\n]*[^\s,\]}]/.test(line) || /^\{[^{}]*\}[^\S\n]*[^\s,\]}]/.test(line);
}

function quote(value: string, start: number): Insertion[] {
  const mark = /["\\]/.test(value) ? "'" : '"';
  const inner = [...value.matchAll(/'/g)].map(({ index }) => ({ at: start + index, text: "'" }));
  return [
    { at: start, text: mark },
    ...(mark === "'" ? inner : []),
    { at: start + value.length, text: mark },
  ];
}

function insert(text: string, insertions: readonly Insertion[], base = 0): string {
  let result = "";
  let from = 0;
  for (const { at, text: added } of insertions) {
    result += text.slice(from, at - base) + added;
    from = at - base;
  }
  return result + text.slice(from);
}
