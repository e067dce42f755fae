import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { linkSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readFile } from "../../packages/core/src/files/index.ts";
import { SECRET, SkillAmongSecrets } from "./skill-among-secrets.ts";

const isRoot = process.getuid?.() === 0;

describe("links and special files", () => {
  it.each([
    ["to a file outside", "leak", "../../outside/secret.md", "leak"],
    ["to a file outside, absolute", "leak", "/etc/passwd", "leak"],
    ["to a folder outside", "out", "../../outside", "out/secret.md"],
    ["to a folder outside, for a file that is not there", "out", "../../outside", "out/nowhere"],
    ["to a folder, deeper", "references/out", "../../../outside", "references/out/secret.md"],
    ["to a file inside", "alias", "references/guide.md", "alias"],
    ["to a folder inside", "same", "references", "same/guide.md"],
    ["to the skill itself", "self", ".", "self/SKILL.md"],
    ["to itself", "loop", "loop", "loop"],
    ["to itself, as a folder", "loop", "loop", "loop/x"],
    ["to nothing", "dangling", "nowhere", "dangling"],
    ["to the environment", "environ", "/proc/self/environ", "environ"],
    ["to the folder of the process", "proc", "/proc/self/cwd", "proc/package.json"],
    ["to the root by a descriptor", "fd", "/proc/self/root", "fd/etc/passwd"],
    ["to a device", "zero", "/dev/zero", "zero"],
  ])("D-10 refuses a link %s", async (_, name, target, path) => {
    const fixture = new SkillAmongSecrets();
    symlinkSync(target, fixture.file(name));
    expect(await fixture.read(path)).toBe("link-refused");
    const listed = await fixture.paths();
    expect(listed).toEqual(["SKILL.md", "references/guide.md", "scripts/run.sh"]);
  });

  it("D-10 refuses a SKILL.md that is a link", async () => {
    const fixture = new SkillAmongSecrets();
    unlinkSync(fixture.file("SKILL.md"));
    symlinkSync("../secret.md", fixture.file("SKILL.md"));
    expect(await fixture.read("SKILL.md")).toBe("link-refused");
  });

  it("D-10 refuses the other spelling of references when that is a link", async () => {
    const fixture = new SkillAmongSecrets();
    symlinkSync("../../outside", fixture.file("reference"));
    expect(await fixture.read("reference/guide.md")).toBe("link-refused");
    expect(await fixture.read("references/secret.md")).toBe("link-refused");
    expect(await fixture.read("references/guide.md")).toBe("text:# Guide\ninside\n");
  });

  it("D-10 lists no folder behind a link", async () => {
    const fixture = new SkillAmongSecrets();
    symlinkSync("../../outside", fixture.file("out"));
    expect(await fixture.paths("out")).toBe("link-refused");
    expect(await fixture.paths("out/nowhere")).toBe("link-refused");
    expect(await fixture.paths("../a-evil")).toBe("path-outside");
  });

  it("D-10 refuses a dangling link also when its target appears", async () => {
    const fixture = new SkillAmongSecrets();
    symlinkSync("../../outside/later.md", fixture.file("later.md"));
    expect(await fixture.read("later.md")).toBe("link-refused");
    writeFileSync(join(fixture.root, "outside/later.md"), SECRET);
    expect(await fixture.read("later.md")).toBe("link-refused");
  });

  it("D-10 works for a skill whose folder is a link, and refuses links below it", async () => {
    const fixture = new SkillAmongSecrets();
    const link = join(fixture.root, "linked");
    symlinkSync(join("skills", "a"), link);
    symlinkSync("../secret.md", fixture.file("leak.md"));
    const read = (path: string) => readFile({ directory: link }, path);
    expect(await read("references/guide.md")).toMatchObject({
      ok: true,
      text: "# Guide\ninside\n",
    });
    expect(await read("leak.md")).toMatchObject({ ok: false, code: "link-refused" });
    expect(await read("../secret.md")).toMatchObject({ ok: false, code: "path-outside" });
  });

  it("D-10 refuses a hard link, unless told that such are harmless", async () => {
    const fixture = new SkillAmongSecrets();
    linkSync(join(fixture.root, "outside/secret.md"), fixture.file("hard.md"));
    expect(await fixture.read("hard.md")).toBe("link-refused");
    const allowed = await readFile(fixture.skill, "hard.md", { allowHardLinks: true });
    expect(allowed).toMatchObject({ ok: true, text: SECRET });
  });

  it("D-10 refuses pipes and sockets without waiting", async () => {
    const fixture = new SkillAmongSecrets();
    execFileSync("mkfifo", [fixture.file("pipe")]);
    const server = createServer().listen(fixture.file("socket"));
    onTestFinished(() => void server.close());
    await once(server, "listening");
    expect(await fixture.read("pipe")).toBe("not-a-file");
    expect(await fixture.read("socket")).toBe("not-a-file");
    expect(await fixture.paths()).toEqual(["SKILL.md", "references/guide.md", "scripts/run.sh"]);
  });

  it.runIf(isRoot)("D-10 refuses a device", async () => {
    const fixture = new SkillAmongSecrets();
    execFileSync("mknod", [fixture.file("zero"), "c", "1", "5"]);
    expect(await fixture.read("zero")).toBe("not-a-file");
    expect(await fixture.paths()).not.toContain("zero");
  });

  it("D-10 refuses a file that became a link between list and read", async () => {
    const fixture = new SkillAmongSecrets();
    expect(await fixture.paths("references")).toEqual(["references/guide.md"]);
    unlinkSync(fixture.file("references/guide.md"));
    symlinkSync("../../../outside/guide.md", fixture.file("references/guide.md"));
    expect(await fixture.read("references/guide.md")).toBe("link-refused");
    rmSync(fixture.file("references"), { recursive: true });
    symlinkSync("../../outside", fixture.file("references"));
    expect(await fixture.read("references/guide.md")).toBe("link-refused");
  });

  it("D-10 sees a file that was replaced by another", async () => {
    const fixture = new SkillAmongSecrets();
    writeFileSync(fixture.file("next"), "new");
    renameSync(fixture.file("next"), fixture.file("references/guide.md"));
    expect(await fixture.read("references/guide.md")).toBe("text:new");
  });
});
