import { dirname } from "node:path";
import type * as z from "zod";
import { type CaseDraft, type DraftFile, Expectation } from "../case-draft.ts";
import { type CaseInput, caseSchema, type CheckInput, suiteSchema } from "../case-schema.ts";
import { type CaseSource, report } from "../case-source.ts";
import type { DocumentPath } from "../document/data-document.ts";
import type { OutputCheck } from "../eval-case.ts";
import { durationOf, type Fields, isFields } from "../fields.ts";
import { mockProblem } from "../mock-problem.ts";

type Defaults = Pick<CaseInput, "constraints" | "trials" | "timeout" | "tags">;
type Suite = Readonly<{ skill: string | undefined; defaults: Defaults }>;

/** Our own format: a suite with `cases`, a list of cases, or one case. */
export function readOwnCases(source: CaseSource): CaseDraft[] {
  const root = camelKeys(source.document.value);
  if (Array.isArray(root)) return readAll(root as unknown[], [], source, NO_SUITE);
  if (isFields(root) && "cases" in root) return readSuite(root, source);
  return readAll([root], undefined, source, NO_SUITE);
}

const NO_SUITE: Suite = { skill: undefined, defaults: {} };

function readSuite(root: Fields, source: CaseSource): CaseDraft[] {
  const read = suiteSchema.safeParse(root);
  if (!read.success) {
    reportIssues(read.error, [], source);
    return [];
  }
  const { skill, defaults = {}, cases } = read.data;
  return readAll(cases, ["cases"], source, { skill, defaults });
}

/** `path` leads to the list; undefined when the whole file is the one case. */
function readAll(
  items: readonly unknown[],
  path: DocumentPath | undefined,
  source: CaseSource,
  suite: Suite,
): CaseDraft[] {
  return items.flatMap((item, place) => {
    const itemPath = path === undefined ? [] : [...path, place];
    const read = caseSchema.safeParse(item);
    if (!read.success) {
      reportIssues(read.error, itemPath, source);
      return [];
    }
    const draft = draftOf(read.data, place, itemPath, source, suite);
    return draft === undefined ? [] : [draft];
  });
}

function draftOf(
  input: CaseInput,
  place: number,
  path: DocumentPath,
  source: CaseSource,
  { skill, defaults }: Suite,
): CaseDraft | undefined {
  const { title, files = [], mock } = input;
  const timeout = input.timeout ?? defaults.timeout;
  const timeoutMs = timeout === undefined ? undefined : durationOf(timeout);
  const expectation = expectationOf(input, defaults);
  const wrongTimes = [timeout, input.constraints?.maxTime, defaults.constraints?.maxTime].filter(
    (time) => time !== undefined && durationOf(time) === undefined,
  );
  if (wrongTimes.length > 0) {
    report(source, [...path, "timeout"], "case-invalid", `${wrongTimes[0]} is no time such as 30s`);
    return undefined;
  }
  const wrong = mockProblem(mock?.actions ?? []);
  if (wrong !== undefined) {
    report(source, [...path, "mock", "actions", ...wrong.path], "case-invalid", wrong.message);
    return undefined;
  }
  const trials = input.trials ?? defaults.trials;
  return {
    id: String(input.id ?? place + 1),
    title: title ?? input.input,
    input: input.input,
    files: files.map((file) => fileOf(file, dirname(source.file))),
    expected: expectation.expected,
    constraints: expectation.constraints,
    ...(mock && { mock }),
    ...(trials !== undefined && { trials }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    tags: [...new Set([...(defaults.tags ?? []), ...(input.tags ?? [])])],
    dialect: "skillwright",
    ...(skill !== undefined && { skill }),
    source,
    path,
  };
}

function expectationOf({ expected = {}, constraints }: CaseInput, defaults: Defaults): Expectation {
  const expectation = new Expectation();
  const { skills, sequence, output, statements } = expected;
  if (skills !== undefined) addSkills(skills, expectation);
  expectation.sequence.push(...listOf(sequence));
  expectation.statements.push(...listOf(statements));
  expectation.output.push(...listOf<string | CheckInput>(output).map(checkOf));
  const { maxTime, forbiddenTools, requiredTools, ...limits } = {
    ...defaults.constraints,
    ...constraints,
  };
  expectation.limits = Object.fromEntries(
    Object.entries(limits).filter(([, value]) => value !== undefined),
  );
  expectation.limit("maxTimeMs", maxTime === undefined ? undefined : durationOf(maxTime));
  expectation.forbidden.push(...(forbiddenTools ?? []));
  expectation.required.push(...(requiredTools ?? []));
  return expectation;
}

type SkillsInput = NonNullable<NonNullable<CaseInput["expected"]>["skills"]>;

function addSkills(skills: SkillsInput, expectation: Expectation): void {
  if (skills === "none") expectation.useNoOther();
  else if (typeof skills === "string") expectation.use(skills);
  else if (Array.isArray(skills)) {
    expectation.use(...skills);
    if (skills.length === 0) expectation.useNoOther();
  } else {
    expectation.use(...(skills.used ?? []));
    expectation.avoid(...(skills.unused ?? []));
    if (skills.only === true) expectation.useNoOther();
  }
}

function checkOf(check: string | CheckInput): OutputCheck {
  if (typeof check === "string") return { type: "contains", value: check };
  const { not, ...kind } = check;
  const given = Object.entries(kind).filter(
    ([name, value]) => value !== undefined && !(name === "ignoreCase" && value === false),
  );
  return { ...Object.fromEntries(given), ...(not === true && { not: true }) } as OutputCheck;
}

function fileOf(file: NonNullable<CaseInput["files"]>[number], base: string): DraftFile {
  if (typeof file === "string") return { from: file, base };
  const { path, from, content } = file;
  return {
    ...(path !== undefined && { path }),
    ...(content === undefined ? { from: from ?? path ?? "" } : { content }),
    base,
  };
}

function listOf<Item>(value: Item | readonly Item[] | undefined): readonly Item[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly Item[]) : [value as Item];
}

function reportIssues(error: z.ZodError, path: DocumentPath, source: CaseSource): void {
  const [first] = error.issues;
  const unknown = first?.code === "unrecognized_keys" ? first.keys.slice(0, 1) : [];
  const inner = [...(first?.path ?? []), ...unknown].filter((key) => typeof key !== "symbol");
  const where = inner.length === 0 ? "" : `${inner.join(".")}: `;
  report(source, [...path, ...inner], "case-invalid", `${where}${first?.message ?? "unreadable"}`);
}

/** `max_tool_calls` is read as `maxToolCalls`. What belongs to others – actions, schemas – stays as it is. */
function camelKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelKeys);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const camel = key.replaceAll(/(?<=[a-z])_([a-z])/g, (_, letter: string) =>
        letter.toUpperCase(),
      );
      if (camel === "type" && typeof inner === "string") return [camel, inner.replaceAll("_", "-")];
      const isForeign = camel === "mock" || camel === "schema" || camel === "equals";
      return [camel, isForeign ? inner : camelKeys(inner)];
    }),
  );
}
