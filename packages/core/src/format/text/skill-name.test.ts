import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numRuns } from "../../../../../test/support/suite.ts";
import { nameProblem, slugify } from "../../internal/index.ts";

describe("nameProblem", () => {
  it.each(["a", "1", "pdf", "pdf-forms", "a-1-b-2", "données", "日期", "даты", "ß", "𐌰𐌱"])(
    "F-02 %s is a name",
    (name) => {
      expect(nameProblem(name)).toBeUndefined();
    },
  );

  it.each([
    ["", "empty"],
    ["PDF", "lowercase"],
    ["École", "lowercase"],
    ["pdf forms", "only letters"],
    ["pdf_forms", "only letters"],
    ["pdf.forms", "only letters"],
    ["pdf/forms", "only letters"],
    ["pdf\\forms", "only letters"],
    ["..", "only letters"],
    ["pdf\n", "only letters"],
    ["pdf\0", "only letters"],
    ["🚀", "only letters"],
    ["pdf\u200B", "only letters"],
    ["pdf\u2011forms", "only letters"],
    ["-", "start or end"],
    ["-pdf", "start or end"],
    ["pdf-", "start or end"],
    ["pdf--forms", "two hyphens"],
  ])("F-02 %j is none", (name, reason) => {
    expect(nameProblem(name)).toContain(reason);
  });
});

describe("slugify", () => {
  it.each([
    ["PDF Forms", "pdf-forms"],
    ["pdf_forms", "pdf-forms"],
    ["office:pdf", "office-pdf"],
    ["formatDates", "format-dates"],
    ["v2Beta", "v2-beta"],
    ["  --a--b--  ", "a-b"],
    ["ｐｄｆ", "pdf"],
    ["Données Météo", "données-météo"],
    ["../../etc", "etc"],
    ["🚀", ""],
    ["", ""],
    ["a".repeat(100), "a".repeat(64)],
    [`${"a".repeat(63)} b`, "a".repeat(63)],
  ])("F-02 makes %j %j", (text, expected) => {
    expect(slugify(text)).toBe(expected);
  });

  it("F-02 gives nothing or a valid name", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 30 }), (text) => {
        const slug = slugify(text);
        expect(slug === "" ? undefined : nameProblem(slug)).toBeUndefined();
      }),
      { numRuns: numRuns(1000) },
    );
  });

  it("F-02 keeps a plain name as it is", () => {
    const names = fc.stringMatching(/^[a-z0-9]{1,8}(-[a-z0-9]{1,8}){0,5}$/);
    fc.assert(
      fc.property(names, (name) => {
        expect(slugify(name)).toBe(name);
      }),
    );
  });
});
