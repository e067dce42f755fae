import { type CaseDraft, Expectation } from "../case-draft.ts";
import { type CaseSource, report } from "../case-source.ts";
import type { DocumentPath } from "../document/data-document.ts";
import type { CaseDialect } from "../eval-case.ts";
import { type Fields, fieldOf, idOf, isFields, textOf, textsOf } from "../fields.ts";
import { addTriggerLabel, hasTriggerLabel } from "./trigger-label.ts";

const QUERIES = [
  "query",
  "prompt",
  "input",
  "q",
  "question",
  "text",
  "utterance",
  "user_prompt",
  "request",
];
const LISTS = [
  "evals",
  "cases",
  "queries",
  "items",
  "tests",
  "examples",
  "prompts",
  "data",
  "test_cases",
  "trigger_tests",
  "scenarios",
];
const POSITIVES = [
  "should_trigger",
  "should_trigger_prompts",
  "positive",
  "positives",
  "positive_cases",
  "trigger",
  "triggers",
  "should_fire",
  "true_positives",
  "must_trigger",
  "should_activate",
];
const NEGATIVES = [
  "should_not_trigger",
  "should_not_trigger_prompts",
  "negative",
  "negatives",
  "negative_cases",
  "no_trigger",
  "should_not_fire",
  "near_misses",
  "true_negatives",
  "must_not_trigger",
  "should_not_activate",
  "near_neighbor",
  "near_neighbors",
  "near_miss",
];
const SPLITS = ["train", "val", "validation", "dev", "test", "holdout"];
const NAMES = ["skill", "skill_name", "skillName", "name"];
const MAX_LEVELS = 6;

/** What is known from further out. */
interface Around {
  readonly path: DocumentPath;
  readonly skill: string | undefined;
  /** Of everything in a list such as `should_trigger`. */
  readonly label?: boolean;
  readonly tags: readonly string[];
  readonly level: number;
}

/** Requests with what they should trigger, in all the shapes that are in use. */
export function readTriggerSet(source: CaseSource, dialect: CaseDialect): CaseDraft[] {
  const reading = new TriggerReading(source, dialect);
  const { skill } = source;
  reading.read(source.document.value, { path: [], skill, tags: [], level: 0 });
  return reading.drafts;
}

/** Whether a text could be such a file at all. */
export function looksLikeTriggers(value: unknown): boolean {
  const isLabelled = (item: unknown): boolean =>
    isFields(item) &&
    ((textOf(item, ...QUERIES) !== undefined && hasTriggerLabel(item)) ||
      (textOf(item, ...NAMES) !== undefined && hasLists(item)));
  if (Array.isArray(value)) return value.some(isLabelled);
  if (!isFields(value)) return false;
  const lists = [...LISTS, ...SPLITS].map((name) => value[name]);
  return (
    hasLists(value) ||
    lists.some((list) => Array.isArray(list) && list.some(isLabelled)) ||
    Object.values(value).some((inner) => isFields(inner) && hasLists(inner))
  );
}

function hasLists(fields: Fields): boolean {
  return [...POSITIVES, ...NEGATIVES, "queries"].some((name) => {
    const value = fields[name];
    return Array.isArray(value) || (isFields(value) && SPLITS.some((split) => split in value));
  });
}

class TriggerReading {
  readonly drafts: CaseDraft[] = [];
  readonly #source: CaseSource;
  readonly #dialect: CaseDialect;

  constructor(source: CaseSource, dialect: CaseDialect) {
    this.#source = source;
    this.#dialect = dialect;
  }

  read(value: unknown, around: Around): void {
    const { path, level } = around;
    const inside = { ...around, level: level + 1 };
    if (level > MAX_LEVELS) return this.#refuse(path, "lists are nested too deep");
    if (typeof value === "string") return this.#add({ query: value }, around);
    if (Array.isArray(value)) {
      value.forEach((item: unknown, i) => this.read(item, { ...inside, path: [...path, i] }));
      return undefined;
    }
    if (!isFields(value)) return this.#refuse(path, "expected a request");
    if (textOf(value, ...QUERIES) !== undefined) return this.#add(value, around);
    return this.#readGroup(value, inside);
  }

  /** Lists of requests under names that say what they are. */
  #readGroup(group: Fields, around: Around): void {
    const { path } = around;
    const own =
      textOf(group, ...NAMES.slice(0, 3)) ?? (hasLists(group) ? textOf(group, "name") : undefined);
    const inside = { ...around, skill: own ?? around.skill };
    let isKnown = false;
    for (const [name, value] of Object.entries(group)) {
      const at = { ...inside, path: [...path, name] };
      const isList = Array.isArray(value) || isFields(value);
      if (!isList) continue;
      if (POSITIVES.includes(name)) this.read(value, { ...at, label: true });
      else if (NEGATIVES.includes(name)) this.read(value, { ...at, label: false });
      else if (SPLITS.includes(name))
        this.read(value, { ...at, tags: [...at.tags, `split:${name}`] });
      // Queries under the name of a skill, and nothing else, are what it is there for.
      else if (LISTS.includes(name))
        this.read(
          value,
          own !== undefined && name === "queries" && !anyLabel(value) ? { ...at, label: true } : at,
        );
      else if (isFields(value) && hasLists(value)) this.read(value, { ...at, skill: name });
      else continue;
      isKnown = true;
    }
    if (!isKnown) this.#refuse(path, "a case needs a query or prompt");
  }

  #add(item: Fields, { path, skill: outer, label, tags }: Around): void {
    const input = textOf(item, ...QUERIES) ?? "";
    if (input.trim() === "") return this.#refuse(path, "the request is empty");
    const skill = textOf(item, "skill", "skill_name") ?? outer;
    const expectation = new Expectation();
    const problem = addTriggerLabel(item, { skill, label }, expectation);
    if (problem !== undefined) return this.#refuse(path, problem);
    expectation.statements.push(...textsOf(item, "expected_behavior", "ground_truth"));
    const split = textOf(item, "split");
    const confidence = textOf(item, "confidence");
    const own = [
      ...textsOf(item, "tags"),
      ...textsOf(item, "category", "family", "kind"),
      ...(split === undefined ? [] : [`split:${split}`]),
      ...(confidence === undefined ? [] : [`confidence:${confidence}`]),
    ];
    this.drafts.push({
      id: idOf(item, "id", "case_id") ?? String(this.drafts.length + 1),
      title: textOf(item, "title") ?? input,
      input,
      files: [],
      expected: expectation.expected,
      constraints: expectation.constraints,
      tags: [...new Set([...tags, ...own])],
      dialect: this.#dialect,
      ...(skill !== undefined && { skill }),
      source: this.#source,
      path,
    });
  }

  #refuse(path: DocumentPath, message: string): void {
    report(this.#source, path, "case-invalid", message);
  }
}

function anyLabel(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.some(
      (item) => isFields(item) && hasTriggerLabel(item) && fieldOf(item, QUERIES) !== undefined,
    )
  );
}
