import { chmodSync, linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { listFiles, readFile } from "./index.ts";

function folder(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "skillwright-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

describe("listFiles", () => {
  it("D-06 lists the files of a folder in byte order, with size and whether they can be run", async () => {
    const directory = folder({ "SKILL.md": "12", "scripts/run.sh": "1", "a/b.md": "", "a.md": "" });
    chmodSync(join(directory, "scripts/run.sh"), 0o755);
    expect(await listFiles({ directory })).toEqual({
      ok: true,
      truncated: false,
      files: [
        { path: "SKILL.md", size: 2 },
        { path: "a.md", size: 0 },
        { path: "a/b.md", size: 0 },
        { path: "scripts/run.sh", size: 1, executable: true },
      ],
    });
  });

  it("D-06 leaves out folders of tools, unless asked for one", async () => {
    const directory = folder({ "SKILL.md": "", ".git/config": "", "x/node_modules/y": "" });
    expect(await paths({ directory })).toEqual(["SKILL.md"]);
    expect(await paths({ directory }, ".git")).toEqual([".git/config"]);
  });

  it("D-06 lists nothing that readFile refuses: no second names, no names that hide something", async () => {
    const directory = folder({ "a.md": "", "b\u200bc.md": "", "d\u202ee.md": "", "ü é.md": "" });
    const elsewhere = folder({ secret: "s" });
    linkSync(join(elsewhere, "secret"), join(directory, "hard.md"));
    expect(await paths({ directory })).toEqual(["a.md", "ü é.md"]);
    for (const path of ["a.md", "ü é.md"]) {
      expect(await readFile({ directory }, path)).toMatchObject({ ok: true });
    }
    expect(await readFile({ directory }, "hard.md")).toMatchObject({ code: "link-refused" });
  });

  it("D-06 lists one folder, in either spelling", async () => {
    const directory = folder({ "reference/a.md": "", "reference/b/c.md": "", "x.md": "" });
    expect(await paths({ directory }, "references/")).toEqual([
      "reference/a.md",
      "reference/b/c.md",
    ]);
    expect(await paths({ directory }, "./reference/b")).toEqual(["reference/b/c.md"]);
  });

  it("T-08 says what is wrong", async () => {
    const directory = folder({ "x.md": "" });
    expect(await paths({ directory }, "nowhere")).toBe("file-not-found");
    expect(await paths({ directory }, "x.md")).toBe("directory-unreadable");
    expect(await paths({ directory }, "..")).toBe("path-outside");
    expect(await paths({ directory: join(directory, "gone") })).toBe("directory-unreadable");
  });

  it("D-06 lists a skill defined in code and makes no text for that", async () => {
    const made = () => {
      throw new Error("not asked for");
    };
    const files = { "reference/b.md": made, "a.md": "ä", "../out.md": "", "./c.md": "" };
    const inline = { name: "x", description: "y", instructions: made, files };
    expect(await listFiles({ inline })).toEqual({
      ok: true,
      truncated: false,
      files: [
        { path: "SKILL.md" },
        { path: "a.md", size: 2 },
        { path: "c.md", size: 0 },
        { path: "reference/b.md" },
      ],
    });
    expect(await paths({ inline }, "references")).toEqual(["reference/b.md"]);
    expect(await paths({ inline }, "nowhere")).toBe("file-not-found");
  });
});

async function paths(skill: Parameters<typeof listFiles>[0], under?: string) {
  const result = await listFiles(skill, under === undefined ? {} : { under });
  return result.ok ? result.files.map(({ path }) => path) : result.code;
}
