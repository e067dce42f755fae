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

const CATALOG = skills.map(({ name, description, source }) => ({ name, description, source }));
const view = (request: string, more: Partial<ModelView> = {}): ModelView => ({
  request,
  skills: CATALOG,
  omittedSkills: 0,
  active: [],
  steps: [],
  tools: ["list_directory", "read_file", "search_files", "search_skills"],
  mustAnswer: false,
  ...more,
});
const activeSkill = (name: string): ActiveSkill => {
  const skill = skills.find((one) => one.name === name);
  if (skill === undefined) throw new Error(`no skill ${name}`);
  return skill;
};

/** All that is decided until the answer; scripts print their own name. */
function follow(first: ModelView): { calls: string[][]; selected: string[]; answer: string } {
  const calls: string[][] = [];
  const selected: string[] = [];
  let now = first;
  for (let turn = 0; turn < 8; turn++) {
    const action = decideOffline(now);
    if (action.action === "final_answer") return { calls, selected, answer: action.answer };
    let { active } = now;
    if (action.action === "select_skills") {
      const names = action.skills.map(({ name }) => name);
      selected.push(...names);
      active = [...active, ...names.map(activeSkill)];
    } else if (action.action === "run_script") {
      calls.push([
        action.skill.name,
        action.relative_path.slice("scripts/".length),
        ...action.args,
      ]);
    } else calls.push([action.action]);
    const observation = `printed by ${calls.at(-1)?.join(" ") ?? ""}`;
    now = { ...now, active, steps: [...now.steps, { action, ok: true, observation }] };
  }
  throw new Error("there was no end");
}

