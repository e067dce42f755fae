import { linkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { createWorkspaceTools, type WorkspaceOptions } from "../../internal/index.ts";

function searchIn(
  files: Readonly<Record<string, string>>,
  options: Partial<WorkspaceOptions> = {},
) {
  const root = temporaryFolder(files);
  const all = { root, trash: join(root, "trash"), ...options };
  const tool = createWorkspaceTools(all)
    .tools()
    .find(({ name }) => name === "search_files")!;
  return {
    root,
    search: async (input: unknown) => tool.execute(input),
    text: async (input: unknown) => tool.toText(await tool.execute(input)),
  };
}

const FILES = {
  "b.ts": "needle\n",
  "a.md": "# A\r\nNeedle one\r\n",
  "src/z.ts": "no\nthe needle\n",
  "src/deep/x.js": "needle()\n",
  ".hidden/h.txt": "needle\n",
};

describe("results", () => {
  it("X-10 finds lines by folder, file and line", async () => {
    const { text } = searchIn(FILES);
    expect(await text({ pattern: "needle" })).toBe(
      "b.ts:1: needle\n.hidden/h.txt:1: needle\nsrc/z.ts:2: the needle\nsrc/deep/x.js:1: needle()",
    );
  });

  it.each([
    ["without regard to case", { pattern: "^needle one$", ignore_case: true }, "a.md:2"],
    ["in a folder", { pattern: "needle", path: "src/deep" }, "src/deep/x.js:1"],
    ["in a file", { pattern: "needle", path: "src/z.ts" }, "src/z.ts:2"],
    ["by a glob", { query: "needle", glob: "*.js" }, "src/deep/x.js:1"],
    ["by a glob with folders", { pattern: "needle", glob: "src/**/*.{js,md}" }, "src/deep/x.js:1"],
    ["without the flag u", { pattern: "\\-?needle\\(\\)" }, "src/deep/x.js:1"],
  ])("X-10 searches %s", async (_, input, expected) => {
    const { text } = searchIn(FILES);
    expect((await text(input)).split("\n").map((line) => line.split(": ")[0])).toEqual([expected]);
  });

  it("X-10 says when nothing matches, and when there is nothing to search", async () => {
    const { search, text } = searchIn(FILES);
    expect(await text({ pattern: "nowhere" })).toBe("No line matches.");
    expect(await search({ pattern: "a", path: "none" })).toMatchObject({ code: "file-not-found" });
  });

  it("T-09 stops at the number of results and at the limit of output", async () => {
    const { search } = searchIn({ a: "x\n".repeat(50) }, { maxOutputSizeBytes: 200 });
    expect(await search({ pattern: "x", max_results: 3 })).toMatchObject({
      truncated: true,
      matches: [{ line: 1 }, { line: 2 }, { line: 3 }],
    });
    const limited = (await search({ pattern: "x" })) as { matches: unknown[]; truncated: boolean };
    expect(limited.truncated).toBe(true);
    expect(limited.matches.length).toBeLessThan(20);
  });

  it("T-09 shows the part of a long line that matches", async () => {
    const { search } = searchIn({ a: `${"x".repeat(5000)}needle${"y".repeat(5000)}` });
    const { matches } = (await search({ pattern: "needle" })) as { matches: { text: string }[] };
    expect(matches[0]?.text).toMatch(/^x{100}needley+$/);
    expect(matches[0]?.text).toHaveLength(300);
  });

  it.each(["(", "[a", "a{2,1}", "x".repeat(1001)])("T-07 says that %s is no pattern", async (p) => {
    const { search } = searchIn({});
    expect(await search({ pattern: p })).toMatchObject({ ok: false, code: "pattern-invalid" });
  });
});

describe("what is passed over", () => {
  it("X-10 honours every .gitignore on the way", async () => {
    const { text } = searchIn({
      ".gitignore": "*.log\n/build/\nnode_modules\n",
      "a.log": "needle",
      "build/a": "needle",
      "src/build/a": "needle",
      "src/.gitignore": "!keep.log\nlocal\n",
      "src/keep.log": "needle",
      "src/local/a": "needle",
      "node_modules/m/a": "needle",
      ".git/config": "needle",
    });
    const found = async (path: string) =>
      (await text({ pattern: "needle", path })).split("\n").map((line) => line.split(":")[0]);
    expect(await found(".")).toEqual(["src/keep.log", "src/build/a"]);
    expect(await found("src")).toEqual(["src/keep.log", "src/build/a"]);
    expect(await found("node_modules/m")).toEqual(["node_modules/m/a"]);
    expect(await found("a.log")).toEqual(["a.log"]);
  });

  it("X-10 passes over secrets, binary and large files, links and second names", async () => {
    const { root, text } = searchIn(
      {
        ".env": "needle",
        ".env.example": "needle",
        "certs/server.key": "needle",
        binary: "needle\0",
        large: "needle".padEnd(101),
        plain: "needle",
      },
      { maxFileSizeBytes: 100 },
    );
    symlinkSync("plain", join(root, "link"));
    symlinkSync("certs", join(root, "folder"));
    writeFileSync(join(root, "first"), "needle");
    linkSync(join(root, "first"), join(root, "second"));
    writeFileSync(join(root, "latin1"), Buffer.from([0x6e, 0x65, 0x65, 0x64, 0x6c, 0x65, 0xe9]));
    expect(await text({ pattern: "needle" })).toBe(
      ".env.example:1: needle\nplain:1: needle\n" +
        "[2 files were not searched: the policy does not let them be read without asking.]",
    );
  });
});
