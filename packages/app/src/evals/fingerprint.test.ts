import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSkills } from "@skillwright/core";
import type { EvalCase, EvalResults, Outcome } from "@skillwright/evals";
import { describe, expect, it } from "vitest";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { changesBetween, evalFingerprint, touchedCases } from "./index.ts";

function caseOf(id: string, skill: string, used: readonly string[] = [], input = id): EvalCase {
  return {
    id,
    title: id,
    input,
    files: [],
    expected: {
      skills: { used, unused: [], only: false },
      sequence: [],
      output: [],
      statements: [],
    },
    constraints: { forbiddenTools: [], requiredTools: [] },
    tags: [],
    origin: { file: `/${id}.json`, line: 1, dialect: "skillwright", skill },
  };
}

/** As much of results as is looked at: outcome and skills that were used, by case. */
function resultsOf(trials: Readonly<Record<string, readonly [Outcome, ...string[]]>>): EvalResults {
  const list = Object.entries(trials).map(([caseId, [outcome, ...skills]]) => ({
    caseId,
    outcome,
    skills,
  }));
  return { trials: list } as unknown as EvalResults;
}

const CASES = [
  caseOf("own", "pdf"),
  caseOf("expects", "csv", ["pdf"]),
  caseOf("used", "csv"),
  caseOf("other", "mail"),
];
const PASSED = resultsOf({
  own: ["pass"],
  expects: ["pass"],
  used: ["pass", "pdf"],
  other: ["fail"],
});

async function world() {
  const folder = temporaryFolder({
    "pdf/SKILL.md": skillText("pdf"),
    "pdf/scripts/a.js": "1",
    "csv/SKILL.md": skillText("csv"),
  });
  const print = async (cases = CASES) =>
    evalFingerprint(await openSkills({ roots: [folder] }), cases);
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  const before = await print();
  const touched = async (cases = CASES, results = PASSED) => {
    const now = await print(cases);
    const ids = touchedCases(cases, now, { results, fingerprint: before }).map(({ id }) => id);
    return { ids, ...changesBetween(now, before) };
  };
  return { write, touched };
}

describe("touchedCases", () => {
  it("C-01 nothing touches nothing", async () => {
    const { touched } = await world();
    expect(await touched()).toEqual({ ids: [], skills: [], files: [] });
  });

  it("C-01 a skill touches its cases, those that expect it, and those that used it", async () => {
    const { touched, write } = await world();
    write("pdf/scripts/a.js", "2");
    const ids = ["own", "expects", "used"];
    expect(await touched()).toEqual({ ids, skills: ["pdf"], files: [] });
  });

  it("C-01 what stands in the catalog touches all cases", async () => {
    const { touched, write } = await world();
    write("csv/SKILL.md", skillText("csv", "Takes everything. Use always."));
    expect((await touched()).ids).toEqual(["own", "expects", "used", "other"]);
  });

  it("C-01 an edit touches that case, and a line that moved touches none", async () => {
    const { touched } = await world();
    const moved = CASES.map((one) => ({ ...one, origin: { ...one.origin, line: 9 } }));
    expect((await touched(moved)).ids).toEqual([]);
    const edited = [...CASES.slice(0, 3), caseOf("other", "mail", [], "Go on")];
    expect(await touched(edited)).toEqual({ ids: ["other"], skills: [], files: ["/other.json"] });
  });

  it("C-01 cases that are new or were an error are run, those that are gone are told", async () => {
    const { touched } = await world();
    const results = resultsOf({ own: ["error"], expects: ["pass"], used: ["pass"] });
    const cases = [...CASES.slice(0, 3), caseOf("new", "mail")];
    expect(await touched(cases, results)).toEqual({
      ids: ["own", "new"],
      skills: [],
      files: ["/new.json", "/other.json"],
    });
  });
});
