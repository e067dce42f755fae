import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defaultStateDirectory } from "@skillwright/core";
import { installSkills, resolveScope } from "@skillwright/packs";
import { describe, expect, it } from "vitest";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { workplace } from "../../../../test/support/workplace.ts";

async function withSkill() {
  const place = workplace({
    "pack/pdf/SKILL.md": skillText("pdf"),
    "pack/pdf/references/FORMS.md": "# Forms\n",
  });
  await place.run("install", "./pack");
  return { ...place, folder: join(place.cwd, ".agent/skills/pdf") };
}

describe("skillwright verify", () => {
  it("K-04 hashes what a link leads to, and says that it is one", async () => {
    const { run, cwd } = workplace({ "pack/pdf/SKILL.md": skillText("pdf") });
    await run("install", "./pack", "--link");
    const same = await run("verify");
    expect(same).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^linked +pdf/) });
    writeFileSync(join(cwd, "pack/pdf/more.md"), "more");
    const other = await run("verify");
    expect(other.exitCode).toBe(1);
    expect(other.stdout).toMatch(/^modified pdf \S+ sha256:[0-9a-f]{64} \(linked\)\n/);
    expect(other.stderr).toContain("--link");
    expect((await run("install", "--frozen")).exitCode).toBe(1);
    expect((await run("install")).exitCode).toBe(0);
  });

  it("K-03 finishes a change that was interrupted, and says so", async () => {
    const { run, cwd, home } = workplace({ "pack/pdf/SKILL.md": skillText("pdf") });
    const scope = resolveScope({ cwd, home });
    if (!scope.ok) throw new Error(scope.message);
    const cut = await installSkills("./pack", {
      scope,
      cwd,
      stateDirectory: defaultStateDirectory({ HOME: home }),
      onStep: ({ step }) => {
        if (step === "place") throw Object.assign(new Error("the end"), { code: "EIO" });
      },
    });
    expect(cut.ok).toBe(false);
    const { exitCode, stdout, stderr } = await run("verify");
    expect(stderr).toContain("finished an interrupted change: install pdf");
    expect(stdout).toMatch(/^ok +pdf/);
    expect(exitCode).toBe(0);
  });

  it("K-04 prints hashes, and says ok", async () => {
    const { run, json } = await withSkill();
    const { exitCode, stdout } = await run("verify");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^ok {7}pdf \.agent\/skills\/pdf sha256:[0-9a-f]{64}\n$/);
    expect((await run("verify", "--verbose")).stdout).toContain("references/FORMS.md");
    expect(await json("verify", "pdf")).toMatchObject({
      schemaVersion: 1,
      skills: [
        {
          name: "pdf",
          digest: expect.stringMatching(/^sha256:/) as string,
          path: ".agent/skills/pdf",
          status: "ok",
          files: [
            { path: "SKILL.md", status: "ok" },
            { path: "references/FORMS.md", status: "ok" },
          ],
        },
      ],
      problems: [],
    });
  });

  it("K-04 exit 1 for what is modified, missing or more, file by file", async () => {
    const { run, json, folder } = await withSkill();
    writeFileSync(join(folder, "SKILL.md"), skillText("pdf", "Other. Use when asked."));
    rmSync(join(folder, "references/FORMS.md"));
    writeFileSync(join(folder, "extra\u001B[31m.txt"), "");
    const { exitCode, stdout, stderr } = await run("verify");
    expect(exitCode).toBe(1);
    expect(stderr).toContain("skillwright install --force");
    for (const line of [/modified +SKILL/, /missing +references/, /extra +extra\\u\{1b\}/]) {
      expect(stdout).toMatch(line);
    }
    expect((await run("verify", "--quiet")).stdout.split("\n")).toHaveLength(2);
    expect((await json("verify"))["skills"]).toMatchObject([{ status: "modified" }]);
    rmSync(folder, { recursive: true });
    expect((await json("verify"))["skills"]).toMatchObject([{ status: "missing" }]);
    const missing = await run("verify");
    expect(missing.exitCode).toBe(1);
    expect(missing.stderr).toContain("skillwright install brings back what is missing");
  });

  it("K-04 a Sigstore signature that is asked for must be there", async () => {
    const { run } = await withSkill();
    await run("pack", "pack", "-o", "all.zip");
    const { exitCode, stdout, stderr } = await run(
      "verify",
      "all.zip",
      "--identity=me@example.com",
      "--issuer=https://issuer.example",
      "--trusted-root=trusted_root.json",
    );
    expect([exitCode === 0, stdout]).toEqual([false, ""]);
    expect(stderr).toContain("Sigstore");
  });

  it("K-04 C-01 nothing installed is exit 4, wrong words are exit 2", async () => {
    const { run } = workplace({ "a.zip": "", "b.zip": "" });
    expect((await run("verify")).exitCode).toBe(4);
    const absent = await run("verify", "absent.zip");
    expect(absent.exitCode).toBe(4);
    expect(absent.stderr).toContain('there is no pack "absent.zip"');
    expect((await run("verify", "a.zip", "b.zip")).exitCode).toBe(2);
    expect((await run("verify", "a.zip", "pdf")).exitCode).toBe(2);
    const keyed = await run("verify", "--key", "author.pub");
    expect(keyed.exitCode).toBe(2);
    expect(keyed.stderr).toContain("author.pub");
    const signed = await run("verify", "--signature", "a.sig");
    expect([signed.exitCode, signed.stderr.includes("skills.zip")]).toEqual([2, true]);
    const half = await run("verify", "a.zip", "--identity", "me@example.com");
    expect(half.exitCode).toBe(2);
    expect(half.stderr).toContain("--trusted-root");
    expect((await run("verify", "--issuer", "https://example.com")).exitCode).toBe(2);
    expect((await run("verify", "a.zip")).exitCode).toBe(1);
  });
});
