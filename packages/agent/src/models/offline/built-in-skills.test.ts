import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ActiveSkill, ModelView } from "../model.ts";
import { decideOffline } from "./decide-offline.ts";

const ROOT = join(import.meta.dirname, "../../../../../skills");

function builtIn(name: string): ActiveSkill & { readonly description: string } {
  const text = readFileSync(join(ROOT, name, "SKILL.md"), "utf8");
  const scripts = readdirSync(join(ROOT, name, "scripts"))
    .filter((file) => file.endsWith(".mjs"))
    .map((file) => `scripts/${file}`);
  const description = /^description: (.*)$/m.exec(text)?.[1] ?? "";
  const body = text.replace(/^---\n[^]*?\n---\n/, "");
  return { name, source: "project", text: body, scripts, files: scripts, description };
}

const skills = [
  "format-check",
  "report-writer",
  "skill-creator",
  "tabular-data",
  "text-compare",
  "unit-convert",
].map(builtIn);

/** The skill that is selected, then the call that is made with it. */
function callFor(request: string): readonly string[] {
  const view: ModelView = {
    request,
    skills: skills.map(({ name, description, source }) => ({ name, description, source })),
    omittedSkills: 0,
    active: [],
    steps: [],
    tools: ["list_directory", "read_file", "search_files", "search_skills"],
    mustAnswer: false,
  };
  const first = decideOffline(view);
  if (first.action !== "select_skills") return [JSON.stringify(first)];
  const chosen = first.skills.map(({ name }) => name);
  const active = skills.filter(({ name }) => chosen.includes(name));
  const next = decideOffline({
    ...view,
    active,
    steps: [{ action: first, ok: true, observation: "" }],
  });
  if (next.action === "final_answer") return [...chosen, next.answer];
  return next.action === "run_script" ? [...chosen, next.relative_path, ...next.args] : [];
}

describe("M-02 a skill that a person called by name", () => {
  const invoke = (request: string, called = "unit-convert") => {
    const active = skills.filter(({ name }) => name === called);
    const empty = { skills: [], omittedSkills: 0, steps: [], tools: [], mustAnswer: false };
    const action = decideOffline({ request, active, ...empty });
    return action.action === "run_script" ? action.args : action;
  };

  it("M-02 gets its words in the order of the usage", () => {
    expect(invoke("5 kg lb")).toEqual(["5", "kg", "lb"]);
    expect(invoke("10 mile km")).toEqual(["10", "mile", "km"]);
    expect(invoke('3 "us gallon" litre')).toEqual(["3", "us gallon", "litre"]);
    expect(invoke("-40 °C °F")).toEqual(["-40", "°C", "°F"]);
  });

  it("M-02 gets a name with blanks as one word, in the quotes of any language", () => {
    const quoted = ['"my sales.csv"', "“my sales.csv”", "「my sales.csv」", "„my sales.csv“"];
    for (const name of quoted) expect(invoke(name, "tabular-data")).toEqual(["my sales.csv"]);
  });

  it("M-02 lists only when asked to", () => {
    expect(invoke("list")).toEqual(["--list"]);
    expect(invoke("5 kg")).toMatchObject({ answer: expect.stringContaining("- to unit") });
  });
});

