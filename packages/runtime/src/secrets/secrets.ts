import { stripHidden } from "@skillwright/core/internal";
import { anyOf, secretVariables } from "../audit/redaction/create-redactor.ts";

/**
 * Keeps the values of known secrets from a model and puts them back into what it writes. Any text
 * without hidden characters survives the way there and back: `restore(hide(text)).text === text`.
 */
export interface Secrets {
  /**
   * For a model: each value becomes `⟦secret:NAME⟧`, and NAME counts as read from now on. Hidden
   * characters are stripped first: they could split a value, or disguise a look-alike.
   */
  readonly hide: (text: string) => string;
  /** As `hide`, for output whose middle may be left out: the parts of a value beside a cut go too. */
  readonly hideOutput: (text: string) => string;
  /** For people and records: values are hidden, nothing counts as read, other text stays as it is. */
  readonly mask: (text: string) => string;
  /** Puts values back for the names that were read. Any other name stays as it is. */
  readonly restore: (text: string) => RestoredText;
}

interface RestoredText {
  readonly text: string;
  /** The secrets that are in the text now, each once. */
  readonly names: readonly string[];
  /** Known secrets whose placeholders stayed, since they were not read: the text is not what was meant. */
  readonly unread: readonly string[];
}

export interface SecretsOptions {
  /** Variables whose names denote a secret count; `process.env` unless given. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** More secrets, by name. */
  readonly configured?: Readonly<Record<string, string>>;
  /** Names that were read elsewhere: before a resume, earlier in a conversation, in a child run. */
  readonly read?: () => Iterable<string>;
  /** Called when a name is read for the first time. */
  readonly onRead?: (name: string) => void;
}

/** Shorter values are too likely to be ordinary words. */
const MIN_LENGTH = 8;
/** Shorter parts of a value disclose nothing. */
const MIN_PART = 4;
/** How `OutputCapture` marks the middle of an output that was left out. */
const CUT = /\n\[… (\d+) bytes left out …\]\n/;
// Tried once for each row of brackets: else long rows take quadratic time.
const BRACKETS_AT_END = /(?<!⟦)⟦+$/;
const PLACEHOLDER = /(?<!⟦)(⟦+)secret:([\w.-]+)⟧/g;

export function createSecrets(options: SecretsOptions = {}): Secrets {
  const { env = process.env, configured = {}, onRead } = options;
  const values = namedValues([...secretVariables(env), ...Object.entries(configured)]);
  // Texts for a model have no hidden characters; those for people have values as they are.
  const names = new Map(
    [...values].flatMap(([name, value]) => [
      [stripHidden(value), name],
      [value, name],
    ]),
  );
  const expression = anyOf([...names.keys()]);
  const read = new Set<string>();
  const isRead = (name: string) => read.has(name) || [...(options.read?.() ?? [])].includes(name);
  const note = (name: string) => {
    if (isRead(name)) return;
    read.add(name);
    onRead?.(name);
  };
  /** Doubles the brackets of a look-alike: a placeholder has an odd number. Other names stay. */
  const escape = (text: string): string =>
    text.replace(PLACEHOLDER, (whole: string, brackets: string, name: string) =>
      values.has(name) ? brackets + whole : whole,
    );
  const replace = (text: string, onFound?: (name: string) => void): string => {
    const plain = onFound === undefined ? (part: string) => part : escape;
    if (expression === undefined) return plain(text);
    let result = "";
    let end = 0;
    for (const match of text.matchAll(expression)) {
      const name = names.get(match[0]) ?? "";
      const before = plain(text.slice(end, match.index));
      onFound?.(name);
      // Brackets right before a value would make its placeholder a look-alike.
      result += onFound === undefined ? before : before.replace(BRACKETS_AT_END, "$&$&");
      result += `⟦secret:${name}⟧`;
      end = match.index + match[0].length;
    }
    return result + plain(text.slice(end));
  };
  return {
    hide: (text) => replace(stripHidden(text), note),
    hideOutput(text) {
      return replace(withoutPartedValues(stripHidden(text), [...names.keys()]), note);
    },
    mask: (text) => replace(text),
    restore(text) {
      const used = new Set<string>();
      const unread = new Set<string>();
      const restored = text.replace(
        PLACEHOLDER,
        (whole: string, brackets: string, name: string) => {
          const value = values.get(name);
          if (value === undefined) return whole;
          const half = "⟦".repeat(Math.floor(brackets.length / 2));
          if (brackets.length % 2 === 0) return half + whole.slice(brackets.length);
          if (!isRead(name)) {
            unread.add(name);
            return whole;
          }
          used.add(name);
          return half + value;
        },
      );
      return { text: restored, names: [...used], unread: [...unread] };
    },
  };
}

/** Drops what a cut left of a value: its beginning before the cut, its end behind it. */
function withoutPartedValues(text: string, values: readonly string[]): string {
  const [first = "", ...rest] = text.split(CUT);
  let result = first;
  // In turns: how many bytes a cut left out, and the text behind it.
  for (let i = 0; i < rest.length; i += 2) {
    const [count, part = ""] = rest.slice(i, i + 2);
    const begun = longestPart(values, (value, length) => result.endsWith(value.slice(0, length)));
    const ended = longestPart(values, (value, length) => part.startsWith(value.slice(-length)));
    const kept = result.slice(0, result.length - begun);
    const dropped = result.slice(kept.length) + part.slice(0, ended);
    const left = Number(count) + Buffer.byteLength(dropped);
    result = `${kept}\n[… ${left} bytes left out …]\n${part.slice(ended)}`;
  }
  return result;
}

/** The length of the longest part of a value, short of all of it, that is there. */
function longestPart(
  values: readonly string[],
  isThere: (value: string, length: number) => boolean,
): number {
  let longest = 0;
  for (const value of values) {
    for (let length = value.length - 1; length >= MIN_PART && length > longest; length--) {
      if (isThere(value, length)) longest = length;
    }
  }
  return longest;
}

/** Names as placeholders write them. Two names for one value are one secret. */
function namedValues(given: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  const named = new Map<string, string>();
  const seen = new Set<string>();
  for (const [name, value] of given) {
    if (value.length < MIN_LENGTH || seen.has(value)) continue;
    seen.add(value);
    const plain = name.replaceAll(/[^\w.-]/g, "_");
    let free = plain;
    for (let number = 2; named.has(free); number++) free = `${plain}_${number}`;
    named.set(free, value);
  }
  return named;
}
