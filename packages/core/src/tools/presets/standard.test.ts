import { chatOf } from "../../../../../test/support/chat-of.ts";
import { describe, expect, it } from "vitest";
import { callNamed } from "../../../../../test/support/call-named.ts";
import { echoExecutor, openToolSkills, PDF_BODY } from "../../../../../test/support/tool-skills.ts";
import type { SkillMessage } from "../../internal/index.ts";
import { createTools, type CreateToolsOptions } from "../index.ts";

const ALL = { executor: echoExecutor, catalogBudgetTokens: 20 };

async function standard(
  options: CreateToolsOptions = {},
  files?: Readonly<Record<string, string>>,
) {
  const { skills } = await openToolSkills({}, files);
  const tools = createTools(skills.conversation(), options);
  const textOf = (name: string, result: unknown) =>
    tools.find((tool) => tool.name === name)!.toText(result);
  return { names: tools.map(({ name }) => name), tools, textOf, call: callNamed(tools) };
}

describe("T-06 the smallest set that can work", () => {
  it("T-06 no tool at all without skills", async () => {
    expect((await standard(ALL, { "x.txt": "" })).names).toEqual([]);
  });

  it("T-06 no tool at all when all skills are kept from models", async () => {
    const hidden =
      "---\nname: a\ndescription: D. Use it.\ndisable-model-invocation: true\n---\nBody.\n";
    expect((await standard(ALL, { "a/SKILL.md": hidden })).names).toEqual([]);
  });

  it("T-06 no search while the whole catalog is shown", async () => {
    const reading = ["load_skill", "read_skill_file", "list_skill_files"];
    expect((await standard()).names).toEqual(reading);
    expect((await standard({ catalogBudgetTokens: 4000 })).names).toEqual(reading);
    const { names } = await standard({ catalogBudgetTokens: 20 });
    expect(names).toEqual([...reading, "search_skills"]);
  });

  it("T-06 D-01 searches exactly when the catalog that the model gets leaves something out", async () => {
    const { skills } = await openToolSkills();
    for (const format of ["xml", "markdown", "json"] as const) {
      for (const template of [undefined, `${"Long text. ".repeat(20)}{skills}`]) {
        for (let budgetTokens = 20; budgetTokens <= 140; budgetTokens += 4) {
          const catalog = { format, budgetTokens, ...(template && { template }) };
          const { shown } = chatOf(skills).catalog(catalog);
          const names = createTools(skills.conversation(), { catalog }).map(({ name }) => name);
          expect(names.includes("search_skills")).toBe(shown.length < 2);
        }
      }
    }
    const include = ({ name }: { name: string }) => name === "dates";
    const few = createTools(skills.conversation(), { catalog: { budgetTokens: 30, include } });
    expect(few.map(({ name }) => name)).not.toContain("search_skills");
  });

  it("T-06 no script tool without a script that a visible skill has and that can run", async () => {
    expect((await standard({ executor: echoExecutor })).names).toContain("run_skill_script");
    const executor = { ...echoExecutor, canRun: (path: string) => path.endsWith("deploy.py") };
    expect((await standard({ executor })).names).not.toContain("run_skill_script");
  });

  it("T-06 the name of a skill is an enum while there are few", async () => {
    const { tools } = await standard();
    for (const { inputSchema } of tools) {
      expect(inputSchema.properties["skill_name"]).toMatchObject({
        enum: ["dates", "pdf-processing"],
      });
    }
    const without = await standard({ nameEnum: false });
    expect(without.tools[0]!.inputSchema.properties["skill_name"]).not.toHaveProperty("enum");
    const many = Object.fromEntries(
      Array.from({ length: 51 }, (_, i) => [
        `s${i}/SKILL.md`,
        `---\nname: s${i}\ndescription: D.\n---\nB.\n`,
      ]),
    );
    const { tools: forMany } = await standard({}, many);
    expect(forMany[0]!.inputSchema.properties["skill_name"]).not.toHaveProperty("enum");
  });
});

