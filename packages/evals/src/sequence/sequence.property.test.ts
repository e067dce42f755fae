import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exampleTrajectory as trajectory } from "../../../../test/support/example-trajectory.ts";
import { numRuns } from "../../../../test/support/suite.ts";
import { parseSequence } from "../index.ts";
import {
  alignPatterns,
  checkSequence,
  type Condition,
  type Constraint,
  evaluateRule,
  formatPattern,
  formatSequence,
  matchApart,
  matchGlob,
  STEP_ACTIONS,
  type StepPattern,
  type StepWord,
} from "./index.ts";

const RUNS = numRuns(2000);

const words = Object.keys(STEP_ACTIONS) as StepWord[];
const texts = fc.oneof(
  fc.constantFrom(
    "pdf",
    "pdf/*",
    "before",
    "a b",
    'say "x"',
    "x:y",
    "(z)",
    "a,b",
    "",
    "/r/",
    "then",
  ),
  fc.string({ maxLength: 8 }),
);
const conditions: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ kind: fc.constant("outcome" as const), ok: fc.boolean() }),
  fc.record({
    kind: fc.constant("field" as const),
    not: fc.boolean(),
    field: fc.constantFrom("args", "input.path", "subject", "observation", "skills.0.name"),
    test: fc.oneof(
      fc.record({
        operator: fc.constant("=" as const),
        value: fc.oneof(texts, fc.integer(), fc.boolean(), fc.constant(null)),
      }),
      fc.record({ operator: fc.constant("contains" as const), value: texts }),
      fc.record({
        operator: fc.constant("matches" as const),
        pattern: fc.constantFrom("a+", "x, y", "\\/b", "^\\w+$", 'q"'),
        flags: fc.constantFrom("", "i", "im"),
      }),
    ),
  }),
);
const patterns: fc.Arbitrary<StepPattern> = fc.record({
  choices: fc.array(
    fc.record(
      {
        word: fc.constantFrom(...words),
        subject: texts,
        conditions: fc.array(conditions, { maxLength: 2 }),
      },
      { requiredKeys: ["word", "conditions"] },
    ),
    { minLength: 1, maxLength: 2 },
  ),
});
const gaps = fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.integer({ min: 1, max: 4 }));

