import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { runSkillScript } from "../internal/index.ts";
import {
  inlineSource,
  openSkills,
  type ScriptExecutor,
  skillDigest,
  type StorageOptions,
  storageSource,
} from "../index.ts";

const HEAD =
  "---\nname: pdf\ndescription: Merges PDF files. Use for PDFs.\nallowed-tools: Read\n---\n";

/** A store in memory that counts what is asked of it. */
function store(files: Record<string, Record<string, string>>) {
  const calls: string[] = [];
  let version = 1;
  const options: StorageOptions = {
    label: "db",
    async list() {
      calls.push("list");
      return Object.entries(files).map(([path, own]) => ({
        path,
        files: Object.entries(own).map(([name, text]) => ({
          path: name,
          size: Buffer.byteLength(text),
          stamp: `${version}:${text.length}:${text.slice(0, 80)}`,
        })),
      }));
    },
    async read(skill, path) {
      calls.push(`${skill}/${path}`);
      const text = files[skill]?.[path];
      if (text === undefined) throw new Error("no such row");
      return new TextEncoder().encode(text);
    },
    stamp: () => String(version),
  };
  return { options, calls, files, change: () => void version++ };
}

const PDF = {
  "SKILL.md": `${HEAD}# PDF\n\nSee references/forms.md.\n`,
  "references/forms.md": "# Forms\n",
  "scripts/merge.py": "print('merged')\n",
};

/** Notes what it is asked to run, and what lies in the folder of the skill. */
function recorder() {
  const runs: { path: string; files: string[]; text: string }[] = [];
  const executor: ScriptExecutor = {
    canRun: (path) => path.endsWith(".py"),
    async run({ skill, script }) {
      const files = readdirSync(skill.path, { recursive: true, encoding: "utf8" }).toSorted();
      runs.push({ path: skill.path, files, text: readFileSync(join(skill.path, script), "utf8") });
      return { ok: true, text: "merged" };
    },
  };
  return { runs, executor };
}

describe("skills in a store", () => {
  it("R-01 D-12 lists by reading only SKILL.md, and again only what changed", async () => {
    const db = store({
      pdf: PDF,
      "org/dates": { "SKILL.md": "---\nname: dates\ndescription: Formats dates.\n---\n" },
    });
    const skills = await openSkills({ roots: [storageSource(db.options)] });
    expect(skills.all.map(({ id }) => id)).toEqual(["db:pdf", "db:org/dates"]);
    expect(db.calls.toSorted()).toEqual(["list", "org/dates/SKILL.md", "pdf/SKILL.md"]);
    db.calls.length = 0;
    await skills.refresh();
    expect(db.calls).toEqual([]);
    db.files["pdf"] = { ...PDF, "SKILL.md": PDF["SKILL.md"].replace("Merges", "Splits") };
    db.change();
    const changed = await skills.refresh();
    expect(changed.changed).toContain("pdf");
    expect(skills.get("pdf")?.description).toContain("Splits");
  });

  it("D-01 D-06 loads instructions and files when they are asked for", async () => {
    const db = store({ pdf: PDF });
    const skills = await openSkills({ roots: [storageSource(db.options)] });
    const chat = skills.conversation();
    const activation = await chat.activate("pdf");
    expect(activation).toMatchObject({
      ok: true,
      digest: expect.stringMatching(/^stamp:[0-9a-f]{64}$/) as string,
      files: [
        { path: "references/forms.md", size: 8 },
        { path: "scripts/merge.py", size: 16 },
      ],
    });
    expect(activation.ok && activation.text).toContain("# PDF");
    expect(db.calls).not.toContain("pdf/references/forms.md");
    expect(await chat.readFile("pdf", "references/forms.md")).toMatchObject({ text: "# Forms\n" });
    expect(await chat.readFile("pdf", "SKILL.md")).toMatchObject({ text: PDF["SKILL.md"] });
  });

  it("F-06 what the store throws is a diagnostic, and the last skills stay", async () => {
    const db = store({ pdf: PDF, broken: {} });
    let isDown = false;
    const list = () => db.options.list();
    const source = storageSource({
      ...db.options,
      list: () => (isDown ? Promise.reject(new Error("connection lost")) : list()),
    });
    const skills = await openSkills({ roots: [source] });
    expect(skills.all.map(({ name }) => name)).toEqual(["pdf"]);
    expect(skills.find("broken")).toMatchObject({ ok: false, code: "skill-unusable" });
    isDown = true;
    db.change();
    await skills.refresh();
    expect(skills.all.map(({ name }) => name)).toEqual(["pdf"]);
    expect(skills.diagnostics()).toContainEqual(
      expect.objectContaining({
        code: "source-failed",
        message: expect.stringContaining("connection lost") as string,
      }),
    );
  });

  it.each(["../up", "/etc", "a/../../b", "a\\b", "", "c:\\x"])(
    "R-03 X-02 the path %j is refused",
    async (path) => {
      const db = store({ [path]: PDF, pdf: { ...PDF, [`${path}/x.md`]: "outside" } });
      const skills = await openSkills({ roots: [storageSource(db.options)] });
      expect(skills.all.map(({ relativePath }) => relativePath)).toEqual(["pdf"]);
      expect(skills.diagnostics().some(({ code }) => code === "source-failed")).toBe(true);
      const { runs, executor } = recorder();
      const cache = temporaryFolder({});
      const opened = await openSkills({
        roots: [storageSource(db.options)],
        env: { XDG_CACHE_HOME: cache },
      });
      const chat = opened.conversation({ scripts: executor });
      const run = chat.tools().find(({ name }) => name === "run_skill_script");
      await run?.execute({ skill_name: "pdf", script_file: "merge.py" });
      expect(runs[0]?.files).not.toContain("x.md");
      expect(existsSync(join(cache, "../x.md"))).toBe(false);
    },
  );

  it("F-08 what is too large is not read into memory for ever", async () => {
    const db = store({ pdf: { "SKILL.md": `${HEAD}${"x".repeat(2 * 1024 * 1024)}` } });
    const skills = await openSkills({ roots: [storageSource(db.options)] });
    expect(skills.all).toEqual([]);
    expect(skills.find("pdf")).toMatchObject({ code: "skill-unusable" });
  });

  it("H-01 unknown options throw with the nearest name", () => {
    const { options } = store({});
    expect(() => storageSource({ ...options, lable: "x" } as never)).toThrow("label");
  });
});

