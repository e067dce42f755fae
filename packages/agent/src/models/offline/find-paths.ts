import { quotesIn } from "./quotes.ts";
import { unglue } from "./unglue.ts";

interface FoundPaths {
  readonly files: readonly string[];
  /** Those that come after "to", "into", "save as" and the like. */
  readonly outputs: readonly string[];
}

const MAX_VALUES = 50;
/** Characters before a path that say what it is for. */
const BEFORE = 240;
const BEFORE_WRITING = 80;
const MAX_QUOTED_PATH = 255;
const PATHS =
  /(?<![\p{L}\p{N}_./~@-])(?:~\/|\.{1,2}\/|\/)?(?:[\p{L}\p{N}_@+-][\p{L}\p{N}_.@+-]{0,100}\/){0,12}[\p{L}\p{N}_@+-]{1,100}(?:\.[\p{L}\p{N}_+-]{1,40}){0,3}\.[a-z][a-z0-9]{0,9}\b|(?<![\p{L}\p{N}_./~@-])(?:~\/|\.{1,2}\/|\/)?(?:[\p{L}\p{N}_.@+-]{1,100}\/){1,12}[\p{L}\p{N}_.@+-]{0,100}/giu;
const EXTENSION = /\.[a-z][a-z0-9]{0,9}$/i;
const PLAIN_PAIR = /^(?:input\/output|read\/write|client\/server|true\/false|request\/response)$/;
const BEFORE_OUTPUT =
  /(?:\b(?:in)?to|\bas|\bout(?:put)?|\bsave|\bals|保存[为到成]|输出[到为]|写[入到]|[为成到])\s{0,3}["'`“„「『《＂]?$/iu;

/** What is written or saved goes there, also when it is the first path of a text. */
const AFTER_WRITING =
  /\b(?:writ(?:e|ing|es)|sav(?:e|ing|es)|export|store|put)\b(?:[^\n]{0,60}\b(?:(?:in)?to|as)|(?:\s(?:it|them|this|that|(?:an?\s|the\s)?(?:results?|outputs?|answers?|reports?|differences?|summary|charts?)(?:\s(?:about|on|of|for)\s(?:it|them|this|that))?))?\sin)\s{0,3}["'`“„]?$|(?:保存|写|输出|导出)[^\n]{0,20}(?:[到为成入])\s{0,3}["'`“「『《＂]?$/iu;

/** "compare a.md to b.md", "from a.md to b.md": what comes after a plain "to" is only read. */
const OPERAND =
  /\b(?:compar(?:e|es|ed|ing)|comparison|diff(?:er|ers|erent|erence|erences)?|contrast|chang(?:e|es|ed)|match(?:es)?|equal|identical|similar|same|relative|against|join|link|add|append|attach|check|validate|verify|conforms?)\b[^\n;。；]{0,200}\bto\s{0,3}["'`“„]?$|(?:对比|比较|比对)[^\n;。；]{0,60}到\s{0,3}["'`“「『《＂]?$/iu;
/** "write down what changed from a.md to b.md" */
const FROM_TO =
  /\b(?:chang(?:e|es|ed)|diff(?:er|erence|erences)?|compare)\b[^\n]{0,100}\bfrom\s{1,3}\S{1,100}\s{1,3}to\s{0,3}$/iu;
/** Where another thing begins that is to be done; not between two names. */
const NEXT =
  /[;。；\n]|[.!?]\s|\b(?:and|then)\b(?!\s{1,3}(?:the\s)?["'`“„]?[^\s"]{1,100}\.[a-z])|然后|并且|并|再/giu;

/** Whether a path after this text is where something goes. */
export function isBeforeOutput(text: string): boolean {
  if (FROM_TO.test(text.slice(-BEFORE))) return false;
  return isWrittenAfter(text) || (BEFORE_OUTPUT.test(text.slice(-20)) && !isOperandAfter(text));
}

function isWrittenAfter(text: string): boolean {
  return AFTER_WRITING.test(text.slice(-BEFORE_WRITING));
}

/** Of what stands before a path only that counts which belongs to the same task. */
function isOperandAfter(text: string): boolean {
  const before = text.slice(-BEFORE);
  const from = Math.max(0, ...Array.from(before.matchAll(NEXT), ({ index }) => index));
  return OPERAND.test(before.slice(from));
}

/** The paths in a text, in its order. What is quoted is one path as a whole, blanks included. */
export function findPaths(text: string): FoundPaths {
  const files: string[] = [];
  const outputs: string[] = [];
  const paths = firstOf(pathsIn(text));
  for (const { path, before } of paths) {
    // The first path is not where something goes, unless it is said so.
    const canBe = paths.length > 1 && (files.length > 0 || isWrittenAfter(before));
    if (canBe && isBeforeOutput(before)) outputs.push(path);
    else files.push(path);
  }
  // What is read is never written over.
  const written = outputs.filter((path) => !files.includes(path));
  return { files: [...new Set(files)], outputs: [...new Set(written)] };
}

function firstOf<Item>(items: Iterable<Item>): Item[] {
  const first: Item[] = [];
  for (const item of items) {
    if (first.length >= MAX_VALUES) break;
    first.push(item);
  }
  return first;
}

function* pathsIn(text: string): Iterable<{ readonly path: string; readonly before: string }> {
  let done = 0;
  for (const { text: quoted, start, end } of quotesIn(text, MAX_VALUES)) {
    if (!isQuotedPath(quoted)) continue;
    yield* plainPaths(text.slice(done, start));
    yield { path: quoted.trim(), before: text.slice(Math.max(0, start - BEFORE), start) };
    done = end;
  }
  yield* plainPaths(text.slice(done));
}

function* plainPaths(given: string) {
  const text = unglue(given);
  for (const { 0: found, index } of text.matchAll(PATHS)) {
    const path = found.replace(/[.,]+$/, "");
    if (isPath(path)) yield { path, before: text.slice(Math.max(0, index - BEFORE), index) };
  }
}

/** Of what has no blank in it, the rules for plain paths say more. */
function isQuotedPath(quoted: string): boolean {
  const path = quoted.trim();
  if (path.length > MAX_QUOTED_PATH || /[\p{Cc}<>|*?"]/u.test(path)) return false;
  if (!/\s/.test(path)) return isPath(path) && EXTENSION.test(path);
  // Not a sentence that ends with a file's name, nor two names.
  return EXTENSION.test(path) && !/[.,;:!?，。；：！？]\s|\.[a-z][a-z0-9]{0,9}\s/i.test(path);
}

/** Not "and/or", "e.g.", "3.5", "1/2", "Node.js" or "km/h". */
function isPath(path: string): boolean {
  if (
    /^[\d.]+$|^[-+]?\d[-+\d.]{0,100}(?:\/\d[-+\d.]{0,100}){1,12}$|^(?:e\.g|i\.e|(?:node|vue|next|nuxt|three|d3|express|react)\.js)$/i.test(
      path,
    )
  )
    return false;
  if (EXTENSION.test(path)) return true;
  if (/^(?:\.{1,2}|~)?\/.|.\/$/.test(path)) return true;
  return (
    /^[\p{Ll}\p{Lo}\p{N}_.-]{3,}(?:\/[\p{Ll}\p{Lo}\p{N}_.-]{3,})+$/u.test(path) &&
    !PLAIN_PAIR.test(path)
  );
}