function constraintsOf(steps: fc.Arbitrary<StepPattern>): fc.Arbitrary<Constraint> {
  return fc.oneof(
    fc
      .record({
        least: fc.nat(3),
        more: fc.oneof(fc.nat(2), fc.constant(Number.POSITIVE_INFINITY)),
        pattern: steps,
        scope: fc.option(
          fc.record({ side: fc.constantFrom("before" as const, "after" as const), pattern: steps }),
        ),
      })
      .map(({ least, more, pattern, scope }) => ({
        kind: "count" as const,
        least,
        most: least + more,
        pattern,
        ...(scope !== null && { scope }),
      })),
    fc.record({ kind: fc.constant("order" as const), first: steps, second: steps }),
    fc.record({
      kind: fc.constant("chain" as const),
      start: steps,
      links: fc.array(fc.record({ gap: gaps, pattern: steps }), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant("response" as const), cause: steps, gap: gaps, effect: steps }),
    fc.record({
      kind: fc.constant("precedence" as const),
      pattern: steps,
      gap: gaps,
      condition: steps,
    }),
    fc.record({ kind: fc.constant("loaded" as const), pattern: steps }),
    fc.record({
      kind: fc.constant("list" as const),
      mode: fc.constantFrom(
        "in any order" as const,
        "exactly" as const,
        "exactly in any order" as const,
        "starts with" as const,
        "ends with" as const,
        "only" as const,
      ),
      patterns: fc.array(steps, { minLength: 1, maxLength: 4 }),
    }),
  );
}

const rules = (steps: fc.Arbitrary<StepPattern>) =>
  fc.record({
    alternatives: fc.array(fc.record({ not: fc.boolean(), constraint: constraintsOf(steps) }), {
      minLength: 1,
      maxLength: 3,
    }),
  });

/** Few things that can be done, so that constraints hold now and then. */
const letters = fc.constantFrom("a", "b", "c");
const simple: fc.Arbitrary<StepPattern> = fc
  .array(letters, { minLength: 1, maxLength: 2 })
  .map((names) => ({
    choices: names.map((subject) => ({ word: "use" as const, subject, conditions: [] })),
  }));
const runs = fc
  .array(letters, { maxLength: 8 })
  .map((names) => trajectory(names.map((name) => `use ${name}`)));

describe("the constraint language", () => {
  it("E-01 what is printed is read as the same", () => {
    fc.assert(
      fc.property(rules(patterns), (rule) => {
        const line = formatSequence(rule);
        expect([line, parseSequence(line)]).toEqual([line, { ok: true, rule }]);
      }),
      { numRuns: RUNS },
    );
  });

  it("E-01 no text breaks the parser, and a problem has its place in the line", () => {
    const pieces = fc.constantFrom(
      "select",
      "run",
      "a/*",
      "before",
      "after",
      "then",
      "or",
      "else",
      "not",
      "where",
      "=",
      '"',
      "(",
      ")",
      ",",
      ":",
      "exactly",
      "at",
      "most",
      "3",
      "/x/",
      "only",
      "within",
      "steps",
    );
    const lines = fc.oneof(
      fc.string(),
      fc.array(pieces, { maxLength: 12 }).map((all) => all.join(" ")),
    );
    fc.assert(
      fc.property(lines, (line) => {
        const parsed = parseSequence(line);
        const column = parsed.ok ? 1 : parsed.column;
        expect(column).toBeGreaterThanOrEqual(1);
        expect(column).toBeLessThanOrEqual(line.length + 1);
      }),
      { numRuns: RUNS },
    );
  });

  it("E-01 of a constraint and its negation exactly one holds, and only what holds is worth 1", () => {
    fc.assert(
      fc.property(constraintsOf(simple), runs, (constraint, done) => {
        const plain = evaluateRule({ alternatives: [{ not: false, constraint }] }, done);
        const negated = evaluateRule({ alternatives: [{ not: true, constraint }] }, done);
        expect(plain.passed).toBe(!negated.passed);
        expect(plain.score === 1).toBe(plain.passed);
        expect(plain.score).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: RUNS },
    );
  });

  it("E-01 never is not once, at most is not more, before is not the other way round", () => {
    fc.assert(
      fc.property(simple, simple, fc.nat(3), runs, (a, b, times, done) => {
        const holds = (line: string) => {
          const result = checkSequence(line, done);
          return result.ok && result.passed;
        };
        const [first, second] = [formatPattern(a), formatPattern(b)];
        expect(holds(`never ${first}`)).toBe(!holds(first));
        expect(holds(`at most ${times} ${first}`)).toBe(!holds(`at least ${times + 1} ${first}`));
        expect(holds(`${first} before ${second}`) && holds(`${second} before ${first}`)).toBe(
          false,
        );
        expect(holds(`${first} before ${second}`) && !holds(`${first} then ${second}`)).toBe(false);
        expect(
          holds(`${first} then immediately ${second}`) && !holds(`${first} then ${second}`),
        ).toBe(false);
        expect(
          holds(`exactly: ${first}, ${second}`) && !holds(`in any order: ${second}, ${first}`),
        ).toBe(false);
      }),
      { numRuns: numRuns(300) },
    );
  });

  it("E-02 the alignment is as long as the longest there is", () => {
    const tables = fc
      .record({ patterns: fc.nat(4), steps: fc.nat(5) })
      .chain(({ patterns, steps }) =>
        fc.record({
          table: fc.array(fc.array(fc.boolean(), { minLength: steps, maxLength: steps }), {
            minLength: patterns,
            maxLength: patterns,
          }),
          gaps: fc.array(gaps, { minLength: patterns, maxLength: patterns }),
        }),
      );
    fc.assert(
      fc.property(tables, ({ table, gaps }) => {
        const aligned = alignPatterns(table, gaps);
        expect(isAlignment(aligned, table, gaps)).toBe(true);
        const length = (one: readonly number[]) => one.filter((step) => step !== -1).length;
        const all = allAlignments(table).filter((one) => isAlignment(one, table, gaps));
        expect(length(aligned)).toBe(Math.max(0, ...all.map(length)));
        const apart = matchApart(table);
        const distinct = allAlignments(table).filter((one) => isApart(one));
        expect(isApart(apart)).toBe(true);
        expect(length(apart)).toBe(Math.max(0, ...distinct.map(length)));
      }),
      { numRuns: numRuns(500) },
    );
  });

  it("E-01 a star stands for any characters", () => {
    const globs = fc
      .array(fc.constantFrom("a", "b", "*", ".", "+"), { maxLength: 6 })
      .map((all) => all.join(""));
    const names = fc
      .array(fc.constantFrom("a", "b", ".", "+"), { maxLength: 8 })
      .map((all) => all.join(""));
    fc.assert(
      fc.property(globs, names, (glob, name) => {
        const source = glob
          .split("*")
          .map((part) => part.replaceAll(/[.+]/g, "\\$&"))
          .join(".*");
        expect(matchGlob(glob, name)).toBe(new RegExp(`^${source}$`).test(name));
      }),
      { numRuns: RUNS },
    );
  });
});

/** Every way to give each pattern a step that it matches, or none. */
function allAlignments(table: readonly (readonly boolean[])[]): number[][] {
  return table.reduce<number[][]>(
    (ways, row) =>
      ways.flatMap((way) => [
        [...way, -1],
        ...row.flatMap((matches, step) => (matches ? [[...way, step]] : [])),
      ]),
    [[]],
  );
}

function isAlignment(
  aligned: readonly number[],
  table: readonly (readonly boolean[])[],
  gaps: readonly number[],
): boolean {
  const done = aligned.filter((step) => step !== -1);
  return (
    done.every((step, i) => i === 0 || step > done[i - 1]!) &&
    aligned.every((step, i) => step === -1 || table[i]![step] === true) &&
    aligned.every((step, i) => {
      const before = aligned[i - 1] ?? -1;
      return step === -1 || before === -1 || step - before <= gaps[i - 1]!;
    })
  );
}

function isApart(aligned: readonly number[]): boolean {
  const done = aligned.filter((step) => step !== -1);
  return new Set(done).size === done.length;
}
