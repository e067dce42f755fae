import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtCli } from "../support/built-cli.ts";
import { numRuns } from "../support/suite.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const SKILL = fileURLToPath(new URL("../../skills/text-compare", import.meta.url));
type Files = Readonly<Record<string, string | Buffer>>;

/** Runs a script in a folder with these files. */
function run(script: string, files: Files, args: readonly string[], folder = temporaryFolder()) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(SKILL, "scripts", script), ...args],
    { cwd: folder, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  );
  return { status, stdout, stderr, folder };
}

const compare = (a: string | Buffer, b: string | Buffer, ...options: string[]) =>
  run("compare.mjs", { "a.txt": a, "b.txt": b }, ["a.txt", "b.txt", ...options]);

describe("C-01 text-compare: two files", () => {
  it("C-01 the same, byte by byte", () => {
    for (const text of ["", "\n", "a", "a\r\nb", "\0\0", "\ufeff"]) {
      const { status, stdout } = compare(text, text);
      expect([status, stdout]).toEqual([0, expect.stringContaining("are the same, byte by byte")]);
    }
  });

  it("C-01 a changed, an added and a removed line, with their places", () => {
    const { status, stdout } = compare("1\n2\n3\n4\n5\n6\n7\n8\n", "1\nzwei\n3\n4\n5\n6\n8\n9\n");
    expect(status).toBe(1);
    expect(stdout.split("\n").slice(0, -1)).toEqual([
      "a.txt and b.txt are different: 1 line changed, 1 line added, 1 line removed; 6 lines the same",
      "@@ first file line 2, second file line 2 @@",
      "  1",
      "- 2",
      "+ zwei",
      "  3",
      "  4",
      "  5",
      "  6",
      "- 7",
      "  8",
      "+ 9",
    ]);
  });

  it("C-01 empty against something, and a line without an end", () => {
    expect(compare("", "x\n").stdout).toContain("1 line added; 0 lines the same");
    const { status, stdout } = compare("x", "x\n");
    expect(status).toBe(1);
    expect(stdout).toContain("no line differs; 1 line the same");
    expect(stdout).toContain("! end of file: the first file has no line end there");
  });

  it("C-01 names line ends, byte order mark and encoding instead of calling them text", () => {
    const ends = compare("a\r\nb\r\n", "a\nb\n");
    expect(ends.status).toBe(1);
    expect(ends.stdout).toContain("no line differs");
    expect(ends.stdout).toContain("! line ends: CRLF (2) and LF (2); 2 lines differ");
    expect(compare("\ufeffa\n", "a\n").stdout).toContain("(BOM): only the first file has one");
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("a\n", "utf16le")]);
    expect(compare(wide, "a\n").stdout).toContain("! encoding: UTF-16 LE and UTF-8");
    const latin = compare(Buffer.from([0xe9, 0x0a]), "é\n");
    expect(latin.stdout).toContain("not UTF-8, read as Latin-1");
    expect(compare("a\r\nb", "\ufeffa\nb\n", "--ignore-space").status).toBe(0);
  });

  it("C-01 names differences that nobody sees", () => {
    expect(compare("a b\n", "a  b\n").stdout).toContain("(only white space differs)");
    expect(compare("Ab\n", "aB\n").stdout).toContain("(only upper and lower case differs)");
    expect(compare("a，b\n", "a,b\n").stdout).toContain("(only form of characters differs)");
    expect(compare("a; b\n", "a, b\n").stdout).toContain("(only punctuation differs)");
    expect(compare("caf\u00e9\n", "cafe\u0301\n").stdout).toContain("(only form of characters");
    expect(compare("ab\n", "a\u200bb\n").stdout).toContain("+ a\\u{200b}b");
    expect(compare("a\n", "a\u001b[2J\n").stdout).toContain("+ a\\u{1b}[2J");
  });

  it("C-01 ignores what it is told to ignore, and nothing else", () => {
    expect(compare("A  b\n", "a B\n", "--ignore-case", "--ignore-space").status).toBe(0);
    expect(compare("A  b\n", "a B\n", "--ignore-case").status).toBe(1);
    expect(compare("ab\n", "a b\n", "--ignore-space").status).toBe(1);
    expect(compare("caf\u00e9\n", "cafe\u0301\n", "--normalize", "nfc").status).toBe(0);
    expect(compare("a，b\n", "a,b\n", "--normalize", "nfc").status).toBe(1);
    expect(compare("a，b\n", "a,b\n", "--normalize", "nfkc").status).toBe(0);
  });

  it("C-01 words and characters, in Chinese too", () => {
    const english = compare("the quick fox\n", "the slow fox\n", "--words");
    expect(english.stdout).toContain("~ the [-quick-]{+slow+} fox");
    const chinese = compare("甲方应于三十日内付款。\n", "甲方应于六十日内付款！\n", "--words");
    expect(chinese.stdout).toContain("付款[-。-]{+！+}");
    expect(chinese.stdout).toContain("{+六");
    const characters = compare("甲方应于三十日内\n", "甲方应于六十日内\n", "--characters");
    expect(characters.stdout).toContain("~ 甲方应于[-三-]{+六+}十日内");
    expect(compare("a👩‍👩‍👧b\n", "a👩‍👩‍👦b\n", "--characters").stdout).toContain("{+👩");
  });

  it("C-01 binary files: the first different byte", () => {
    const { status, stdout } = compare(Buffer.from("ab\0c"), Buffer.from("ab\0d!"));
    expect(status).toBe(1);
    expect(stdout).toContain("both are binary; 4 and 5 bytes, the first different one is byte 4");
    expect(compare("abc", Buffer.from("a\0")).stdout).toContain("b.txt is binary");
  });

  it("C-01 --context, --summary, --limit, --exit-zero and --out", () => {
    const [a, b] = ["1\n2\n3\n", "1\nx\n3\n"];
    expect(compare(a, b, "--context", "0").stdout.split("\n").slice(2, -1)).toEqual(["- 2", "+ x"]);
    expect(compare(a, b, "--summary").stdout.trim().split("\n")).toHaveLength(1);
    expect(compare(a, b, "--limit", "2").stdout).toContain("… 3 more lines are not shown");
    expect(compare(a, b, "--exit-zero").status).toBe(0);
    const { status, stdout, folder } = compare(a, b, "--out", "diff.txt");
    expect([status, stdout]).toEqual([1, expect.stringContaining("written to diff.txt")]);
    expect(readFileSync(join(folder, "diff.txt"), "utf8")).toContain("- 2\n+ x\n");
    expect(readdirSync(folder).toSorted()).toEqual(["a.txt", "b.txt", "diff.txt"]);
  });

  it("C-01 wrong usage is 2, and never a difference", () => {
    const wrong = [
      ["--context", "x"],
      ["--normalize", "abc"],
      ["--nope"],
      ["c.txt"],
      ["--out", "a.txt"],
    ];
    for (const options of wrong) {
      const { status, stdout, stderr } = compare("a\n", "b\n", ...options);
      expect([options, status, stdout]).toEqual([options, 2, ""]);
      expect(stderr).toMatch(/^error: .*\nusage: /);
    }
    const missing = run("compare.mjs", { "a.txt": "a" }, ["a.txt", "b.txt"]);
    expect([missing.status, missing.stderr]).toEqual([
      2,
      "error: there is no file or folder b.txt\n",
    ]);
    expect(run("compare.mjs", { "a.txt": "a", "d/x": "" }, ["a.txt", "d"]).status).toBe(2);
    expect(run("compare.mjs", {}, ["--help"])).toMatchObject({ status: 0, stderr: "" });
  });

  it("C-01 100,000 lines: few differences are found exactly, too many are admitted", () => {
    const lines = Array.from({ length: 100_000 }, (_, i) => `line ${i}`);
    const few = compare(lines.join("\n"), lines.with(50_000, "other").join("\n"));
    expect(few.stdout).toContain("1 line changed; 99999 lines the same");
    expect(few.stdout).toContain("@@ first file line 50001, second file line 50001 @@");
    const many = (seed: number) =>
      Array.from({ length: 100_000 }, (_, i) => `${((i * seed) % 7919) % 3}`).join("\n");
    const rough = compare(many(31), many(17));
    expect(rough.status).toBe(1);
    expect(rough.stdout).toContain("the fewest were not looked for");
    expect(rough.stdout).toMatch(/… \d+ more lines are not shown/);
  });

  it("C-01 more than 64 MB: the first difference, and it says so", () => {
    const line = `${"x".repeat(1023)}\n`;
    const big = line.repeat(65 * 1024 + 1);
    const same = compare(big, big);
    expect([same.status, same.stdout]).toEqual([0, expect.stringContaining("byte by byte")]);
    const other = `${big.slice(0, -5)}Y${big.slice(-4)}`;
    const { status, stdout } = compare(big, other, "--exit-zero");
    expect(status).toBe(0);
    expect(stdout).toContain("first in line 66561 (larger than 64 MB: compared only up to");
    expect(compare(big, other.toUpperCase(), "--ignore-case").status).toBe(1);
    expect(compare(big, big.toUpperCase(), "--ignore-case").status).toBe(0);
  });
});

