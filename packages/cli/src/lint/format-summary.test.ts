import pc from "picocolors";
import { describe, expect, it } from "vitest";
import { formatSummary } from "./index.ts";

const plain = pc.createColors(false);
const none = { files: 1, errors: 0, warnings: 0, infos: 0, fixable: 0, fixed: 0, unfinished: 0 };

describe("formatSummary", () => {
  it.each([
    [none, "No problems in 1 skill"],
    [{ ...none, files: 0 }, "No problems in 0 skills"],
    [{ ...none, files: 2, fixed: 3 }, "No problems in 2 skills · 3 fixed"],
    [
      { ...none, unfinished: 1 },
      "No problems in 1 skill · incomplete: 1 folder not searched, see above",
    ],
    [{ ...none, errors: 1 }, "1 error in 1 skill"],
    [
      { ...none, files: 3, errors: 2, warnings: 1, fixable: 1 },
      "2 errors, 1 warning in 3 skills · 1 fixable with --fix",
    ],
    [
      { files: 4, errors: 1, warnings: 2, infos: 3, fixable: 4, fixed: 5, unfinished: 0 },
      "1 error, 2 warnings, 3 infos in 4 skills · 5 fixed · 4 fixable with --fix",
    ],
  ])("F-06 %j", (counts, line) => {
    expect(formatSummary(counts, plain)).toBe(line);
  });

  it("F-06 colours the counts by weight", () => {
    const line = formatSummary({ ...none, errors: 1, warnings: 1 }, pc.createColors(true));
    expect(line).toContain("\u001b[31m1 error\u001b[39m");
    expect(line).toContain("\u001b[33m1 warning\u001b[39m");
  });
});
