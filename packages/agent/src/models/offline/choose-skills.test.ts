import { describe, expect, it } from "vitest";
import { chooseSkills } from "./choose-skills.ts";
import type { SkillEntry } from "./rank-skills.ts";

const SKILLS: SkillEntry[] = [
  {
    name: "tabular-data",
    description:
      "Profiles, filters, aggregates and joins CSV, TSV and JSON lines. Use for tables, columns, rows and statistics of data files.",
  },
  {
    name: "text-compare",
    description:
      "Compares two text files or folders line by line or word by word and shows the differences.",
  },
  {
    name: "format-check",
    description: "Validates JSON, YAML, CSV and Markdown files against a schema or rules.",
  },
  {
    name: "unit-convert",
    description:
      "Converts units of length, mass, temperature, volume and time with exact decimals.",
  },
  {
    name: "report-writer",
    description: "Writes a Markdown report with charts from data and a template.",
  },
  { name: "会议纪要", description: "把会议录音的文字整理成会议纪要，列出决议和待办事项。" },
];

function chosen(request: string, skills = SKILLS): string[] {
  return chooseSkills(request, skills).chosen.map(({ name }) => name);
}

describe("chooseSkills", () => {
  it.each([
    ["Aggregate sales.csv by region", "tabular-data"],
    ["What are the differences between a.txt and b.txt, line by line?", "text-compare"],
    ["convert 5 miles to kilometers, units of length", "unit-convert"],
    ["Validate config.yaml against the schema", "format-check"],
    ["整理一下今天的会议纪要", "会议纪要"],
    ["比较两个文本文件", "text-compare"],
  ])("M-02 chooses for %j", (request, name) => {
    expect(chosen(request)).toEqual([name]);
  });

  it.each([
    "Write a poem about the sea",
    "Who won the football game yesterday?",
    "帮我订一张去上海的机票",
    "deploy my application to kubernetes",
    "hello",
    "",
    "!!!",
  ])("A-10 abstains for %j", (request) => {
    expect(chosen(request)).toEqual([]);
  });

  it("M-02 the answer does not hang on the size of the catalog", () => {
    const [tabular] = SKILLS;
    if (tabular === undefined) throw new Error("no skill");
    expect(chosen("Aggregate the rows of a CSV table", [tabular])).toEqual(["tabular-data"]);
    expect(chosen("Write a poem about the sea", [tabular])).toEqual([]);
    const many = Array.from({ length: 200 }, (_, i) => ({
      name: `other-${i}`,
      description: `Handles matter ${i} of some quite different kind.`,
    }));
    const request = "Aggregate the rows of a CSV table by column";
    expect(chosen(request, [...many, ...SKILLS])).toEqual(["tabular-data"]);
    expect(chosen("Write a poem about the sea", [...many, ...SKILLS])).toEqual([]);
  });

  it("M-02 takes a skill that is named", () => {
    expect(chosen("use text-compare here")).toEqual(["text-compare"]);
    expect(chosen("format-check, then text-compare")).toEqual(["text-compare", "format-check"]);
    expect(chosen("what is an x-format-checker?")).toEqual([]);
  });

  it("M-02 takes two for two things, not for two words", () => {
    const request =
      "Aggregate the CSV rows of sales.csv and then write a Markdown report with charts";
    expect(chosen(request)).toEqual(["tabular-data", "report-writer"]);
    expect(chosen("Filter rows and columns of a CSV")).toEqual(["tabular-data"]);
  });
});
