import { describe, expect, it } from "vitest";
import { callNamed } from "../../../../../test/support/call-named.ts";
import { echoExecutor, openToolSkills, PDF_BODY } from "../../../../../test/support/tool-skills.ts";
import type { SkillMessage } from "../../internal/index.ts";
import { createTools, type CreateToolsOptions } from "../index.ts";

async function scripts(options: CreateToolsOptions = { executor: echoExecutor }) {
  const { skills } = await openToolSkills();
  const view = skills.conversation();
  const tools = createTools(view, { preset: "scripts", ...options });
  return { view, tools, call: callNamed(tools) };
}

describe("T-03 preset scripts", () => {
  it("T-03 D-04 load_skill gives the body without frontmatter and puts it into the conversation", async () => {
    const { call } = await scripts();
    const messages: SkillMessage[] = [];
    const context = { appendMessage: (message: SkillMessage) => void messages.push(message) };
    const text = await call("load_skill", { skill_name: "pdf-processing" }, context);
    expect(text).toContain(PDF_BODY.trim());
    expect(text).toContain('<skill_content name="pdf-processing" source="project"');
    expect(text).not.toContain("description:");
    expect(messages).toEqual([{ role: "user", content: text }]);
    const again = await call("load_skill", { skill_name: "pdf-processing" }, context);
    expect(again).toContain("already active");
    expect(messages).toHaveLength(1);
  });

  it("T-03 D-05 the lines that a long skill leaves out can be loaded", async () => {
    const body = Array.from({ length: 700 }, (_, i) => `Line ${i}.`).join("\n");
    const files = { "long/SKILL.md": `---\nname: long\ndescription: Is long.\n---\n${body}\n` };
    const { skills } = await openToolSkills({}, files);
    const call = callNamed(
      createTools(skills.conversation(), { preset: "scripts", maxOutputSizeBytes: 6000 }),
    );
    expect(await call("load_skill", { skill_name: "long" })).toContain(
      "lines 505-704, is not shown",
    );
    const rest = await call("load_skill", { skill_name: "long#L505-704" });
    expect(rest).toBe(`${body.split("\n").slice(500).join("\n")}\n`);
  });

  it("T-08 REQ-008 a skill that is not there is a clear error", async () => {
    const { call } = await scripts();
    expect(await call("load_skill", { skill_name: "nope" })).toMatchObject({
      ok: false,
      code: "skill-not-found",
      message: 'there is no skill named "nope"',
    });
    expect(await call("load_skill", { skill_name: "broken" })).toMatchObject({
      code: "skill-unusable",
    });
  });

  it.each(["analyze.py", "scripts/analyze.py", "./scripts/analyze.py"])(
    "T-03 X-02 run_skill_script runs %s with its arguments",
    async (script_file) => {
      const { call } = await scripts();
      const input = { skill_name: "pdf-processing", script_file, args: ["a b", "--x"] };
      expect(await call("run_skill_script", input)).toBe(
        "ran pdf-processing scripts/analyze.py a b --x",
      );
    },
  );

  it.each([
    ["../../dates/SKILL.md", "path-outside"],
    ["scripts/../../x.py", "path-outside"],
    ["/bin/sh", "path-outside"],
    ["analyse.py", "script-not-found"],
    ["references/FORMS.md", "script-not-found"],
  ])("T-03 X-02 run_skill_script refuses %s", async (script_file, code) => {
    const run = { ...echoExecutor, run: () => Promise.reject(new Error("it ran")) };
    const { call } = await scripts({ executor: run });
    const input = { skill_name: "pdf-processing", script_file };
    expect(await call("run_skill_script", input)).toMatchObject({ ok: false, code });
  });

  it("T-03 X-04 a script that fails is an error with what the executor says", async () => {
    const { call } = await scripts();
    const input = { skill_name: "pdf-processing", script_file: "analyze.py", args: "--fail" };
    expect(await call("run_skill_script", input)).toEqual({
      ok: false,
      code: "script-failed",
      message: "ran pdf-processing scripts/analyze.py --fail",
    });
  });

  it("T-03 X-04 an executor that throws gives an error, too", async () => {
    const run = () => Promise.reject(new Error("no sandbox"));
    const { call } = await scripts({ executor: { canRun: () => true, run } });
    const input = { skill_name: "pdf-processing", script_file: "analyze.py" };
    expect(await call("run_skill_script", input)).toMatchObject({
      code: "tool-failed",
      message: "run_skill_script failed: no sandbox",
    });
  });

  it("T-03 no script tool without an executor, or one that can run nothing here", async () => {
    expect((await scripts({})).tools.map(({ name }) => name)).toEqual(["load_skill"]);
    const executor = { ...echoExecutor, canRun: () => false };
    expect((await scripts({ executor })).tools.map(({ name }) => name)).toEqual(["load_skill"]);
  });
});
