import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { exampleResults, exampleTrial } from "../../../../../test/support/example-results.ts";
import { writeWorkspace } from "./write-workspace.ts";

const arms = [{ name: "with_skill" }, { name: "old_skill", reference: "v1" }] as const;
const failed = {
  metric: "output",
  text: "x",
  outcome: "fail",
  score: 0,
  evidence: "",
} as const;

const read = (...path: string[]) =>
  JSON.parse(readFileSync(join(...path), "utf8")) as Record<string, unknown>;

describe("writeWorkspace", () => {
  it("E-02 has the layout and the signs that other viewers expect", async () => {
    const folder = temporaryFolder();
    const results = exampleResults(
      [
        exampleTrial(),
        exampleTrial({ arm: "old_skill", outcome: "fail", grades: [failed] }),
        exampleTrial({ trial: 2, outcome: "error", error: { code: "timed-out", message: "" } }),
      ],
      { arms, trials: 2 },
    );
    const [iteration = ""] = await writeWorkspace(folder, results);
    expect(iteration).toBe(join(folder, "pdf-workspace", "iteration-1"));
    const benchmark = read(iteration, "benchmark.json");
    expect(benchmark["run_summary"]).toMatchObject({
      with_skill: { pass_rate: { mean: 1, n: 1 }, tokens: { mean: 1000 } },
      old_skill: { pass_rate: { mean: 0 } },
      delta: { pass_rate: "+1.00", tokens: "+0" },
    });
    expect(benchmark["metadata"]).toMatchObject({ runs_per_configuration: 2, evals_run: [1] });
    expect(benchmark["notes"]).toEqual(["1 of 3 trials ended in an error and count nowhere."]);
    const run = join(iteration, "eval-1", "with_skill", "run-1");
    expect(read(run, "grading.json")["summary"]).toEqual({
      passed: 1,
      failed: 0,
      total: 1,
      pass_rate: 1,
    });
    expect(read(run, "timing.json")).toMatchObject({ total_tokens: 1000, duration_ms: 1500 });
    expect(readFileSync(join(run, "outputs", "answer.md"), "utf8")).toBe("done\n");
  });

  it("E-02 keeps earlier iterations, and stays in its folder whatever a skill is called", async () => {
    const folder = temporaryFolder();
    const origin = { ...exampleTrial().origin, skill: "../../etc" };
    const results = exampleResults([exampleTrial({ origin })]);
    const [first] = await writeWorkspace(folder, results);
    const [second] = await writeWorkspace(folder, results);
    expect(first).toBe(join(folder, "-etc-workspace", "iteration-1"));
    expect(second).toBe(join(folder, "-etc-workspace", "iteration-2"));
  });
});
