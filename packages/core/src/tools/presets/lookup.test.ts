import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openToolSkills, PDF_BODY } from "../../../../../test/support/tool-skills.ts";
import { callNamed } from "../../../../../test/support/call-named.ts";
import { createTools, type CreateToolsOptions } from "../index.ts";

async function lookup(options: CreateToolsOptions = {}) {
  const { root, skills } = await openToolSkills();
  const tools = createTools(skills.conversation(), { preset: "lookup", ...options });
  return { root, tools, call: callNamed(tools) };
}

describe("T-02 preset lookup", () => {
  it("T-02 read_skill gives the whole SKILL.md, frontmatter included", async () => {
    const { call } = await lookup();
    const text = await call("read_skill", { skill_name: "PDF-Processing" });
    expect(text).toMatch(/^---\nname: pdf-processing\n/);
    expect(text).toContain(PDF_BODY);
  });

  it("T-02 read_skill_file gives the text of any file of the skill", async () => {
    const { call } = await lookup();
    const input = { skill_name: "pdf-processing", file_path: "notes.txt" };
    expect(await call("read_skill_file", input)).toBe("Only a note.\n");
    const reference = { skill_name: "pdf-processing", file_path: "reference/FORMS.md" };
    expect(await call("read_skill_file", reference)).toContain("# Forms");
  });

  it("T-02 list_skill_directory gives lines with sizes", async () => {
    const { call } = await lookup();
    const listed = await call("list_skill_directory", { skill_name: "pdf-processing" });
    expect(listed).toBe(
      [
        "SKILL.md (149 bytes)",
        "notes.txt (13 bytes)",
        "assets/ (1 file, 3 bytes)",
        "references/ (2 files, 80043 bytes)",
        "scripts/ (1 file, 18 bytes)",
      ].join("\n"),
    );
    const below = { skill_name: "pdf-processing", directory: "./scripts/" };
    expect(await call("list_skill_directory", below)).toBe("analyze.py (18 bytes)");
  });

  it.each([
    ["enableReadSkillTool", "read_skill"],
    ["enableReadFileTool", "read_skill_file"],
    ["enableListDirectoryTool", "list_skill_directory"],
  ])("T-02 the switch %s is that of %s", async (name, tool) => {
    const { tools } = await lookup({ switches: { [name]: false } });
    expect(tools).toHaveLength(2);
    expect(tools.map((one) => one.name)).not.toContain(tool);
  });

  it("T-09 what is too large is refused with the way to read a range, which works", async () => {
    const { call } = await lookup();
    const input = { skill_name: "pdf-processing", file_path: "references/big.md" };
    const failure = await call("read_skill_file", input);
    expect(failure).toMatchObject({ ok: false, code: "file-too-large" });
    const { hint } = failure as { hint: string };
    expect(hint).toContain(
      'give "references/big.md#L1-1280" as file_path first, then from line 1281',
    );
    const named = /"([^"]+)"/.exec(hint)?.[1];
    const first = await call("read_skill_file", { ...input, file_path: named });
    expect(first).toBe("A line of some length, again and again.\n".repeat(1280));
    const rest = await call("read_skill_file", { ...input, file_path: "references/big.md#L1281" });
    expect(rest).toBe("A line of some length, again and again.\n".repeat(720));
  });

  it("T-09 a range that is still too large is cut and says how to go on", async () => {
    const { call } = await lookup({ maxOutputSizeBytes: 100 });
    const input = { skill_name: "pdf-processing", file_path: "references/big.md#L5-900" };
    expect(await call("read_skill_file", input)).toBe(
      'A line of some length, again and again.\nA line of some length, again and again.\n[lines 5-6 of 2000; go on with "references/big.md#L7"]',
    );
    expect(await call("read_skill", { skill_name: "pdf-processing" })).toMatchObject({
      code: "file-too-large",
      hint: expect.stringContaining('give "pdf-processing#L1-') as string,
    });
    const lines = await call("read_skill", { skill_name: "pdf-processing#L5-6" });
    expect(lines).toBe("# PDF\n\n");
  });

  it("T-09 a file that is really named like a range is read as it is", async () => {
    const { root, call } = await lookup();
    writeFileSync(join(root, "pdf-processing/a.md#L1-2"), "itself");
    const input = { skill_name: "pdf-processing", file_path: "a.md#L1-2" };
    expect(await call("read_skill_file", input)).toBe("itself");
  });

  it.each([
    ["no such skill", { skill_name: "pdf-procesing" }, "skill-not-found"],
    ["a broken skill", { skill_name: "broken" }, "skill-unusable"],
    [
      "no such file",
      { skill_name: "pdf-processing", file_path: "references/FORM.md" },
      "file-not-found",
    ],
    [
      "a path outside",
      { skill_name: "pdf-processing", file_path: "../dates/SKILL.md" },
      "path-outside",
    ],
    [
      "an absolute path",
      { skill_name: "pdf-processing", file_path: "/etc/passwd" },
      "path-outside",
    ],
    [
      "a binary file",
      { skill_name: "pdf-processing", file_path: "assets/logo.bin" },
      "file-binary",
    ],
    ["a folder", { skill_name: "pdf-processing", file_path: "references" }, "not-a-file"],
  ])("T-08 %s is a value the model can act on", async (_, input, code) => {
    const { tools, call } = await lookup();
    const tool = "file_path" in input ? "read_skill_file" : "read_skill";
    const failure = await call(tool, input);
    expect(failure).toMatchObject({ ok: false, code });
    const text = tools.find(({ name }) => name === tool)!.toText(failure);
    expect(text).toMatch(/^Error: .+[.?]$/);
  });

  it("T-08 near names are candidates, and all of them when they are few", async () => {
    const { call } = await lookup();
    expect(await call("read_skill", { skill_name: "pdf-procesing" })).toMatchObject({
      candidates: ["pdf-processing"],
    });
    expect(await call("read_skill", { skill_name: "zzz" })).toMatchObject({
      hint: "There is: dates, pdf-processing.",
    });
  });
});
