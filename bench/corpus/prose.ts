import type { Random } from "./random.ts";
import { words } from "./words.ts";

/** Running text that is cut at a word near `length` characters. */
export function prose(random: Random, length: number, sentence = englishSentence): string {
  let text = sentence(random);
  while (text.length < length) text += ` ${sentence(random)}`;
  if (text.length <= length + 8) return text;
  const cut = text.lastIndexOf(" ", length);
  return `${text.slice(0, cut === -1 ? length : cut).replace(/[^\p{L}\p{N})]+$/u, "")}.`;
}

/** A sentence that is valid as plain YAML: no `: `, no ` #`, a letter first. */
export function englishSentence(random: Random): string {
  const { verbs, adjectives, nouns, tools } = words;
  const verb = random.pick(verbs);
  const noun = random.pick(nouns);
  const capitalised = verb.charAt(0).toUpperCase() + verb.slice(1);
  return random.pick([
    () => `${capitalised} ${random.pick(adjectives)} ${noun}s with ${random.pick(tools)}.`,
    () => `${capitalised} each ${noun} and ${random.pick(verbs)} the ${random.pick(nouns)}.`,
    () => `Use when the user asks to ${verb} a ${noun}, or mentions ${random.pick(tools)}.`,
    () => `Covers ${random.pick(tools)}, ${noun}s (${random.pick(adjectives)}) and more.`,
    () => `Don't ${verb} the user's ${noun} before the ${random.pick(nouns)} is ready.`,
    () => `Triggers on "${verb} my ${noun}" or "${random.pick(verbs)} ${random.pick(tools)}".`,
  ])();
}

/** A sentence that YAML reads as text only when it is quoted or a block. */
export function colonSentence(random: Random): string {
  const { verbs, nouns, tools } = words;
  const items = [random.pick(verbs), random.pick(nouns), random.pick(tools)];
  return `${random.pick(["Triggers", "Keywords", "Supports", "Note"])}: ${items.join(", ")}.`;
}

export function chineseSentence(random: Random): string {
  const part = () => Array.from({ length: random.integer(2, 5) }, () => random.pick(words.chinese));
  return `${part().join("")},${random.pick(words.tools)} ${part().join("")}。`;
}

export function emojiSentence(random: Random): string {
  return `${random.pick(words.verbs)} ${random.pick(words.emoji)} ${englishSentence(random)}`;
}

/** English with the typography that language models like. */
export function typographicSentence(random: Random): string {
  const { nouns } = words;
  const tail = `${random.pick(nouns)} → ${random.pick(nouns)}`;
  return `${englishSentence(random).slice(0, -1)} — ${tail}.`;
}
