import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ActiveSkill, ModelView } from "../model.ts";
import { decideOffline } from "./decide-offline.ts";

const ROOT = join(import.meta.dirname, "../../../../../skills");
const MAX_TURNS = 8;

/** As people type them, and the calls that answer them: skill, script, arguments. */
const REQUESTS: readonly (readonly [request: string, ...calls: string[]])[] = [
  ["total amount in sales.csv", "tabular-data aggregate sales.csv --sum amount"],
  [
    "Which product sold most in sales.csv?",
    "tabular-data aggregate sales.csv --by product --sum all",
  ],
  [
    "Which region has the highest total amount in sales.csv?",
    "tabular-data aggregate sales.csv --by region --sum amount --top 1",
  ],
  ["How many rows does sales.csv have?", "tabular-data aggregate sales.csv"],
  [
    "Show me the rows of sales.csv where region is North",
    "tabular-data filter sales.csv --where 'region = North'",
  ],
  ["Top 5 of scores.csv by points", "tabular-data filter scores.csv --sort points --top 5"],
  ["whats in sales.csv", "tabular-data profile sales.csv"],
  ["which columns does employees.csv have?", "tabular-data profile employees.csv"],
  ["average salary in employees.csv", "tabular-data aggregate employees.csv --mean salary"],
  [
    "average salary per department in employees.csv",
    "tabular-data aggregate employees.csv --by department --mean salary",
  ],
  [
    "what is the highest salary in employees.csv",
    "tabular-data aggregate employees.csv --max salary",
  ],
  ["max points by team in scores.csv", "tabular-data aggregate scores.csv --by team --max points"],
  [
    "who has the most points in scores.csv?",
    "tabular-data filter scores.csv --sort points --top 1",
  ],
  [
    "rows of employees.csv where city is not Berlin",
    "tabular-data filter employees.csv --where 'city != Berlin'",
  ],
  [
    "employees.csv: everyone with salary over 4000",
    "tabular-data filter employees.csv --where 'salary > 4000'",
  ],
  ["show sales.csv rows with amount >= 90", "tabular-data filter sales.csv --where 'amount >= 90'"],
  [
    "sum units by product in sales.csv",
    "tabular-data aggregate sales.csv --by product --sum units",
  ],
  [
    "join sales.csv and targets.csv on region",
    "tabular-data join sales.csv targets.csv --on region",
  ],
  [
    "combine sales.csv with targets.csv by region and save it to joined.csv",
    "tabular-data join sales.csv targets.csv --on region --out joined.csv",
  ],
  [
    "filter sales.csv where amount > 60 and write it to big.csv",
    "tabular-data filter sales.csv --where 'amount > 60' --out big.csv",
  ],
  [
    "top 3 products by units in sales.csv",
    "tabular-data aggregate sales.csv --by products --sum units --top 3",
  ],
  [
    "how many orders per customer in orders.jsonl",
    "tabular-data aggregate orders.jsonl --by customer",
  ],
  ["count the rows in orders.jsonl", "tabular-data aggregate orders.jsonl"],
  ["what's the total of orders.jsonl?", "tabular-data profile orders.jsonl"],
  [
    "which department has the highest average salary in employees.csv?",
    "tabular-data aggregate employees.csv --by department --mean salary --top 1",
  ],
  ["sort scores.csv by points", "tabular-data filter scores.csv --sort points"],
  ["Wie viele Zeilen hat sales.csv?", "tabular-data aggregate sales.csv"],
  [
    "Summe von amount pro region in sales.csv",
    "tabular-data aggregate sales.csv --by region --sum amount",
  ],
  [
    "Durchschnitt von salary nach department in employees.csv",
    "tabular-data aggregate employees.csv --by department --mean salary",
  ],
  [
    "Zeige die Zeilen aus employees.csv, in denen city gleich Berlin ist",
    "tabular-data filter employees.csv --where 'city = Berlin'",
  ],
  ["Was steht in scores.csv?", "tabular-data profile scores.csv"],
  [
    "统计 sales.csv 中每个 region 的 amount 总和",
    "tabular-data aggregate sales.csv --by region --sum amount",
  ],
  ["销售.csv 里有什么", "tabular-data profile 销售.csv"],
  ["按地区汇总销售.csv的金额", "tabular-data aggregate 销售.csv --by 地区 --sum 金额"],
  ["sales.csv 有多少行?", "tabular-data aggregate sales.csv"],
  ["筛选 sales.csv 中 amount 大于 90 的行", "tabular-data filter sales.csv --where 'amount > 90'"],
  [
    "sum sales.csv by region and write a report about it to quarterly.md",
    "tabular-data aggregate sales.csv --by region --sum all",
    "report-writer report sales.csv --out quarterly.md",
  ],
  [
    "who has the fewest points in scores.csv?",
    "tabular-data filter scores.csv --sort points --ascending --top 1",
  ],
  [
    "5 lowest salaries in employees.csv",
    "tabular-data filter employees.csv --sort salaries --ascending --top 5",
  ],
  [
    "how many rows of sales.csv have region North?",
    "tabular-data aggregate sales.csv --where 'region = North'",
  ],
  [
    "how many rows in sales.csv where region is North",
    "tabular-data aggregate sales.csv --where 'region = North'",
  ],
  [
    "total amount by region in sales.csv where product is Pencil",
    "tabular-data aggregate sales.csv --by region --sum amount --where 'product = Pencil'",
  ],
  ["按points给scores.csv排序", "tabular-data filter scores.csv --sort points"],
  [
    "哪个 product 在 sales.csv 里卖得最多",
    "tabular-data aggregate sales.csv --by product --sum all",
  ],
  ["average salary in staff.csv", "tabular-data aggregate staff.csv --mean salary"],
  ["total bonus in staff.csv", "tabular-data aggregate staff.csv --sum bonus"],
  ["sum salary by dept in staff.csv", "tabular-data aggregate staff.csv --by dept --sum salary"],
  [
    "compare terms-2025.md with terms-2026.md and check notes.md",
    "text-compare compare terms-2025.md terms-2026.md --exit-zero",
    "format-check check notes.md --exit-zero",
  ],
  ["diff v1/ and v2/", "text-compare compare-folders v1/ v2/ --exit-zero"],
  [
    "what changed between terms-2025.md and terms-2026.md?",
    "text-compare compare terms-2025.md terms-2026.md --exit-zero",
  ],
  [
    "are terms-2025.md and terms-2026.md the same",
    "text-compare compare terms-2025.md terms-2026.md --exit-zero",
  ],
  [
    "compare terms-2025.md to terms-2026.md and save the result to diff.txt",
    "text-compare compare terms-2025.md terms-2026.md --out diff.txt --exit-zero",
  ],
  [
    "compare terms-2025.md and terms-2026.md word by word, ignore case",
    "text-compare compare terms-2025.md terms-2026.md --words --ignore-case --exit-zero",
  ],
  [
    "Vergleiche terms-2025.md mit terms-2026.md",
    "text-compare compare terms-2025.md terms-2026.md --exit-zero",
  ],
  [
    "Was ist der Unterschied zwischen terms-2025.md und terms-2026.md? Schreibe das Ergebnis in unterschied.md",
    "text-compare compare terms-2025.md terms-2026.md --out unterschied.md --exit-zero",
  ],
  ["比较合同旧.txt和合同新.txt", "text-compare compare 合同旧.txt 合同新.txt --exit-zero"],
  [
    "对比 terms-2025.md 和 terms-2026.md，保存到 差异.txt",
    "text-compare compare terms-2025.md terms-2026.md --out 差异.txt --exit-zero",
  ],
  [
    "write the differences from terms-2025.md to terms-2026.md",
    "text-compare compare terms-2025.md terms-2026.md --exit-zero",
  ],
  [
    "compare terms-2025.md to terms-2026.md and check notes.md",
    "text-compare compare terms-2025.md terms-2026.md --exit-zero",
    "format-check check notes.md --exit-zero",
  ],
  [
    "check notes.md and compare terms-2025.md with terms-2026.md",
    "format-check check notes.md --exit-zero",
    "text-compare compare terms-2025.md terms-2026.md --exit-zero",
  ],
  ["is person.json valid?", "format-check check person.json --exit-zero"],
  [
    "validate person.json against person.schema.json",
    "format-check check person.json --schema person.schema.json --exit-zero",
  ],
  ["does config.yaml have errors", "format-check check config.yaml --exit-zero"],
  ["why can't broken.json be parsed?", "format-check check broken.json --exit-zero"],
  ["check the links in notes.md", "format-check check notes.md --exit-zero"],
  ["prüfe config.yaml", "format-check check config.yaml --exit-zero"],
  ["Ist broken.json gültiges JSON?", "format-check check broken.json --exit-zero"],
  [
    "校验 person.json 是否符合 person.schema.json",
    "format-check check person.json --schema person.schema.json --exit-zero",
  ],
  ["检查 config.yaml 的格式", "format-check check config.yaml --exit-zero"],
  ["how many km is 26.2 miles", "unit-convert convert 26.2 miles km"],
  ["100 F in C", "unit-convert convert 100 F C"],
  ["convert 5 lb to kg", "unit-convert convert 5 lb kg"],
  ["5 gallons in litres?", "unit-convert convert 5 gallons litres"],
  ["wie viel sind 10 Meilen in Kilometer?", "unit-convert convert 10 miles kilometers"],
  ["3 英里是多少公里", "unit-convert convert 3 英里 公里"],
  ["what's 2.5 hours in minutes", "unit-convert convert 2.5 hours minutes"],
  ["translate 5 miles to km", "unit-convert convert 5 miles km"],
  ["what is 1,500 km in miles", "unit-convert convert 1500 km miles"],
  ["2,5 kg to g", "unit-convert convert 2.5 kg g"],
  ["1,234.5 m to km", "unit-convert convert 1234.5 m km"],
  ["1.500,25 km to m", "unit-convert convert 1500.25 km m"],
  ["1/2 inch to mm", "unit-convert convert 1/2 inch mm"],
  ["½ inch to mm", "unit-convert convert 1/2 inch mm"],
  ["minus 10 celsius to fahrenheit", "unit-convert convert -10 celsius fahrenheit"],
  ["零下10摄氏度是多少华氏度", "unit-convert convert -10 摄氏度 华氏度"],
  ["Rechne 2,5 kg in Gramm um", "unit-convert convert 2.5 kg grams"],
  ["10 m^2 to ft^2", "unit-convert convert 10 m^2 ft^2"],
  ["5-10 kg to lb"],
  ["2^10 bytes to KB"],
  ["Rechne 1,500 km in Meilen um"],
  [
    "rows of sales.csv where amount > 1,500",
    "tabular-data filter sales.csv --where 'amount > 1500'",
  ],
  [
    "rows of sales.csv with date > 2024-01-05",
    "tabular-data filter sales.csv --where 'date > 2024-01-05'",
  ],
  [
    "sum of amount by city in orders.csv for amount over 15",
    "tabular-data aggregate orders.csv --by city --sum amount --where 'amount > 15'",
  ],
  [
    "sum of amount by city in orders.csv sorted, top 1",
    "tabular-data aggregate orders.csv --by city --sum amount --top 1",
  ],
  [
    "total amount in orders.csv where city = Berlin",
    "tabular-data aggregate orders.csv --sum amount --where 'city = Berlin'",
  ],
  [
    "count rows of orders.csv by city, first 5",
    "tabular-data aggregate orders.csv --by city --top 5",
  ],
  [
    "does person.json match person.schema.json",
    "format-check check person.json --schema person.schema.json --exit-zero",
  ],
  ["check the skill in myskill", "skill-creator check myskill/"],
  ["check the skill in the myskill folder", "skill-creator check myskill/"],
  [
    "bar chart of amount by city in orders.csv",
    "report-writer chart orders.csv --by city --sum amount --kind bar",
  ],
  [
    "write a report with a bar chart from orders.csv",
    "report-writer report orders.csv --chart bar",
  ],
  ["write a report on sales.csv", "report-writer report sales.csv"],
  [
    "report of amount by region from sales.csv, save as report.md",
    "report-writer report sales.csv --by region --sum amount --out report.md",
  ],
  [
    "pie chart of amount by product from sales.csv",
    "report-writer chart sales.csv --by product --sum amount --kind pie",
  ],
  [
    "draw a bar chart of salary by department in employees.csv to salary.svg",
    "report-writer chart employees.csv --by department --sum salary --kind bar --out salary.svg",
  ],
  ["Erstelle einen Bericht aus sales.csv", "report-writer report sales.csv"],
  [
    "根据 sales.csv 写一份报告，按 region 汇总 amount",
    "report-writer report sales.csv --by region --sum amount",
  ],
  [
    "Write a report about the numbers in sales.csv and save it to report.md",
    "report-writer report sales.csv --out report.md",
  ],
  [
    "create a skill named meeting-notes that turns transcripts into minutes",
    "skill-creator draft meeting-notes --description 'turns transcripts into minutes'",
  ],
  ["check the skill in v1/", "skill-creator check v1/"],
  [
    "新建一个名为 weekly-report 的技能，用来整理周报",
    "skill-creator draft weekly-report --description 整理周报",
  ],
];

