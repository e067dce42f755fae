import { type CaseDraft, Expectation } from "../case-draft.ts";
import { type CaseSource, report } from "../case-source.ts";
import type { DocumentPath } from "../document/data-document.ts";
import type { CaseDialect } from "../eval-case.ts";
import { type Fields, idOf, isFields, textOf, textsOf } from "../fields.ts";
import { addCaseChecks, caseFiles } from "./case-checks.ts";
import { holdsRequests, QUERIES } from "./holds-requests.ts";
import {
  anyLabel,
  hasLists,
  holdsLabels,
  isGroup,
  LISTS,
  NAMES,
  NEGATIVES,
  POSITIVES,
  SPLITS,
} from "./trigger-shapes.ts";
import { addTriggerLabel } from "./trigger-label.ts";

const OUTCOMES = ["expected_output", "expected_outcome", "ground_truth"];
/** What only says that there are cases in it. */
const NO_SKILL =
  /^(?:triggers?|trigger[-_](?:evals?|cases|queries|tests?|set)|evals?|cases|queries|tests?|routing)$/i;
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
    const left: string[] = [];
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
      // Under a name that is not one of these, it is the name of a skill.
      else if (isGroup(value)) this.read(value, NO_SKILL.test(name) ? at : { ...at, skill: name });
      else if (holdsLabels(value)) this.read(value, at);
      else {
        if (holdsRequests(name, value)) left.push(name);
        continue;
      }
      isKnown = true;
    }
    // Of a file that is no list of requests at all, that alone is said.
    for (const name of isKnown ? left : []) {
      const message = `${name} is not read: it is not said what its requests should trigger`;
      report(this.#source, [...path, name], "case-invalid", message, "warning");
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
    const files = caseFiles(item, path, this.#source);
    const isWhole = addCaseChecks(item, path, this.#source, expectation, OUTCOMES);
    if (!isWhole || files === undefined) return undefined;
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
      files,
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
