import { basename } from "node:path";
import { isTriggerLabel, QUERIES, triggerOfList } from "../cases/detect-format.ts";
import {
  type Fields,
  idOf,
  isFields,
  isRemark,
  textOf,
  textsOf,
  wordList,
} from "../cases/fields.ts";
import { escapeRegex } from "../cases/read-assertion.ts";
import type { CaseSource } from "../cases/case-source.ts";
import type { DocumentPath } from "../cases/read-document.ts";
import { ImportedCase, type ImportLosses } from "./import-draft.ts";

const SPLITS = new Set(["train", "val", "validation", "dev", "test", "holdout"]);
/** Names of lists that do not name a skill. */
const LISTS =
  /^(?:(?:trigger[-_]?)?(?:evals?|cases|queries|tests?|set|items)|examples|prompts|data|test_cases|scenarios|groups|categories|suites|skills|routing|triggers?)$/i;
const MAX_LEVELS = 6;
/** Fields of a request that are read. */
const KNOWN = new Set([
  ...QUERIES,
  "id",
  "case_id",
  "title",
  "name",
  "skill",
  "skill_name",
  "tags",
  "category",
  "family",
  "kind",
  "split",
  "confidence",
  "expected_behavior",
  "expected_script",
  "ground_truth",
  "expected_output",
]);

const SKILLS = ["expected_skill", "expected_skills", "route", "target_skill", "expectedSkill"];
const FORBIDDEN = wordList("forbidden_skills forbidden_skill forbidden not_skills must_not_use");
const ACCEPTABLE = ["acceptable_skills", "acceptable"];
const YES =
  /^(?:true|yes|y|1|fires?|triggers?|triggered|activates?|positive|pos|should[-_ ]?(?:trigger|fire)|invoke|load|match)$/i;
