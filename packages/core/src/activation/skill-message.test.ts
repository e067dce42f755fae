import { describe, expect, it } from "vitest";
import { isSkillContent } from "../index.ts";

const TEXT = `<skill_content name="pdf" source="project" digest="sha256:${"0a".repeat(32)}" location="/x">\nDo it.\n</skill_content>`;

describe("isSkillContent", () => {
  it.each([
    ["text", TEXT],
    ["a message", { role: "user", content: TEXT }],
    ["parts of text", { role: "user", content: [{ type: "text", text: TEXT }] }],
    [
      "a tool result of the AI SDK",
      {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: "1", output: { type: "text", value: TEXT } }],
      },
    ],
    [
      "a tool result as JSON",
      {
        role: "tool",
        content: [{ type: "tool-result", output: { type: "json", value: { text: TEXT } } }],
      },
    ],
    [
      "a message of a user interface",
      {
        role: "assistant",
        parts: [{ type: "tool-load_skill", state: "output-available", output: { text: TEXT } }],
      },
    ],
    [
      "parts of Gemini",
      {
        role: "user",
        parts: [{ functionResponse: { name: "load_skill", response: { output: TEXT } } }],
      },
    ],
    [
      "a tool result of Messages",
      { role: "user", content: [{ type: "tool_result", content: TEXT }] },
    ],
    ["an output of Responses", { type: "function_call_output", output: TEXT }],
    ["several texts that a host joined", { role: "user", content: `Hello\n\n${TEXT}\n\nGo on.` }],
    ["one with a stamp", TEXT.replace("sha256:", "stamp:")],
  ])("D-04 finds a skill in %s", (_, message) => {
    expect(isSkillContent(message)).toBe(true);
  });

  it.each([
    ["Why does your answer start with <skill_content name=?"],
    ['It says `<skill_content name="pdf" source="project">` and `</skill_content>`.'],
    ['<skill_content name="pdf">\nmine\n</skill_content>'],
    [TEXT.replace("\n</skill_content>", "")],
    [`> ${TEXT.replaceAll("\n", "\n> ")}`],
  ])("D-04 a person who only quotes it has no skill: %j", (content) => {
    expect(isSkillContent({ role: "user", content })).toBe(false);
  });

  it("D-04 takes what refers to itself, what is large, and what fails when it is looked at", () => {
    const cyclic: { content: unknown[] } = { content: [] };
    cyclic.content.push(cyclic, { parts: cyclic.content });
    expect(isSkillContent(cyclic)).toBe(false);
    cyclic.content.push(TEXT);
    expect(isSkillContent(cyclic)).toBe(true);
    expect(isSkillContent({ content: new Uint8Array(1_000_000) })).toBe(false);
    const failing = Object.defineProperty({}, "text", {
      enumerable: true,
      get() {
        throw new Error("no");
      },
    });
    expect(isSkillContent(failing)).toBe(false);
    let deep: unknown = TEXT;
    for (let i = 0; i < 5000; i++) deep = [deep];
    expect(isSkillContent(deep)).toBe(true);
  });
});
