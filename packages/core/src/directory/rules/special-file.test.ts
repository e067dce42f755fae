import { expect, it } from "vitest";
import { type DirectoryFinding, specialFile } from "../index.ts";

it("F-08 names a folder that cannot be read", () => {
  const findings: DirectoryFinding[] = [];
  const directory = { name: "dates", entries: [], truncated: false, unreadable: ["references"] };
  specialFile.inspect?.({ ...directory, skill: undefined, bodyStart: 0 }, (finding) => {
    findings.push(finding);
  });
  expect(findings).toMatchObject([{ path: "references", hint: "chmod u+rx references" }]);
});
