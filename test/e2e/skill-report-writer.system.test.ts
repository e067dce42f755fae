import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { lintSkill } from "@skillwright/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyUnits } from "../arbitraries/hostile-text.ts";
import { builtCli } from "../support/built-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const SKILL = fileURLToPath(new URL("../../skills/report-writer", import.meta.url));
const SALES = readFileSync(join(SKILL, "evals/files/sales.csv"), "utf8");

function run(script: string, args: readonly string[], cwd: string) {
  const path = join(SKILL, "scripts", script);
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], {
    cwd,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return { status, stdout, stderr };
}

const report = (args: readonly string[], cwd: string) => run("report.mjs", args, cwd);
const chart = (args: readonly string[], cwd: string) =>
  run("chart.mjs", args.includes("--out") ? args : [...args, "--svg"], cwd);

/** Tags of a picture without the text between them; throws when they do not nest. */
function tagsOf(svg: string): string[] {
  const open: string[] = [];
  const all: string[] = [];
  for (const [, end = "", name = "", self = ""] of svg.matchAll(/<(\/?)([\w-]+)[^<>]*?(\/?)>/g)) {
    if (end !== "") expect(open.pop()).toBe(name);
    else if (self === "") open.push(name);
    all.push(name);
  }
  expect(open).toEqual([]);
  return [...new Set(all)].toSorted();
}

const PLAIN_TAGS = new Set(["svg", "title", "desc", "style", "rect", "text", "path", "circle"]);