/** What no skill here is for, however much it sounds like one. */
const FOR_NONE: readonly string[] = [
  "Convert 100 dollars to euros",
  "Who reports to the head of sales?",
  "Convert data.json to YAML",
  "Write a JSON schema for an address book",
  "tell me a joke",
  "what's the weather in Berlin tomorrow",
  "book a table for two at 8",
  "write me an email to my landlord",
  "compare the iPhone with the Pixel",
  "translate notes.md to French",
  "who are you",
  "how do I join the gym?",
  "schedule a meeting at 10 in Berlin",
  "sum up the plot of Hamlet",
  "Rechne 50 Euro in Dollar um",
  "把 notes.md 翻译成英文",
  "convert this pdf to word",
  "what is the capital of France",
];

const SKILLS = readdirSync(ROOT).map((name): ActiveSkill & { readonly description: string } => {
  const text = readFileSync(join(ROOT, name, "SKILL.md"), "utf8");
  const scripts = readdirSync(join(ROOT, name, "scripts"))
    .filter((file) => file.endsWith(".mjs"))
    .map((file) => `scripts/${file}`);
  const description = /^description: (.*)$/m.exec(text)?.[1] ?? "";
  const body = text.replace(/^---\n[^]*?\n---\n/, "");
  return { name, source: "builtin", text: body, scripts, files: scripts, description };
});

