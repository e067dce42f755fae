import { mkdirSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { foundBy, readCases } from "./index.ts";

const SKILL = "---\nname: pdf\ndescription: Reads PDFs.\n---\n";
const CASES = "cases:\n  - { id: a, input: go, expected: { skills: [pdf] } }\n";

/** Ids, and problems as `severity code file`. */
async function readAll(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder({ "pdf/SKILL.md": SKILL, ...files });
  return readFolder(folder);
}

async function readFolder(folder: string) {
  const { cases, problems } = await readCases(folder);
  return {
    ids: cases.map(({ id }) => id),
    told: problems.map(
      ({ severity, code, file }) => `${severity} ${code} ${relative(folder, file)}`,
    ),
    messages: problems.map(({ message }) => message),
  };
}

describe("what lies beside cases", () => {
  it("E-01 our own format is read under any name", async () => {
    const { ids, told } = await readAll({ "pdf/evals/notes.yaml": CASES });
    expect(ids).toEqual(["pdf/a"]);
    expect(told).toEqual([]);
  });

  it.each(["sales-report", "results", "summary", "call-history", "form.schema"])(
    "E-01 cases are read from a file that is called %s",
    async (name) => {
      const own = await readAll({ [`.agent/evals/${name}.yaml`]: CASES });
      expect([own.ids.length, own.told]).toEqual([1, []]);
      const ofSkill = await readAll({ [`pdf/evals/${name}.yaml`]: CASES });
      expect([ofSkill.ids.length, ofSkill.told]).toEqual([1, []]);
    },
  );

  it.each<[string, unknown]>([
    ["baseline.json", { schemaVersion: 1, id: "x", setup: {}, trials: [] }],
    ["grading.json", { expectations: [], summary: { passed: 0, failed: 0, total: 0 } }],
    ["benchmark.json", { metadata: {}, runs: [], run_summary: { with_skill: {} } }],
    ["timing.json", { total_tokens: 1, duration_ms: 2 }],
    ["history.json", { current_best: "v1", iterations: [] }],
    ["feedback.json", { reviews: [], status: "complete" }],
    ["eval_metadata.json", { eval_id: 1, eval_name: "x", prompt: "y", assertions: [] }],
    ["trigger-eval-results.json", { results: [{ query: "q", should_trigger: true, pass: true }] }],
    ["results.json", { tasks: [{ id: "a", status: "passed" }] }],
    ["out.schema.json", { type: "object", properties: {} }],
  ])("E-01 what came of an earlier eval is passed over: %s", async (name, content) => {
    const text = JSON.stringify(content);
    const read = await readAll({ [`pdf/evals/${name}`]: text, [`.agent/evals/${name}`]: text });
    expect(read).toEqual({ ids: [], told: [], messages: [] });
  });

  it("E-01 any other data file is a problem, with the reason", async () => {
    const { ids, told, messages } = await readAll({
      "pdf/evals/people.json": '[{"name":"Ann"}]',
      "pdf/evals/last.json": '{"summary":{"passed":1,"total":1}}',
      "pdf/evals/broken.yaml": "a: [",
      "pdf/evals/results.json": '{"cases": [',
      "pdf/evals/readme.md": "no data",
      "pdf/evals/1/2/3/4/5/deep.yaml": CASES,
      ".agent/evals/report.json": '{"cases": [',
      ".agent/evals/odd.json": "{}",
    });
    expect(ids).toEqual([]);
    expect(told.sort()).toEqual([
      "error format-unknown .agent/evals/odd.json",
      "warning file-invalid .agent/evals/report.json",
      "warning file-invalid pdf/evals/broken.yaml",
      "warning file-invalid pdf/evals/results.json",
      "warning file-unreadable pdf/evals/1/2/3/4/5",
      "warning format-unknown pdf/evals/last.json",
      "warning format-unknown pdf/evals/people.json",
    ]);
    expect(messages.join()).toContain("the result of an earlier eval");
  });

  it("E-01 links are told of, files and folders", async () => {
    const folder = temporaryFolder({ "pdf/SKILL.md": SKILL, "real/x.yaml": CASES });
    mkdirSync(join(folder, "pdf/evals"));
    symlinkSync(join(folder, "real/x.yaml"), join(folder, "pdf/evals/linked.yaml"));
    symlinkSync(join(folder, "real"), join(folder, "pdf/evals/more"));
    symlinkSync(join(folder, "nowhere"), join(folder, "pdf/evals/gone.md"));
    const { ids, told } = await readFolder(folder);
    expect(ids).toEqual([]);
    expect(told.sort()).toEqual([
      "warning file-unreadable pdf/evals/linked.yaml",
      "warning file-unreadable pdf/evals/more",
    ]);
  });

  it("E-01 cases among files are told of, unless a case uses them", async () => {
    const use = "cases:\n  - { id: u, input: go, files: [files/used.yaml], expected: {} }\n";
    const { ids, told } = await readAll({
      "pdf/evals/cases.yaml": use,
      "pdf/evals/files/used.yaml": CASES,
      "pdf/evals/files/unused.yaml": CASES,
      "pdf/evals/files/data.json": "[1, 2]",
      "pdf/evals/files/broken.json": "[",
      ".agent/evals/fixtures/a.yaml": CASES,
      ".agent/evals/my-workspace/a.yaml": CASES,
      ".agent/evals/x-workspace/iteration-1/eval-1/cases.yaml": CASES,
    });
    expect(ids).toEqual(["pdf/u"]);
    expect(told).toEqual([
      "warning file-unreadable .agent/evals/fixtures/a.yaml",
      "warning file-unreadable .agent/evals/my-workspace/a.yaml",
      "warning file-unreadable pdf/evals/files/unused.yaml",
    ]);
  });

  it("E-01 a folder called evals that is of no skill is left alone, but for known names", async () => {
    const { ids, told } = await readAll({
      "evals/package.json": '{"name":"evals"}',
      "evals/src/tsconfig.json": "{",
      "evals/evals.json": '[{"id":1,"prompt":"go"}]',
    });
    expect([ids.length, told]).toEqual([1, []]);
  });

  it("E-01 more files than are read are told of", () => {
    const paths = Array.from({ length: 10_001 }, (_, i) => `/evals/${String(i).padStart(5, "0")}`);
    const files = new Map(paths.map((path) => [path, { path, kind: "cases" as const }]));
    const found = foundBy({ files, problems: [] }, "/evals");
    expect(found.files).toHaveLength(10_000);
    expect(found.problems).toMatchObject([{ severity: "warning", file: "/evals" }]);
    expect(found.problems[0]?.message).toContain("1 are not read, from /evals/10000 on");
    const material = new Map(paths.map((path) => [path, { path, kind: "material" as const }]));
    expect(foundBy({ files: material, problems: [] }, "/evals").problems).toMatchObject([
      {
        severity: "warning",
        message: expect.stringContaining("1 are not looked through") as string,
      },
    ]);
  });

  it("E-01 says so when folders of material are nested too deep", async () => {
    const deep = Array.from({ length: 9 }, (_, i) => i).join("/");
    const { told } = await readAll({ [`pdf/evals/files/${deep}/x.yaml`]: CASES });
    expect(told).toEqual([expect.stringMatching(/^warning file-unreadable .*files\/0\/1\/2/)]);
  });
});
