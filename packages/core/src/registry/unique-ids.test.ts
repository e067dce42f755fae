import fc from "fast-check";
import { expect, it } from "vitest";
import { numRuns } from "../../../../test/support/suite.ts";
import type { FoundSkill } from "../index.ts";
import { UniqueIds } from "./index.ts";

const skill = fc.record({
  source: fc.constantFrom("project", "user"),
  root: fc.constantFrom("/a", "/b"),
  relativePath: fc.constantFrom("a", "a@1", "b", "b/c", "z"),
  version: fc.constantFrom("", "@1"),
});

it("R-04 gives every skill an id of its own, in whatever order they come", () => {
  fc.assert(
    fc.property(fc.array(skill, { maxLength: 12 }), (skills) => {
      const ids = new UniqueIds();
      const given = skills.map(({ version, ...found }) =>
        ids.next(found as FoundSkill, `${found.source}:${found.relativePath}${version}`),
      );
      expect(new Set(given).size).toBe(given.length);
    }),
    { numRuns: numRuns(1000) },
  );
});

it("R-04 an id that nobody else has stays as it is", () => {
  const ids = new UniqueIds();
  const found = { source: "project", root: "/a", relativePath: "pdf" } as FoundSkill;
  expect(ids.next(found, "project:pdf")).toBe("project:pdf");
  expect(ids.next({ ...found, root: "/b" }, "project:pdf")).toBe("project:pdf#2");
});
