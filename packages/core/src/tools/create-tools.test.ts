import { describe, expect, it } from "vitest";
import { callNamed } from "../../../../test/support/call-named.ts";
import { echoExecutor, openToolSkills } from "../../../../test/support/tool-skills.ts";
import { callTool } from "../host/index.ts";
import type { Logger, SkillTool } from "../index.ts";
import { createTools, type CreateToolsOptions } from "./index.ts";

const OWN: SkillTool = {
  name: "weather",
  description: "Tells the weather.",
  inputSchema: { type: "object", properties: {} },
  execute: async () => "sunny",
  toText: String,
};

async function tools(options: CreateToolsOptions = {}) {
  const { skills } = await openToolSkills();
  return createTools(skills.conversation(), options);
}

function recordingLogger() {
  const lines: unknown[] = [];
  const at = (level: string) => (message: string, context?: object) =>
    void lines.push([level, message, context]);
  const logger: Logger = {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
  };
  return { lines, logger };
}

describe("T-10 own tools, names and switches", () => {
  it("T-10 own tools and those of providers stand beside the generated ones", async () => {
    const provider = { tools: () => [{ ...OWN, name: "read_file" }] };
    const all = await tools({ preset: "lookup", own: [OWN], providers: [provider] });
    expect(all.map(({ name }) => name)).toEqual([
      "read_skill",
      "read_skill_file",
      "list_skill_directory",
      "weather",
      "read_file",
    ]);
    expect(await callNamed(all)("weather", {})).toBe("sunny");
  });

  it("T-10 own tools stay when there are no skills", async () => {
    const { skills } = await openToolSkills({}, { "x.txt": "" });
    expect(createTools(skills.conversation(), { own: [OWN] })).toEqual([OWN]);
  });

  it("T-10 two tools of one name are a mistake of the host", async () => {
    await expect(tools({ own: [{ ...OWN, name: "load_skill" }] })).rejects.toThrow(
      'two tools are named "load_skill"',
    );
    const replaced = await tools({
      own: [{ ...OWN, name: "load_skill" }],
      rename: { load_skill: "skill" },
    });
    expect(replaced.map(({ name }) => name)).toContain("skill");
  });

  it("T-01 a renamed tool works and is told of under its new name", async () => {
    const all = await tools({ preset: "sop", rename: { load_skill: "skill" } });
    expect(all.map(({ name }) => name)).toContain("skill");
    expect(await callNamed(all)("skill", { skill_name: "dates" })).toContain("# Dates");
  });

  it("T-02 every tool can be switched off by its name in the preset", async () => {
    const enabled = { load_skill: false, weather: false };
    const all = await tools({ enabled, own: [OWN], rename: { load_skill: "skill" } });
    expect(all.map(({ name }) => name)).toEqual(["read_skill_file", "list_skill_files"]);
  });
});

describe("T-08 the log", () => {
  it("T-08 P-04 has calls at debug and failures at error, without what may be secret", async () => {
    const { lines, logger } = recordingLogger();
    const call = callNamed(await tools({ preset: "scripts", executor: echoExecutor }));
    const script = { skill_name: "pdf-processing", script_file: "analyze.py" };
    await call("run_skill_script", { ...script, args: ["--token", "s3cret"] }, { logger });
    await call("run_skill_script", { ...script, args: ["--fail", "s3cret"] }, { logger });
    await call("load_skill", { skill_name: "nope" }, { logger });
    await call("load_skill", {}, { logger });
    const run = {
      tool: "run_skill_script",
      arguments: { ...script, args: "[2 values]" },
    };
    expect(lines).toEqual([
      ["debug", "tool called", run],
      ["debug", "tool called", run],
      ["error", "tool failed", { tool: "run_skill_script", code: "script-failed" }],
      ["debug", "tool called", { tool: "load_skill", arguments: { skill_name: "nope" } }],
      [
        "error",
        "tool failed",
        { tool: "load_skill", code: "skill-not-found", message: 'there is no skill named "nope"' },
      ],
      [
        "error",
        "tool failed",
        {
          tool: "load_skill",
          code: "input-invalid",
          message: 'the parameter "skill_name" is missing; expected a string',
        },
      ],
    ]);
    expect(JSON.stringify(lines)).not.toContain("s3cret");
  });
});

describe("T-07 whatever happens", () => {
  it("T-07 a cancelled call does nothing", async () => {
    const call = callNamed(await tools());
    const context = { signal: AbortSignal.abort() };
    expect(await call("load_skill", { skill_name: "dates" }, context)).toMatchObject({
      ok: false,
      code: "aborted",
    });
  });

  it("T-07 a host whose conversation cannot be appended to gets a value", async () => {
    const call = callNamed(await tools());
    const appendMessage = () => {
      throw new Error("full");
    };
    expect(await call("load_skill", { skill_name: "dates" }, { appendMessage })).toMatchObject({
      ok: false,
      code: "tool-failed",
      message: "load_skill failed: full",
    });
    expect(await call("load_skill", { skill_name: "dates" })).toMatchObject({
      alreadyActive: false,
    });
  });

  it("T-07 a host that fails to append only later gets a value, too", async () => {
    const call = callNamed(await tools());
    const appendMessage = () => Promise.reject(new Error("full"));
    expect(await call("load_skill", { skill_name: "dates" }, { appendMessage })).toMatchObject({
      ok: false,
      code: "tool-failed",
    });
    expect(await call("load_skill", { skill_name: "dates" })).toMatchObject({
      alreadyActive: false,
    });
  });

  it("T-07 a log that fails ends no call", async () => {
    const fail = () => {
      throw new Error("disk full");
    };
    const logger = { debug: fail, info: fail, warn: fail, error: fail };
    const { skills } = await openToolSkills({ logger });
    const call = callNamed(createTools(skills.conversation()));
    expect(await call("load_skill", { skill_name: "dates" }, { logger })).toMatchObject({
      ok: true,
    });
    expect(await call("load_skill", {}, { logger })).toMatchObject({ code: "input-invalid" });
  });

  it("T-10 an own tool that throws gives the model an answer", async () => {
    const execute = () => Promise.reject(new Error("no sun"));
    const toText = () => {
      throw new Error("no text");
    };
    const own = [
      { ...OWN, execute },
      { ...OWN, name: "other", toText },
    ];
    const all = await tools({ own });
    expect(await callTool(all, "weather", {})).toMatchObject({
      isError: true,
      text: "Error: weather failed: no sun.",
      value: { ok: false, code: "tool-failed" },
    });
    expect(await callTool(all, "other", {})).toMatchObject({ isError: true });
  });

  it("T-10 mistakes of a host are told as what they are", async () => {
    await expect(tools({ rename: { load_skill: "" } })).rejects.toThrow("a tool has no name");
    await expect(tools({ preset: "mine" as never })).rejects.toThrow(
      'tools: "preset" must be "standard", "lookup", "scripts", "sop" or "autobot", got "mine"',
    );
  });

  it("T-01 every result has a text, also what no tool gives", async () => {
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = cyclic;
    for (const tool of await tools({ executor: echoExecutor, catalogBudgetTokens: 20 })) {
      for (const result of [undefined, null, 7n, "text", [], {}, cyclic, { files: [null] }]) {
        expect(typeof tool.toText(result)).toBe("string");
      }
    }
  });
});
