import { describe, expect, it } from "vitest";
import { callNamed } from "../../../../test/support/call-named.ts";
import { PDF_BODY } from "../../../../test/support/tool-skills.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { type Logger, type SkillService, skillsPlugin } from "../index.ts";
import type { SkillMessage, SkillServiceSettings } from "../internal/index.ts";

const PDF = `---\nname: pdf-processing\ndescription: Reads and merges PDF files.\n---\n${PDF_BODY}`;
const DATES = "---\nname: dates\ndescription: Formats dates.\n---\n# Dates\n";

function plugin(settings: SkillServiceSettings = {}) {
  const root = temporaryFolder({
    "skills/pdf-processing/SKILL.md": PDF,
    "skills/dates/SKILL.md": DATES,
  });
  return skillsPlugin({ settings: { roots: [`${root}/skills`], ...settings } });
}

function recordingLogger() {
  const lines: string[] = [];
  const at = (level: string) => (message: string) => void lines.push(`${level} ${message}`);
  const logger: Logger = {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
  };
  return { lines, logger };
}

describe("H-01 the plugin", () => {
  it("H-01 N-03 001 §3 case 1: a skill's name and description are in the system prompt", async () => {
    const { start, instructions } = plugin();
    await start();
    const prompt = await instructions({ id: "a", kind: "task" });
    expect(prompt).toContain("pdf-processing");
    expect(prompt).toContain("Reads and merges PDF files.");
    expect(prompt).not.toContain("Step 1");
  });

  it("H-01 N-03 001 §3 case 2: after load_skill the conversation has the steps", async () => {
    const { instructions, tools } = plugin({ tools: { preset: "scripts" } });
    const agent = { id: "a" };
    const conversation: { role: string; content: string }[] = [
      { role: "system", content: await instructions(agent) },
      { role: "user", content: "我要处理 PDF" },
    ];
    const appendMessage = (message: SkillMessage) => void conversation.push(message);
    const call = callNamed(await tools(agent));
    await call("load_skill", { skill_name: "pdf-processing" }, { appendMessage });
    expect(conversation.at(-1)?.content).toContain("Step 1: open the file.");
  });

  it.each(["routing", "planning", "Routing", "PLANNING"])(
    "D-03 agents of kind %s get no skills",
    async (kind) => {
      const { instructions, tools } = plugin();
      expect(await instructions({ kind })).toBe("");
      expect(await tools({ kind })).toEqual([]);
    },
  );

  it("D-03 the kinds can be chosen", async () => {
    const { settings } = { settings: { roots: [temporaryFolder({ "dates/SKILL.md": DATES })] } };
    const { instructions } = skillsPlugin({ settings, kindsWithoutSkills: ["Evaluating"] });
    expect(await instructions({ kind: "evaluating" })).toBe("");
    expect(await instructions({ kind: "routing" })).toContain("dates");
    expect(await instructions()).toContain("dates");
  });

  it("H-01 agents see their own skills and have their own context", async () => {
    const { instructions, tools, service } = plugin();
    const narrow = { id: "narrow", skills: ["dates"] };
    expect(await instructions(narrow)).not.toContain("pdf-processing");
    const load = async (agent: object, skill_name: string) =>
      callNamed(await tools(agent))("load_skill", { skill_name });
    expect(await load(narrow, "pdf-processing")).toMatchObject({ code: "skill-not-found" });
    expect(await load(narrow, "dates")).toMatchObject({ alreadyActive: false });
    expect(await load({ id: "other" }, "dates")).toMatchObject({ alreadyActive: false });
    expect(await load({ ...narrow }, "dates")).toMatchObject({ alreadyActive: true });
    expect(await load({ id: "narrow" }, "dates")).toMatchObject({ alreadyActive: true });
    service.release?.({ id: "narrow" });
    expect(await load(narrow, "dates")).toMatchObject({ alreadyActive: false });
    const nameless = {};
    expect(await load(nameless, "dates")).toMatchObject({ alreadyActive: false });
    expect(await load(nameless, "dates")).toMatchObject({ alreadyActive: true });
    expect(await load({}, "dates")).toMatchObject({ alreadyActive: false });
  });

  it("H-01 the instructions match the tools within the catalog's budget", async () => {
    const { instructions, tools } = plugin({ catalog: { budgetTokens: 15 } });
    expect((await tools()).map(({ name }) => name)).toContain("search_skills");
    expect(await instructions()).toContain("`search_skills`");
  });

  it("H-01 P-04 loading is logged at info, calls at debug, failures at error", async () => {
    const { lines, logger } = recordingLogger();
    const { tools } = plugin({ logger });
    const call = callNamed(await tools());
    await call("load_skill", { skill_name: "dates" });
    await call("load_skill", { skill_name: "nope" });
    expect(lines).toEqual([
      "info skills loaded",
      "debug tool called",
      "debug tool called",
      "error tool failed",
    ]);
  });

  it("H-01 the service can be replaced, and starts once", async () => {
    let starts = 0;
    const service: SkillService = {
      start: async () => void starts++,
      instructions: async ({ id }) => `for ${id}`,
      tools: async () => [],
    };
    const { instructions, tools, start, ...rest } = skillsPlugin({ service });
    expect(await instructions({ id: "a" })).toBe("for a");
    expect(await tools({ id: "a" })).toEqual([]);
    await start();
    expect(starts).toBe(1);
    expect(rest.service).toBe(service);
  });

  it("H-01 a start that failed is logged and can be tried again", async () => {
    const { lines, logger } = recordingLogger();
    let attempts = 0;
    const service: SkillService = {
      start: async () => {
        if (attempts++ === 0) throw new Error("no disk");
      },
      instructions: async () => "text",
      tools: async () => [],
    };
    const { instructions } = skillsPlugin({ service, settings: { logger } });
    await expect(instructions()).rejects.toThrow("no disk");
    expect(await instructions()).toBe("text");
    expect(lines).toEqual(["error skills could not be loaded"]);
  });
});
