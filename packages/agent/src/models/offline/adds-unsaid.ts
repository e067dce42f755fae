import type { Usage } from "./usage.ts";

const WORDS = /[\p{Script=Latin}]{4,40}|\p{Script=Han}{2,20}/gu;
const MAX_TEXT = 2000;

/** Words beside flags that other calls of the same script do without; none where there is no such flag. */
const OWN = new WeakMap<readonly Usage[], readonly (readonly string[])[]>();

/**
 * For each documented call, whether it has a flag that others of its script do without, and the
 * request has no word of what is written beside it. What only looks like one of these words says
 * nothing.
 */
export function addsUnsaid(usages: readonly Usage[], request: string): readonly boolean[] {
  const text = request.slice(0, MAX_TEXT).toLowerCase();
  const said = new Set(stemsOf(text));
  const all = OWN.get(usages) ?? ownWords(usages);
  OWN.set(usages, all);
  return all.map((own) => {
    const isSaid = (word: string) => said.has(word) || (isHan(word) && text.includes(word));
    return own.length > 0 && !own.some(isSaid);
  });
}

function ownWords(usages: readonly Usage[]): string[][] {
  const flags = usages.map(flagsOf);
  return usages.map((usage, i) => {
    const ofScript = flags.filter((_, other) => usages[other]?.script === usage.script);
    const own = [...(flags[i] ?? [])].filter((flag) =>
      ofScript.some((others) => !others.has(flag)),
    );
    if (own.length === 0) return [];
    const comments = usage.words.split("\n").filter((line) => line.startsWith("#"));
    return stemsOf([...own, ...comments].join(" ").toLowerCase());
  });
}

/** Flags without a value, outside of brackets. */
function flagsOf({ parts }: Usage): Set<string> {
  const flags = parts.flatMap((part) => (part.kind === "literal" ? [part.text] : []));
  return new Set(flags.filter((flag) => flag.startsWith("-")));
}

function stemsOf(text: string): string[] {
  const words = text.match(WORDS) ?? [];
  return words.map((word) => word.replace(/(?:ing|ed|es|s|e)$/, ""));
}

function isHan(word: string): boolean {
  return /^\p{Script=Han}/u.test(word);
}
