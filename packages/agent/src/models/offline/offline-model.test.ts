import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agentWorld, APPROVED, gatedPolicy } from "../../../../../test/support/agent-world.ts";
import { skillText } from "../../../../../test/support/skill-tree.ts";
import { readWritten } from "../../actions/index.ts";
import { type Action, createOfflineModel } from "../../index.ts";
import type { ActiveSkill, ModelView } from "../../internal/index.ts";

const ROOT = join(import.meta.dirname, "../../../../../skills");
const SKILLS = readdirSync(ROOT).map((name): ActiveSkill & { description: string } => {
  const text = readFileSync(join(ROOT, name, "SKILL.md"), "utf8");
  const scripts = readdirSync(join(ROOT, name, "scripts")).filter((file) => file.endsWith(".mjs"));
  return {
    name,
    source: "builtin",
    description: /^description: (.*)$/m.exec(text)?.[1] ?? "",
    text,
    scripts: scripts.map((file) => `scripts/${file}`),
    files: [],
  };
});
const EMPTY: ModelView = {
  request: "",
  skills: SKILLS,
  omittedSkills: 0,
  active: [],
  steps: [],
  tools: [],
  mustAnswer: false,
};

async function decide(view: Partial<ModelView>): Promise<Action> {
  const response = await createOfflineModel().decide({
    system: "",
    messages: [],
    actions: [],
    maxOutputTokens: 1000,
    view: { ...EMPTY, ...view },
  });
  const written = JSON.parse(response.ok ? response.message.text : "") as Record<string, unknown>;
  const tools = view.tools ?? [];
  const read = readWritten(written, { tools, canRun: true, protocol: "json" });
  if (!read.ok) throw new Error(read.problem);
  return read.action;
}

/** The decision once the skill that was chosen is active. */
async function decideWithSkill(view: Partial<ModelView>): Promise<Action> {
  const action = await decide(view);
  if (action.action !== "select_skills") return action;
  const chosen = new Set(action.skills.map(({ name }) => name));
  const active = SKILLS.filter(({ name }) => chosen.has(name));
  return decide({ ...view, active, steps: [{ action, ok: true, observation: "Loaded." }] });
}

/** `skill: script arguments` for a script, else the answer. */
async function outcome(request: string, view: Partial<ModelView> = {}): Promise<string> {
  const action = await decideWithSkill({ request, ...view });
  if (action.action === "final_answer") return action.answer;
  if (action.action !== "run_script") return action.action;
  const script = action.relative_path.replace("scripts/", "");
  return `${action.skill.name}: ${[script, ...action.args].join(" ")}`;
}

it("M-02 the embedded model answers in the json protocol and counts its tokens", async () => {
  const model = createOfflineModel();
  expect(model).toMatchObject({ id: "offline:skillwright", protocol: "json" });
  const response = await model.decide({
    system: "Decide.",
    messages: [{ role: "user", content: "hello" }],
    actions: [],
    maxOutputTokens: 1000,
    view: EMPTY,
  });
  expect(response).toMatchObject({ ok: true, usage: { calls: 1 } });
});

describe("M-02 requests that a documented command accounts for", () => {
  it.each([
    ["What is in sales.csv?", "tabular-data: profile.mjs sales.csv"],
    [
      "Total amount by region in sales.csv",
      "tabular-data: aggregate.mjs sales.csv --by region --sum amount",
    ],
    [
      "Lowest and highest price by category in products.csv",
      "tabular-data: aggregate.mjs products.csv --by category --min price --max price",
    ],
    [
      "Show the rows of orders.tsv where status is open",
      "tabular-data: filter.mjs orders.tsv --where status = open",
    ],
    [
      "Average amount by region in sales.csv, save it to out.csv",
      "tabular-data: aggregate.mjs sales.csv --by region --mean amount --out out.csv",
    ],
    [
      "top 5 rows of sales.csv sorted by amount",
      "tabular-data: filter.mjs sales.csv --sort amount --top 5",
    ],
    [
      "按地区统计 销售.csv 中金额的总和",
      "tabular-data: aggregate.mjs 销售.csv --by 地区 --sum 金额",
    ],
    [
      "筛选 products.csv 中价格大于 100 的行",
      "tabular-data: filter.mjs products.csv --where 价格 > 100",
    ],
    ["How many feet are 3 metres?", "unit-convert: convert.mjs 3 metres feet"],
    ["把 30 摄氏度换算成华氏度", "unit-convert: convert.mjs 30 摄氏度 华氏度"],
    [
      "Compare a.txt with b.txt word by word",
      "text-compare: compare.mjs a.txt b.txt --words --exit-zero",
    ],
    ["Compare a.txt to b.txt", "text-compare: compare.mjs a.txt b.txt --exit-zero"],
    ["比较 a.txt 和 b.txt", "text-compare: compare.mjs a.txt b.txt --exit-zero"],
    ["Compare the folders v1/ and v2/", "text-compare: compare-folders.mjs v1/ v2/ --exit-zero"],
    [
      "Validate person.json against person.schema.json",
      "format-check: check.mjs person.json --schema person.schema.json --exit-zero",
    ],
    [
      "用 sales.csv 按 month 汇总 amount 写一份报告，带折线图",
      "report-writer: report.mjs sales.csv --by month --sum amount --chart 折线图",
    ],
    [
      'Create a new skill called release-notes with the description "Writes release notes."',
      "skill-creator: draft.mjs release-notes --description Writes release notes.",
    ],
  ])("%s", async (request, expected) => {
    expect(await outcome(request)).toBe(expected);
  });

  it("A-01 takes files that were attached, and a skill that was called by name", async () => {
    const attachments = [{ path: "sales.csv" }];
    const profile = "tabular-data: profile.mjs sales.csv";
    const active = SKILLS.filter(({ name }) => name === "tabular-data");
    expect(await outcome("What is in it?", { attachments, active })).toBe(profile);
    expect(await outcome("/tabular-data sales.csv", { active })).toBe(profile);
  });
});

