import type { FilledArguments } from "./fill-arguments.ts";
import { quotesIn } from "./quotes.ts";
import { readNumber } from "./read-number.ts";
import type { RequestFacts } from "./read-request.ts";
import type { Slot, UsagePart } from "./usage.ts";

const MAX_TEXT = 2000;
const MAX_QUOTES = 50;
const NO_VALUE = /^(?:to|in|into|of|by|the|a|an|and|with|from|for|=|help|list|version)$/i;

/**
 * `/skill 5 kg lb` for `<value> <from> <to>`: as many words as there are places, each of a kind that
 * its place takes. Brackets stay empty.
 */
export function fillInvocation(
  parts: readonly UsagePart[],
  facts: RequestFacts,
): FilledArguments | undefined {
  const words = wordsOf(facts.text.slice(0, MAX_TEXT));
  const places = parts.filter(({ kind }) => kind !== "optional");
  const slots = places.filter((part) => part.kind === "slot");
  if (slots.length === 0 || facts.text.length > MAX_TEXT) return undefined;
  // A documented subcommand may be said or not.
  const isSaid = words.length === places.length;
  if (!isSaid && words.length !== slots.length) return undefined;
  const args: string[] = [];
  let at = 0;
  for (const part of places) {
    if (part.kind === "literal") {
      if (isSaid ? words[at++] !== part.text : at > 0) return undefined;
      args.push(part.text);
    } else if (part.kind === "slot") {
      const word = words[at++] ?? "";
      const value = valueFor(part, word, facts);
      if (value === undefined) return undefined;
      args.push(value);
    } else return undefined;
  }
  return { args, missing: [], used: slots.length, required: slots.length, unclear: [] };
}

/** Cut at blanks, but not inside of quotes; those are taken off. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  let done = 0;
  for (const { text: quoted, start, end } of quotesIn(text, MAX_QUOTES)) {
    words.push(...cut(text.slice(done, start)), quoted);
    done = end;
  }
  return [...words, ...cut(text.slice(done))];
}

function cut(text: string): string[] {
  return text.match(/\S{1,1000}/gu) ?? [];
}

function valueFor(slot: Slot, word: string, facts: RequestFacts): string | undefined {
  if (!takes(slot, word, facts)) return undefined;
  if (slot.type !== "number" || slot.choices.length > 0) return word;
  const reading = readNumber(word, facts.isGerman);
  return "value" in reading ? reading.value : undefined;
}

function takes({ type, choices }: Slot, word: string, facts: RequestFacts): boolean {
  if (word === "" || word.startsWith("--") || word.includes("\0")) return false;
  if (choices.length > 0) return choices.includes(word);
  switch (type) {
    case "file":
    case "output":
      return facts.files.includes(word) || facts.outputs.includes(word);
    case "url":
      return facts.urls.includes(word);
    case "email":
      return facts.emails.includes(word);
    case "date":
      return facts.dates.includes(word);
    case "number":
      return /\p{N}/u.test(word);
    case "pair":
      return /^[\w-]{1,40}=/.test(word);
    default:
      return !word.startsWith("-") && !NO_VALUE.test(word);
  }
}
