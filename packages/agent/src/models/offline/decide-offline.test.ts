import { describe, expect, it } from "vitest";
import { type Action, actionSchema } from "../../actions/action.ts";
import type { ActiveSkill, ModelView, ViewedStep } from "../model.ts";
import { decideOffline } from "./decide-offline.ts";

function view(changes: Partial<ModelView>): ModelView {
  return {
    request: "",
    skills: [],
    omittedSkills: 0,
    active: [],
    steps: [],
    tools: [],
    mustAnswer: false,
    ...changes,
  };
}

function skill(text: string, scripts: string[] = [], files: string[] = []): ActiveSkill {
  return { name: "the-skill", source: "project", text, scripts, files: [...files, ...scripts] };
}

function decide(changes: Partial<ModelView>): Action {
  return actionSchema.parse(decideOffline(view(changes)));
}

/** `script` and arguments of the call, or the answer. */
function callFor(request: string, text: string, scripts: string[]): string[] | string {
  const action = decide({ request, active: [skill(text, scripts)] });
  if (action.action === "run_script") return [action.relative_path, ...action.args];
  return action.action === "final_answer" ? action.answer : action.action;
}

function step(action: ViewedStep["action"], observation: string, ok = true): ViewedStep {
  return { action, ok, observation };
}

const bash = (...lines: string[]) => ["```bash", ...lines, "```"].join("\n");

