import { createSkillIndex } from "@skillwright/core";
import type { SkillDocument, SkillIndex } from "@skillwright/core/internal";
import type { EvalCase } from "../cases/eval-case.ts";
import { type CatalogSkill, type Check, type Finding, quoted } from "./lint-context.ts";

/** Requests that give the answer away, and negatives that nobody would get wrong. */
export const checkQueries: Check = ({ cases, catalog }) => {
  const sharesWords = wordSharing(catalog);
  const patterns = new Map<string, RegExp>();
  const isNamed = (name: string, input: string) => {
    const pattern = patterns.get(name) ?? namePattern(name);
    patterns.set(name, pattern);
    return pattern.test(input);
  };
  return cases.flatMap((one) => [...leaks(one, isNamed), ...trivial(one, sharesWords)]);
};

function leaks(
  { id, input, expected, origin, mock }: EvalCase,
  isNamed: (name: string, input: string) => boolean,
): Finding[] {
  if (mock !== undefined) return [];
  return (expected.skills?.used ?? [])
    .filter((name) => isNamed(name, input))
    .map((name) => ({
      code: "query-names-skill" as const,
      message: `${id}: the request ${quoted(input)} names the skill ${name}`,
      origin,
      hint: "Ask as somebody would who does not know that the skill exists",
    }));
}

/**
 * A name of several words, or one that is called a skill or invoked. A single word such as `pdf` is what
 * people say anyway.
 */
function namePattern(name: string): RegExp {
  const parts = name
    .toLowerCase()
    .split(/[-_\s]+/)
    .filter(Boolean)
    .map(escaped);
  if (parts.length === 0) return /(?!)/;
  const words = parts.join(String.raw`[-_\s]+`);
  const [before, after] = [String.raw`(?<![\p{L}\p{N}_-])`, String.raw`(?![\p{L}\p{N}_-])`];
  const whole = `${before}${words}${after}`;
  const exact = `${before}${escaped(name.toLowerCase())}${after}`;
  const pattern =
    parts.length > 1
      ? // Two plain words in a row may be everyday speech; three, or the name as it is written, are not.
        parts.length > 2
        ? whole
        : `${exact}|${whole}[-\\s]+skill`
      : `${whole}[-\\s]+skill|skill[-\\s]+["'\`]?${whole}|[/$@]${words}${after}`;
  return new RegExp(pattern, "iu");
}

function trivial(
  { id, input, expected, origin, mock }: EvalCase,
  sharesWords: (name: string | undefined, input: string) => boolean | undefined,
): Finding[] {
  if (expected.skills === undefined || mock !== undefined) return [];
  const { used, unused, only } = expected.skills;
  if (used.length > 0) return [];
  const names = unused.length > 0 ? unused : only ? [undefined] : [];
  return names
    .filter((name) => sharesWords(name, input) === false)
    .map((name) => ({
      code: "negative-trivial" as const,
      message: `${id}: the request ${quoted(input)} has no word in common with ${name ?? "any skill"}`,
      origin,
      hint: "Take one that belongs to a neighbour: skillwright eval suggest",
    }));
}

/** By the words of the search, so that other forms and other spellings are the same word. */
function wordSharing(catalog: readonly CatalogSkill[]) {
  const documents = new Map(
    catalog.map(({ name, description }) => [name.toLowerCase(), { id: name, name, description }]),
  );
  const indexes = new Map<string | undefined, SkillIndex>();
  const indexOf = (key: string | undefined, of: Iterable<SkillDocument>) => {
    const index = indexes.get(key) ?? createSkillIndex(of);
    indexes.set(key, index);
    return index;
  };
  return (name: string | undefined, input: string): boolean | undefined => {
    if (documents.size === 0) return undefined;
    if (name === undefined) {
      return indexOf(undefined, documents.values()).search(input, { limit: 1 }).length > 0;
    }
    const document = documents.get(name.toLowerCase());
    if (document === undefined) return undefined;
    return indexOf(document.id, [document]).search(input, { limit: 1 }).length > 0;
  };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}
