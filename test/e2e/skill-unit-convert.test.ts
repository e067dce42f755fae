import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtCli } from "../support/built-cli.ts";
import { skillEvals, unmetExpectations } from "../support/skill-evals.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const SKILL = fileURLToPath(new URL("../../skills/unit-convert", import.meta.url));
const EVALS = skillEvals(SKILL);

interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
  toDecimal: (digits: number) => { text: string; exact: boolean };
}
interface Unit {
  readonly kind: string;
  readonly name: string;
}
interface Units {
  findUnit: (name: string) => Unit | undefined;
  convert: (value: Fraction, from: Unit, to: Unit) => Fraction;
  kinds: () => [string, { names: string[] }[]][];
}

const load = async () => ({
  ...((await import(join(SKILL, "scripts/lib/units.mjs"))) as Units),
  ...((await import(join(SKILL, "scripts/lib/fraction.mjs"))) as {
    Fraction: { parse: (text: string) => Fraction | undefined };
  }),
});

function convert(...args: string[]) {
  const script = join(SKILL, "scripts/convert.mjs");
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    encoding: "utf8",
  });
  return { status, stdout: stdout.trim(), stderr };
}

describe("C-01 unit-convert", () => {
  it.each([
    [["5", "km", "miles"], "5 kilometre = 3.10685596119 mile (rounded)"],
    [["10", "mile", "km"], "10 mile = 16.09344 kilometre"],
    [["-40", "celsius", "fahrenheit"], "-40 celsius = -40 fahrenheit"],
    [["98.6", "F", "to", "C"], "98.6 fahrenheit = 37 celsius"],
    [["0.1", "kg", "g"], "0.1 kilogram = 100 gram"],
    [["1", "GiB", "MB"], "1 gibibyte = 1073.741824 megabyte"],
    [["1/3", "yard", "foot"], "1/3 yard = 1 foot"],
    [["1", "磅", "公斤"], "1 pound = 0.45359237 kilogram"],
    [["1", "day", "second", "--digits", "3"], "1 day = 86400 second"],
  ])("C-01 %j", (args, expected) => {
    expect(convert(...args)).toEqual({ status: 0, stdout: expected, stderr: "" });
  });

  it("C-01 what cannot be converted is said in one line, with the usage", () => {
    for (const [args, message] of [
      [["5", "kg", "metre"], "kilogram is mass, metre is length: there is no way between them"],
      [["5", "parsnip", "metre"], 'there is no unit "parsnip"'],
      [["five", "kg", "lb"], '"five" is no number'],
      [["5", "kg"], "give a value and two units"],
      [["1/0", "kg", "lb"], '"1/0" is no number'],
      [["1e9999", "kg", "lb"], "is no number"],
      [["5", "kg", "lb", "--digits", "0"], "--digits takes a number from 1 to 50"],
      [["5", "kg", "constructor"], 'there is no unit "constructor"'],
    ] as const) {
      const { status, stdout, stderr } = convert(...args);
      expect([args, status, stdout]).toEqual([args, 2, ""]);
      expect(stderr).toContain(message);
      expect(stderr).toMatch(/^error: .*\nusage: /);
    }
  });

  it("C-01 there and back is the same number, for every pair of units of a kind", async () => {
    const { convert: to, findUnit, Fraction, kinds } = await load();
    const value = fc.tuple(fc.integer(), fc.nat(9999)).map(([a, b]) => `${a}.${b}`);
    const pair = fc
      .constantFrom(...kinds())
      .chain(([, units]) =>
        fc.tuple(
          fc.constantFrom(...units.flatMap(({ names }) => names)),
          fc.constantFrom(...units.flatMap(({ names }) => names)),
        ),
      );
    fc.assert(
      fc.property(value, pair, (text, [from, into]) => {
        const [one, a, b] = [Fraction.parse(text)!, findUnit(from)!, findUnit(into)!];
        expect(to(to(one, a, b), b, a)).toEqual(one);
      }),
      { numRuns: 500 },
    );
  });

  it("C-01 every name finds a unit of its kind, and no name stands for two", async () => {
    const { findUnit, kinds } = await load();
    const all = kinds().flatMap(([kind, units]) =>
      units.flatMap(({ names }) => names.map((name) => ({ kind, name, unit: names[0] }))),
    );
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    for (const { kind, name, unit } of all) {
      expect([name, findUnit(name)]).toEqual([name, expect.objectContaining({ kind, name: unit })]);
    }
  });

  it("C-01 decimals are those of long division, and rounding is half away from zero", async () => {
    const { Fraction } = await load();
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 12n }),
        fc.bigInt({ min: 1n, max: 10n ** 6n }),
        (a, b) => {
          const { text, exact } = Fraction.parse(`${a}/${b}`)!.toDecimal(20);
          const [whole = "", places = ""] = text.split(".");
          const scale = 10n ** BigInt(places.length);
          const shown = BigInt(whole) * scale + BigInt(places === "" ? "0" : places);
          const twice = (shown * b - a * scale) * 2n;
          expect(exact ? twice === 0n : (twice < 0n ? -twice : twice) <= b).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
    expect(Fraction.parse("-2/3")!.toDecimal(3).text).toBe("-0.667");
  });
});

describe("N-03 unit-convert through the agent", () => {
  it("C-01 the skill is lint-clean, and its evals have cases that it must leave alone", () => {
    const { status, stdout } = builtCli(["lint", "--strict", SKILL], temporaryFolder());
    expect([status, stdout]).toEqual([0, expect.stringContaining("No problems")]);
    const negative = EVALS.filter((one) => one.expectations.some((text) => /not used/.test(text)));
    expect([EVALS.length, negative.length]).toEqual([9, 2]);
  });

  it.each(EVALS)("M-02 C-01 its evals pass on the offline model: $prompt", (one) => {
    expect(unmetExpectations(SKILL, one)).toEqual([]);
  });

  it.each([
    ["Convert 5 km to miles", "5 kilometre = 3.10685596119 mile (rounded)"],
    ["100 公里换算成英里", "100 kilometre = 62.1371192237 mile (rounded)"],
  ])("N-03 M-02 %s", (request, expected) => {
    const args = ["run", request, "--yes=run_script", "--model", "offline", "--cwd", "project"];
    const { status, stdout } = builtCli(args, temporaryFolder({ "project/x.txt": "" }));
    expect([status, stdout]).toEqual([0, expect.stringContaining(expected)]);
  });
});