describe("C-01 text-compare: the steps it finds", () => {
  it("C-01 lead from one list to the other, and there are no fewer", async () => {
    const { difference } = (await import(join(SKILL, "scripts/lib/difference.mjs"))) as {
      difference: (
        a: readonly number[],
        b: readonly number[],
      ) => { runs: { kind: string; a: number; b: number; length: number }[] };
    };
    const list = fc.array(fc.nat(3), { maxLength: 20 });
    fc.assert(
      fc.property(list, list, (a, b) => {
        const built: number[] = [];
        let [x, common] = [0, 0];
        for (const run of difference(a, b).runs) {
          expect([run.a, run.b]).toEqual([x, built.length]);
          if (run.kind === "added") built.push(...b.slice(run.b, run.b + run.length));
          else x += run.length;
          if (run.kind === "same") {
            built.push(...a.slice(run.a, run.a + run.length));
            common += run.length;
          }
        }
        expect([x, built, common]).toEqual([a.length, b, longestCommon(a, b)]);
      }),
      { numRuns: numRuns(500) },
    );
  });
});

function longestCommon(a: readonly number[], b: readonly number[]): number {
  let row = Array.from({ length: b.length + 1 }, () => 0);
  for (const x of a) {
    const next = [0];
    for (const [j, y] of b.entries()) {
      next.push(x === y ? row[j]! + 1 : Math.max(next[j]!, row[j + 1]!));
    }
    row = next;
  }
  return row.at(-1)!;
}

