import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exampleResults, exampleTrial } from "../../../../../test/support/example-results.ts";
import { compareResults, htmlReport, summarize } from "../../index.ts";

const HOSTILE = `</script><img src=x onerror="alert(1)"><!-- <script>\u2028' "`;

function reportOf(...[trials, setup]: Parameters<typeof exampleResults>): string {
  const results = exampleResults(trials, setup);
  return htmlReport({ results, summary: summarize(results) });
}

function hostileReport(text: string): string {
  const trial = exampleTrial({
    caseId: text,
    title: text,
    input: text,
    origin: { file: text, line: 1, dialect: "evals-json", skill: text },
    outcome: "fail",
    error: { code: text, message: text },
    grades: [{ metric: "output", text, outcome: "fail", score: 0, evidence: text }],
    expectedSkills: { used: [text], unused: [text], only: false },
    tags: [text],
    skills: [`${text}2`],
    answer: text,
    status: text,
    steps: [
      {
        action: text,
        subject: text,
        arguments: { [text]: text },
        ok: true,
        observation: text,
        turn: 1,
        atMs: 1,
      },
    ],
    runId: text,
  });
  const before = exampleResults([{ ...trial, outcome: "pass", grades: [] }], { model: `${text}3` });
  const results = exampleResults([trial, exampleTrial()], {
    model: text,
    version: text,
    platform: text,
    casesDigest: text,
    arms: [{ name: "with_skill", reference: text }],
    skills: [{ name: text, digest: text }],
  });
  const comparison = compareResults(before, results);
  if (!comparison.ok) throw new Error(comparison.message);
  return htmlReport({ results, summary: summarize(results), comparison, other: before });
}

/** Tags of a page as a parser sees them: not those in the data or the script. */
function tagsOf(report: string): string[] {
  const outside = report.replaceAll(/(<(script|style)[^>]*>).*?(<\/\2>)/gs, "$1$3");
  return [...outside.matchAll(/<!--|<\/?([a-z][a-z0-9]*)/gi)].map(([tag]) => tag.toLowerCase());
}

