import { dirname } from "node:path";
import { readWritten } from "@skillwright/agent/internal/actions";
import type * as z from "zod";
import { type CaseInput, caseSchema, type CheckInput, suiteSchema } from "./case-schema.ts";
import { type CaseSource, report, stem } from "./case-source.ts";
import { type CaseDraft, type DraftFile, Expectation } from "./expectation.ts";
import { durationOf, type Fields, isFields } from "./fields.ts";
import { outputCheckOf } from "./output-check.ts";
import type { DocumentPath } from "./read-document.ts";

type Defaults = Pick<CaseInput, "constraints" | "trials" | "timeout" | "tags">;
type Suite = Readonly<{ skill: string | undefined; defaults: Defaults }>;

/** Our own format: a suite with `cases`, a list of cases, or one case. */
export function readOwnCases(source: CaseSource): CaseDraft[] {
  const root = source.document.value;
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
  const expectation = expectationOf(input, defaults, source, path);
  const wrongTimes = [timeout, input.constraints?.maxTime, defaults.constraints?.maxTime].filter(
    (time) => time !== undefined && durationOf(time) === undefined,
  );
  if (wrongTimes.length > 0) {
    report(
      source,
      [...path, "timeout"],
      "case-invalid",
      `${wrongTimes[0]} is not a time such as 30s`,
    );
    return undefined;
  }
  const wrong = mockProblem(mock?.actions ?? []);
  if (wrong !== undefined) {
    report(source, [...path, "mock", "actions", ...wrong.path], "case-invalid", wrong.message);
    return undefined;
  }
  const trials = input.trials ?? defaults.trials;
  // Several files may be about one skill.
  const prefix = (skill ?? source.skill) === undefined ? "" : `${stem(source.file)}-`;
  return {
    id: String(input.id ?? `${prefix}${place + 1}`),
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

function expectationOf(
  { expected = {}, constraints }: CaseInput,
  defaults: Defaults,
  { file, document }: CaseSource,
  path: DocumentPath,
): Expectation {
  const expectation = new Expectation();
  const { skills, sequence, output, statements, unjudged } = expected;
  if (skills !== undefined) addSkills(skills, expectation);
  expectation.sequence.push(...listOf(sequence));
  expectation.statements.push(...listOf(statements));
  expectation.output.push(
    ...listOf<string | CheckInput>(output).map((check) =>
      typeof check === "string"
        ? { type: "contains" as const, value: check }
        : outputCheckOf(check),
    ),
  );
  for (const [i, text] of listOf(unjudged).entries()) {
    const line = document.lineOf([...path, "expected", "unjudged", i]);
    expectation.unsupported.push({ text, file, line });
  }
  const { maxTime, forbiddenTools, requiredTools, ...limits } = {
    ...defaults.constraints,
    ...constraints,
  };
  expectation.limits = Object.fromEntries(
    Object.entries(limits).filter(([, value]) => value !== undefined),
  );
  const maxTimeMs = durationOf(maxTime);
  if (maxTimeMs !== undefined) expectation.limit("maxTimeMs", maxTimeMs);
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

interface MockProblem {
  /** In the list of actions. */
  readonly path: DocumentPath;
  readonly message: string;
}

/** What is wrong with the first action that a model could not give. Texts are raw output and may be invalid. */
function mockProblem(actions: readonly unknown[]): MockProblem | undefined {
  for (const [place, action] of actions.entries()) {
    if (typeof action === "string") continue;
    const problem = problemOf(action);
    if (problem === undefined) continue;
    const message = `mock.actions.${place}: ${problem} To give bad output on purpose, write it as a text.`;
    return { path: [place], message };
  }
  return undefined;
}

function problemOf(action: unknown): string | undefined {
  if (typeof action !== "object" || action === null || Array.isArray(action)) {
    return "An action has to be an object.";
  }
  const given = action as Readonly<Record<string, unknown>>;
  // Which tools there are is known only when the case runs.
  const tools = [given["tool"], given["action"]].filter((name) => typeof name === "string");
  const read = readWritten(given, { tools, canRun: true, protocol: "json" });
  return read.ok ? undefined : read.problem;
}
