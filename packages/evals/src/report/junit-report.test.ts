import { describe, expect, it } from "vitest";
import { exampleResults, exampleTrial } from "../../../../test/support/example-results.ts";
import { junitReport } from "../index.ts";

const grade = { metric: "output", score: 0, text: 'contains "<42>"', evidence: "a & b" } as const;

describe("junitReport", () => {
  it("E-02 counts failures, errors and what nobody judged apart", () => {
    const report = junitReport(
      exampleResults([
        exampleTrial(),
        exampleTrial({ trial: 2, outcome: "fail", grades: [{ ...grade, outcome: "fail" }] }),
        exampleTrial({ trial: 3, outcome: "error", error: { code: "timed-out", message: "slow" } }),
        exampleTrial({ trial: 4, outcome: "unjudged", grades: [] }),
      ]),
    );
    expect(report).toContain('<testsuite name="pdf" tests="4" failures="1" errors="1" skipped="1"');
    expect(report).toContain('<error type="timed-out" message="slow">');
    expect(report).toContain("fills a form (trial 3)");
    expect(report).toContain('<skipped message="nobody was there to judge it"/>');
  });

  it("E-02 says which grader kept a trial from being judged", () => {
    const grades = [
      { ...grade, text: "the grader <diff> cannot be run here", outcome: "unjudged" },
    ];
    const trial = exampleTrial({ outcome: "unjudged", grades: grades as never });
    expect(junitReport(exampleResults([trial]))).toContain(
      '<skipped message="the grader &lt;diff&gt; cannot be run here"/>',
    );
  });

  it("E-02 leaves the other arms out", () => {
    const other = exampleTrial({ arm: "without_skill", outcome: "fail" });
    const arms = [{ name: "with_skill" }, { name: "without_skill" }] as const;
    expect(junitReport(exampleResults([exampleTrial(), other], { arms }))).toContain(
      'tests="1" failures="0"',
    );
  });

  it("E-02 escapes what a case says, and what XML cannot hold", () => {
    const title = '"><script>\u0000\u001B]0;x\uD800';
    const report = junitReport(
      exampleResults([
        exampleTrial({ title, outcome: "fail", grades: [{ ...grade, outcome: "fail" }] }),
      ]),
    );
    expect(report).toContain('name="&quot;&gt;&lt;script&gt;??]0;x?"');
    expect(report).toContain("contains &quot;&lt;42&gt;&quot;&#10;a &amp; b");
  });
});
