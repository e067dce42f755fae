import type { Expectation } from "../case-draft.ts";
import { type Fields, fieldOf, textsOf } from "../fields.ts";

const LABELS = [
  "should_trigger",
  "expected_trigger",
  "should_activate",
  "expect_activation",
  "should_fire",
  "should",
  "trigger",
  "triggers",
  "label",
  "expected",
  "expect",
  "shouldTrigger",
];
/** Those that can mean nothing else, wherever they stand. */
const SURE = LABELS.filter((name) => !["label", "expected", "expect"].includes(name));
const SKILLS = ["expected_skill", "expected_skills", "route", "target_skill", "expectedSkill"];
const FORBIDDEN = [
  "forbidden_skills",
  "forbidden_skill",
  "forbidden",
  "not_skills",
  "must_not_use",
];

const YES =
  /^(?:true|yes|y|1|fires?|triggers?|triggered|activates?|positive|pos|should[-_ ]?(?:trigger|fire)|invoke|load|match)$/i;
const NO =
  /^(?:false|no|n|0|(?:no|not|dont|don't|do not)[-_ ]?(?:fire|trigger|activate|match)|silent|skip|ignore|negative|neg|abstain|should[-_ ]?not[-_ ]?(?:trigger|fire))$/i;
const NOBODY = /^(?:none|null|nothing|no[-_ ]?skill|n\/a|-|)$/i;

export function hasTriggerLabel(item: Fields): boolean {
  return fieldOf(item, [...LABELS, ...SKILLS, ...FORBIDDEN]) !== undefined;
}

/** What a case that expects more says of it; undefined when nothing, or a problem that it cannot be told. */
export function addSureLabel(
  item: Fields,
  skill: string | undefined,
  expectation: Expectation,
): string | undefined {
  const names = new Set([...SURE, ...SKILLS, ...FORBIDDEN, "acceptable_skills", "acceptable"]);
  const said = Object.entries(item).filter(([name]) => names.has(name));
  const plain = Object.fromEntries(said);
  if (!hasTriggerLabel(plain)) return undefined;
  return addTriggerLabel(plain, { skill, label: undefined }, expectation);
}

/** What the request should trigger. Gives the problem when nobody can tell. */
export function addTriggerLabel(
  item: Fields,
  { skill, label }: { readonly skill: string | undefined; readonly label: boolean | undefined },
  expectation: Expectation,
): string | undefined {
  const forbidden = textsOf(item, ...FORBIDDEN);
  if (forbidden.length > 0) expectation.avoid(...forbidden);
  const hasRoute = SKILLS.some((name) => Object.hasOwn(item, name));
  if (hasRoute) return addRoute(item, skill, expectation);
  const said = fieldOf(item, LABELS) ?? (expectation.saysSkills ? undefined : label);
  // Who routes and writes null means nobody.
  if (said === undefined && (item["expected"] === null || item["expect"] === null)) {
    return expectation.saysSkills ? undefined : addSaid("none", skill, expectation);
  }
  if (said === undefined || said === null) {
    return expectation.saysSkills ? undefined : "it is not said what the request should trigger";
  }
  return addSaid(said, skill, expectation);
}

function addRoute(
  item: Fields,
  skill: string | undefined,
  expectation: Expectation,
): string | undefined {
  const said = fieldOf(item, SKILLS) ?? [];
  const list: readonly unknown[] = Array.isArray(said) ? said : [said];
  if (list.some((one) => typeof one !== "string" && one !== null)) {
    return "the skill that it should trigger is no name";
  }
  const skills = textsOf(item, ...SKILLS).filter((name) => !NOBODY.test(name));
  const label = fieldOf(item, SURE);
  // It belongs to another skill, and not to this one.
  const isOthers = label === false || (typeof label === "string" && NO.test(label));
  if (isOthers && skill !== undefined && !skills.includes(skill)) expectation.avoid(skill);
  const others = textsOf(item, "acceptable_skills", "acceptable");
  if (skills.length > 0 && others.length > 0) {
    // One of them will do, which only a sequence can say.
    const steps = [...skills, ...others].map((name) => `select ${JSON.stringify(name)}`);
    expectation.sequence.push(steps.join(" or "));
  } else if (skills.length > 0) expectation.use(...skills);
  else expectation.useNoOther();
  return undefined;
}

/** Yes or no for the skill of the file, or the name of a skill, or of none. */
function addSaid(
  said: unknown,
  skill: string | undefined,
  expectation: Expectation,
): string | undefined {
  const list: readonly unknown[] = Array.isArray(said) ? said : [said];
  const texts = list
    .filter((one) => ["string", "number", "boolean"].includes(typeof one))
    .map(String);
  if (texts.length !== list.length)
    return "what it should trigger is neither yes or no nor a skill";
  const [first = ""] = texts;
  const answer =
    texts.length > 1 ? undefined : YES.test(first) ? true : NO.test(first) ? false : undefined;
  const isNobody = texts.every((text) => NOBODY.test(text));
  if (answer === undefined && !isNobody) expectation.use(...texts);
  else if (answer === undefined) expectation.useNoOther();
  else if (skill === undefined) return "it is not said which skill it is about";
  else if (answer) expectation.use(skill);
  else expectation.avoid(skill);
  return undefined;
}
