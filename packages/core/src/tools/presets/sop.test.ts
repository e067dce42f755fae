import { realpathSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { callNamed } from "../../../../../test/support/call-named.ts";
import { echoExecutor, openToolSkills, PDF_BODY } from "../../../../../test/support/tool-skills.ts";
import { callTool } from "../../host/index.ts";
import { runAnthropicToolUse } from "../../host/anthropic.ts";
import { createTools, type CreateToolsOptions } from "../index.ts";

async function sop(options: CreateToolsOptions = {}) {
  const { root, skills } = await openToolSkills();
  const tools = createTools(skills.conversation(), { preset: "sop", ...options });
  return { root, tools, call: callNamed(tools) };
}

describe("T-04 preset sop", () => {
  it("T-04 D-08 search_skills gives names and descriptions, best first", async () => {
    const { call, tools } = await sop();
    const found = await call("search_skills", { query: "merge pdf files" });
    expect(found).toEqual([
      { name: "pdf-processing", description: "Reads and merges PDF files. Use for forms." },
    ]);
    expect(await call("search_skills", { query: "use", n: "1" })).toHaveLength(1);
    expect(tools[0]!.toText(found)).toBe(
      "- pdf-processing: Reads and merges PDF files. Use for forms.",
    );
    expect(tools[0]!.toText([])).toBe("No skill was found.");
  });

  it("T-04 D-08 an empty root gives an empty list", async () => {
    const { skills } = await openToolSkills({}, { "readme.txt": "" });
    const call = callNamed(createTools(skills.conversation(), { preset: "sop" }));
    expect(await call("search_skills", { query: "anything" })).toEqual([]);
  });

  it("T-04 load_skill gives the full SKILL.md, whatever the case of its name", async () => {
    const { call } = await sop();
    const text = await call("load_skill", { skill_name: "PDF-PROCESSING" });
    expect(text).toMatch(/^---\nname: pdf-processing\n/);
    expect(text).toContain(PDF_BODY);
  });

  it("T-04 load_skill_asset reads below the folders of assets only", async () => {
    const { call } = await sop();
    const load = (relative_path: string) =>
      call("load_skill_asset", { skill_name: "pdf-processing", relative_path });
    expect(await load("references/FORMS.md")).toContain("# Forms");
    expect(await load("reference/FORMS.md")).toContain("# Forms");
    expect(await load("scripts/analyze.py")).toBe("print('analysed')\n");
    const refused = /^Error: .* is not under references\/, assets\/ or scripts\//;
    expect(await load("SKILL.md")).toMatch(refused);
    expect(await load("notes.txt")).toMatch(refused);
    expect(await load("./notes.txt")).toMatch(refused);
    expect(await load("references")).toMatch(refused);
    expect(await load("references/../SKILL.md")).toMatch(/^Error: .* has ".." in it/);
    expect(await load("/etc/passwd")).toMatch(/^Error: .* is absolute/);
    expect(await load("assets/logo.bin")).toMatch(/^Error: .* is not text/);
    expect(await load("references/big.md")).toMatch(/give "references\/big.md#L1-\d+"/);
  });

  it("T-04 get_skill_script_path gives the absolute path, or the error", async () => {
    const { root, call } = await sop();
    const get = (script_name: string, skill_name = "pdf-processing") =>
      call("get_skill_script_path", { skill_name, script_name });
    const path = join(realpathSync(root), "pdf-processing/scripts/analyze.py");
    expect(realpathSync((await get("analyze.py")) as string)).toBe(path);
    expect(await get("scripts/analyze.py")).toBe(await get("analyze.py"));
    expect(await get("compare.py")).toMatch(/^Error: the skill pdf-processing has no script/);
    expect(await get("../SKILL.md")).toMatch(/^Error: /);
    expect(await get("deploy.py", "dates")).toMatch(/It has no scripts at all\.$/);
  });

  it("T-04 get_skill_script_path has none for skills defined in code", async () => {
    const inline = [
      { name: "coded", description: "D.", instructions: "I.", files: { "scripts/a.py": "1" } },
    ];
    const { skills } = await openToolSkills({ inline });
    const call = callNamed(createTools(skills.conversation(), { preset: "sop" }));
    const input = { skill_name: "coded", script_name: "a.py" };
    expect(await call("get_skill_script_path", input)).toMatch(/^Error: .* is defined in code/);
  });

  it("T-04 list_skill_assets lists what lies below those folders", async () => {
    const { call, tools } = await sop();
    const listed = await call("list_skill_assets", { skill_name: "pdf-processing" });
    expect(listed).toEqual([
      "assets/logo.bin",
      "references/FORMS.md",
      "references/big.md",
      "scripts/analyze.py",
    ]);
    expect(tools[4]!.toText(listed)).toBe((listed as string[]).join("\n"));
    expect(await call("list_skill_assets", { skill_name: "dates" })).toEqual([]);
    expect(await call("list_skill_assets", { skill_name: "nope" })).toMatch(/^Error: /);
  });

  it("T-04 list_skill_assets says when there are more than it lists", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 2100 }, (_, i) => [`pdf/assets/${"long-name-".repeat(3)}${i}.txt`, ""]),
    );
    const skill = "---\nname: pdf\ndescription: D.\n---\nB.\n";
    const { skills } = await openToolSkills({}, { "pdf/SKILL.md": skill, ...files });
    for (const maxOutputSizeBytes of [2000, 10_000_000]) {
      const all = createTools(skills.conversation(), { preset: "sop", maxOutputSizeBytes });
      const listed = (await callNamed(all)("list_skill_assets", { skill_name: "pdf" })) as string[];
      expect(listed.at(-1)).toBe("(and more, which are not listed)");
      expect(listed.join("\n").length).toBeLessThanOrEqual(maxOutputSizeBytes);
      expect(all[4]!.toText(listed)).toContain("and more");
    }
  });

  it("T-09 a file of one long line can be read to its end", async () => {
    const line = Array.from({ length: 3000 }, (_, i) => `ä${i}`).join(" ");
    const skill = "---\nname: pdf\ndescription: D.\n---\nB.\n";
    const files = { "pdf/SKILL.md": skill, "pdf/assets/min.json": line };
    const { skills } = await openToolSkills({}, files);
    const call = callNamed(
      createTools(skills.conversation(), { preset: "sop", maxOutputSizeBytes: 4000 }),
    );
    const load = async (relative_path: string) =>
      (await call("load_skill_asset", { skill_name: "pdf", relative_path })) as string;
    const [, first = ""] =
      /give "([^"]+)" as relative_path first/.exec(await load("assets/min.json")) ?? [];
    let all = "";
    for (let next: string | undefined = first; next !== undefined;) {
      const part = await load(next);
      const [, rest] = /\n\[lines 1-1 of 1; go on with "([^"]+)"\]$/.exec(part) ?? [];
      all += rest === undefined ? part : part.slice(0, part.lastIndexOf("\n["));
      next = rest;
    }
    expect(all).toBe(line);
  });

  it("T-08 a failure is marked beside its text, which a file may have as well", async () => {
    const files = {
      "pdf/SKILL.md": "---\nname: pdf\ndescription: D.\n---\nB.\n",
      "pdf/assets/log.txt": 'Error: there is no skill named "other".',
    };
    const { skills } = await openToolSkills({}, files);
    const tools = createTools(skills.conversation(), { preset: "sop", executor: echoExecutor });
    const asset = { skill_name: "pdf", relative_path: "assets/log.txt" };
    const failed = async (name: string, input: unknown) =>
      (await callTool(tools, name, input)).isError;
    expect(await failed("load_skill_asset", asset)).toBe(false);
    expect(await failed("load_skill", { skill_name: "nope" })).toBe(true);
    expect(await failed("load_skill", { skill_name: "pdf" })).toBe(false);
    expect(await failed("load_skill", {})).toBe(true);
    expect(await failed("run_shell_command", { command: "false" })).toBe(true);
    expect(await failed("run_shell_command", { command: "ls" })).toBe(false);
    const use = { id: "1", name: "load_skill", input: { skill_name: "nope" } };
    expect(await runAnthropicToolUse(tools, use)).toMatchObject({ is_error: true });
  });

  it("T-04 run_shell_command is there when a runtime is, and errors are texts", async () => {
    expect((await sop()).tools).toHaveLength(5);
    const { call } = await sop({ executor: echoExecutor });
    expect(await call("run_shell_command", { command: "ls" })).toBe("ran ls");
    expect(await call("run_shell_command", { command: "false" })).toBe("Error: ran false.");
    const without = { canRun: () => true, run: async () => ({ ok: true, text: "" }) };
    expect((await sop({ executor: without })).tools).toHaveLength(5);
  });

  it("T-08 failures are texts", async () => {
    const { call } = await sop();
    expect(await call("load_skill", { skill_name: "nope" })).toBe(
      'Error: there is no skill named "nope". There is: dates, pdf-processing.',
    );
    expect(await call("load_skill", "{")).toMatch(/^Error: the parameters are not valid JSON/);
  });
});
