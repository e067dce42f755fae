import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numRuns } from "../../../../../test/support/suite.ts";
import type { ModelView } from "../model.ts";
import { decideOffline } from "./decide-offline.ts";

const digits = fc.integer({ min: 1, max: 999 }).map(String);
const three = fc.stringMatching(/^\d{3}$/);
const decimals = fc.stringMatching(/^\d{1,2}$|^\d{4}$/);

interface Written {
  readonly text: string;
  /** Undefined for what has no one value. */
  readonly value?: number;
}

/** Each way to write a number, and its value worked out by itself. */
const readable: fc.Arbitrary<Written> = fc.oneof(
  digits.map((text) => ({ text, value: Number(text) })),
  fc.tuple(digits, three).map(([a, b]) => ({ text: `${a},${b}`, value: Number(a + b) })),
  fc
    .tuple(digits, three, three)
    .map(([a, b, c]) => ({ text: `${a},${b},${c}`, value: Number(a + b + c) })),
  fc.tuple(digits, decimals).map(([a, b]) => ({ text: `${a},${b}`, value: Number(`${a}.${b}`) })),
  fc.tuple(digits, decimals).map(([a, b]) => ({ text: `${a}.${b}`, value: Number(`${a}.${b}`) })),
  fc.tuple(digits, three, decimals, fc.boolean()).map(([a, b, c, isGerman]) => ({
    text: isGerman ? `${a}.${b},${c}` : `${a},${b}.${c}`,
    value: Number(`${a}${b}.${c}`),
  })),
  fc.tuple(digits, digits).map(([a, b]) => ({ text: `${a}/${b}`, value: Number(a) / Number(b) })),
  fc
    .tuple(digits, digits, digits)
    .map(([w, a, b]) => ({ text: `${w} ${a}/${b}`, value: Number(w) + Number(a) / Number(b) })),
  fc.constantFrom(
    { text: "½", value: 0.5 },
    { text: "2¼", value: 2.25 },
    { text: ".5", value: 0.5 },
  ),
  fc
    .tuple(digits, fc.nat({ max: 9 }))
    .map(([a, e]) => ({ text: `${a}e${e}`, value: Number(`${a}e${e}`) })),
);
const signed: fc.Arbitrary<Written> = fc
  .tuple(fc.constantFrom("minus ", "negative ", "-", "−"), readable)
  .map(([sign, { text, value = 0 }]) => ({ text: `${sign}${text}`, value: -value }));
const unreadable: fc.Arbitrary<Written> = fc.oneof(
  fc
    .tuple(
      readable,
      fc.constantFrom(
        "-",
        "–",
        " - ",
        " to ",
        "..",
        "^",
        "**",
        "*",
        " x ",
        "+",
        " plus ",
        "±",
        "~",
        ":",
      ),
      readable,
    )
    .map(([a, between, b]) => ({ text: a.text + between + b.text })),
  fc.tuple(digits, digits, decimals).map((parts) => ({ text: parts.join(".") })),
  fc
    .tuple(
      digits,
      fc.constantFrom(" million", " thousand", "万", " and a half", "²", "^", " squared"),
    )
    .map(([a, tail]) => ({ text: a + tail })),
  fc.tuple(digits, three).map(([a, b]) => ({ text: `${a} ${b}` })),
  fc.tuple(digits, digits).map(([a, b]) => ({ text: `${a} ft ${b} in` })),
);
const frame = fc.constantFrom(
  "convert N km to miles",
  "N km to miles",
  "what is N km in miles?",
  "please convert N km to miles.",
  "scale the drawing, factor N",
  "scale the drawing, factor: N",
  "show rows where amount > N",
  "show rows with amount over N",
  "show the top N of it",
  "把 N km 换算成 miles",
);
const SKILL = {
  name: "quantities",
  source: "project",
  text: [
    "```sh",
    "node scripts/convert.mjs <value> <from unit> <to unit>  # convert units km miles",
    "node scripts/scale.mjs --factor <number> # scale the drawing by a factor",
    'node scripts/rows.mjs --where "<condition>" [--top <n>] # show rows where',
    "node scripts/first.mjs --top <n> # show the top",
    "```",
  ].join("\n"),
  scripts: ["convert", "scale", "rows", "first"].map((name) => `scripts/${name}.mjs`),
  files: [],
};

/** The numbers of the call; undefined when nothing is called. */
function numbersPassed(request: string): number[] | undefined {
  const view: ModelView = {
    request,
    skills: [],
    omittedSkills: 0,
    active: [SKILL],
    steps: [],
    tools: [],
    mustAnswer: false,
  };
  const action = decideOffline(view);
  if (action.action !== "run_script") return undefined;
  return action.args
    .flatMap((arg) => arg.split(/^amount >=? /))
    .filter((arg) => /\p{N}/u.test(arg))
    .map(valueOf);
}

function valueOf(arg: string): number {
  const [, above, below] = /^(-?\d+)\/(\d+)$/.exec(arg) ?? [];
  return above === undefined ? Number(arg) : Number(above) / Number(below);
}

describe("numbers of requests", () => {
  it("M-02 what is passed is the whole number, or nothing is called", () => {
    fc.assert(
      fc.property(
        frame,
        fc.oneof(readable, signed, unreadable),
        (text, { text: number, value }) => {
          const passed = numbersPassed(text.replace("N", () => number)) ?? [];
          for (const one of passed) expect(one).toBeCloseTo(value ?? Number.NaN, 6);
        },
      ),
      { numRuns: numRuns(1000) },
    );
  });

  it("M-02 what can be read is passed", () => {
    fc.assert(
      fc.property(fc.oneof(readable, signed), ({ text, value = 0 }) => {
        const passed = numbersPassed(`convert ${text} km to miles`);
        expect(passed).toHaveLength(1);
        expect(passed?.[0]).toBeCloseTo(value, 6);
      }),
    );
  });

  it("M-02 what cannot be read is said, with how to write it", () => {
    fc.assert(
      fc.property(unreadable, ({ text }) => {
        expect(numbersPassed(`convert ${text} km to miles`)).toBeUndefined();
      }),
    );
  });
});