describe("htmlReport", () => {
  it("E-03 begins with the verdict, and shows what is needed to do it again", () => {
    const report = reportOf([exampleTrial()], { seed: 4711, model: "offline:rules" });
    expect(report).toMatch(/<p class="status pass"><b aria-hidden="true">✓<\/b> Pass<\/p>/);
    for (const text of ["4711", "offline:rules", "sha256:2", "linux x64, Node 20", "0.1.0"]) {
      expect(report).toContain(text);
    }
  });

  it("E-03 loads nothing: no address, no style or script of another", () => {
    const report = reportOf([exampleTrial()]);
    const addresses = [...report.matchAll(/(?:src|href|url)\s*[=(]\s*["']?([^"')\s>]+)/g)].map(
      ([, address]) => address,
    );
    expect(addresses.filter((address) => !/^(?:#|data:,)/.test(address ?? ""))).toEqual([]);
    expect(report).not.toMatch(/@import|@font-face|\sstyle="/);
  });

  it("E-03 allows exactly its own script and style", () => {
    const report = hostileReport(HOSTILE);
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(report)?.[1] ?? "";
    const script = /<script>(.*?)<\/script>/s.exec(report)?.[1] ?? "";
    const style = /<style>(.*?)<\/style>/s.exec(report)?.[1] ?? "";
    const hash = (text: string) => createHash("sha256").update(text).digest("base64");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`script-src 'sha256-${hash(script)}';`);
    expect(policy).toContain(`style-src 'sha256-${hash(style)}';`);
    expect(policy).not.toContain("unsafe");
  });

  it("E-03 hostile text of cases, models and skills makes no element", () => {
    expect(tagsOf(hostileReport(HOSTILE))).toEqual(tagsOf(hostileReport("harmless")));
  });

  it("E-03 property: no text makes an element", () => {
    const expected = tagsOf(hostileReport("harmless")).filter((tag) => tag !== "<q").length;
    const unit = fc.constantFrom(
      ..."<>/!-\"'=&; a",
      "script",
      "\u2028",
      "\u0000",
      "]]>",
      "${",
      "`",
    );
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1 }), (text) => {
        const tags = tagsOf(hostileReport(`x${text}`)).filter((tag) => tag !== "<q");
        expect(tags).toHaveLength(expected);
      }),
      { numRuns: 25 },
    );
  });

  it("E-03 keeps the data whole in its element", () => {
    const report = hostileReport(HOSTILE);
    const json =
      /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(report)?.[1] ?? "";
    expect(json).not.toMatch(/[<\u2028]/);
    const { cases } = JSON.parse(json) as { cases: { id: string; input: string }[] };
    expect(cases.map(({ input }) => input)).toContain(HOSTILE);
  });

  it("E-02 shows which skill took which query, with intervals and n", () => {
    const report = reportOf([
      exampleTrial({ skills: ["docx"], outcome: "fail" }),
      exampleTrial({ caseId: "pdf/2" }),
    ]);
    expect(report).toContain("docx took what belongs to pdf");
    expect(report).toMatch(/50 %.*9 to 91 %/s);
    expect(report).toContain("Only 2 cases were judged");
  });

  it("E-02 a skill that a case does not speak of is shown, and is not wrong", () => {
    const open = { expectedSkills: { used: [], unused: ["pdf"], only: false } };
    const rowOf = (...trials: Parameters<typeof exampleTrial>[0][]) => {
      const all = trials.map((trial, i) => exampleTrial({ caseId: `pdf/${i}`, ...open, ...trial }));
      const [, row = ""] = /<th scope="row">open<\/th>(.*?)<\/tr>/s.exec(reportOf(all)) ?? [];
      return [...row.matchAll(/<td class="(right|wrong) level-\d">([^<]+)</g)].map(
        ([, kind, count]) => `${kind} ${count}`,
      );
    };
    expect(rowOf({ skills: ["docx"] })).toEqual(["right 1", "right ·"]);
    expect(rowOf({ skills: ["docx"] }, { skills: ["pdf"], outcome: "fail" })).toEqual([
      "right 1",
      "wrong 1",
      "right ·",
    ]);
  });

  it("E-02 without the skill counts what came out, so that a case is different only by that", () => {
    const arms = [{ name: "with_skill" }, { name: "without_skill" }] as const;
    const bare = exampleTrial({
      arm: "without_skill",
      skills: [],
      outcome: "fail",
      grades: [
        { metric: "trigger", text: "pdf is selected", outcome: "fail", score: 0, evidence: "" },
        { metric: "output", text: 'contains "done"', outcome: "pass", score: 1, evidence: "done" },
      ],
    });
    expect(reportOf([exampleTrial(), bare], { arms })).toContain('id="case-0" data-kinds=""');
    const worse = { ...bare, grades: [{ ...bare.grades[1]!, outcome: "fail" as const }] };
    expect(reportOf([exampleTrial(), worse], { arms })).toContain('data-kinds="different"');
  });

  it("E-04 names new cases that fail", () => {
    const fresh = exampleTrial({ caseId: "pdf/new", outcome: "fail" });
    const results = exampleResults([exampleTrial(), fresh]);
    const comparison = compareResults(exampleResults([exampleTrial()]), results);
    if (!comparison.ok) throw new Error(comparison.message);
    const report = htmlReport({ results, summary: summarize(results), comparison });
    expect(report).toMatch(/New or changed, and failing <small>1<\/small>.*?pdf\/new/s);
  });

  it("E-02 says what nobody judged, and why", () => {
    const text = "the grader diff cannot be run here";
    const grades = [
      { metric: "output", text, outcome: "unjudged", score: 0, evidence: "no" },
    ] as const;
    const report = reportOf([
      exampleTrial(),
      exampleTrial({ caseId: "pdf/2", outcome: "unjudged", grades }),
    ]);
    expect(report).toContain("1 of 2 expectations were not judged: they cannot be checked here");
    const rows = report.slice(report.indexOf('class="cases"'), report.indexOf('id="data"'));
    expect(rows).toContain(text);
  });

  it("E-03 shows those that need a look first", () => {
    const trials = (["pass", "error", "fail"] as const).map((outcome, at) =>
      exampleTrial({ caseId: `pdf/${at}`, title: outcome, outcome }),
    );
    const titles = [...reportOf(trials).matchAll(/class="name">(\w+)/g)].map(([, title]) => title);
    expect(titles).toEqual(["fail", "error", "pass"]);
  });

  it("E-03 without any trial says so", () => {
    expect(reportOf([])).toContain("No case was run.");
  });
});
