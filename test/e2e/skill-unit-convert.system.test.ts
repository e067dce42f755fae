import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtCli } from "../support/built-cli.ts";
import { skillEvals, unmetExpectations } from "../support/skill-evals.ts";
import { numRuns } from "../support/suite.ts";
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
  readonly names: readonly string[];
  readonly symbols: readonly string[];
}
interface Units {
  findUnit: (name: string) => {
    readonly unit?: Unit;
    readonly candidates: readonly { readonly symbol: string; readonly unit: Unit }[];
  };
  convert: (value: Fraction, from: Unit, to: Unit) => Fraction;
  UNITS: readonly Unit[];
}

const load = async () => ({
  ...((await import(join(SKILL, "scripts/lib/units.mjs"))) as Units),
  ...((await import(join(SKILL, "scripts/lib/unit-table.mjs"))) as Pick<Units, "UNITS">),
  ...((await import(join(SKILL, "scripts/lib/fraction.mjs"))) as {
    Fraction: { parse: (text: string) => Fraction | undefined };
  }),
});

/** Written down anew, so that a slip in the skill's own table shows. */
const LARGE = [
  ["k", "kilo", 3],
  ["K", "kilo", 3],
  ["M", "mega", 6],
  ["G", "giga", 9],
  ["T", "tera", 12],
  ["P", "peta", 15],
  ["E", "exa", 18],
  ["Z", "zetta", 21],
  ["Y", "yotta", 24],
  ["R", "ronna", 27],
  ["Q", "quetta", 30],
] as const;
const ALL = [
  ...LARGE,
  ["h", "hecto", 2],
  ["da", "deca", 1],
  ["d", "deci", -1],
  ["c", "centi", -2],
  ["m", "milli", -3],
  ["µ", "micro", -6],
  ["u", "micro", -6],
  ["n", "nano", -9],
  ["p", "pico", -12],
  ["f", "femto", -15],
  ["a", "atto", -18],
  ["z", "zepto", -21],
  ["y", "yocto", -24],
  ["r", "ronto", -27],
  ["q", "quecto", -30],
] as const;
const PREFIXED = [
  ["m", "metre", ALL],
  ["g", "gram", ALL],
  ["s", "second", ALL],
  ["K", "kelvin", ALL],
  ["L", "litre", ALL],
  ["l", "litre", ALL],
  ["Pa", "pascal", ALL],
  ["J", "joule", ALL],
  ["Wh", "watt hour", ALL],
  ["eV", "electronvolt", ALL],
  ["W", "watt", ALL],
  ["B", "byte", LARGE],
  ["b", "bit", LARGE],
] as const;

function decimalPower(power: number): string {
  return power >= 0 ? `1${"0".repeat(power)}` : `0.${"0".repeat(-power - 1)}1`;
}

function inCase(text: string, ups: readonly boolean[]): string {
  const cased = (letter: string, isUp: boolean) =>
    isUp ? letter.toUpperCase() : letter.toLowerCase();
  return Array.from(text, (letter, i) => cased(letter, ups[i] === true)).join("");
}

function convert(...args: string[]) {
  const script = join(SKILL, "scripts/convert.mjs");
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    encoding: "utf8",
  });
  return { status, stdout: stdout.trim(), stderr };
}