/** The calls until the answer, each as one would type it. */
function callsFor(request: string): string[] {
  const calls: string[] = [];
  let view: ModelView = {
    request,
    skills: SKILLS.map(({ name, description, source }) => ({ name, description, source })),
    omittedSkills: 0,
    active: [],
    steps: [],
    tools: ["list_directory", "read_file", "search_files", "search_skills"],
    mustAnswer: false,
  };
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const action = decideOffline(view);
    let { active } = view;
    if (action.action === "final_answer") return calls;
    if (action.action === "select_skills") {
      const names = new Set(action.skills.map(({ name }) => name));
      active = [...active, ...SKILLS.filter(({ name }) => names.has(name))];
    } else if (action.action === "run_script") {
      const script = action.relative_path.replace(/^scripts\/|\.mjs$/g, "");
      const words = [action.skill.name, script, ...action.args];
      calls.push(words.map((word) => (/\s/.test(word) ? `'${word}'` : word)).join(" "));
    } else calls.push(action.action);
    view = { ...view, active, steps: [...view.steps, { action, ok: true, observation: "done" }] };
  }
  throw new Error("there was no end");
}

describe("requests as people type them", () => {
  it.each(REQUESTS)("M-02 %s", (request, ...calls) => {
    expect(callsFor(request).toSorted()).toEqual(calls.toSorted());
  });

  it.each(FOR_NONE)("A-10 no skill for %j", (request) => {
    expect(callsFor(request)).toEqual([]);
  });
});
