import { join } from "node:path";
import { openSkills } from "@skillwright/core";
import {
  type ApprovalDecision,
  type ApprovalRequest,
  createRedactor,
  DEFAULT_POLICY,
} from "@skillwright/runtime";
import {
  Gate,
  chooseExecutor,
  createScriptExecutor,
  openApprovals,
  openAudit,
} from "@skillwright/runtime/internal";
import { describe, expect, it, onTestFinished } from "vitest";
import { mcpScripts } from "../../packages/mcp/src/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { hostWorld } from "./mcp-host-world.ts";

const REMEMBERED: ApprovalDecision = { approved: true, scope: "skill", by: "person" };

/** A user who says yes to a script for good, and servers that come and go. */
async function scriptWorld() {
  const folder = temporaryFolder();
  const stateDirectory = join(folder, "state");
  const redactor = createRedactor({ env: {} });
  const audit = openAudit({ file: join(folder, "run/audit.jsonl"), stateDirectory, redactor });
  onTestFinished(() => audit.close());
  const asked: ApprovalRequest[] = [];
  const gate = new Gate({
    settings: DEFAULT_POLICY,
    places: { workingDirectory: folder },
    activeSkills: () => [],
    approvals: await openApprovals({ stateDirectory, runId: "run-1" }),
    approver: {
      ask(request) {
        asked.push(request);
        return Promise.resolve(REMEMBERED);
      },
    },
    audit,
  });
  const executor = await chooseExecutor({ sandbox: "none" });
  if ("ok" in executor) throw new Error(executor.message);
  const own = createScriptExecutor({ gate, executor, sandbox: "none", cwd: folder });
  const run = async (files: Readonly<Record<string, string>>, mode = "") => {
    const { host } = hostWorld({ docs: { skills: { pdf: { files } }, mode } });
    const skills = await openSkills({ roots: [host.source] });
    const skill = skills.get("pdf");
    if (skill === undefined) throw new Error("there is no skill");
    const executor = mcpScripts({ host, others: own, own });
    return executor.run({ skill, script: "scripts/a.sh", args: ["x"] }, {});
  };
  return { run, asked };
}

describe("a script of a server's skill", () => {
  const FILES = { "scripts/a.sh": 'echo "ran $1"\n', "scripts/lib.sh": "echo lib\n" };

  it("X-02 P-02 an approval is for all of these files, and ends when any of them changes", async () => {
    const { run, asked } = await scriptWorld();
    expect(await run(FILES)).toEqual({ ok: true, text: "ran x\n" });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.skill).toMatchObject({ name: "pdf", source: "mcp:docs" });
    expect(await run(FILES)).toEqual({ ok: true, text: "ran x\n" });
    expect(asked).toHaveLength(1);
    // Not the script itself: a file beside it.
    await run({ ...FILES, "scripts/lib.sh": "echo other\n" });
    expect(asked).toHaveLength(2);
    await run({ ...FILES, "references/new.md": "" });
    expect(asked).toHaveLength(3);
    expect(new Set(asked.map(({ skill }) => skill?.digest)).size).toBe(3);
  });

  it("X-02 nobody is asked about files that are not what was listed, and nothing runs", async () => {
    const { run, asked } = await scriptWorld();
    const result = await run(FILES, "lying-content");
    expect(result).toMatchObject({ ok: false, text: expect.stringContaining("digest") });
    expect(asked).toEqual([]);
  });
});