describe("C-01 unit-convert", () => {
  it.each([
    [["5", "km", "miles"], "5 kilometres = 3.10685596119 mi (rounded)"],
    [["10", "mile", "km"], "10 miles = 16.09344 km"],
    [["-40", "celsius", "fahrenheit"], "-40 °C = -40 °F"],
    [["98.6", "F", "to", "C"], "98.6 °F = 37 °C"],
    [["0.1", "kg", "g"], "0.1 kilograms = 100 g"],
    [["1", "GiB", "MB"], "1 gibibyte = 1073.741824 MB"],
    [["1/3", "yard", "foot"], "1/3 yard = 1 ft"],
    [["1", "磅", "公斤"], "1 pound = 0.45359237 kg"],
    [["1", "day", "second", "--digits", "3"], "1 day = 86400 s"],
    [["1", "mW", "W"], "1 milliwatt = 0.001 W"],
    [["1", "MW", "W"], "1 megawatt = 1000000 W"],
    [["1", "Mm", "m"], "1 megametre = 1000000 m"],
    [["1", "Ms", "s"], "1 megasecond = 1000000 s"],
    [["1", "Mb", "B"], "1 megabit = 125000 B"],
    [["100", "Mb", "to", "MB"], "100 megabits = 12.5 MB"],
    [["1", "KM", "MILES", "--digits", "3"], "1 kilometre = 0.621 mi (rounded)"],
    [["1", "kwh", "KJ"], "1 kilowatt hour = 3600 kJ"],
    [["2", "Lb", "oz"], "2 pounds = 32 oz"],
    [["10", "in", "to", "cm"], "10 inches = 25.4 cm"],
    [["1,500", "km", "m"], "1500 kilometres = 1500000 m"],
    [["1.500,25", "km", "m"], "1500.25 kilometres = 1500250 m"],
    [["1.500", "km", "m"], "1.500 kilometres = 1500 m"],
    [["1,5", "Meilen", "Kilometer"], "1.5 miles = 2.414016 km"],
    [["1/2", "mile", "km"], "1/2 mile = 0.804672 km"],
  ])("C-01 %j", (args, expected) => {
    expect(convert(...args)).toEqual({ status: 0, stdout: expected, stderr: "" });
  });

  it("C-01 what cannot be converted is said in one line, with the usage", () => {
    for (const [args, message] of [
      [["5", "kg", "metre"], "kilogram is mass, metre is length: there is no way between them"],
      [["5", "parsnip", "metre"], 'there is no unit "parsnip"'],
      [["five", "kg", "lb"], '"five" is not a number'],
      [["5", "kg"], "give a value and two units"],
      [["1/0", "kg", "lb"], '"1/0" is not a number'],
      [["1e9999", "kg", "lb"], "is not a number"],
      [["5", "kg", "lb", "--digits", "0"], "--digits takes a number from 1 to 50"],
      [["5", "kg", "constructor"], 'there is no unit "constructor"'],
      [["1", "mw", "W"], "MW is megawatt, mW is milliwatt"],
      [["1", "gb", "MB"], "GB is gigabyte, Gb is gigabit"],
      [["1", "MM", "m"], "Mm is megametre, mm is millimetre"],
      [["1", "kN", "m/s"], '"kN" is not clear, since the case counts: kn is knot'],
      [["1", "G", "kg"], "g is gram"],
      [["2^10", "km", "m"], '"2^10" is not a number but a calculation'],
      [["5-10", "km", "m"], '"5-10" is not a number but a range'],
      [["-5-10", "km", "m"], '"-5-10" is not a number but a range'],
      [["1,500,25", "km", "m"], '"1,500,25" is not a number'],
      [["1.234.567", "km", "m"], '"1.234.567" is not a number'],
      [["1,2,3", "km", "m"], '"1,2,3" is not a number'],
    ] as const) {
      const { status, stdout, stderr } = convert(...args);
      expect([args, status, stdout]).toEqual([args, 2, ""]);
      expect(stderr).toContain(message);
      expect(stderr).toMatch(/^error: .*\nusage: /);
    }
  });

  it("C-01 there and back is the same number, for every pair of units of a kind", async () => {
    const { convert: to, UNITS, Fraction } = await load();
    const value = fc.tuple(fc.integer(), fc.nat(9999)).map(([a, b]) => `${a}.${b}`);
    const pair = fc
      .constantFrom(...UNITS)
      .chain((from) =>
        fc.tuple(
          fc.constant(from),
          fc.constantFrom(...UNITS.filter(({ kind }) => kind === from.kind)),
        ),
      );
    fc.assert(
      fc.property(value, pair, (text, [from, into]) => {
        const one = Fraction.parse(text)!;
        expect(to(to(one, from, into), into, from)).toEqual(one);
      }),
      { numRuns: numRuns(500) },
    );
  });

  it("C-01 every name and symbol finds its own unit, and none stands for two", async () => {
    const { findUnit, UNITS } = await load();
    const owners = new Map<string, Unit>();
    for (const unit of UNITS) {
      for (const name of [...unit.names, ...unit.symbols]) {
        expect([name, owners.get(name)?.name ?? unit.name]).toEqual([name, unit.name]);
        owners.set(name, unit);
        expect([name, findUnit(name).unit?.name]).toEqual([name, unit.name]);
      }
    }
    expect(owners.size).toBeGreaterThan(500);
  });

  it("C-01 every prefix of the SI is the right power of ten, by symbol and by name", async () => {
    const { convert: to, findUnit, Fraction } = await load();
    const one = Fraction.parse("1")!;
    for (const [symbol, name, prefixes] of PREFIXED) {
      for (const [prefix, word, power] of prefixes) {
        for (const written of [prefix + symbol, word + name, (word + name).toUpperCase()]) {
          const [from, base] = [findUnit(written).unit, findUnit(symbol).unit];
          expect([written, from?.name]).toEqual([written, word + name]);
          const { text, exact } = to(one, from!, base!).toDecimal(40);
          expect([written, text, exact]).toEqual([written, decimalPower(power), true]);
        }
      }
    }
  });

  it("C-01 a symbol in another case is the same unit or refused, never another one", async () => {
    const { findUnit, UNITS } = await load();
    const symbols = UNITS.flatMap((unit) => unit.symbols.map((symbol) => ({ symbol, unit })));
    const swapped = fc
      .constantFrom(...symbols)
      .chain((one) =>
        fc
          .array(fc.boolean(), { minLength: one.symbol.length, maxLength: one.symbol.length })
          .map((ups) => ({ ...one, typed: inCase(one.symbol, ups) })),
      );
    const exact = new Set(symbols.map(({ symbol }) => symbol));
    fc.assert(
      fc.property(swapped, ({ typed, unit }) => {
        fc.pre(!exact.has(typed));
        const { unit: found, candidates } = findUnit(typed);
        const meant = found === undefined ? candidates.map((one) => one.unit.name) : [found.name];
        expect(meant, typed).toContain(unit.name);
      }),
      { numRuns: numRuns(2000) },
    );
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
      { numRuns: numRuns(500) },
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
    ["Convert 5 km to miles", "5 kilometres = 3.10685596119 mi (rounded)"],
    ["100 公里换算成英里", "100 kilometres = 62.1371192237 mi (rounded)"],
    ["100 Mb to MB", "100 megabits = 12.5 MB"],
    ["convert 1 mW to W", "1 milliwatt = 0.001 W"],
  ])("N-03 M-02 %s", (request, expected) => {
    const args = ["run", request, "--yes=run_script", "--model", "offline", "--cwd", "project"];
    const { status, stdout } = builtCli(args, temporaryFolder({ "project/x.txt": "" }));
    expect([status, stdout]).toEqual([0, expect.stringContaining(expected)]);
  });
});