describe("M-02 calls as skills document them", () => {
  const cases: [
    title: string,
    request: string,
    text: string,
    scripts: string[],
    expected: string[],
  ][] = [
    [
      "a code block with placeholder and fixed option",
      "Analyze sales.csv please",
      `# Analyze\n${bash("python3 scripts/analyze.py <file> --format json")}`,
      ["scripts/analyze.py"],
      ["scripts/analyze.py", "sales.csv", "--format", "json"],
    ],
    [
      "a quoted variable",
      "Slugify the text: 'Hello big World'",
      `Run:\n${bash('node scripts/slug.mjs "$INPUT"')}`,
      ["scripts/slug.mjs"],
      ["scripts/slug.mjs", "Hello big World"],
    ],
    [
      "a folder variable in braces",
      "check config/app.yaml",
      "Call `node {baseDir}/scripts/check.mjs FILE`.",
      ["scripts/check.mjs"],
      ["scripts/check.mjs", "config/app.yaml"],
    ],
    [
      "a folder variable of the shell and a continued line",
      "resize photo.png to a width of 300",
      bash("bash ${SKILL_DIR}/scripts/resize.sh \\", "  <image> [--width N] [--height N]"),
      ["scripts/resize.sh"],
      ["scripts/resize.sh", "photo.png", "--width", "300"],
    ],
    [
      "an example instead of a placeholder",
      "Give me statistics on data/2024.csv",
      bash("# statistics of a table", "python scripts/stats.py example.csv"),
      ["scripts/stats.py"],
      ["scripts/stats.py", "data/2024.csv"],
    ],
    [
      "values and units",
      "convert 5 miles to kilometers",
      bash("node scripts/convert.mjs <value> <from> <to>"),
      ["scripts/convert.mjs"],
      ["scripts/convert.mjs", "5", "miles", "kilometers"],
    ],
    [
      "values and units in Chinese",
      "把 5 公里换算成英里",
      `# 单位换算\n${bash("node scripts/convert.mjs <数值> <from> <to>")}`,
      ["scripts/convert.mjs"],
      ["scripts/convert.mjs", "5", "公里", "英里"],
    ],
    [
      "several files",
      "Merge a.pdf, b.pdf and c.pdf into all.pdf",
      bash("python3 scripts/merge.py --output OUT.pdf <files...>"),
      ["scripts/merge.py"],
      ["scripts/merge.py", "--output", "all.pdf", "a.pdf", "b.pdf", "c.pdf"],
    ],
    [
      "the subcommand whose words fit",
      "Filter the rows of people.csv",
      [
        "## Profile\nShows types and counts of columns.",
        bash("node scripts/table.mjs profile <file>"),
        "## Filter\nKeeps the rows that fit a condition.",
        bash("node scripts/table.mjs filter <file>"),
      ].join("\n"),
      ["scripts/table.mjs"],
      ["scripts/table.mjs", "filter", "people.csv"],
    ],
    [
      "a list of choices",
      "Export report.md as html",
      bash("node scripts/export.mjs <file> --to <pdf|html|docx>"),
      ["scripts/export.mjs"],
      ["scripts/export.mjs", "report.md", "--to", "html"],
    ],
    [
      "pairs, a URL and a date",
      "Fetch https://example.org/a?b=1 since 2024-05-01",
      bash("node scripts/fetch.mjs --url=<url> [--since DATE] [--verbose]"),
      ["scripts/fetch.mjs"],
      ["scripts/fetch.mjs", "--url=https://example.org/a?b=1", "--since", "2024-05-01"],
    ],
    [
      "key=value",
      "Fill the form in form.pdf with name=Ann city=Oslo",
      bash("python3 scripts/fill.py <form.pdf> key=value ..."),
      ["scripts/fill.py"],
      ["scripts/fill.py", "form.pdf", "name=Ann", "city=Oslo"],
    ],
    [
      "a Chinese skill with an inline call",
      "统计文件 数据/销售.csv 的行数",
      "## 用法\n运行 `python3 scripts/count.py <文件>` 统计行数。",
      ["scripts/count.py"],
      ["scripts/count.py", "数据/销售.csv"],
    ],
    [
      "a name after a preposition",
      "What is the weather in New York?",
      bash("node scripts/weather.mjs <city>"),
      ["scripts/weather.mjs"],
      ["scripts/weather.mjs", "New York"],
    ],
    [
      "a script without arguments, called from its folder",
      "Run the health check",
      bash("cd the-skill && ./scripts/health.sh | tee log.txt"),
      ["scripts/health.sh"],
      ["scripts/health.sh"],
    ],
    [
      "a column by its name",
      "Sum sales.csv, group by region",
      bash("node scripts/sum.mjs <file> [--group-by <column>]"),
      ["scripts/sum.mjs"],
      ["scripts/sum.mjs", "sales.csv", "--group-by", "region"],
    ],
    [
      "examples of options, of which the request names some",
      "Total amount by region in sales.csv",
      bash(
        "node scripts/table.mjs aggregate data.csv --group-by country --sum price --format json",
      ),
      ["scripts/table.mjs"],
      [
        "scripts/table.mjs",
        "aggregate",
        "sales.csv",
        "--group-by",
        "region",
        "--sum",
        "amount",
        "--format",
        "json",
      ],
    ],
    [
      "examples of options that the request says nothing about",
      "Profile sales.csv",
      bash("node scripts/table.mjs profile data.csv --column price --limit 20 -o out.csv"),
      ["scripts/table.mjs"],
      ["scripts/table.mjs", "profile", "sales.csv"],
    ],
    [
      "a condition",
      "Show the rows of sales.csv where amount > 100",
      bash('node scripts/table.mjs filter <file> --where "price >= 3"'),
      ["scripts/table.mjs"],
      ["scripts/table.mjs", "filter", "sales.csv", "--where", "amount > 100"],
    ],
    [
      "an expression",
      "calculate (2 + 3) * 4",
      bash('node scripts/calc.mjs "<expression>"'),
      ["scripts/calc.mjs"],
      ["scripts/calc.mjs", "(2 + 3) * 4"],
    ],
    [
      "a topic in Chinese",
      "搜索关于量子计算的论文",
      "## 检索\n`python3 scripts/papers.py --query <关键词>`",
      ["scripts/papers.py"],
      ["scripts/papers.py", "--query", "量子计算"],
    ],
    [
      "units with a slash, in a direct invocation",
      "/the-skill 5 km/h to mph",
      bash("node scripts/convert.mjs <value> <from> <to>"),
      ["scripts/convert.mjs"],
      ["scripts/convert.mjs", "5", "km/h", "mph"],
    ],
    [
      "an input and an output",
      "convert docs/notes.md to notes.html",
      bash("node ./scripts/render.mjs --in <input> --out <output>"),
      ["scripts/render.mjs"],
      ["scripts/render.mjs", "--in", "docs/notes.md", "--out", "notes.html"],
    ],
    [
      "two files to compare",
      "Compare old.txt with new.txt",
      bash("node scripts/compare.mjs <left> <right> [--words]"),
      ["scripts/compare.mjs"],
      ["scripts/compare.mjs", "old.txt", "new.txt"],
    ],
    [
      "two files, one after to",
      "compare old.txt to new.txt by words",
      bash("node scripts/compare.mjs <left> <right> [--words]"),
      ["scripts/compare.mjs"],
      ["scripts/compare.mjs", "old.txt", "new.txt", "--words"],
    ],
    [
      "the words of an invocation in the order of the places",
      "12 EUR SEK",
      `${bash("node scripts/money.mjs <amount> <from currency> <to currency>")}\nOr see \`node scripts/money.mjs --list\`.`,
      ["scripts/money.mjs"],
      ["scripts/money.mjs", "12", "EUR", "SEK"],
    ],
    [
      "the words of an invocation after a subcommand",
      "Oslo Bergen",
      bash("node scripts/trains.mjs --help", "node scripts/trains.mjs route <origin> <stop>"),
      ["scripts/trains.mjs"],
      ["scripts/trains.mjs", "route", "Oslo", "Bergen"],
    ],
    [
      "a list for those who ask for it",
      "列出所有货币",
      bash("node scripts/money.mjs <amount> <from> <to>", "node scripts/money.mjs --list"),
      ["scripts/money.mjs"],
      ["scripts/money.mjs", "--list"],
    ],
    [
      "the call that takes all that the request gives",
      "highest price per shop in fruit.csv",
      [
        bash("python3 scripts/rows.py <file>"),
        bash("python3 scripts/group.py <file> --group-by <column> --min <column>"),
        bash("python3 scripts/group.py <file> --group-by <column> --max <column>"),
        `Two files:\n${bash("python3 scripts/pair.py <left> <right> --key <column>")}`,
      ].join("\n"),
      ["scripts/rows.py", "scripts/group.py", "scripts/pair.py"],
      ["scripts/group.py", "fruit.csv", "--group-by", "shop", "--max", "price"],
    ],
    [
      "columns in Chinese with hardly a blank",
      "按地区统计 fruit.csv中价格的平均值",
      bash("python3 scripts/group.py <file> --group-by <column> --mean <column>"),
      ["scripts/group.py"],
      ["scripts/group.py", "fruit.csv", "--group-by", "地区", "--mean", "价格"],
    ],
    [
      "a condition in words, up to the next thing to do",
      "keep lines of log.jsonl where status is at least 500 and path contains api and sort them",
      bash("node scripts/keep.mjs <file> --filter '<predicate>'"),
      ["scripts/keep.mjs"],
      ["scripts/keep.mjs", "log.jsonl", "--filter", "status >= 500 and path contains api"],
    ],
    [
      "a quantity asked for the other way round",
      "How many degrees Kelvin are 20 degrees Celsius?",
      bash("node scripts/scale.mjs <value> <from unit> <to unit>"),
      ["scripts/scale.mjs"],
      ["scripts/scale.mjs", "20", "Celsius", "Kelvin"],
    ],
    [
      "degrees that are an angle",
      "convert 90 degrees to radians",
      bash("node scripts/scale.mjs <value> <from unit> <to unit>"),
      ["scripts/scale.mjs"],
      ["scripts/scale.mjs", "90", "degrees", "radians"],
    ],
  ];
  for (const [title, request, text, scripts, expected] of cases) {
    it(`M-02 ${title}`, () => {
      expect(callFor(request, text, scripts)).toEqual(expected);
    });
  }

  it("M-02 asks for what is missing instead of passing a placeholder or an example", () => {
    for (const call of ["<file>", "FILE", "example.csv", "{input_file}", "path/to/file.csv"]) {
      const text = bash(`python3 scripts/analyze.py ${call}`);
      expect(callFor("Analyze my data", text, ["scripts/analyze.py"])).toMatch(/does not say:\n- /);
    }
  });

  it("M-02 never passes on a word of an example, nor lists instead of asking", () => {
    const text = bash('node scripts/mix.mjs 3 "light grey" blue', "node scripts/mix.mjs --list");
    expect(callFor("7 red", text, ["scripts/mix.mjs"])).toMatch(/does not say:\n- /);
  });

  it("M-02 runs only scripts of the active skill, and only documented calls", () => {
    const others = [
      "python3 scripts/other.py",
      "rm -rf / && curl example.org",
      "cat scripts/run.py",
      "chmod +x scripts/run.py",
      "cat x | python3 scripts/run.py",
      "python3 ../../scripts/else.py",
    ];
    for (const other of others) {
      expect(callFor("run it", bash(other), ["scripts/run.py"])).toBeTypeOf("string");
    }
  });
});

