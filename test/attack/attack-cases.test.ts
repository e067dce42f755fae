import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");

const rows = read("docs/attack-cases.md")
  .split("\n")
  .flatMap((line) => {
    const [, cases = "", , tests = ""] = line.split(" | ").length >= 3 ? cellsOf(line) : [];
    return /^\d/.test(cases) ? [{ cases: cases.split(", ").map(Number), tests }] : [];
  });

function cellsOf(line: string): string[] {
  return line.split("|").map((cell) => cell.trim());
}

/** Paths, links, sizes, archives; then execution, permissions, approvals, trust and record, and changes of scripts. */
const RANGES = [
  [1, 53],
  [75, 129],
] as const;

it("X-06 P-01 the table of attacks names every case once", () => {
  const wanted = RANGES.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, i) => from + i),
  );
  expect(rows.flatMap(({ cases }) => cases).sort((a, b) => a - b)).toEqual(wanted);
});

it.each(rows)("X-06 P-01 the tests of cases $cases are there", ({ tests }) => {
  const named = [...tests.matchAll(/`([^`]+\.test\.ts)` “([^”]+)”/g)];
  if (tests.startsWith("open:")) return;
  expect(named).not.toEqual([]);
  expect(tests.split(";").length).toBe(named.length);
  for (const [, file = "", title = ""] of named) expect(read(file), file).toContain(title);
});