describe("T-01 preset standard", () => {
  it("T-01 D-04 load_skill activates and appends the message", async () => {
    const { call, textOf } = await standard();
    const messages: SkillMessage[] = [];
    const context = { appendMessage: (message: SkillMessage) => void messages.push(message) };
    const loaded = await call("load_skill", { skill_name: "pdf-processing" }, context);
    expect(loaded).toMatchObject({
      ok: true,
      name: "pdf-processing",
      source: "project",
      alreadyActive: false,
      changed: false,
      text: expect.stringContaining(PDF_BODY.trim()) as string,
    });
    expect(messages).toEqual([{ role: "user", content: textOf("load_skill", loaded) }]);
  });

  it("T-01 read_skill_file reads files, lines and sections", async () => {
    const { call, textOf } = await standard();
    const read = (more: object) =>
      call("read_skill_file", {
        skill_name: "pdf-processing",
        file_path: "references/FORMS.md",
        ...more,
      });
    const whole = await read({});
    expect(whole).toMatchObject({ ok: true, startLine: 1, totalLines: 7, endOfFile: true });
    expect(textOf("read_skill_file", whole)).toBe(
      "# Forms\n\nFill them.\n\n## Fields\n\nName them.\n",
    );
    const lines = await read({ start_line: "3", endLine: 3 });
    expect(lines).toMatchObject({ text: "Fill them.\n", startLine: 3, endLine: 3 });
    expect(textOf("read_skill_file", lines)).toBe("Fill them.\n[lines 3-3 of 7]");
    const section = await read({ section: "fields" });
    expect(textOf("read_skill_file", section)).toBe(
      "## Fields\n\nName them.\n[lines 5-7 of 7, the end of the file]",
    );
    expect(await read({ startLine: 99 })).toMatchObject({ ok: false, code: "range-invalid" });
    expect(await read({ section: "Other" })).toMatchObject({ code: "section-not-found" });
  });

  it("T-09 what is too large says which lines fit, and a range is cut where the limit is", async () => {
    const { call } = await standard({ maxOutputSizeBytes: 1000 });
    const input = { skill_name: "pdf-processing", file_path: "references/big.md" };
    expect(await call("read_skill_file", input)).toMatchObject({
      code: "file-too-large",
      hint: "Read it in parts: startLine 1 and endLine 25 first, then from line 26 on.",
    });
    expect(await call("read_skill_file", { ...input, startLine: 26 })).toMatchObject({
      ok: true,
      startLine: 26,
      endLine: 50,
      truncated: true,
    });
  });

  it("T-09 a line that is too long is cut, and the text says how to go on", async () => {
    const skill = "---\nname: a\ndescription: D. Use it.\n---\nBody.\n";
    const files = { "a/SKILL.md": skill, "a/data.json": "x".repeat(2500) };
    const { call, textOf } = await standard({ maxOutputSizeBytes: 1000 }, files);
    const input = { skill_name: "a", file_path: "data.json" };
    expect(await call("read_skill_file", input)).toMatchObject({
      code: "file-too-large",
      hint: "Read it in parts: startLine 1 and endLine 1 first, then startLine 1 and startByte 1000.",
    });
    const first = await call("read_skill_file", { ...input, startLine: 1 });
    expect(first).toMatchObject({ truncated: true, nextByte: 1000 });
    expect(textOf("read_skill_file", first)).toContain("go on with startLine 1 and startByte 1000");
    const last = await call("read_skill_file", { ...input, startLine: 1, startByte: 2000 });
    expect(last).toMatchObject({ truncated: false, endOfFile: true, text: "x".repeat(500) });
  });

  it("T-07 blanks around a name do no harm, and a long one is not echoed", async () => {
    const { call } = await standard();
    expect(await call("load_skill", { skill_name: " dates\n" })).toMatchObject({ ok: true });
    const failure = await call("load_skill", { skill_name: "x".repeat(5000) });
    expect(failure).toMatchObject({ code: "skill-not-found" });
    expect(JSON.stringify(failure).length).toBeLessThan(400);
  });

  it("T-01 list_skill_files lists files with sizes, within the limit", async () => {
    const { call, textOf } = await standard();
    const listed = await call("list_skill_files", {
      skill_name: "pdf-processing",
      directory: "references",
    });
    expect(listed).toEqual({
      ok: true,
      files: [
        { path: "references/FORMS.md", size: 43 },
        { path: "references/big.md", size: 80_000 },
      ],
      truncated: false,
    });
    expect(textOf("list_skill_files", listed)).toBe(
      "references/FORMS.md (43 bytes)\nreferences/big.md (80000 bytes)",
    );
    const small = await standard({ maxOutputSizeBytes: 50 });
    expect(await small.call("list_skill_files", { skill_name: "pdf-processing" })).toMatchObject({
      files: [{ path: "SKILL.md" }],
      truncated: true,
    });
  });

  it("T-01 search_skills finds, run_skill_script runs", async () => {
    const { call, textOf } = await standard(ALL);
    const found = await call("search_skills", { query: "format a date", n: 1 });
    expect(found).toMatchObject({ ok: true, results: [{ name: "dates", source: "project" }] });
    expect(textOf("search_skills", found)).toBe("- dates: Formats dates. Use when asked.");
    const ran = await call("run_skill_script", {
      skill_name: "pdf-processing",
      script_file: "analyze.py",
    });
    expect(ran).toMatchObject({ ok: true, script: "scripts/analyze.py" });
    expect(textOf("run_skill_script", ran)).toBe("ran pdf-processing scripts/analyze.py");
  });

  it.each(["enableReadSkillTool", "enableReadFileTool", "enableListDirectoryTool"])(
    "T-02 the switch %s also holds for the same tool of standard",
    async (name) => {
      expect((await standard({ switches: { [name]: false } })).names).toHaveLength(2);
    },
  );
});