describe("M-02 after a script", () => {
  const text = bash("python3 scripts/analyze.py <file>");
  const active = [skill(text, ["scripts/analyze.py"])];
  const ran = {
    action: "run_script",
    skill: { name: "the-skill" },
    relative_path: "scripts/analyze.py",
    args: ["a.csv", "--deep"],
  };
  const after = (observation: string, ok: boolean, more: ViewedStep[] = []) =>
    decide({
      request: "analyze a.csv, mode fast",
      active,
      steps: [...more, step(ran, observation, ok)],
    });

  it("M-02 shows the output", () => {
    const action = after("rows: 3", true);
    expect(action).toMatchObject({
      action: "final_answer",
      answer: expect.stringContaining("rows: 3"),
    });
  });

  it("M-02 corrects the call once when the script says how", () => {
    expect(after("error: unrecognized arguments: --deep", false)).toMatchObject({
      args: ["a.csv"],
    });
    const usage = "usage: analyze.py [-h] --mode <slow|fast> file\nerror: --mode is required";
    expect(after(usage, false)).toMatchObject({ args: ["--mode", "fast", "a.csv"] });
    const again = after(usage, false, [step(ran, "bad", false)]);
    expect(again).toMatchObject({
      action: "final_answer",
      answer: expect.stringContaining("failed"),
    });
  });

  it("M-02 answers in the language of the request", () => {
    const request = "分析 a.csv";
    const done = decide({ request, active, steps: [step(ran, "行数：3")] });
    expect(done).toMatchObject({
      answer: "技能 the-skill 的 scripts/analyze.py 的结果：\n\n行数：3",
    });
    expect(callFor("分析一下数据", text, ["scripts/analyze.py"])).toContain("缺少：\n- file");
  });

  it("M-02 shows long output only in part, and says so", () => {
    const action = after("x".repeat(1_000_000), true);
    const answer = action.action === "final_answer" ? action.answer : "";
    expect(answer.length).toBeLessThan(5000);
    expect(answer).toContain("more characters]");
  });

  it("M-02 with two skills each gets its part of the request", () => {
    const two = [
      {
        ...skill(`# Tables\nAggregates CSV rows.\n${bash("node scripts/table.mjs <file>")}`, [
          "scripts/table.mjs",
        ]),
        name: "tables",
      },
      {
        ...skill(
          `# Units\nConverts units, miles to kilometers.\n${bash("node scripts/convert.mjs <value> <from> <to>")}`,
          ["scripts/convert.mjs"],
        ),
        name: "units",
      },
    ];
    const request = "Aggregate the CSV rows of a.csv and then convert 5 miles to kilometers";
    const first = decide({ request, active: two });
    expect(first).toMatchObject({ skill: { name: "tables" }, args: ["a.csv"] });
    const second = decide({ request, active: two, steps: [step(first, "12 rows")] });
    expect(second).toMatchObject({ skill: { name: "units" }, args: ["5", "miles", "kilometers"] });
    const last = decide({
      request,
      active: two,
      steps: [step(first, "12 rows"), step(second, "8.05")],
    });
    expect(JSON.stringify(last)).toMatch(/12 rows.*8\.05/);
  });

  it("M-02 says so when it was not allowed, and does not try again", () => {
    const action = after("denied by policy\nusage: analyze.py file", false);
    expect(action).toMatchObject({ answer: expect.stringContaining("not allowed") });
  });
});