describe("M-02 plain requests to the skills that come along", () => {
  const convert = ["unit-convert", "scripts/convert.mjs"];
  const aggregate = ["tabular-data", "scripts/aggregate.mjs", "sales.csv"];
  const filter = ["tabular-data", "scripts/filter.mjs", "sales.csv", "--where"];
  const profile = ["tabular-data", "scripts/profile.mjs", "sales.csv"];
  const spaced = [...aggregate.slice(0, 2), "my sales.csv", "--by", "region", "--sum", "amount"];
  const cases: [request: string, expected: string[]][] = [
    ["/unit-convert 5 kg lb", [...convert, "5", "kg", "lb"]],
    ["/unit-convert 10 mile km", [...convert, "10", "mile", "km"]],
    ['/unit-convert 3 "us gallon" litre', [...convert, "3", "us gallon", "litre"]],
    ["/unit-convert 5 kg to lb", [...convert, "5", "kg", "lb"]],
    ["/unit-convert list", [...convert, "--list"]],
    ["convert 10 miles to km", [...convert, "10", "miles", "km"]],
    ["20 degrees fahrenheit in celsius", [...convert, "20", "fahrenheit", "celsius"]],
    ["how many km are 3.5 miles", [...convert, "3.5", "miles", "km"]],
    ["how many kilometres are 26.2 miles?", [...convert, "26.2", "miles", "kilometres"]],
    ["How many feet are in 3 nautical miles?", [...convert, "3", "nautical miles", "feet"]],
    ["华氏 100 度是多少摄氏度", [...convert, "100", "华氏度", "摄氏度"]],
    ["5 公里是多少英里？", [...convert, "5", "公里", "英里"]],
    ["average amount by region in sales.csv", [...aggregate, "--by", "region", "--mean", "amount"]],
    ["total amount per region in sales.csv", [...aggregate, "--by", "region", "--sum", "amount"]],
    ["highest amount by region in sales.csv", [...aggregate, "--by", "region", "--max", "amount"]],
    ["count the rows of sales.csv by region", [...aggregate, "--by", "region"]],
    ["sales.csv 按 region 汇总 amount", [...aggregate, "--by", "region", "--sum", "amount"]],
    [
      "按 region 统计 sales.csv 中 amount 的总和",
      [...aggregate, "--by", "region", "--sum", "amount"],
    ],
    ["sales.csv 里每个 region 的平均 amount", [...aggregate, "--by", "region", "--mean", "amount"]],
    ["按 region 对 sales.csv 的 amount 求和", [...aggregate, "--by", "region", "--sum", "amount"]],
    ["rows of sales.csv where amount > 3", [...filter, "amount > 3"]],
    [
      "rows of sales.csv where amount > 3 and region = North",
      [...filter, "amount > 3 and region = North"],
    ],
    ["筛选 sales.csv 中 amount 大于 3 的行", [...filter, "amount > 3"]],
    [
      "join orders.csv and customers.csv on customer",
      ["tabular-data", "scripts/join.mjs", "orders.csv", "customers.csv", "--on", "customer"],
    ],
    ["what is in sales.csv?", profile],
    ["What's inside sales.csv?", profile],
    ["what does sales.csv contain?", profile],
    ["describe sales.csv", profile],
    ["sales.csv里有什么？", profile],
    ["sales.csv有哪些列", profile],
    ["介绍一下sales.csv", profile],
    ["Was steht in sales.csv?", profile],
    ["Was enthält sales.csv?", profile],
    ["Welche Spalten hat sales.csv?", profile],
    ["Was steht in „meine Verkäufe.csv“?", [...profile.slice(0, 2), "meine Verkäufe.csv"]],
    ["「my sales.csv」里有什么？", [...profile.slice(0, 2), "my sales.csv"]],
    ['sum amount by region in "my sales.csv"', spaced],
    ["sum amount by region in “my sales.csv”", spaced],
    ["sum amount by region in 'my sales.csv'", spaced],
    ["按region统计「my sales.csv」中amount的总和", spaced],
    ["按region统计sales.csv中amount的总和", [...aggregate, "--by", "region", "--sum", "amount"]],
    ["统计sales.csv中每个region的平均amount", [...aggregate, "--by", "region", "--mean", "amount"]],
    ["筛选sales.csv中amount大于3的行", [...filter, "amount > 3"]],
    ["筛选sales.csv中金额大于3的行", [...filter, "金额 > 3"]],
    ["筛选sales.csv中region等于North的行", [...filter, "region = North"]],
    [
      "合并orders.csv和customers.csv，按customer",
      ["tabular-data", "scripts/join.mjs", "orders.csv", "customers.csv", "--on", "customer"],
    ],
    ["turn sales.csv into a report", ["report-writer", "scripts/report.mjs", "sales.csv"]],
    [
      "which columns are in the table sales.csv?",
      ["tabular-data", "scripts/profile.mjs", "sales.csv"],
    ],
  ];
  for (const [request, expected] of cases) {
    it(`M-02 ${request}`, () => {
      expect(callFor(request)).toEqual(expected);
    });
  }

  it("A-10 requests that are for neither of them select none", () => {
    const others = [
      "Write a poem about the sea",
      "how many people live in Oslo?",
      "fix the failing test in login.ts",
      "how many tests are there?",
      "把这段话翻译成英文",
      "今天北京天气怎么样",
      "email sales.csv to Anna",
      "what is in README.md?",
      "Was steht in der Zeitung?",
      "show sales.csv",
      "打开sales.csv",
    ];
    const selected = others.filter((request) => !callFor(request)[0]?.startsWith("{"));
    expect(selected).toEqual([]);
  });
});
