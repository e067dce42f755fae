import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { skillText, writeTree } from "../../../../test/support/skill-tree.ts";
import { workplace } from "../../../../test/support/workplace.ts";

const BODY = Array.from({ length: 30 }, (_, index) => `Line ${index + 1}.\n`).join("");

const text = (name: string, body = BODY) => `${skillText(name)}${body}`;

/** A project that installed two skills of a folder beside it. */
async function withSkills() {
  const place = workplace({ "pack/pdf/SKILL.md": text("pdf"), "pack/csv/SKILL.md": text("csv") });
  await place.run("install", "./pack", "--all");
  const file = join(place.cwd, ".agent/skills/pdf/SKILL.md");
  const publish = (body: string) =>
    writeTree(place.cwd, { "pack/pdf/SKILL.md": text("pdf", body) });
  return { ...place, file, publish, read: () => readFileSync(file, "utf8") };
}

describe("skillwright update", () => {
  it("K-02 takes the newest version, or says that there is none", async () => {
    const { run, json, publish, read } = await withSkills();
    expect((await run("update")).stdout).toContain("nothing to do");
    publish(BODY.replace("Line 1.", "First line."));
    const dry = await run("update", "--dry-run");
    expect(dry.stdout).toContain("pdf would be updated");
    expect(read()).not.toContain("First line.");
    expect(await json("update")).toMatchObject({
      schemaVersion: 1,
      changed: true,
      skills: [
        { name: "csv", status: "unchanged" },
        { name: "pdf", status: "updated", files: { modified: ["SKILL.md"] } },
      ],
    });
    expect(read()).toContain("First line.");
  });

  it("K-02 keeps edits by a merge; a conflict shows both sides and changes nothing", async () => {
    const { run, file, publish, read } = await withSkills();
    writeFileSync(file, read().replace("Line 30.", "My line."));
    publish(BODY.replace("Line 1.", "First line."));
    expect((await run("update", "pdf")).stdout).toContain("pdf merged");
    expect(read()).toContain("First line.");
    expect(read()).toContain("My line.");
    publish(BODY.replace("Line 30.", "Their line."));
    const before = read();
    const refused = await run("update");
    expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
    expect(refused.stderr).toContain("My line.");
    expect(refused.stderr).toContain("Their line.");
    expect(refused.stderr).toContain("--force");
    expect(read()).toBe(before);
    expect((await run("update", "--force")).exitCode).toBe(0);
    expect(read()).toContain("Their line.");
  });

  it("C-01 K-03 a name that is not installed is exit 4 and names the near one", async () => {
    const { run } = await withSkills();
    for (const command of ["update", "uninstall", "outdated", "verify"]) {
      const { exitCode, stderr } = await run(command, "pfd");
      expect([command, exitCode]).toEqual([command, 4]);
      expect(stderr).toContain("there is: pdf");
    }
  });
});

describe("skillwright outdated", () => {
  it("C-01 exit 1 when something can be updated, 4 when that cannot be said", async () => {
    const { run, json, publish, cwd } = await withSkills();
    expect((await run("outdated")).exitCode).toBe(0);
    publish("New.\n");
    const { exitCode, stdout, stderr } = await run("outdated");
    expect(exitCode).toBe(1);
    expect(stderr).toContain("skillwright update takes what is newer");
    expect(stdout).toMatch(/pdf +outdated/);
    expect((await json("outdated", "csv"))["skills"]).toMatchObject([
      { name: "csv", status: "current", current: expect.any(String) as string },
    ]);
    expect((await run("outdated", "--quiet")).exitCode).toBe(1);
    writeTree(cwd, { "pack/pdf/SKILL.md": "no skill any more" });
    const unknown = await run("outdated", "pdf");
    expect(unknown.exitCode).toBe(4);
    expect(unknown.stdout).toMatch(/pdf +unknown/);
  });

  it("C-01 nothing installed is done", async () => {
    const { run } = workplace({});
    expect(await run("outdated")).toMatchObject({ exitCode: 0, stdout: "nothing is installed\n" });
  });
});

describe("skillwright uninstall and undo", () => {
  it("K-03 removes by name with a backup, and undo brings back what stood there", async () => {
    const { run, json, file, cwd, read } = await withSkills();
    writeFileSync(file, text("pdf", "Edited.\n"));
    expect((await run("uninstall", "pdf", "--dry-run")).stdout).toContain("pdf would be removed");
    expect(existsSync(file)).toBe(true);
    expect(await json("remove", "pdf")).toMatchObject({
      schemaVersion: 1,
      skills: [
        {
          name: "pdf",
          path: ".agent/skills/pdf",
          status: "removed",
          digest: expect.stringMatching(/^sha256:/) as string,
        },
      ],
      problems: [],
    });
    expect(existsSync(file)).toBe(false);
    expect(readFileSync(join(cwd, ".agent/skills.lock.json"), "utf8")).not.toContain("skills/pdf");
    const undone = await run("undo");
    expect(undone.stdout).toContain("took back: uninstall pdf");
    expect(read()).toContain("Edited.");
    const { stdout } = await run("undo", "--list");
    expect(stdout).toMatch(/undone\s+uninstall pdf/);
    expect(await json("undo", "--redo")).toMatchObject({
      schemaVersion: 1,
      folders: [{ folder: "pdf" }],
    });
    expect(existsSync(file)).toBe(false);
  });

  it("K-03 undo refuses to lose later edits until --force", async () => {
    const { run, file, read } = await withSkills();
    writeFileSync(file, text("pdf", "Edited.\n"));
    const refused = await run("undo");
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain("skillwright undo --force");
    expect(read()).toContain("Edited.");
    expect((await run("undo", "--force")).exitCode).toBe(0);
    expect(existsSync(file)).toBe(false);
  });

  it("C-01 K-03 nothing to undo is exit 4; uninstall wants a name", async () => {
    const { run, json } = workplace({});
    expect((await run("undo")).exitCode).toBe(4);
    expect((await json("undo"))["error"]).toMatchObject({ code: "nothing-to-undo" });
    expect((await run("uninstall")).exitCode).toBe(2);
    expect((await run("undo", "--dry-run")).exitCode).toBe(2);
  });
});

describe("skillwright prune", () => {
  it("K-03 removes backups beyond --keep", async () => {
    const { run, json } = await withSkills();
    const { exitCode, stdout } = await run("prune");
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "nothing to remove\n" });
    await run("uninstall", "pdf");
    const { removed } = await json("prune", "--keep", "0");
    expect(removed).not.toEqual([]);
    expect((await run("undo")).exitCode).toBe(4);
    expect((await run("prune", "--keep", "-1")).exitCode).toBe(2);
    expect((await run("prune", "--keep", "some")).exitCode).toBe(2);
  });
});
