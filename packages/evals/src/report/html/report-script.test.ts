import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { REPORT_SCRIPT, SEQUENCE_DIFF, TIMELINE } from "../index.ts";

type Step = readonly [action: string, subject: string];
type Align = (left: readonly Step[], right: readonly Step[]) => [number, number][];

const MODULES = fileURLToPath(new URL("../../../../../node_modules", import.meta.url));

const alignSteps = runInNewContext(`${TIMELINE}${SEQUENCE_DIFF};alignSteps`) as Align;

const RULES = {
  env: { browser: true, es2024: true },
  categories: { correctness: "error", suspicious: "error", perf: "error" },
  rules: { "no-undef": "error", "no-shadow": "off", "no-eval": "error", eqeqeq: "error" },
};

function check(program: string, ...args: string[]): string {
  const cwd = temporaryFolder({ "report.js": REPORT_SCRIPT, "rules.json": JSON.stringify(RULES) });
  const { stdout, status } = spawnSync(
    process.execPath,
    [join(MODULES, program), ...args, "report.js"],
    { cwd, encoding: "utf8" },
  );
  return `${status}: ${status === 0 ? "" : stdout}`;
}

describe("the script of the report", () => {
  it("E-03 passes the linter, though it is text", () => {
    expect(check("oxlint/bin/oxlint", "--deny-warnings", "-c", "rules.json")).toBe("0: ");
  });

  it("E-03 passes the compiler, though it is text", () => {
    const options = "--ignoreConfig --allowJs --checkJs --noEmit --target es2023 --strict false";
    const libraries = ["--lib", "es2023,dom,dom.iterable", "--types", ""];
    expect(check("typescript/bin/tsc", ...options.split(" "), ...libraries)).toBe("0: ");
  });

  it("E-03 cannot end its element or make HTML of text", () => {
    expect(REPORT_SCRIPT).not.toMatch(
      /<\/?script|<!--|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\r/i,
    );
  });

  it("E-03 aligns what two sides did", () => {
    const steps = (text: string): Step[] => [...text].map((name) => ["use_tool", name]);
    expect(alignSteps(steps("abcd"), steps("acxd")).map(([i, j]) => [i, j])).toEqual([
      [0, 0],
      [1, -1],
      [2, 1],
      [-1, 2],
      [3, 3],
    ]);
  });

  it("E-03 property: an alignment holds every step of both once, in order, and pairs only the same", () => {
    const steps = fc.array(fc.tuple(fc.constant("use_tool"), fc.constantFrom("a", "b", "c")), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(steps, steps, (left, right) => {
        const rows = alignSteps(left, right);
        expect(rows.map(([i]) => i).filter((i) => i !== -1)).toEqual(left.map((_, i) => i));
        expect(rows.map(([, j]) => j).filter((j) => j !== -1)).toEqual(right.map((_, j) => j));
        const pairs = rows.filter(([i, j]) => i !== -1 && j !== -1);
        expect(pairs.map(([i]) => left[i])).toEqual(pairs.map(([, j]) => right[j]));
        expect(alignSteps(left, left).every(([i, j]) => i === j)).toBe(true);
      }),
    );
  });
});