describe("C-01 text-compare: two folders", () => {
  it("C-01 added, removed, changed, moved; names with blanks and in Chinese", () => {
    const { status, stdout } = run(
      "compare-folders.mjs",
      {
        "old/same.txt": "s",
        "old/a b.txt": "1\n2\n",
        "old/删除.txt": "gone",
        "old/deep/er/x.md": "moved text",
        "old/image.bin": Buffer.from([0, 1]),
        "new/same.txt": "s",
        "new/a b.txt": "1\n3\n",
        "new/添加.txt": "fresh",
        "new/文档/x.md": "moved text",
        "new/image.bin": Buffer.from([0, 2]),
      },
      ["old", "new"],
    );
    expect(status).toBe(1);
    expect(stdout.trim().split("\n")).toEqual([
      "old and new are different: 2 changed, 1 added, 1 removed, 1 moved; 1 the same",
      "~ a b.txt: 1 line changed; 1 line the same",
      "~ image.bin: binary; 2 and 2 bytes, byte 2 is the first",
      "> deep/er/x.md moved to 文档/x.md",
      "- 删除.txt (4 bytes)",
      "+ 添加.txt (5 bytes)",
    ]);
  });

  it("C-01 the same, also through compare.mjs, with --skip and when ignoring", () => {
    const files = { "a/x": "1\r\n", "b/x": "1\n", "b/node_modules/y": "z" };
    expect(run("compare-folders.mjs", files, ["a", "b"]).status).toBe(1);
    const options = ["a", "b", "--skip", "node_modules", "--ignore-space"];
    const { status, stdout } = run("compare-folders.mjs", files, options);
    expect([status, stdout]).toEqual([0, "a and b are the same (1 files)\n"]);
    expect(run("compare.mjs", { "a/x": "1", "b/x": "1" }, ["a", "b"]).status).toBe(0);
  });

  it("C-01 links are not followed, kinds are told apart, empty folders count", () => {
    const folder = temporaryFolder({ "a/f": "1", "b/f/x": "1", "outside/secret.txt": "SECRET" });
    symlinkSync("../outside", join(folder, "a/link"));
    symlinkSync("../outside/", join(folder, "b/link"));
    symlinkSync(".", join(folder, "b/loop"));
    mkdirSync(join(folder, "a/empty"));
    const { status, stdout } = run("compare-folders.mjs", {}, ["a", "b"], folder);
    expect(status).toBe(1);
    expect(stdout).toContain("~ link: link to ../outside, now to ../outside/");
    expect(stdout).toContain("+ loop (link to .)");
    expect(stdout).toContain("- empty (empty folder)");
    expect(stdout).not.toContain("secret");
    expect(stdout).toMatch(/> f moved to f\/x/);
  });

  it("C-01 folders that are 200 levels deep", () => {
    const deep = "d/".repeat(200);
    const files = { [`a/${deep}x`]: "1", [`b/${deep}x`]: "2" };
    expect(run("compare-folders.mjs", files, ["a", "b"]).stdout).toContain("1 changed, 0 added");
  });

  it("C-01 wrong usage is 2", () => {
    const files = { "a/x": "1", file: "1" };
    for (const args of [["a"], ["a", "file"], ["a", "nowhere"], ["a", "a", "--nope"]]) {
      expect([args, run("compare-folders.mjs", files, args).status]).toEqual([args, 2]);
    }
  });
});

