import { createSkillIndex, type SkillIndex } from "@skillwright/core";
import { addsUnsaid } from "./adds-unsaid.ts";
import { fillArguments } from "./fill-arguments.ts";
import type { SaidNumber } from "./find-numbers.ts";
import { fillInvocation } from "./fill-invocation.ts";
import type { RequestFacts } from "./read-request.ts";
import type { Usage } from "./usage.ts";

export interface ScriptCallChoice {
  readonly script: string;
  readonly args: readonly string[];
  /** What the request does not say; the call must not be made without it. */
  readonly missing: readonly string[];
  /** How many values of the request are in it. */
  readonly used: number;
  /** Numbers that belong in it and cannot be read; it must not be made without them either. */
  readonly unclear: readonly SaidNumber[];
}

/** Nothing is lost by a call that fits almost as well and has all it needs. */
const CLOSE = 0.6;

/** A value that finds its place says as much as so much more of the words. */
const PER_VALUE = 0.3;
/** A call is for what it cannot do without. */
const PER_REQUIRED = 0.5;
/** What a flag that nobody asked for leaves of how well a call fits. */
const UNSAID = 0.3;
/** Who says the name of a script wants that one. */
const NAMED = 2;
const MAX_TEXT = 2000;
/** Calls that do nothing but tell about the script. */
const TELLS = /^--?(?:h|help|usage|version|list(?:-[\w-]{1,40})?)$/i;

const ASKS_TO_TELL = /\b(?:lists?|help|usage|version)\b|列出|列表|有哪些|帮助|用法|版本/iu;

/** Of the documented calls the one whose words fit the request best and that can be filled. */
export function chooseCall(
  documented: readonly Usage[],
  facts: RequestFacts,
  isInvocation: boolean,
): ScriptCallChoice | undefined {
  const usages = withoutTelling(documented, facts.text);
  const direct = isInvocation ? directCall(usages, facts) : undefined;
  if (direct !== undefined) return direct;
  const index = indexOf(usages);
  const scores = new Map(
    index
      .search(withoutFolders(facts), { limit: usages.length })
      .map(({ id, score }) => [id, score]),
  );
  const unsaid = addsUnsaid(usages, facts.text);
  const calls = usages.map(({ script, parts }, i) => {
    const filled = fillArguments(parts, facts);
    const score =
      (scores.get(`${i}`) ?? 0) *
      (unsaid[i] === true ? UNSAID : 1) *
      (isSaid(nameOf(script), facts.text) ? NAMED : 1) *
      (1 + PER_REQUIRED * filled.required);
    return { script, ...filled, score, fit: score * (1 + PER_VALUE * filled.used) };
  });
  const best = Math.max(0, ...calls.map(({ fit }) => fit));
  const most = Math.max(0, ...calls.map(({ used }) => used));
  const close = calls.filter(
    ({ fit, used, missing }) => fit >= best * CLOSE || (missing.length === 0 && used === most),
  );
  const ready = close.filter(({ missing }) => missing.length === 0);
  // With all it needs first; then what uses most of the request; then what fits its words.
  const [chosen] = (ready.length > 0 ? ready : close).toSorted(
    (a, b) => a.missing.length - b.missing.length || b.used - a.used || b.score - a.score,
  );
  return chosen;
}

/** Where a file lies says nothing of what is to be done with it. */
function withoutFolders({ text, files }: RequestFacts): string {
  return files.reduce((rest, file) => rest.replaceAll(file, file.replace(/^.*\/(?=.)/s, "")), text);
}

/** A skill's usages are looked at several times in a decision, and in every turn. */
const INDEXES = new WeakMap<readonly Usage[], SkillIndex>();

function indexOf(usages: readonly Usage[]): SkillIndex {
  const known = INDEXES.get(usages);
  if (known !== undefined) return known;
  const documents = usages.map(({ words, script }, i) => ({
    id: `${i}`,
    name: nameOf(script),
    description: words,
  }));
  const index = createSkillIndex(documents);
  INDEXES.set(usages, index);
  return index;
}

/** The first call that the words of an invocation fill as they stand. */
function directCall(usages: readonly Usage[], facts: RequestFacts): ScriptCallChoice | undefined {
  for (const { script, parts } of usages) {
    const filled = fillInvocation(parts, facts);
    if (filled !== undefined) return { script, ...filled };
  }
  return undefined;
}

/** Nobody wants `--list` or `--help` who does not say so, unless there is nothing else. */
function withoutTelling(usages: readonly Usage[], text: string): readonly Usage[] {
  if (ASKS_TO_TELL.test(text)) return usages;
  const known = WORKING.get(usages);
  if (known !== undefined) return known;
  const others = usages.filter(
    ({ parts }) =>
      parts.length === 0 ||
      !parts.every((part) => part.kind === "literal" && TELLS.test(part.text)),
  );
  const working = others.length > 0 ? others : usages;
  WORKING.set(usages, working);
  return working;
}

const WORKING = new WeakMap<readonly Usage[], readonly Usage[]>();

function isSaid(name: string, text: string): boolean {
  const words = ` ${text
    .slice(0, MAX_TEXT)
    .toLowerCase()
    .replaceAll(/[^\p{L}]+/gu, " ")} `;
  return name.length > 2 && words.includes(` ${name.toLowerCase()} `);
}

/** `scripts/merge_pages.py` says what it does. */
function nameOf(script: string): string {
  const file = script.slice(script.lastIndexOf("/") + 1);
  return file.replace(/\.[^.]*$/, "").replaceAll(/[-_]+/g, " ");
}
