import { linkSync, mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { skillDigest } from "../index.ts";
import { readSkillContent } from "./index.ts";

const files = (count: number, folder: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${folder}/${i}.txt`, "x"]));

async function content(folder: string) {
  const read = await readSkillContent(folder);
  if (!read.ok) throw new Error(`${read.code}: ${read.message}`);
  return read;
}

describe("readSkillContent", () => {
  it("D-04 a usual skill has the digest of its content", async () => {
    const folder = temporaryFolder({ "SKILL.md": skillText("pdf"), "references/a.md": "a" });
    expect((await content(folder)).digest).toBe(await skillDigest(folder));
  });

  it("D-04 more files than can be hashed do not keep a skill from its use", async () => {
    const folder = temporaryFolder({
      "SKILL.md": skillText("pdf"),
      "references/a.md": "a",
      ...files(2100, "node_modules/package"),
    });
    const { digest, files: listed, moreFiles } = await content(folder);
    expect(digest).toMatch(/^stamp:[0-9a-f]{64}$/);
    expect([listed, moreFiles]).toEqual([[{ path: "references/a.md", size: 1 }], undefined]);
    expect((await content(folder)).digest).toBe(digest);
    writeFileSync(join(folder, "references/a.md"), "another");
    expect((await content(folder)).digest).not.toBe(digest);
  });

  it("D-04 says that there are more files than it looks at", async () => {
    const folder = temporaryFolder({ "SKILL.md": skillText("pdf"), ...files(2100, "assets") });
    const { files: listed, moreFiles } = await content(folder);
    expect(moreFiles).toBe(true);
    expect(listed.length).toBeLessThanOrEqual(2000);
  });

  it("D-04 a file of 10 GB is not read for the sake of a digest", async () => {
    const folder = temporaryFolder({ "SKILL.md": skillText("pdf"), "assets/model.bin": "x" });
    truncateSync(join(folder, "assets/model.bin"), 10 * 1024 ** 3);
    const { digest, files: listed } = await content(folder);
    expect(digest).toMatch(/^stamp:/);
    expect(listed).toEqual([{ path: "assets/model.bin", size: 10 * 1024 ** 3 }]);
    utimesSync(join(folder, "assets/model.bin"), 1, 1);
    expect((await content(folder)).digest).not.toBe(digest);
  });

  it.each(["assets/a\u001b[2J.md", "assets/a\nb.md", "assets/a\u202eb.md", "assets/a\u200bb.md"])(
    "D-04 a file named %j is not listed, and the skill can be used",
    async (path) => {
      const folder = temporaryFolder({
        "SKILL.md": skillText("pdf"),
        "assets/ok.md": "ok",
        [path]: "x",
      });
      expect((await content(folder)).files).toEqual([{ path: "assets/ok.md", size: 2 }]);
    },
  );

  it("D-04 lists no folders of tools, no links and no second names of files", async () => {
    const folder = temporaryFolder({
      "SKILL.md": skillText("pdf"),
      "references/a.md": "a",
      ".git/objects/ab/cd": "x",
      "lib/node_modules/x/index.js": "x",
      "scripts/__pycache__/run.pyc": "x",
    });
    const secret = join(temporaryFolder({ secret: "s" }), "secret");
    linkSync(secret, join(folder, "references/hard.md"));
    symlinkSync("/etc/passwd", join(folder, "references/soft.md"));
    expect((await content(folder)).files).toEqual([{ path: "references/a.md", size: 1 }]);
  });

  it("D-07 a changed file is noticed beside a link, too", async () => {
    const folder = temporaryFolder({ "SKILL.md": skillText("pdf"), "assets/ok.md": "one" });
    symlinkSync("/etc/passwd", join(folder, "link"));
    const { digest } = await content(folder);
    expect((await content(folder)).digest).toBe(digest);
    writeFileSync(join(folder, "assets/ok.md"), "two two");
    expect((await content(folder)).digest).not.toBe(digest);
  });

  it("D-04 a folder below that cannot be listed hides only itself", async () => {
    const deep = Array.from({ length: 900 }, () => "dddd").join("/");
    const folder = temporaryFolder({ "SKILL.md": skillText("pdf"), "a.md": "a" });
    // Deeper than the system takes a path, step by step.
    mkdirSync(join(folder, deep.slice(0, 3500)), { recursive: true });
    expect((await content(folder)).files).toEqual([{ path: "a.md", size: 1 }]);
  });
});
