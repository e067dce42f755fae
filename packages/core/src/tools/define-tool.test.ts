import { describe, expect, it } from "vitest";
import * as z from "zod";
import { openToolSkills } from "../../../../test/support/tool-skills.ts";
import { defineTool, type SkillTool, SkillwrightError } from "../index.ts";
import { toAiSdkTools } from "../host/ai-sdk.ts";

const weather = defineTool({
  name: "weather",
  description: "Gives the weather of a city.",
  input: z.object({ city: z.string().describe("Its name."), days: z.int().min(1).default(1) }),
  execute: ({ city, days }) => ({ ok: true, text: `${city}: sun for ${days}` }),
  toText: ({ text }) => text,
});

/** What a model reads of a call. */
async function read(tool: SkillTool, input: unknown): Promise<string> {
  return tool.toText(await tool.execute(input));
}

describe("defineTool", () => {
  it("H-02 T-10 derives the JSON schema, and a model's input is checked against it", async () => {
    expect(weather.inputSchema).toEqual({
      type: "object",
      properties: {
        city: { type: "string", description: "Its name." },
        days: { type: "integer", minimum: 1, maximum: 9_007_199_254_740_991, default: 1 },
      },
      required: ["city"],
    });
    expect(await read(weather, { city: "Oslo" })).toBe("Oslo: sun for 1");
    expect(await read(weather, '{"city":"Oslo","days":2}')).toBe("Oslo: sun for 2");
    // What is obviously meant is taken.
    expect(await read(weather, { City: "Oslo", days: "3" })).toBe("Oslo: sun for 3");
    expect(await weather.execute({ city: "Oslo", days: 0 })).toMatchObject({
      ok: false,
      code: "input-invalid",
    });
    expect(await read(weather, {})).toContain('"city" is missing');
    expect(await read(weather, "{")).toContain("not valid JSON");
  });

  it("H-02 T-10 what it throws is a failure, and failures are its own values", async () => {
    const schema = { input: z.object({}), description: "x" };
    const broken = defineTool({ ...schema, name: "broken", execute: () => raise() });
    expect(await broken.execute({})).toEqual({
      ok: false,
      code: "tool-failed",
      message: "broken failed: no network",
    });
    const none = { ok: false, code: "none", message: "there is none" } as const;
    const failing = defineTool({ ...schema, name: "failing", execute: () => none });
    expect(await read(failing, {})).toBe("Error: there is none.");
  });

  it("H-02 takes any Standard Schema, with a JSON schema beside it where it gives none", async () => {
    const input = {
      "~standard": {
        vendor: "own",
        version: 1,
        validate: (value: unknown) =>
          Object(value).n === 1
            ? { value: { n: 1 } }
            : { issues: [{ message: "must be 1", path: ["n"] }] },
      },
    };
    const more = { name: "one", description: "x", input, execute: () => "done" };
    expect(() => defineTool(more)).toThrow(SkillwrightError);
    const inputSchema = { type: "object", properties: { n: { type: "integer" } } } as const;
    const tool = defineTool({ ...more, inputSchema });
    expect(await read(tool, { n: 1 })).toBe("done");
    expect(await read(tool, { n: 2 })).toBe("Error: the input does not fit: n: must be 1.");
    const list = { ...more, input: z.array(z.string()) };
    expect(() => defineTool(list as never)).toThrow("must be an object");
  });

  it("H-02 is offered beside the generated tools, in every adapter", async () => {
    const { skills } = await openToolSkills();
    const tools = skills.conversation().tools({ own: [weather] });
    const given = toAiSdkTools(tools, (schema: never) => schema as object);
    expect(Object.keys(given)).toContain("weather");
  });
});

function raise(): never {
  throw new Error("no network");
}