/** The skill that is selected, then the call that is made with it. */
function callFor(request: string): readonly string[] {
  const first = decideOffline(view(request));
  if (first.action !== "select_skills") return [JSON.stringify(first)];
  const chosen = first.skills.map(({ name }) => name);
  const active = skills.filter(({ name }) => chosen.includes(name));
  const steps = [{ action: first, ok: true, observation: "" }];
  const next = decideOffline(view(request, { active, steps }));
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
  const join = [
    "tabular-data",
    "scripts/join.mjs",
    "orders.csv",
    "customers.csv",
    "--on",
    "customer",
  ];
  const compare = ["text-compare", "scripts/compare.mjs", "a.txt", "b.txt", "--exit-zero"];
  const folders = ["text-compare", "scripts/compare-folders.mjs", "old/", "new/", "--exit-zero"];
  const check = [
    "format-check",
    "scripts/check.mjs",
    "config.json",
    "--schema",
    "schema.json",
    "--exit-zero",
  ];
  const draft = ["skill-creator", "scripts/draft.mjs"];
  const report = ["report-writer", "scripts/report.mjs", "sales.csv"];
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
    ["merge orders.csv and customers.csv by customer", join],
    ["Verbinde orders.csv und customers.csv über customer", join],
    [
      "Summe von amount pro region in sales.csv",
      [...aggregate, "--by", "region", "--sum", "amount"],
    ],
    [
      "Durchschnitt von amount je region in sales.csv",
      [...aggregate, "--by", "region", "--mean", "amount"],
    ],
    ["Filtere sales.csv nach country = DE", [...filter, "country = DE"]],
    ["Zeige alle Zeilen in sales.csv mit amount größer als 8", [...filter, "amount > 8"]],
    ["what changed between a.txt and b.txt?", compare],
    ["Vergleiche a.txt mit b.txt", compare],
    ["Was ist der Unterschied zwischen a.txt und b.txt?", compare],
    ["对比a.txt和b.txt", compare],
    ["对比旧版.txt和新版.txt", [...compare.slice(0, 2), "旧版.txt", "新版.txt", "--exit-zero"]],
    ["Compare the folder old with the folder new", folders],
    ["compare the folders old/ and new/", folders],
    ["Vergleiche die Ordner old/ und new/", folders],
    ["对比文件夹old和new", folders],
    ["check config.json against schema.json", check],
    ["Prüfe config.json gegen schema.json", check],
    ["校验config.json是否符合schema.json", check],
    ["Ist config.yaml gültig?", [...check.slice(0, 2), "config.yaml", "--exit-zero"]],
    ["检查config.yaml格式是否正确", [...check.slice(0, 2), "config.yaml", "--exit-zero"]],
    ["How much is 2 gallons in litres?", [...convert, "2", "gallons", "litres"]],
    ["What is 5 stone in kg?", [...convert, "5", "stone", "kg"]],
    ["Rechne 5 Meilen in Kilometer um", [...convert, "5", "miles", "kilometers"]],
    ["Wie viele Kilometer sind 26,2 Meilen?", [...convert, "26.2", "miles", "kilometers"]],
    ["把100华氏度换算成摄氏度", [...convert, "100", "华氏度", "摄氏度"]],
    [
      "create a new skill called weekly-notes that turns meeting notes into a summary",
      [...draft, "weekly-notes", "--description", "turns meeting notes into a summary"],
    ],
    [
      "I want to create a new skill named pdf-merge: merges PDF files",
      [...draft, "pdf-merge", "--description", "merges PDF files"],
    ],
    [
      "Erstelle einen neuen Skill namens wochenbericht, der Wochenberichte schreibt",
      [...draft, "wochenbericht", "--description", "Wochenberichte schreibt"],
    ],
    [
      "新建一个技能 weekly-notes，用来整理会议纪要",
      [...draft, "weekly-notes", "--description", "整理会议纪要"],
    ],
    ["write a report about sales.csv to report.md", [...report, "--out", "report.md"]],
    [
      "Write a report from sales.csv titled Our Sales to report.md",
      [...report, "--title", "Our Sales", "--out", "report.md"],
    ],
    ["Schreibe einen Bericht aus sales.csv", report],
    [
      "Erstelle ein Balkendiagramm von amount nach region aus sales.csv",
      [
        "report-writer",
        "scripts/chart.mjs",
        ...report.slice(2),
        "--by",
        "region",
        "--sum",
        "amount",
        "--kind",
        "bar",
      ],
    ],
    [
      "Draw a pie chart of amount by country from sales.csv and save it to chart.svg",
      [
        "report-writer",
        "scripts/chart.mjs",
        "sales.csv",
        "--by",
        "country",
        "--sum",
        "amount",
        "--kind",
        "pie",
        "--out",
        "chart.svg",
      ],
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
      "draw a flow chart of the login process",
      "compare the prices of two phones",
      "compare React and Vue",
      "Vergleiche die Preise von zwei Handys",
      "比较两款手机的价格",
      "画一个登录流程图",
      "convert this Python code to TypeScript",
      "convert photo.png to jpg",
      "Convert data.csv to JSON",
      "how do I filter noise in audio?",
      "what is the difference between TCP and UDP?",
      "write a report about climate change",
      "improve my communication skills",
      "what skills does a nurse need?",
      "validate my idea",
      "Schreibe ein Gedicht",
    ];
    const selected = others.filter((request) => !callFor(request)[0]?.startsWith("{"));
    expect(selected).toEqual([]);
  });
});