function expectPicture(svg: string): void {
  expect(tagsOf(svg).filter((name) => !PLAIN_TAGS.has(name))).toEqual([]);
  expect(svg).not.toMatch(/NaN|Infinity|undefined|\son\w+=|href|url\(/);
  expect(svg).toMatch(/role="img" aria-labelledby="t d"/);
  expect(svg).toMatch(/<title id="t">[^<]+<\/title>\n<desc id="d">[^<]+<\/desc>/);
}

describe("report-writer", () => {
  it("F-09 lints clean, strictly and to the last note", async () => {
    expect((await lintSkill(SKILL, { strict: true })).diagnostics).toEqual([]);
  });

  it("N-03 has evals in the usual shape, with negatives and with files that exist", () => {
    const { skill_name, evals } = JSON.parse(
      readFileSync(join(SKILL, "evals/evals.json"), "utf8"),
    ) as {
      skill_name: string;
      evals: { prompt: string; should_trigger: boolean; files: string[] }[];
    };
    expect(skill_name).toBe("report-writer");
    expect(evals.length).toBeGreaterThanOrEqual(6);
    expect(evals.filter(({ should_trigger }) => !should_trigger).length).toBeGreaterThanOrEqual(2);
    for (const file of evals.flatMap(({ files }) => files))
      expect(existsSync(join(SKILL, file)), file).toBe(true);
  });
});

describe("report.mjs", () => {
  it("N-03 prints sums that are right, the gaps, and a chart in letters", () => {
    const cwd = temporaryFolder({ "sales.csv": SALES });
    const { status, stdout } = report(["sales.csv", "--by", "region", "--sum", "amount"], cwd);
    expect(status).toBe(0);
    expect(stdout).toContain("# Report on sales by region\n");
    expect(stdout).toContain("| North | 3 | 300.5 |");
    expect(stdout).toContain("| East | 1 | -20 |");
    expect(stdout).toContain("| **all** | 6 | 460.5 |");
    expect(stdout).toContain("Empty: 1 cell, in note (1).");
    expect(stdout).toMatch(/```text\nNorth {2}█+ 300\.5\n/);
    expect(stdout).toContain("| amount | 460.5 | 76.75 | -20 | 200.5 |");
    expect(readdirSync(cwd)).toEqual(["sales.csv"]);
  });

  it("N-03 takes the obvious columns when none are named, and counts on demand", () => {
    const cwd = temporaryFolder({ "sales.csv": SALES });
    expect(report(["sales.csv"], cwd).stdout).toContain("| North | 3 | 300.5 |");
    const counted = report(["sales.csv", "--count"], cwd).stdout;
    expect(counted).toContain("| North | 3 | 50.0 % |");
    writeFileSync(join(cwd, "ids.csv"), "order_id,who\n1,a\n2,b\n3,c\n");
    const { status, stdout } = report(["ids.csv"], cwd);
    expect([status, stdout]).toEqual([0, expect.stringContaining("| 1 | a |\n| 2 | b |")]);
    expect(stdout).not.toContain("## Chart");
    const none = report(["ids.csv", "--chart", "bar"], cwd);
    expect([none.status, none.stderr]).toEqual([1, expect.stringContaining("--by")]);
  });

  it("N-03 reads TSV, JSON lines, other separators and other encodings alike", () => {
    const cwd = temporaryFolder({
      "a.tsv": "城市\t金额\n北京\t1\n上海\t2\n北京\t3\n",
      "a.jsonl":
        '{"城市":"北京","金额":1}\n{"城市":"上海","金额":2}\n\n{"城市":"北京","金额":3,"x":9}\n',
      "a.csv": "\uFEFF城市;金额\r\n北京;1\r\n上海;2\r\n北京;3",
    });
    const gb = Buffer.from([0xb3, 0xc7, 0x2c, 0x6e, 0x0a, 0xb1, 0xb1, 0x2c, 0x31, 0x0a]);
    writeFileSync(join(cwd, "gb.csv"), gb);
    const wide = Buffer.concat([
      Buffer.from([0xff, 0xfe]),
      Buffer.from("城市\t金额\n北京\t4\n", "utf16le"),
    ]);
    writeFileSync(join(cwd, "wide.txt"), wide);
    for (const file of ["a.tsv", "a.jsonl", "a.csv"]) {
      const { stdout } = report([file, "--by", "城市", "--sum", "金额"], cwd);
      expect(stdout, file).toContain("| 北京 | 2 | 4 | 66.7 % |");
    }
    expect(report(["wide.txt", "--by", "城市"], cwd).stdout).toContain("| 北京 | 1 | 4 |");
    const wrong = report(["gb.csv"], cwd);
    expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringContaining("--encoding")]);
    const right = report(["gb.csv", "--encoding", "gb18030", "--by", "城"], cwd);
    expect(right.stdout).toContain("| 北 | 1 | 1 |");
  });

  it("N-03 writes the report and its picture as wholes", () => {
    const cwd = temporaryFolder({ "sales.csv": SALES });
    const args = [
      "sales.csv",
      "--by",
      "month",
      "--sum",
      "amount",
      "--title",
      "Q1",
      "--out",
      "q (1).md",
    ];
    expect(report(args, cwd)).toMatchObject({ status: 0, stdout: "written: q (1).md\n" });
    expect(readdirSync(cwd).toSorted()).toEqual(["q (1).md", "sales.csv"]);
    expect(readFileSync(join(cwd, "q (1).md"), "utf8")).toContain("```text");
    expect(report(["sales.csv", "--svg"], cwd)).toMatchObject({ status: 2, stdout: "" });
    const { status, stdout, stderr } = report([...args, "--svg"], cwd);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toBe("written: q (1).md, q (1).svg\n");
    const text = readFileSync(join(cwd, "q (1).md"), "utf8");
    expect(text).toContain("# Q1\n");
    expect(text).toContain("![sum of amount by month](q%20%281%29.svg)");
    expectPicture(readFileSync(join(cwd, "q (1).svg"), "utf8"));
    expect(readdirSync(cwd).toSorted()).toEqual(["q (1).md", "q (1).svg", "sales.csv"]);
  });

  it("N-03 never writes over its input, into nothing or over a folder", () => {
    const cwd = temporaryFolder({ "sales.csv": SALES, "folder.md/x": "", "form.md": "{{title}}" });
    const codes = [
      ["--out", "sales.csv"],
      ["--out", "./form.md", "--template", "form.md"],
      ["--out", "chart.svg"],
      ["--out", "nowhere/r.md"],
      ["--out", "folder.md"],
    ].map((args) => report(["sales.csv", "--by", "region", ...args], cwd).status);
    expect(codes).toEqual([2, 2, 2, 1, 1]);
    expect(readFileSync(join(cwd, "sales.csv"), "utf8")).toBe(SALES);
    expect(readdirSync(cwd).filter((name) => name.includes(".part-"))).toEqual([]);
  });

  it.skipIf(process.getuid?.() === 0)("N-03 says what to do in a read-only folder", () => {
    const cwd = temporaryFolder({ "sales.csv": SALES });
    chmodSync(cwd, 0o500);
    const { status, stderr } = report(["sales.csv", "--out", "r.md"], cwd);
    chmodSync(cwd, 0o700);
    expect([status, stderr]).toEqual([1, expect.stringContaining("without --out")]);
  });

  it("N-03 fills a template of the user, and refuses one that cannot be filled", () => {
    const cwd = temporaryFolder({
      "sales.csv": SALES,
      "form.md":
        "# {{ title }}\n{{#each number}}\n- {{name}}: {{min}} to {{max}} in {{rows}} rows\n{{/each}}\n{{#if chart}}\nyes\n{{/if}}\n",
    });
    const args = ["sales.csv", "--by", "region", "--title", "{{rows}} *x*", "--template"];
    expect(report([...args, "form.md"], cwd).stdout).toBe(
      "# \\{\\{rows\\}\\} \\*x\\*\n- amount: -20 to 200.5 in 6 rows\nyes\n",
    );
    const bad = {
      "{{nothing}}": "there are: title",
      "{{#each number}}": "without its {{/each}}",
      "{{/if}}": "too many",
      "{{#each number}}{{/if}}": "without its {{/each}}",
      "{{number}}": "is a list",
      "{{#each title}}{{/each}}": "needs a list",
      "{{constructor}}": "there are: title",
    };
    for (const [text, message] of Object.entries(bad)) {
      writeFileSync(join(cwd, "bad.md"), text);
      const { status, stderr, stdout } = report([...args, "bad.md"], cwd);
      expect([status, stdout, stderr], text).toEqual([1, "", expect.stringContaining(message)]);
    }
    expect(report([...args, "assets/report.md"], cwd).status).toBe(0);
    expect(report([...args, "none.md"], cwd).status).toBe(1);
  });

  it("N-03 data stays data: no markup, formula, template or control character comes out of it", () => {
    const cells = [
      "<script>alert(1)</script>",
      "![x](https://evil.example/p.png)",
      "a | b\n# heading",
      "=cmd|' /C calc'!A0",
      "```\n</svg>",
      "{{table}} \u001B[31mred\u202E",
      "**bold** _it_ ~~s~~ $x$ &lt; www.evil.example a@b.example",
    ];
    const rows = cells.map((cell, i) => `"${cell.replaceAll('"', '""')}",${i + 1}`);
    const cwd = temporaryFolder({ "x.csv": `"n<b>|ame",v\n${rows.join("\n")}\n` });
    for (const out of [[], ["--out", "r.md", "--svg"]]) {
      const { status, stdout } = report(["x.csv", "--by", "n<b>|ame", "--sum", "v", ...out], cwd);
      expect(status).toBe(0);
      const text = out.length === 0 ? stdout : readFileSync(join(cwd, "r.md"), "utf8");
      const [before = "", fenced = "", after = ""] = text.split(/^`{3,}(?:text)?$/m);
      expect(out.length === 0 ? fenced : "red").toContain("red");
      const markdown = before + after;
      expect(markdown).not.toMatch(
        /<\w|<\/|(?<!\\)\*\*bold|https?:\/\/|www\.|\w@\w|^# heading|!\[x\]\(/m,
      );
      // oxlint-disable-next-line no-control-regex -- none may be left
      expect(text).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u202E]/);
      const table = markdown
        .split("\n")
        .filter((line) => /^\| .* \| \d+ \| \d+ \| [\d.]+ % \|$/.test(line));
      expect(table).toHaveLength(cells.length + 1);
      for (const line of table) expect(line.match(/(?<!\\)\|/g)).toHaveLength(5);
    }
    expectPicture(readFileSync(join(cwd, "r.svg"), "utf8"));
  });

  it("N-03 tells wrong use from wrong data, in one line each", () => {
    const cwd = temporaryFolder({
      "sales.csv": SALES,
      "empty.csv": "",
      "open.csv": 'a,b\n"x,1\n',
      "text.csv": "k,v\na,1\nb,n/a\n",
      "huge.csv": "k,v\na,1e308\na,1e308\n",
      "bad.jsonl": '{"a":1}\n[2]\n',
      "a.json": "[]",
      "zero.csv": "a\0b\n",
    });
    const by = ["--by", "k", "--sum", "v"];
    const cases: [args: string[], status: number, message: string][] = [
      [[], 2, "give one data file"],
      [["sales.csv", "--wrong"], 2, "--wrong"],
      [["sales.csv", "--chart", "radar"], 2, "bar, line, pie"],
      [["sales.csv", "--by", "country"], 2, "there are: region, month, amount, note"],
      [["sales.csv", "--sum", "amount", "--count"], 2, "--sum or --count"],
      [["none.csv"], 1, "there is no file none.csv"],
      [["."], 1, "folder"],
      [["empty.csv"], 1, "is empty"],
      [["open.csv"], 1, "quote is left open"],
      [["text.csv", ...by], 1, 'row 2: "n/a" in v is not a number'],
      [["huge.csv", ...by], 1, "too large"],
      [["bad.jsonl"], 1, "row 2 is not a JSON object"],
      [["a.json"], 1, ".jsonl"],
      [["zero.csv"], 1, "not a text file"],
      [["sales.csv", "--by", "region", "--sum", "amount", "--chart", "pie"], 1, "below zero"],
    ];
    for (const [args, status, message] of cases) {
      const result = report(args, cwd);
      expect([result.status, result.stdout], args.join(" ")).toEqual([status, ""]);
      expect(result.stderr).toContain(message);
      expect(result.stderr).toMatch(/^error: [^\n]+\n(?:usage: |$)/);
    }
    expect(report(["--help"], cwd)).toMatchObject({ status: 0, stderr: "" });
  });

  it("N-03 memory does not grow with the file", () => {
    const cwd = temporaryFolder();
    const line = `${"x".repeat(60)},a long cell that is not needed again,3\n`;
    const body = Array.from({ length: 600_000 }, (_, i) => `${i % 900}${line}`).join("");
    writeFileSync(join(cwd, "big.csv"), `k,text,v\n${body}`);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        "--max-old-space-size=48",
        join(SKILL, "scripts/report.mjs"),
        "big.csv",
        "--by",
        "k",
        "--sum",
        "v",
      ],
      { cwd, encoding: "utf8" },
    );
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("| **all** | 600,000 | 1,800,000 | 100.0 % |");
  });
});

describe("chart.mjs", () => {
  const draw = (text: string, kind: string, ...more: string[]) => {
    const cwd = temporaryFolder({ "d.csv": text });
    return chart(["d.csv", "--x", "k", "--y", "v", "--kind", kind, ...more], cwd);
  };

  it("N-03 prints each kind, and writes it to a file", () => {
    for (const kind of ["bar", "line", "pie", "柱状图", "折线图", "饼图"]) {
      const { status, stdout } = draw("k,v\n北京,3\n上海,5\n", kind);
      expect(status).toBe(0);
      expectPicture(stdout);
      expect(stdout).toContain("北京");
    }
    const cwd = temporaryFolder({ "sales.csv": SALES });
    const { status, stdout } = chart(
      ["sales.csv", "--by", "region", "--sum", "amount", "--out", "c.svg", "--title", "A & B"],
      cwd,
    );
    expect([status, stdout]).toEqual([0, "written: c.svg\n"]);
    expect(readFileSync(join(cwd, "c.svg"), "utf8")).toContain('<title id="t">A &amp; B</title>');
  });

  it("N-03 prints letters where nobody asked for a picture", () => {
    const cwd = temporaryFolder({ "d.csv": "k,v\na,1\nb,2\n" });
    const { stdout } = run("chart.mjs", ["d.csv", "--by", "k", "--sum", "v"], cwd);
    expect(stdout).toMatch(/^b {2}█+ 2\na {2}█+ 1\n$/);
  });

  it("N-03 copes with no rows, one value, zeros, negatives, huge, tiny and equal numbers", () => {
    const tables = {
      none: "k,v\n",
      one: "k,v\na,7\n",
      zeros: "k,v\na,0\nb,0\n",
      huge: "k,v\na,1e300\nb,9e307\n",
      tiny: "k,v\na,5e-324\nb,1e-300\n",
      equal: "k,v\n1,5\n2,5\n",
      empty: "k,v\n,\nb,1\n",
      dates: "k,v\n2024-01,1\n2024-03,2\n2024-02,3\n",
      many: `k,v\n${Array.from({ length: 3000 }, (_, i) => `n${i},${i}`).join("\n")}`,
      long: `k,v\n${"字".repeat(5000)},1\n`,
    };
    for (const [name, text] of Object.entries(tables)) {
      for (const kind of ["bar", "line", "pie"]) {
        const { status, stdout } = draw(text, kind);
        expect(status, `${name} ${kind}`).toBe(0);
        expectPicture(stdout);
        expect(stdout.includes("no data")).toBe(
          name === "none" || (name === "zeros" && kind === "pie"),
        );
      }
    }
    for (const kind of ["bar", "line"]) {
      for (const text of ["k,v\na,-5\nb,3\n", "k,v\na,-5\n", "k,v\na,-1e308\nb,1e308\n"])
        expectPicture(draw(text, kind).stdout);
    }
    expect(draw("k,v\na,-5\n", "pie")).toMatchObject({ status: 1, stdout: "" });
  });

  it("N-03 has round ticks, zero among them, and both axes named", () => {
    const { stdout } = draw("k,v\na,-350000\nb,1200000\n", "bar");
    const ticks = Array.from(
      stdout.matchAll(/class="m" text-anchor="middle">([^<]+)</g),
      ([, t]) => t,
    );
    expect(ticks).toEqual(["-500k", "0", "500k", "1M", "1.5M", "sum of v"]);
    const line = draw("k,v\n2019,1\n2023,9\n", "line").stdout;
    expect(line).toContain(">2020<");
    expect(line).toMatch(/>k<\/text>/);
  });

  it("N-03 keeps bars, text and lines on the paper and labels apart", () => {
    const text = `k,v\n${Array.from({ length: 60 }, (_, i) => `2024-${String((i % 12) + 1).padStart(2, "0")}-${String((i % 28) + 1).padStart(2, "0")},${i}`).join("\n")}`;
    for (const kind of ["bar", "line"]) {
      const svg = draw(text, kind).stdout;
      const [, width = "", height = ""] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? [];
      for (const [, x, y] of svg.matchAll(/<text x="([-\d.]+)" y="([-\d.]+)"/g)) {
        expect(Number(x)).toBeGreaterThanOrEqual(0);
        expect(Number(x)).toBeLessThanOrEqual(Number(width));
        expect(Number(y)).toBeLessThanOrEqual(Number(height));
      }
    }
    const labels = Array.from(
      draw(text, "line").stdout.matchAll(
        /<text x="([\d.]+)" y="360" class="m" text-anchor="middle">/g,
      ),
      ([, x]) => Number(x),
    );
    expect(labels.length).toBeGreaterThan(3);
    labels.slice(1).forEach((x, i) => expect(x - (labels[i] ?? 0)).toBeGreaterThan(60));
  });

  it("N-03 has colours that can be told from light and from dark paper", () => {
    const text = `k,v\n${Array.from({ length: 12 }, (_, i) => `n${i},${i + 1}`).join("\n")}`;
    const colors = new Set(
      Array.from(draw(text, "pie").stdout.matchAll(/ fill="(#\w{6})"/g), ([, c = ""]) => c),
    );
    expect(colors.size).toBe(9);
    for (const color of colors)
      for (const paper of ["#ffffff", "#15181d"])
        expect(contrast(color, paper), `${color} on ${paper}`).toBeGreaterThanOrEqual(3);
  });

  it("N-03 whatever the labels are, the picture is the same kind of picture", () => {
    const cwd = temporaryFolder();
    fc.assert(
      fc.property(fc.array(anyUnits, { minLength: 1, maxLength: 6 }), (labels) => {
        const lines = labels.map((k, i) => JSON.stringify({ k, v: i }));
        writeFileSync(join(cwd, "d.jsonl"), lines.join("\n"));
        const { status, stdout } = chart(["d.jsonl", "--x", "k", "--y", "v", "--kind", "bar"], cwd);
        expect(status).toBe(0);
        expectPicture(
          stdout.replaceAll(/>[^<>]*</g, (text) =>
            text.replaceAll(/NaN|Infinity|undefined|\son\w+=|href|url\(/g, ""),
          ),
        );
      }),
      { numRuns: 15 },
    );
  });

  it("N-03 wrong use is code 2", () => {
    const cwd = temporaryFolder({ "sales.csv": SALES });
    expect(chart(["sales.csv"], cwd)).toMatchObject({ status: 2 });
    expect(chart(["sales.csv", "--x", "region", "--kind", "cube"], cwd)).toMatchObject({
      status: 2,
    });
    expect(chart(["sales.csv", "--x", "region", "--out", "sales.csv"], cwd)).toMatchObject({
      status: 2,
    });
    expect(chart(["--help"], cwd)).toMatchObject({ status: 0 });
  });
});

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe("report-writer with the offline agent", () => {
  const ask = (request: string) => {
    const cwd = temporaryFolder({ "project/sales.csv": SALES });
    const args = ["run", request, "--model", "offline", "--cwd", "project", "--yes=run_script"];
    return builtCli(args, cwd);
  };

  it("N-03 A-01 is chosen, runs in the sandbox and gives the right numbers", () => {
    for (const request of [
      "write a report of sales.csv by region with the sum of amount",
      "用 sales.csv 按 region 汇总 amount 写一份报告",
      "turn sales.csv into a report",
    ]) {
      const { status, stdout, stderr } = ask(request);
      expect([status, stderr], request).toEqual([
        0,
        expect.stringContaining("report-writer/scripts/report.mjs (exit 0)"),
      ]);
      expect(stdout).toContain("| North | 3 | 300.5 |");
    }
  });

  it("N-03 X-11 what it writes is held until a person decides", () => {
    for (const request of [
      "write a report of sales.csv by region and save it as r.md",
      "report on sales.csv and save it as report.md",
    ]) {
      const { stdout, stderr } = ask(request);
      expect(stderr).toContain("report-writer/scripts/report.mjs (exit 0)");
      expect(stderr).toMatch(/0 kept, \d+ held/);
      expect(stderr).toMatch(/Look at them with: skillwright runs changes \S+/);
      expect(stdout).toMatch(/"?r(eport)?\.md"? created/);
    }
  });

  it("N-03 of two columns with one name, none is taken silently", () => {
    const cwd = temporaryFolder({ "d.csv": "k,v,v\na,1,2\nb,3,4\n" });
    const sum = (name: string) => report(["d.csv", "--by", "k", "--sum", name], cwd);
    expect(sum("v")).toMatchObject({ status: 2, stdout: "" });
    expect(sum("v").stderr).toContain("several columns are called v; take one of: v_1, v_2");
    expect(sum("v_2").stdout).toContain("| **all** | 2 | 6 |");
  });

  it("A-10 leaves to others what is theirs", () => {
    for (const [request, script] of [
      ["sum amount by region in sales.csv", "tabular-data/scripts/aggregate.mjs"],
      ["what is in sales.csv?", "tabular-data/scripts/profile.mjs"],
      ["convert 5 miles to km", "unit-convert/scripts/convert.mjs"],
    ] as const) {
      expect(ask(request).stderr, request).toContain(`${script} (exit 0)`);
    }
  });
});