describe("A-10 what it declines, and what it names", () => {
  it.each([
    ["Write a poem about rain", "No skill fits", "Write, poem, rain"],
    ["写一首关于雨的诗", "没有足够合适的技能", "雨"],
    ["Sum amount by region in sales.csv for Germany", "Nothing was run.", "Germany"],
    ["Total net amount by region in sales.csv", "Nothing was run.", "Total, net"],
    ["Are a.txt and b.txt not identical?", "Nothing was run.", "not"],
    ["Convert 5 and 6 km to miles", "Nothing was run.", "6"],
    ["Convert 1,500 km to miles", "Nothing was run.", "1,500"],
    ["Convert 5-10 km to miles", "Nothing was run.", "5-10"],
    ["Compare a.txt", "Nothing was run.", "It needs: second file"],
    ["统计 orders.csv 中每个城市的总和", "没有执行任何操作", "总和"],
    ["Sum amount by region in sales.csv and a.csv", "Nothing was run.", "a.csv"],
    ["Average amount of the first 2 rows of sales.csv", "Nothing was run.", "2"],
    ["Total by region in sales.csv", "Nothing was run.", "Total"],
    ["Filter sales.csv where amount not > 100", "Nothing was run.", "not"],
    ["筛选 sales.csv 中 amount 不大于一百的行", "没有", "不"],
    ["Lint the skill in ./myskill", "Nothing was run.", "check.mjs"],
    ["Convert data.csv to JSON", "No skill fits", "Convert, data.csv, JSON"],
    [
      "draw a pie chart of amount by region from sales.csv into pie.svg",
      "Nothing was run.",
      "amount",
    ],
    ["line chart of amount by month in sales.csv", "Nothing was run.", "amount"],
    ["画 sales.csv 按 region 的 amount 柱状图", "没有执行任何操作", "amount"],
    ["report on amount by region in sales.csv", "Nothing was run.", "amount"],
    ["sum of units and amount by region in sales.csv", "Nothing was run.", "amount"],
    ["rows of sales.csv where amount is empty", "Nothing was run.", "empty"],
    ["compare a.txt and b.txt ignoring case and spaces", "Nothing was run.", "case"],
    ["compare a.txt and b.txt ignoring punctuation", "Nothing was run.", "punctuation"],
    ["is sales.csv valid JSON?", "Nothing was run.", "JSON"],
    ["compare the words of a.txt and b.txt to c.txt", "Nothing was run.", "c.txt"],
    ["is notes.md a valid JSON file?", "Nothing was run.", "JSON"],
    ["is bad.json valid YAML?", "Nothing was run.", "YAML"],
    ["write a report on sales.csv by region to report.md", "report.md", "--out"],
  ])("%s", async (request, head, named) => {
    const said = await outcome(request);
    expect(said).toContain(head);
    expect(said).toContain(named);
  });

  it("two commands that fit equally well are both named, and neither runs", async () => {
    const text =
      "Count words:\n\n```sh\nnode scripts/one.mjs <file>\nnode scripts/two.mjs <file>\n```\n";
    const skill = {
      name: "twins",
      source: "",
      text,
      scripts: ["scripts/one.mjs", "scripts/two.mjs"],
    };
    const said = await outcome("count words of a.md", { active: [{ ...skill, files: [] }] });
    expect(said).toContain("node scripts/one.mjs <file>, node scripts/two.mjs <file>");
  });

  it("nothing that only a shell could run is taken for a command", async () => {
    const text = "Count words: `node scripts/a.mjs <file> | sort` or `rm <file>`\n";
    const skill = { name: "shell", source: "", text, scripts: ["scripts/a.mjs"], files: [] };
    expect(await outcome("count words of a.md", { active: [skill] })).toContain("Nothing was run.");
  });
});

