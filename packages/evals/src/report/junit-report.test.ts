import { describe, expect, it } from "vitest";
import { exampleResults, exampleTrial } from "../../../../test/support/example-results.ts";
import { compareResults, type EvalResults, junitReport, summarize } from "../index.ts";

const report = (results: EvalResults) => junitReport({ results, summary: summarize(results) });

const grade = { metric: "output", score: 0, text: 'contains "<42>"', evidence: "a & b" } as const;

describe("junitReport", () => {
  it("E-06 is red exactly when the exit code is not 0", () => {
    const before = exampleResults([
      exampleTrial({ outcome: "fail" }),
      exampleTrial({ caseId: "b" }),
    ]);
    const written = (now: EvalResults, exitCode?: number) => {
      const comparison = compareResults(before, now);
      if (!comparison.ok) throw new Error(comparison.message);
      const more = exitCode === undefined ? {} : { exitCode };
      return junitReport({ results: now, summary: summarize(now), comparison, ...more });
    };
    const known = written(before);
    expect(known).toMatch(/^<testsuites [^>]*tests="3" failures="0" errors="0" skipped="1"/m);
    expect(known).toContain('<skipped message="failed, and did not get worse: ');
    const worse = written(
      exampleResults([exampleTrial(), exampleTrial({ caseId: "b", outcome: "fail" })]),
    );
    expect(worse).toMatch(/^<testsuites [^>]*failures="2" errors="0"/m);
    expect(worse).toContain('<failure type="regression" message="1 of 2 cases got worse: b.');
    expect(written(before, 1)).toMatch(/^<testsuites [^>]*failures="1" errors="0"/m);
    expect(known).toContain('<property name="model" value="offline:rules"/>');
  });

  it("E-02 counts failures, errors and what nobody judged apart", () => {
    const text = report(
      exampleResults([
        exampleTrial(),
        exampleTrial({ trial: 2, outcome: "fail", grades: [{ ...grade, outcome: "fail" }] }),
        exampleTrial({ trial: 3, outcome: "error", error: { code: "timed-out", message: "slow" } }),
        exampleTrial({ trial: 4, outcome: "unjudged", grades: [] }),
      ]),
    );
    expect(text).toContain('<testsuite name="pdf" tests="4" failures="1" errors="1" skipped="1"');
    expect(text).toContain('<error type="timed-out" message="slow">');
    expect(text).toContain("fills a form (trial 3)");
    expect(text).toContain('<skipped message="nobody was there to judge it"/>');
  });

  it("E-02 says which grader kept a trial from being judged", () => {
    const grades = [
      { ...grade, text: "the grader <diff> cannot be run here", outcome: "unjudged" },
    ];
    const trial = exampleTrial({ outcome: "unjudged", grades: grades as never });
    expect(report(exampleResults([trial]))).toContain(
      '<skipped message="the grader &lt;diff&gt; cannot be run here"/>',
    );
  });

  it("E-02 leaves the other arms out", () => {
    const other = exampleTrial({ arm: "without_skill", outcome: "fail" });
    const arms = [{ name: "with_skill" }, { name: "without_skill" }] as const;
    expect(report(exampleResults([exampleTrial(), other], { arms }))).toContain(
      'tests="1" failures="0"',
    );
  });

  it("E-02 escapes what a case says, and what XML cannot hold", () => {
    const title = '"><script>\u0000\u001B]0;x\uD800';
    const text = report(
      exampleResults([
        exampleTrial({ title, outcome: "fail", grades: [{ ...grade, outcome: "fail" }] }),
      ]),
    );
    expect(text).toContain('name="&quot;&gt;&lt;script&gt;??]0;x?"');
    expect(text).toContain("contains &quot;&lt;42&gt;&quot;&#10;a &amp; b");
  });

  it("E-06 takes time in proportion to the trials", () => {
    const summary = summarize(exampleResults([exampleTrial()]));
    const cost = (count: number) => {
      const trials = Array.from({ length: count }, (_, trial) => exampleTrial({ trial }));
      const { user } = process.cpuUsage();
      const report = junitReport({ results: exampleResults(trials), summary });
      expect(report.match(/<testcase /g)).toHaveLength(count + 1);
      return process.cpuUsage().user - user;
    };
    cost(2000);
    // Ten times as many; a hundred times the work would be quadratic.
    expect(cost(20_000) / cost(2000)).toBeLessThan(40);
  });
});