describe("M-02 requests that ask for several things", () => {
  const profile = ["tabular-data", "profile.mjs", "sales.csv"];
  const report = ["report-writer", "report.mjs", "sales.csv", "--out", "report.md"];
  const compare = ["text-compare", "compare.mjs", "a.txt", "b.txt", "--exit-zero"];
  const check = ["format-check", "check.mjs", "c.json", "--schema", "schema.json", "--exit-zero"];
  const kilometres = ["unit-convert", "convert.mjs", "26.2", "miles", "kilometres"];
  const cases: [request: string, calls: string[][]][] = [
    ["Profile sales.csv and write a report about it to report.md", [profile, report]],
    ["Profiliere sales.csv und schreibe einen Bericht darüber in report.md", [profile, report]],
    ["分析sales.csv并写一份报告保存到report.md", [profile, report]],
    ["convert 26.2 miles to kilometres and compare a.txt with b.txt", [kilometres, compare]],
    ["compare a.txt with b.txt, then validate c.json against schema.json", [compare, check]],
    ["Vergleiche a.txt mit b.txt und prüfe c.json gegen schema.json", [compare, check]],
    ["比较a.txt和b.txt，然后校验c.json是否符合schema.json", [compare, check]],
    ["Convert 26.2 miles to kilometres and tell me what is in sales.csv", [kilometres, profile]],
    // The same skill twice.
    [
      "What is 20 celsius in fahrenheit and how many km are 3 miles",
      [
        ["unit-convert", "convert.mjs", "20", "celsius", "fahrenheit"],
        ["unit-convert", "convert.mjs", "3", "miles", "km"],
      ],
    ],
    ["profile sales.csv and profile b.tsv", [profile, [...profile.slice(0, 2), "b.tsv"]]],
  ];
  for (const [request, expected] of cases) {
    it(`M-02 A-06 ${request}`, () => {
      const { calls, answer } = follow(view(request));
      expect(calls).toEqual(expected);
      // In their order, and both in the answer.
      const places = expected.map((call) => answer.indexOf(`printed by ${call.join(" ")}`));
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(places).not.toContain(-1);
    });
  }

  it("M-02 one thing with two names in it is one call", () => {
    expect(follow(view("merge orders.csv and customers.csv by customer")).calls.length).toBe(1);
    const written = "Schreibe einen Bericht über sales.csv und speichere ihn als report.md";
    expect(follow(view(written)).calls).toEqual([report]);
  });
});

describe("M-02 what is known beside the request", () => {
  const profile = ["tabular-data", "profile.mjs", "sales.csv"];
  const history = [{ runId: "r", request: "profile sales.csv", answer: "3 rows" }];
  const carried = { ...activeSkill("tabular-data"), carried: true as const };

  it("C-01 files that were attached are files that were named", () => {
    const attachments = [{ path: "sales.csv" }];
    expect(follow(view("profile this", { attachments })).calls).toEqual([profile]);
    const two = [{ path: "a.txt" }, { path: "b.txt" }];
    expect(follow(view("compare them", { attachments: two })).calls).toEqual([
      ["text-compare", "compare.mjs", "a.txt", "b.txt", "--exit-zero"],
    ]);
  });

  it("C-01 a skill that the person wants used works on a request in own words", () => {
    const active = [activeSkill("unit-convert")];
    const { calls, selected } = follow(
      view("convert 5 miles to km", { active, wanted: ["unit-convert"] }),
    );
    expect(calls).toEqual([["unit-convert", "convert.mjs", "5", "miles", "km"]]);
    expect(selected).toEqual([]);
  });

  it("C-01 a request that goes on from another works on its file, also in the next skill", () => {
    const { calls, selected } = follow(
      view("and filter it by country = DE", { history, active: [carried] }),
    );
    expect(calls).toEqual([["tabular-data", "filter.mjs", "sales.csv", "--where", "country = DE"]]);
    expect(selected).toEqual([]);
    expect(
      follow(view("now write a report about it", { history, active: [carried] })),
    ).toMatchObject({
      selected: ["report-writer"],
      calls: [["report-writer", "report.mjs", "sales.csv"]],
    });
  });

  it("C-01 a skill that an earlier request left active is not used for another thing", () => {
    const { calls, selected } = follow(
      view("convert 26.2 miles to kilometres", { history, active: [carried] }),
    );
    expect(selected).toEqual(["unit-convert"]);
    expect(calls).toEqual([["unit-convert", "convert.mjs", "26.2", "miles", "kilometres"]]);
    const poem = follow(view("Write a poem about the sea", { history, active: [carried] }));
    expect(poem).toMatchObject({ calls: [], selected: [] });
    expect(poem.answer).toContain("No skill fits");
  });

  it("A-10 who asks for the skills is told them", () => {
    for (const request of ["what skills do you have?", "你有哪些技能？", "What can you do?"]) {
      const { calls, answer } = follow(view(request));
      expect(calls).toEqual([]);
      for (const { name } of skills) expect(answer).toContain(`- ${name}: `);
    }
  });

  it("M-02 who asks how to do it is told what the skill says", () => {
    const { answer } = follow(view("how do I write a good skill description?"));
    expect(answer).toContain("What the skill skill-creator says on this");
  });
});
