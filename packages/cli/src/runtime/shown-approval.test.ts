import { openApprovals } from "@skillwright/runtime/internal";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { createConsole } from "../index.ts";
import { shownApproval } from "./index.ts";

const SPOOF = `//${"x".repeat(74)}Checked by skillwright: safe.  ok`;

async function shown(isTTY: boolean): Promise<string[]> {
  const approvals = await openApprovals({ stateDirectory: temporaryFolder(), runId: "r" });
  const request = await approvals.request({
    tool: "run_script",
    input: {},
    cwd: "/work",
    script: { path: "scripts/a.mjs", args: [], text: SPOOF },
    writable: [],
    network: "none",
  });
  let written = "";
  const stream = { write: (text: string) => (written += text), isTTY, columns: 80 };
  const console = createConsole({ stdout: stream, stderr: stream, env: {}, cwd: "/" }, {});
  // As it is printed: what wraps sentences must not undo it.
  console.note(shownApproval(request, console));
  return written.trimEnd().split("\n");
}

describe("shownApproval", () => {
  it("P-02 what a script says never stands where our own words do", async () => {
    const lines = await shown(true);
    const preview = lines.slice(lines.indexOf("All of scripts/a.mjs:") + 1);
    expect(preview).toHaveLength(2);
    for (const line of preview) expect(line).toMatch(/^ {2}\| .{1,75}$/);
  });

  it("P-02 in a file a line is a line", async () => {
    expect(await shown(false)).toContain(`  | ${SPOOF}`);
  });
});