describe("N-03 text-compare through the agent", () => {
  const files = {
    "project/a.txt": "one\ntwo\n",
    "project/b.txt": "one\nzwei\n",
    "project/v1/x.md": "1\n",
    "project/v2/x.md": "2\n",
  };
  it.each([
    ["compare a.txt and b.txt", "1 line changed; 1 line the same", "compare.mjs"],
    ["what changed between a.txt and b.txt, word by word?", "[-two-]{+zwei+}", "compare.mjs"],
    ["比较 a.txt 和 b.txt 有什么不同", "1 line changed; 1 line the same", "compare.mjs"],
    ["compare the folders v1/ and v2/", "1 changed, 0 added", "compare-folders.mjs"],
  ])("N-03 M-02 %s", (request, expected, script) => {
    const args = ["run", request, "--yes=run_script", "--model", "offline", "--cwd", "project"];
    const { status, stdout, stderr } = builtCli(args, temporaryFolder(files));
    expect([status, stderr]).toEqual([
      0,
      expect.stringContaining(`text-compare/scripts/${script} (exit 0)`),
    ]);
    expect(stdout).toContain(expected);
  });

  it("C-01 the skill is lint-clean, and its evals name files that are there", () => {
    const { status, stdout } = builtCli(["lint", "--strict", SKILL], temporaryFolder());
    expect([status, stdout]).toEqual([0, expect.stringContaining("No problems")]);
    const text = readFileSync(join(SKILL, "evals/evals.json"), "utf8");
    const { evals } = JSON.parse(text) as { evals: { files: string[]; expectations: string[] }[] };
    expect(evals.length).toBeGreaterThanOrEqual(6);
    for (const path of evals.flatMap((one) => one.files)) readFileSync(join(SKILL, path));
    const negative = evals.filter((one) => one.expectations.some((text) => /not used/.test(text)));
    expect(negative).toHaveLength(2);
  });
});
