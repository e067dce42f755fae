import { describe, expect, it } from "vitest";
import { exampleResults, exampleTrial } from "../../../../test/support/example-results.ts";
import {
  type AnswerPreference,
  htmlReport,
  markdownReport,
  summarize,
  terminalSummary,
} from "../index.ts";

const EVIDENCE = "<b>it</b> says\u001b[31m [x](http://a.example) | @all";

const PREFERENCES: readonly AnswerPreference[] = [
  { caseId: "pdf/1", trial: 1, other: "without_skill", winner: "second", evidence: EVIDENCE },
  {
    caseId: "pdf/2",
    trial: 1,
    other: "without_skill",
    winner: "tie",
    evidence: EVIDENCE,
    dependsOnOrder: true,
  },
  {
    caseId: "gone",
    trial: 1,
    other: "without_skill",
    error: { code: "judge-failed", message: EVIDENCE },
  },
];

const { trials, ...head } = exampleResults([exampleTrial(), exampleTrial({ caseId: "pdf/2" })], {
  judge: "a:b#0123",
});
const results = { ...head, preferences: PREFERENCES, trials };
const input = { results, summary: summarize(results) };

describe("what a judge prefers, in reports", () => {
  it("E-02 one line in a terminal, and the sentence among the notes", () => {
    const lines = terminalSummary(input, { width: 100 });
    expect(lines).toContain(
      "judge, against without the skill  0 cases better, 1 worse, 1 tie, 1 error, p = 1.00",
    );
    expect(lines.join(" ").replaceAll(/\s+/g, " ")).toContain(
      "1 of 3 comparisons depends on the order",
    );
    expect(lines.at(-1)).toMatch(/^✓ PASS/);
    const plain = { ...head, trials };
    const without = terminalSummary({ results: plain, summary: summarize(plain) });
    expect(without.join()).not.toMatch(/judge,|prefers/);
  });

  it("E-02 Markdown names the cases that were lost, and is not written by the judge", () => {
    const text = markdownReport(input);
    expect(text).toContain("- judge, against without the skill: 0 cases better, 1 worse");
    expect(text).toContain("**The judge prefers the other arm** (1)\n- `pdf/1` without the skill:");
    expect(text).toContain("judge a:b");
    expect(text).not.toContain("<b>");
    expect(text).not.toMatch(/[^\\\\]\]\(http/);
  });

  it("E-03 the page has a section with links to the cases, and the words of a judge are text", () => {
    const page = htmlReport(input);
    const [, section = ""] = /<section id="preferences".*?>(.*?)<\/section>/s.exec(page) ?? [];
    expect(section).toMatch(/<a href="#case-\d+">pdf\/1<\/a>/);
    expect(section).toMatch(/<a href="#case-\d+">pdf\/2<\/a>/);
    expect(section).toContain("<span>gone</span>");
    expect(section).toContain("It depends on the order <small>1</small>");
    expect(section).toContain("&lt;b&gt;it&lt;/b&gt;");
    expect(section).not.toContain("<b>it");
    expect(page).toContain('<a href="#preferences">');
    expect(page).toContain("<td>a:b#0123</td>");
  });
});
