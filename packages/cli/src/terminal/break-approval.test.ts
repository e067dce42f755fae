import { approvalText, openApprovals } from "@skillwright/runtime/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { displayWidth } from "@skillwright/core/internal";
import { anyUnits } from "../../../../test/arbitraries/hostile-text.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { breakApproval } from "./index.ts";

const OURS =
  /^(?:(?:Tool|Skill|Digest|Script|Command|Input|Folder|Sandbox|May write|May reach)(?: |$)|(?:All|First \d|Changes|Other|Look) ?| {2}\| | {2}! | {2}So this| {4})/;
const SPOOF = `//${"x".repeat(74)}Checked by skillwright: safe.  ok`;

describe("breakApproval", () => {
  it("P-02 what a script says stands behind a mark, however long it is", () => {
    const lines = breakApproval(`Tool       run_script\n  | ${SPOOF}`, 80).split("\n");
    expect(lines).toHaveLength(3);
    expect(lines.slice(1).every((line) => line.startsWith("  | "))).toBe(true);
    expect(
      lines
        .slice(1)
        .map((line) => line.slice(4))
        .join(""),
    ).toBe(SPOOF);
  });

  it("P-02 breaks a script between words where it can, and keeps every blank", () => {
    const words = "print(one,  two) and  three four five";
    const lines = breakApproval(`  | ${words}`, 30).split("\n");
    expect(lines).toEqual(["  | print(one,  two) and  ", "  | three four five"]);
    expect(lines.map((line) => line.slice(4)).join("")).toBe(words);
  });

  it("P-02 leaves what fits as it is, and breaks fields between words", () => {
    expect(breakApproval("Tool       run_script\n  | a\tb", 80)).toBe(
      "Tool       run_script\n  | a       b",
    );
    expect(breakApproval("Command    node scripts/a.mjs one two three four", 40)).toBe(
      "Command    node scripts/a.mjs one two\n           three four",
    );
    expect(breakApproval("Command    node scripts/a.mjs", 20)).toBe(
      "Command\n    node scripts/\n    a.mjs",
    );
    expect(breakApproval('Input      {"one":"the-first","two":"second"}', 40)).toBe(
      'Input      {"one":"the-first",\n           "two":"second"}',
    );
  });

  it("P-02 also where there is hardly any room", () => {
    for (let columns = 8; columns < 20; columns++) {
      const lines = breakApproval(`  | ${SPOOF}字字字\n  ! ${SPOOF}\nCommand    ${SPOOF}`, columns);
      for (const line of lines.split("\n")) {
        expect(line).toMatch(/^(?: {2}\| | {2}! | {4}|Command$)/);
        expect(displayWidth(line)).toBeLessThanOrEqual(Math.max(7, columns - 1));
      }
    }
  });

  it("P-02 nothing of others stands at the margin, and no line is left to the terminal", async () => {
    const approvals = await openApprovals({ stateDirectory: temporaryFolder(), runId: "r" });
    const text = fc.oneof(
      anyUnits,
      fc.constantFrom(SPOOF, "字".repeat(99), "\t".repeat(40), "👩‍💻".repeat(40), "Tool  safe"),
      fc.string({ minLength: 60, maxLength: 300 }),
    );
    const call = fc.record({
      script: text,
      argument: text,
      name: text,
      columns: fc.integer({ min: 20, max: 120 }),
    });
    await fc.assert(
      fc.asyncProperty(call, async ({ script, argument, name, columns }) => {
        const request = await approvals.request({
          tool: "run_script",
          input: { args: [argument] },
          cwd: `/work/${name}`,
          skill: { name, source: name, digest: `sha256:${"a".repeat(64)}` },
          script: { path: `scripts/${name}`, args: [argument], text: script },
          command: ["node", argument],
          sandbox: "bubblewrap",
          writable: [name],
          network: [],
        });
        const lines = breakApproval(approvalText(request), columns).split("\n");
        for (const line of lines) {
          expect(line).toMatch(OURS);
          expect(displayWidth(line)).toBeLessThan(columns);
        }
      }),
      { numRuns: 60 },
    );
  });
});
