import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exampleResults, exampleTrial } from "../../../../test/support/example-results.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { writeWorkspace } from "./index.ts";

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

  it("E-02 judges without the skill only what came out, in both arms alike", async () => {
    const grade = (metric: "trigger" | "output", text: string, outcome: "pass" | "fail") =>
      ({ metric, text, outcome, score: 0, evidence: "" }) as const;
    const used = (outcome: "pass" | "fail") => grade("trigger", "the skill pdf is used", outcome);
    const said = (outcome: "pass" | "fail") => grade("output", "says it", outcome);
    const bare = { arm: "without_skill", outcome: "fail" } as const;
    const both = [{ name: "with_skill" }, { name: "without_skill" }] as const;
    const written = async (...trials: ReturnType<typeof exampleTrial>[]) => {
      const [iteration = ""] = await writeWorkspace(
        temporaryFolder(),
        exampleResults(trials, { arms: both }),
      );
      return { iteration, benchmark: read(iteration, "benchmark.json") };
    };
    const triggers = await written(
      exampleTrial({ grades: [used("pass")] }),
      exampleTrial({ ...bare, grades: [used("fail")] }),
    );
    const { run_summary: summary, notes } = triggers.benchmark;
    expect(summary).toMatchObject({ without_skill: { pass_rate: { n: 0 }, tokens: { n: 1 } } });
    expect(summary).toHaveProperty("delta", { time_seconds: "+0.00", tokens: "+0" });
    expect(notes).toContain("In 2 of 2 runs nothing was judged: they have no pass rate.");
    const run = join(triggers.iteration, "eval-1", "without_skill", "run-1");
    expect(read(run, "grading.json")).toMatchObject({ expectations: [], outcome: "unjudged" });
    const mixed = await written(
      exampleTrial({ grades: [used("fail"), said("pass")] }),
      exampleTrial({ ...bare, grades: [used("fail"), said("pass")] }),
      // Nobody ran these two without the skill, and in this one nobody decided anything.
      exampleTrial({ caseId: "pdf/2", grades: [said("fail")] }),
      exampleTrial({ caseId: "pdf/3", isMock: true, grades: [said("pass")] }),
      exampleTrial({ ...bare, caseId: "pdf/3", isMock: true, grades: [said("fail")] }),
    );
    expect(mixed.benchmark["run_summary"]).toMatchObject({
      with_skill: { pass_rate: { mean: 1, n: 1 } },
      without_skill: { pass_rate: { mean: 1, n: 1 } },
      delta: { pass_rate: "+0.00" },
    });
  });

  it("E-02 counts calls once, and in a transcript all that was said", async () => {
    const step = (action: string, subject: string, observation = "") =>
      ({ action, subject, arguments: {}, ok: true, observation, turn: 1, atMs: 1 }) as const;
    const metrics = async (toolCalls: number, ...acting: ReturnType<typeof step>[]) => {
      const steps = [step("select_skills", "pdf"), ...acting, step("final_answer", "")];
      const usage = { ...exampleTrial().usage, toolCalls };
      const trial = exampleTrial({ steps, usage, answer: "a long answer" });
      const [iteration = ""] = await writeWorkspace(temporaryFolder(), exampleResults([trial]));
      const run = join(iteration, "eval-1", "with_skill", "run-1");
      const { runs } = read(iteration, "benchmark.json") as {
        runs: readonly { result: { tool_calls: number } }[];
      };
      return {
        ...(read(run, "grading.json")["execution_metrics"] as { transcript_chars: number }),
        inBenchmark: runs[0]?.result.tool_calls,
      };
    };
    const none = await metrics(0);
    expect(none).toMatchObject({ tool_calls: {}, total_tool_calls: 0, inBenchmark: 0 });
    expect(none.transcript_chars).toBe("Fill form.pdf{}a long answer".length);
    const some = [step("use_tool", "read_file", "text"), step("run_script", "pdf/a.py")];
    expect(await metrics(2, ...some)).toMatchObject({
      tool_calls: { read_file: 1, run_script: 1 },
      total_tool_calls: 2,
      inBenchmark: 2,
    });
    // Not all steps of a long trial are kept.
    expect(await metrics(5, ...some)).toMatchObject({
      tool_calls: { read_file: 1, run_script: 1, other: 3 },
      total_tool_calls: 5,
    });
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
