import type { AuditRecord } from "@skillwright/runtime";
import { expect, it } from "vitest";
import { describeRecord } from "./index.ts";

const describe = (event: string, data: object) =>
  describeRecord({ event, data } as unknown as AuditRecord);
const USAGE = { inputTokens: 7, outputTokens: 2 };
const COMMAND = { command: "npm test -- a.ts" };

it("P-03 C-02 shows the text that a model writes beside its calls, and not its answer again", () => {
  const calls = [{ id: "1", name: "read_file", input: {} }];
  const text = "First the tests,\n\nthen the code.";
  const response = (data: object) => describe("model-response", data)?.text;
  expect(response({ usage: USAGE, calls, text })).toBe(
    "7 + 2 tokens: First the tests, then the code.",
  );
  expect(response({ usage: USAGE, calls: [], text })).toBe("7 + 2 tokens");
  expect(response({ usage: USAGE, calls, text: "" })).toBe("7 + 2 tokens");
});

it("P-03 C-02 counts changes, also those that are not named one by one", () => {
  const end = { kept: ["a"], held: [], conflicts: [], discarded: ["b"], why: "not approved" };
  const counts = { kept: 9999, held: 0, discarded: 1 };
  expect(describe("changes-end", { ...end, counts, refused: [".env"] })?.text).toBe(
    "9999 kept, 0 held, 1 discarded (not approved); scripts may not change .env",
  );
  expect(describe("changes-end", { ...end, kept: [], discarded: [] })).toBeUndefined();
  expect(describe("changes-apply", { paths: [], count: 300 })?.text).toBe("300 changes");
  expect(describe("changes-apply", { paths: [], count: 3 })).toBeUndefined();
});

it("P-03 C-02 shows the command line of run_command, whether it ran or was only decided", () => {
  const action = { action: "use_tool", tool: "run_command", input: COMMAND };
  expect(describe("action-decide", { action })).toMatchObject({
    subject: "decide",
    text: "use_tool run_command: npm test -- a.ts",
  });
  const call = { tool: "run_command", input: COMMAND };
  expect(describe("tool-call", call)).toMatchObject({
    subject: "run",
    text: "npm test -- a.ts",
  });
});
