import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findPaths } from "./find-paths.ts";

function filesIn(text: string): readonly string[] {
  return findPaths(text).files;
}

describe("M-02 the files of a request", () => {
  it.each([
    // Quotes first: what they hold is one name.
    ['open "my sales.csv"', ["my sales.csv"]],
    ["it's in 'my data.csv'", ["my data.csv"]],
    ["打开“我的 销售.csv”", ["我的 销售.csv"]],
    ["《销售 报表.csv》里有哪些列", ["销售 报表.csv"]],
    ["Öffne „meine Verkäufe.csv“ und »alte Daten.csv«", ["meine Verkäufe.csv", "alte Daten.csv"]],
    ['compare "a b.csv" with c.csv and `d e.csv`', ["a b.csv", "c.csv", "d e.csv"]],
    // But a sentence or two names are none.
    ['say "hello world. see a.txt"', ["a.txt"]],
    ['merge "a.pdf and b.pdf"', ["a.pdf", "b.pdf"]],
    // Other scripts right beside a name.
    ["统计sales.csv中amount的总和", ["sales.csv"]],
    ["按region统计sales.csv，输出结果", ["sales.csv"]],
    ["对比a.csv和b.csv", ["a.csv", "b.csv"]],
    ["请看：sales.csv。", ["sales.csv"]],
    ["（sales.csv）里有什么", ["sales.csv"]],
    ["sales.csvの内容を見せて", ["sales.csv"]],
    ["売上はsales.csvにある", ["sales.csv"]],
    ["เปิดไฟล์sales.csv", ["sales.csv"]],
    ["sales.csv를 요약해줘", ["sales.csv"]],
    ["统计data/sales.csv的行数", ["data/sales.csv"]],
    // Names that have such letters themselves.
    ["销售2024.csv里有什么", ["销售2024.csv"]],
    ["统计2024.csv", ["2024.csv"]],
    ["打开分析报告.pdf", ["分析报告.pdf"]],
    ["分析 用户.csv", ["用户.csv"]],
    ["看看数据/销售.csv", ["数据/销售.csv"]],
    ["读取docs/说明v2.md", ["docs/说明v2.md"]],
    ["用node.js写", []],
  ])("M-02 %j", (text, files) => {
    expect(filesIn(text)).toEqual(files);
  });

  it("M-02 knows where something goes", () => {
    expect(findPaths('convert a.md to "my page.html"')).toEqual({
      files: ["a.md"],
      outputs: ["my page.html"],
    });
    expect(findPaths("把sales.csv和customers.csv合并保存为out.csv")).toEqual({
      files: ["sales.csv", "customers.csv"],
      outputs: ["out.csv"],
    });
  });

  it("M-02 a quoted name is found as it is, whatever stands around it", () => {
    const word = fc.stringMatching(/^[a-z0-9]{1,8}$/);
    const name = fc.tuple(word, word).map(([a, b]) => `${a} ${b}x.csv`);
    const around = fc.constantFrom("", "open ", "统计", "Lies ", "sum amount in ");
    const marks = fc.constantFrom(['"', '"'], ["“", "”"], ["「", "」"], ["„", "“"]);
    fc.assert(
      fc.property(around, name, marks, (before, path, [open = "", close = ""]) => {
        expect(filesIn(`${before}${open}${path}${close} now`)).toEqual([path]);
      }),
    );
  });

  it("M-02 long texts without a name end soon", () => {
    for (const part of ["统", "a统", "统a", '"a ', "「", ".a", "统1"]) {
      expect(filesIn(part.repeat(8000 / part.length)).length).toBeLessThanOrEqual(50);
    }
  });
});
