import { createRedactor } from "@skillwright/runtime";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numRuns } from "../../../../test/support/suite.ts";
import { readAction, type ReadOptions } from "../actions/read-action.ts";
import { MAX_TEXT, redactFields } from "../runs/redact-fields.ts";
import { hearResponse } from "./hear-response.ts";

const redactor = createRedactor({ env: {}, maxStringLength: MAX_TEXT });
const OPTIONS: ReadOptions = {
  tools: ["write_file"],
  canRun: true,
  mustAnswer: false,
  protocol: "json",
};
const CONTENT = 'user=me\npassword=changeme\nhost=db.local port=5432\n"x"';
const WRITE = { action: "write_file", path: "a", content: CONTENT };
const written = (content: string) => ({
  action: "use_tool",
  tool: "write_file",
  input: { path: "a", content },
});

describe("hearResponse", () => {
  it.each<[string, string, readonly { id: string; name: string; input: unknown }[]]>([
    ["JSON", JSON.stringify(WRITE), []],
    ["JSON in prose", `I will: ${JSON.stringify(WRITE)} (password=abc1)`, []],
    ["a call", "", [{ id: "c", name: "write_file", input: { path: "a", content: CONTENT } }]],
    ["a call as text", "", [{ id: "c", name: "write_file", input: JSON.stringify(WRITE) }]],
  ])(
    "P-03 P-04 keeps the decision as it was made, and records it without: %s",
    (_, text, calls) => {
      const { recorded, original } = hearResponse({ text, calls }, OPTIONS, redactor);
      expect(original).toMatchObject(written(CONTENT));
      expect(recorded.redacted).toBe(true);
      expect(JSON.stringify(recorded)).not.toContain("changeme");
      expect(readAction(recorded, OPTIONS)).toMatchObject({
        ok: true,
        action: written(CONTENT.replace("changeme", "[redacted]")),
      });
    },
  );

  it.each([
    ["nothing to leave out", JSON.stringify({ ...WRITE, content: "token = get_token(user)" })],
    ["only said around it", `password=abc1 ${JSON.stringify({ ...WRITE, content: "x" })}`],
    ["an answer", JSON.stringify({ action: "final_answer", answer: "password=abc1" })],
    [
      "a plan and a reason",
      '{"action":"select_skills","skills":[{"name":"a"}],"reason":"password=abc1","plan_update":{"patch":{"goal":"token=abc1"}}}',
    ],
    ["no decision", '{"action":"final_answer", "password":"abcd'],
  ])("P-03 has no other original than the record: %s", (_, text) => {
    const { recorded, original } = hearResponse({ text, calls: [] }, OPTIONS, redactor);
    expect(original).toBeUndefined();
    expect(recorded.redacted).toBeUndefined();
    expect(JSON.stringify(recorded)).not.toContain("abc1");
  });

  it.each([
    ["thoughts that would not end", `<think>token=</think>${JSON.stringify(WRITE)}`],
    ["quotes that would pair", `{"action":"final_answer","answer":"token='","x":"it's"} or not`],
  ])("P-03 redaction makes no decision and spoils none: %s", (_, text) => {
    const { recorded } = hearResponse({ text, calls: [] }, OPTIONS, redactor);
    const before = readAction({ text, calls: [] }, OPTIONS);
    const after = readAction(recorded, OPTIONS);
    expect(after.ok).toBe(before.ok);
  });

  const piece = fc.constantFrom(
    JSON.stringify(WRITE),
    '{"action":"final_answer","answer":"',
    '"}',
    "{",
    "}",
    "'",
    '"',
    "token=",
    "password: abc1",
    "<think>",
    "</think>",
    `\nghp_${"a1".repeat(18)}`,
    "\n",
    "\\n",
    "{'action': 'x'}",
    " ",
  );
  it("P-03 whatever is said, its record is read as it was, without secrets", () => {
    const text = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, fc.constantFrom("json", "tools"), (said, protocol) => {
        const options: ReadOptions = { ...OPTIONS, protocol };
        const { recorded, original } = hearResponse({ text: said, calls: [] }, options, redactor);
        const before = readAction({ text: said, calls: [] }, options);
        const after = readAction(recorded, options);
        expect(after.ok).toBe(before.ok);
        expect(JSON.stringify(recorded)).not.toContain("ghp_");
        // What is written down of it is what is read.
        expect(redactFields({ ...recorded }, redactor)).toEqual(recorded);
        if (!before.ok || !after.ok) return;
        expect(redactFields({ action: before.action }, redactor)).toEqual({ action: after.action });
        expect(redactFields({ action: after.action }, redactor)).toEqual({ action: after.action });
        expect(original ?? after.action).toMatchObject({ action: before.action.action });
      }),
      { numRuns: numRuns(3000) },
    );
  });
});