describe("scripts of skills that are in no folder", () => {
  const INLINE = {
    name: "pdf",
    description: "Merges PDF files. Use for PDFs.",
    instructions: "# PDF\n",
    files: { "scripts/merge.py": "print('merged')\n", "data/a.txt": () => "made" },
  };

  it("T-06 X-02 the tool's names are only those with scripts, in every kind of source", async () => {
    const db = store({
      stored: { ...PDF, "SKILL.md": PDF["SKILL.md"].replace("name: pdf", "name: stored") },
    });
    const plain = { name: "plain", description: "No scripts.", instructions: "Text." };
    const skills = await openSkills({
      roots: [storageSource(db.options)],
      inline: [INLINE, plain],
    });
    const tools = skills.conversation({ scripts: recorder().executor }).tools();
    const run = tools.find(({ name }) => name === "run_skill_script");
    expect(run?.inputSchema.properties["skill_name"]).toMatchObject({ enum: ["stored", "pdf"] });
  });

  it("X-11 run from a folder whose digest is theirs, written once", async () => {
    const cache = temporaryFolder({});
    const { runs, executor } = recorder();
    const skills = await openSkills({
      roots: [],
      inline: [INLINE],
      env: { XDG_CACHE_HOME: cache },
    });
    const call = skills
      .conversation({ scripts: executor })
      .tools()
      .find(({ name }) => name === "run_skill_script");
    for (let i = 0; i < 2; i++) {
      expect(await call?.execute({ skill_name: "pdf", script_file: "merge.py" })).toMatchObject({
        ok: true,
      });
    }
    const folders = readdirSync(join(cache, "skillwright/skills"));
    expect(folders).toHaveLength(1);
    expect(await skillDigest(runs[0]!.path)).toBe(`sha256:${folders[0]!}`);
    expect(runs.map(({ path }) => path)).toEqual([runs[0]!.path, runs[0]!.path]);
    expect(runs[0]?.files).toEqual([
      "SKILL.md",
      "data",
      "data/a.txt",
      "scripts",
      "scripts/merge.py",
    ]);
  });

  it("X-11 a folder in the cache that was changed is not run", async () => {
    const cache = temporaryFolder({});
    const { runs, executor } = recorder();
    const skills = await openSkills({
      roots: [],
      inline: [INLINE],
      env: { XDG_CACHE_HOME: cache },
    });
    const call = skills
      .conversation({ scripts: executor })
      .tools()
      .find(({ name }) => name === "run_skill_script");
    await call?.execute({ skill_name: "pdf", script_file: "merge.py" });
    writeFileSync(join(runs[0]!.path, "scripts/merge.py"), "print('evil')\n");
    mkdirSync(join(runs[0]!.path, "more"));
    await call?.execute({ skill_name: "pdf", script_file: "merge.py" });
    expect(runs[1]?.text).toBe("print('merged')\n");
    expect(readdirSync(join(cache, "skillwright/skills"))).toHaveLength(1);
  });

  it("X-11 many calls at once give one complete folder", async () => {
    const cache = temporaryFolder({});
    const { runs, executor } = recorder();
    const skills = await openSkills({
      roots: [],
      inline: [INLINE],
      env: { XDG_CACHE_HOME: cache },
    });
    const call = skills
      .conversation({ scripts: executor })
      .tools()
      .find(({ name }) => name === "run_skill_script");
    await Promise.all(
      Array.from({ length: 20 }, async () =>
        call?.execute({ skill_name: "pdf", script_file: "merge.py" }),
      ),
    );
    expect(new Set(runs.map(({ files }) => files.join()))).toEqual(
      new Set(["SKILL.md,data,data/a.txt,scripts,scripts/merge.py"]),
    );
    expect(readdirSync(join(cache, "skillwright/skills"))).toHaveLength(1);
  });

  it("X-02 of a skill that a server keeps nothing is written: the executor fetches it", async () => {
    const cache = temporaryFolder({});
    const paths: string[] = [];
    const executor: ScriptExecutor = {
      canRun: () => true,
      async run({ skill }) {
        paths.push(skill.path);
        return { ok: true, text: "" };
      },
    };
    const [found] = (await inlineSource([INLINE]).scan({})).skills;
    const served = { ...found!, uri: "skill://server/pdf" };
    const source = { roots: [], scan: async () => ({ skills: [served], diagnostics: [] }) };
    const skills = await openSkills({ roots: [source], env: { XDG_CACHE_HOME: cache } });
    const request = { skill: skills.all[0]!, script: "scripts/merge.py", args: [] };
    await runSkillScript(skills.conversation(), executor, request, {});
    expect(paths).toEqual(["inline:pdf"]);
    expect(readdirSync(cache)).toEqual([]);
  });
});