const NO =
  /^(?:false|no|n|0|(?:no|not|dont|don't|do not)[-_ ]?(?:fire|trigger|activate|match)|silent|skip|ignore|negative|neg|abstain|should[-_ ]?not[-_ ]?(?:trigger|fire))$/i;
const NO_SKILL = /^(?:none|null|nothing|no[-_ ]?skill|n\/a|-|)$/i;

/** What is known from further out. */
interface Around {
  readonly path: DocumentPath;
  readonly skill: string | undefined;
  /** Of everything in a list such as `should_trigger`. */
  readonly label?: boolean;
  readonly tags: readonly string[];
}

/** Requests with what they should trigger, in all the shapes in use. */
export function importTriggerSet(source: CaseSource, losses: ImportLosses): ImportedCase[] {
  const cases: ImportedCase[] = [];
  read(source.document.value, { path: [], skill: source.skill, tags: [] });
  return cases;

  function read(value: unknown, around: Around): void {
    const { path } = around;
    if (path.length > MAX_LEVELS) leaveOut(path, "lists are nested too deep");
    else if (typeof value === "string") add({ query: value }, around);
    else if (Array.isArray(value)) {
      for (const [i, item] of value.entries()) read(item, { ...around, path: [...path, i] });
    } else if (!isFields(value)) leaveOut(path, "expected a request");
    else if (textOf(value, ...QUERIES) === undefined) readGroup(value, around);
    else add(value, around);
  }

  /** Lists of requests under names that say what they are; any other name is that of a skill. */
  function readGroup(group: Fields, around: Around): void {
    const lists = Object.entries(group).filter(
      ([, value]) => typeof value === "object" && value !== null,
    );
    const own = textOf(group, "skill", "skill_name", "skillName", "name");
    const inside = { ...around, skill: own ?? around.skill };
    if (lists.length === 0) return leaveOut(around.path, "there is no request");
    for (const [name, value] of lists) {
      const at: Around = { ...inside, path: [...around.path, name] };
      const isPlain =
        !Array.isArray(value) || value.every((item) => !isFields(item) || !isLabelled(item));
      const label = triggerOfList(name);
      if (label !== undefined && isPlain) read(value, { ...at, label });
      else if (SPLITS.has(name)) read(value, { ...at, tags: [...at.tags, `split:${name}`] });
      // A list of queries of a skill, and nothing else, is what should trigger it.
      else if (name === "queries" && own !== undefined && isPlain)
        read(value, { ...at, label: true });
      else if (LISTS.test(name)) read(value, at);
      else if (isFields(value) && holdsRequests(value)) read(value, { ...at, skill: name });
      else if (Array.isArray(value) && value.some((item) => isFields(item) && isLabelled(item)))
        read(value, at);
      else losses.add("changed", source, at.path, `${name} is not converted`);
    }
  }

  function add(item: Fields, { path, skill: outer, label, tags }: Around): void {
    const input = textOf(item, ...QUERIES);
    if (input === undefined) return leaveOut(path, "the request is empty");
    const skill = textOf(item, "skill", "skill_name") ?? outer;
    const id = idOf(item, "id", "case_id") ?? `${stem(source.file)}-${cases.length + 1}`;
    const one = new ImportedCase(id, input, losses);
    const problem = addLabel(item, skill, label, one);
    if (problem !== undefined) return leaveOut(path, problem);
    one.title = textOf(item, "title", "name");
    const { expectation } = one;
    const script = textOf(item, "expected_script");
    if (script !== undefined) expectation.sequence.push(`run ${JSON.stringify(`*${script}`)}`);
    expectation.statements.push(...textsOf(item, "expected_behavior"));
    const outcome = textOf(item, "expected_output", "ground_truth");
    if (outcome !== undefined && expectation.statements.length === 0) {
      expectation.statements.push(outcome);
    }
    for (const name of Object.keys(item)) {
      if (KNOWN.has(name) || isTriggerLabel(name) || isRemark(name)) continue;
      if (item[name] === null || ACCEPTABLE.includes(name)) continue;
      one.unjudged({ source }, [...path, name], `${name} cannot be converted`);
    }
    const [split, confidence] = [textOf(item, "split"), textOf(item, "confidence")];
    one.tags.push(
      ...tags,
      ...textsOf(item, "tags"),
      ...textsOf(item, "category", "family", "kind"),
    );
    if (split !== undefined) one.tags.push(`split:${split}`);
    if (confidence !== undefined) one.tags.push(`confidence:${confidence}`);
    cases.push(one);
  }

  function leaveOut(path: DocumentPath, message: string): void {
    losses.add("left-out", source, path, message);
  }
}

function isLabelled(item: Fields): boolean {
  return Object.keys(item).some(isTriggerLabel);
}

function holdsRequests(group: Fields): boolean {
  return Object.keys(group).some((name) => triggerOfList(name) !== undefined || LISTS.test(name));
}

/** What the request should trigger. A text: why that is not known. */
function addLabel(
  item: Fields,
  skill: string | undefined,
  listed: boolean | undefined,
  { expectation }: ImportedCase,
): string | undefined {
  const forbidden = textsOf(item, ...FORBIDDEN);
  if (forbidden.length > 0) expectation.avoid(...forbidden);
  const label = Object.entries(item).find(
    ([name]) => isTriggerLabel(name) && ![...SKILLS, ...FORBIDDEN, ...ACCEPTABLE].includes(name),
  )?.[1];
  if (SKILLS.some((name) => Object.hasOwn(item, name))) {
    const skills = textsOf(item, ...SKILLS).filter((name) => !NO_SKILL.test(name));
    const others = textsOf(item, ...ACCEPTABLE);
    // It belongs to another skill, and not to this one.
    const isNo = label === false || (typeof label === "string" && NO.test(label));
    if (isNo && skill !== undefined && !skills.includes(skill)) expectation.avoid(skill);
    if (skills.length > 0 && others.length > 0) {
      const names = [...skills, ...others].map(escapeRegex).join("|");
      expectation.sequence.push(`select where subject matches /^(?:${names})$/`);
    } else if (skills.length > 0) expectation.use(...skills);
    else expectation.useNoOther();
    return undefined;
  }
  const isRouted = ["expected", "expect"].some((name) => item[name] === null);
  const said = label ?? (isRouted ? "none" : listed);
  if (said === undefined || said === null) {
    return expectation.saysSkills ? undefined : "it does not say what the request should trigger";
  }
  const list: readonly unknown[] = Array.isArray(said) ? said : [said];
  if (!list.every((one) => ["string", "number", "boolean"].includes(typeof one))) {
    return "what it should trigger is neither yes or no nor a skill";
  }
  const names = list.map(String);
  const [first = ""] = names;
  const isAnswer = names.length === 1 && (YES.test(first) || NO.test(first));
  if (names.every((name) => NO_SKILL.test(name))) expectation.useNoOther();
  else if (!isAnswer) expectation.use(...names);
  else if (skill === undefined)
    return "it does not say which skill it is about; name one with --skill";
  else expectation[YES.test(first) ? "use" : "avoid"](skill);
  return undefined;
}

function stem(file: string): string {
  return basename(file).replace(/\.[^.]+$/, "");
}