describe("M-02 without a script", () => {
  const text =
    "# Brand\n\n## Colours\nBlue #00f is first. Read references/colours.md#primary-colours on colour use.\n\n## Tone\nBe calm and short.";
  const active = [skill(text, [], ["references/colours.md", "references/unrelated.md"])];

  it("M-02 loads the reference that fits, then answers from the instructions", () => {
    const request = "Which colours may I use?";
    const first = decide({ request, active });
    expect(first).toMatchObject({
      action: "load_resource",
      relative_path: "references/colours.md",
      section_hint: "primary colours",
    });
    const done = decide({ request, active, steps: [step(first, "Use blue and grey.")] });
    expect(done.action).toBe("final_answer");
    expect(JSON.stringify(done)).toMatch(/offline model.*Blue #00f.*Use blue and grey/);
    expect(JSON.stringify(done)).not.toContain("Be calm");
  });
});

describe("A-10 without a skill", () => {
  const tools = ["list_directory", "read_file", "search_files", "search_skills"];
  const skills = [
    { name: "pdf-tools", description: "Merges and splits PDF documents.", source: "project" },
    { name: "invoices", description: "Writes invoices for customers.", source: "project" },
    { name: "weather", description: "Tells the weather forecast for a city.", source: "user" },
  ];

  it("M-02 selects the skill that fits, with a plan", () => {
    const action = decide({ request: "Split this PDF document into pages", skills });
    expect(action).toMatchObject({
      action: "select_skills",
      skills: [{ name: "pdf-tools", source: "project" }],
      plan_update: { replace: { goal: "Split this PDF document into pages" } },
    });
  });

  it("M-02 selects two skills for two things", () => {
    const request = "Merge the PDF documents and then tell me the weather forecast for Oslo";
    const action = decide({ request, skills });
    expect(action).toMatchObject({ skills: [{ name: "pdf-tools" }, { name: "weather" }] });
  });

  it("A-10 abstains, names what is near and what one can do", () => {
    const action = decide({
      request: "Compose a symphony about customers",
      skills: skills.slice(0, 1),
    });
    expect(action).toMatchObject({
      action: "final_answer",
      answer: expect.stringMatching(/No skill fits.*ANTHROPIC_API_KEY/s),
    });
  });

  it("A-10 answers plain requests about the workspace with its tools", () => {
    const input = (request: string) => {
      const action = decide({ request, tools });
      return action.action === "use_tool" ? [action.tool, action.input] : action.action;
    };
    expect(input("list files")).toEqual(["list_directory", {}]);
    expect(input("What files are in src/?")).toEqual(["list_directory", { path: "src/" }]);
    expect(input("列出目录下的文件")).toEqual(["list_directory", {}]);
    expect(input("show README.md")).toEqual(["read_file", { path: "README.md" }]);
    expect(input("读取 docs/说明.md")).toEqual(["read_file", { path: "docs/说明.md" }]);
    expect(input("search for TODO(x)")).toEqual(["search_files", { pattern: "TODO\\(x\\)" }]);
    expect(input('搜索 "错误" ')).toEqual(["search_files", { pattern: "错误" }]);
    expect(input("Write a poem")).toBe("final_answer");
  });

  it("A-10 answers from what the tool gave", () => {
    const done = step({ action: "use_tool", tool: "list_directory", input: {} }, "a.txt\nb.txt");
    expect(decide({ request: "list files", tools, steps: [done] })).toMatchObject({
      action: "final_answer",
      answer: "a.txt\nb.txt",
      plan_update: { patch: {} },
    });
  });

  it("M-02 searches when not all skills are shown, and selects from what is found", () => {
    const request = "Split this PDF document";
    const first = decide({ request, tools, omittedSkills: 10 });
    expect(first).toMatchObject({ action: "use_tool", tool: "search_skills" });
    for (const found of [
      "- pdf-tools: Merges and splits PDF documents.",
      JSON.stringify([{ name: "pdf-tools", description: "Merges and splits PDF documents." }]),
    ]) {
      const next = decide({ request, tools, omittedSkills: 10, steps: [step(first, found)] });
      expect(next).toMatchObject({ action: "select_skills", skills: [{ name: "pdf-tools" }] });
    }
  });

  it("M-02 only answers when it must", () => {
    const request = "Split this PDF document into pages";
    expect(decide({ request, skills, mustAnswer: true }).action).toBe("final_answer");
    const active = [skill(bash("node scripts/a.mjs"), ["scripts/a.mjs"])];
    expect(decide({ request, active, mustAnswer: true }).action).toBe("final_answer");
  });
});
