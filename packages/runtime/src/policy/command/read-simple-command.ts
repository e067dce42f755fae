import { wordList } from "../tools.ts";
import {
  type CommandReader,
  isBlank,
  isForeignBlank,
  type OpenRedirection,
  skipComment,
} from "./command-reader.ts";
import { readWord, type ReadWord } from "./read-word.ts";
import { type Assignment, literalWord, type Redirection, type Word } from "./simple-command.ts";

const ASSIGNMENT = /([A-Za-z_]\w*)(?:\[[^\]\s]{0,64}\])?\+?=/y;
/** `a[1 <<X]=2` is one word. */
const OPEN_INDEX = /^[A-Za-z_]\w*\[[^\]]*$/;
const REDIRECTION = /(?:\d{1,10}|\{[A-Za-z_]\w{0,64}\})?(&>>|&>|<<<|<<-|<<|<>|<&|>>|>&|>\||<|>)/y;
/** After these comes another command. */
const LEADING: ReadonlySet<string> = new Set(
  wordList("! { } if then elif else fi while until do done"),
);
/** These read what follows in their own way. */
const FOREIGN: ReadonlySet<string> = new Set(
  wordList("case esac select function coproc [[ (( always foreach repeat"),
);

interface Draft {
  readonly assignments: Assignment[];
  readonly words: Word[];
  readonly redirections: Redirection[];
}

/** Reads one command up to what separates it from the next. */
export function readSimpleCommand(reader: CommandReader, piped: boolean): void {
  const draft: Draft = { assignments: [], words: [], redirections: [] };
  let start = reader.at;
  for (;;) {
    skipBlanks(reader);
    const at = reader.at;
    if (skipComment(reader)) break;
    if (readRedirection(reader, draft)) continue;
    const assigned = draft.words.length === 0 ? assignedName(reader) : undefined;
    const word = readWord(reader);
    if (word === undefined) break;
    if (OPEN_INDEX.test(word.value)) reader.unclear.add("arithmetic");
    if (assigned !== undefined) draft.assignments.push({ name: assigned, word });
    else if (draft.words.length === 0 && !word.quoted && LEADING.has(word.value)) start = reader.at;
    else if (draft.words.length === 0 && !word.quoted && word.value === "for") {
      readLoopHead(reader, draft);
      return;
    } else addWord(reader, draft, word, at);
  }
  if (reader.text[reader.at] === "(") reader.unclear.add("a function or a list in parentheses");
  finish(reader, draft, start, piped);
}

function finish(reader: CommandReader, draft: Draft, start: number, piped: boolean): void {
  const { assignments, words, redirections } = draft;
  if (assignments.length + words.length + redirections.length === 0) return;
  const source = reader.text.slice(start, reader.at).trim();
  reader.commands.push({ assignments, words, redirections, source, piped });
}

function addWord(reader: CommandReader, draft: Draft, word: ReadWord, at: number): void {
  if (draft.words.length === 0) {
    if (!word.quoted && FOREIGN.has(word.value)) reader.unclear.add(`\`${word.value}\``);
    // Shells of other kinds read `=x` and `~x` here in their own way.
    if (reader.text[at] === "=") reader.unclear.add("a command that starts with `=`");
  }
  const { value, dynamic, glob } = word;
  draft.words.push({ value, dynamic, glob });
}

/** `for name in words` starts nothing; what it does follows after the separator. */
function readLoopHead(reader: CommandReader, draft: Draft): void {
  for (;;) {
    skipBlanks(reader);
    if (skipComment(reader)) break;
    if (readRedirection(reader, draft)) reader.unclear.add("a redirection in the head of a loop");
    else if (readWord(reader) === undefined) break;
  }
  if (reader.text[reader.at] === "(") reader.unclear.add("a loop of numbers");
}

function readRedirection(reader: CommandReader, draft: Draft): boolean {
  REDIRECTION.lastIndex = reader.at;
  const found = REDIRECTION.exec(reader.text);
  const operator = found?.[1];
  const after = reader.at + (found?.[0].length ?? 0);
  // `<(` and `>(` are words.
  if (operator === undefined || (reader.text[after] === "(" && operator.length === 1)) return false;
  reader.at = after;
  skipBlanks(reader);
  const start = reader.at;
  const word = readWord(reader);
  if (word === undefined) reader.unclear.add("a redirection to nowhere");
  const target = word ?? literalWord("");
  const redirection: OpenRedirection = { operator, target };
  if (operator === "<<" || operator === "<<-") {
    if (target.dynamic || reader.text.slice(start, reader.at).includes("\\\n")) {
      reader.unclear.add("a here-document that may end anywhere");
    }
    reader.pending.push({
      delimiter: target.value,
      literal: word?.quoted ?? false,
      stripTabs: operator === "<<-",
      fill: (document) => (redirection.target = document),
    });
  }
  draft.redirections.push(redirection);
  return true;
}

function assignedName(reader: CommandReader): string | undefined {
  ASSIGNMENT.lastIndex = reader.at;
  return ASSIGNMENT.exec(reader.text)?.[1];
}

function skipBlanks(reader: CommandReader): void {
  const { text, unclear } = reader;
  for (;;) {
    const char = text.charAt(reader.at);
    if (text.startsWith("\\\n", reader.at)) reader.at += 2;
    else if (char !== "" && isBlank(char)) {
      if (isForeignBlank(char)) unclear.add("a blank that is not a space");
      reader.at++;
    } else return;
  }
}