/** Words of real requests, and words that no skill mentions. */
const KNOWN = [
  "sum",
  "amount",
  "region",
  "rows",
  "average",
  "compare",
  "convert",
  "valid",
  "report",
];
const LINKS = ["by", "of", "in", "the", "and", "with", "where", "how many", "to", "per"];
const VALUES = [
  "sales.csv",
  "b.txt",
  "5",
  "12 km",
  '"a text"',
  "amount > 3",
  "按地区",
  "总和",
  "2024-05",
];
const STRANGE = ["zebra", "quarterly", "Germany", "never", "without", "deduplicate", "斑马", "不"];

it("A-10 never runs a script unless every word is accounted for, and names the others", async () => {
  const word = fc.oneof(...[KNOWN, LINKS, VALUES, STRANGE].map((list) => fc.constantFrom(...list)));
  await fc.assert(
    fc.asyncProperty(
      fc.array(word, { minLength: 1, maxLength: 9 }),
      fc.constantFrom(...SKILLS),
      fc.boolean(),
      async (words, skill, isCalled) => {
        const request = words.join(" ");
        const strange = words.filter((one) => STRANGE.includes(one));
        const active = isCalled ? [skill] : [];
        const action = await decideWithSkill({ request, active });
        const used = action.action === "run_script" ? action.args.join(" ") : "";
        const said = action.action === "final_answer" ? action.answer : used;
        for (const one of strange) expect(said).toContain(one);
        if (action.action !== "run_script") return;
        for (const one of words.filter((text) => /csv|txt|\d|"/.test(text))) {
          for (const part of one.replaceAll('"', "").split(" ")) expect(used).toContain(part);
        }
      },
    ),
    { numRuns: 300 },
  );
});

it("M-02 never throws, whatever the request and the text of a skill", async () => {
  const text = fc.string({ unit: "grapheme", maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(text, text, async (request, noise) => {
      const body = `${noise}\n\`\`\`\nnode scripts/a.mjs <file> [--by <x>] ${noise}\n\`\`\`\n${noise}`;
      const skill = { name: "any", source: "", text: body, scripts: ["scripts/a.mjs"], files: [] };
      expect(await decide({ request, active: [skill] })).toHaveProperty("action");
      expect(await decideWithSkill({ request })).toHaveProperty("action");
    }),
  );
});

describe("M-02 with the agent", () => {
  const WORDS = `${skillText("count-words", "Counts the words of a text file.")}
Count the words of a file:

\`\`\`sh
node scripts/count.mjs <file>
\`\`\`
`;
  const files = {
    "project/count-words/SKILL.md": WORDS,
    "project/count-words/scripts/count.mjs": "",
  };

  it("selects, runs and answers with the output", async () => {
    const world = await agentWorld({ files });
    const { policy } = gatedPolicy(world.folder, { decide: () => APPROVED });
    const { result } = await world.run(createOfflineModel(), {
      request: "count the words of notes.md",
      policy,
    });
    expect(result).toMatchObject({ status: "answered", skills: ["count-words"] });
    expect(result.answer).toBe("Result of count-words/scripts/count.mjs:\n\nran notes.md");
  });

  it("a step that failed is shown, and not tried again", async () => {
    const request = "count the words of notes.md";
    const active = [
      { name: "count-words", source: "", text: WORDS, scripts: ["scripts/count.mjs"], files: [] },
    ];
    const action = await decide({ request, active });
    const steps = [{ action, ok: false, observation: "No such file: notes.md" }];
    expect(await decide({ request, active, steps })).toEqual({
      action: "final_answer",
      answer: "count-words/scripts/count.mjs failed:\n\nNo such file: notes.md",
    });
  });

  it("when only an answer is accepted, it says that the work is not done", async () => {
    const action = await decide({ request: "Convert 5 km to miles", mustAnswer: true });
    expect(action).toMatchObject({ answer: "The run had to end before this was done." });
  });

  it("two wishes for two skills are worked on in turn", async () => {
    const request = "Compare a.txt with b.txt, and check whether sales.csv is valid";
    const first = await decide({ request });
    expect(first).toMatchObject({ skills: [{ name: "text-compare" }] });
    const active = SKILLS.filter(({ name }) => name === "text-compare");
    const selected = { action: first, ok: true, observation: "" };
    const run = await decide({ request, active, steps: [selected] });
    const steps = [selected, { action: run, ok: true, observation: "same" }];
    expect(await decide({ request, active, steps })).toMatchObject({
      skills: [{ name: "format-check" }],
    });
  });
});

describe("A-10 M-02 requests of a newcomer", () => {
  it.each([
    ["top 3 by salary in staff.csv", "filter.mjs staff.csv --sort salary --top 3"],
    ["sort staff.csv by date descending", "filter.mjs staff.csv --sort date --descending"],
    ["sort staff.csv by date ascending", "filter.mjs staff.csv --sort date --ascending"],
    ["max amount by region in sales.csv", "aggregate.mjs sales.csv --by region --max amount"],
    ["highest amount per region in sales.csv", "aggregate.mjs sales.csv --by region --max amount"],
    ["average salary by team in staff.csv", "aggregate.mjs staff.csv --by team --mean salary"],
    ["how many rows are in sales.csv?", "aggregate.mjs sales.csv"],
    ["count of orders by status in orders.csv", "aggregate.mjs orders.csv --by status"],
    ["rows in sales.csv where amount is above 100", "filter.mjs sales.csv --where amount > 100"],
    ["total amount in sales.csv", "aggregate.mjs sales.csv --sum amount"],
    ["list the columns of sales.csv", "profile.mjs sales.csv"],
    ["join a.csv and b.csv on id", "join.mjs a.csv b.csv --on id"],
    ["sales.csv: sum amount by region, top 3", "--by region --sum amount --top 3"],
    ["sum amount by city in s.csv where amount is at least 5", "--where amount >= 5"],
    ["how many pounds is 70 kg?", "convert.mjs 70 kg pounds"],
    ["26.2 miles in km", "convert.mjs 26.2 miles km"],
    ["what is 20 °C in Fahrenheit", "convert.mjs 20 C Fahrenheit"],
    ["what is the difference between old.md and new.md?", "compare.mjs old.md new.md"],
    ["compare folder src/ with folder dist/", "compare-folders.mjs src/ dist/"],
    ["is data.yaml valid?", "check.mjs data.yaml"],
    ["make a report from sales.csv", "report.mjs sales.csv"],
    ["按地区统计 sales.csv 的金额总和", "aggregate.mjs sales.csv --by 地区 --sum 金额"],
    ["把 staff.csv 按工资降序排序", "filter.mjs staff.csv --sort 工资 --descending"],
    ["sales.csv 有多少行？", "aggregate.mjs sales.csv"],
    ["把5公里换算成英里", "convert.mjs 5 公里 英里"],
    ["100 摄氏度等于多少华氏度", "convert.mjs 100 摄氏度 华氏度"],
    ["检查 config.json 是否有效", "check.mjs config.json"],
  ])("%s", async (request, command) => {
    expect(`${await outcome(request)} `).toContain(
      `${command}${command.startsWith("-") ? "" : " "}`,
    );
  });

  it.each([
    ["who earns the most in staff.csv?", "earns"],
    ["which region sold the most in sales.csv?", "sold"],
    ["remove duplicates from sales.csv", "duplicates"],
    ["median salary in staff.csv", "median"],
    ["delete the rows where amount is empty in sales.csv", "delete"],
    ["sum of amount in sales.csv for 2024", "2024"],
    ["how many miles is a marathon?", "marathon"],
    ["100 USD to EUR", "USD"],
    ["rename all files in photos/ to lower case", "rename"],
    ["write me a poem about the sea", "poem"],
    ["what's the weather in Paris tomorrow?", "weather"],
    ["asdf qwer zxcv", "asdf"],
    ["sales.csv 里工资最高的3个", "工资"],
    ["写一首关于春天的诗", "春天"],
  ])("runs nothing for %s, and says what is in the way", async (request, unused) => {
    const answer = await outcome(request);
    expect(answer).toMatch(/Nothing was run|No skill fits|没有执行|没有足够/);
    expect(answer).toMatch(new RegExp(`(?:Not used from your request|请求中没有用到).*${unused}`));
    expect(answer).toMatch(/ANTHROPIC_API_KEY/);
  });
});
