import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import type { ApprovalRequest } from "../approvals/approval.ts";
import { openApprovals } from "../approvals/open-approvals.ts";
import { AuditError } from "../audit/audit-error.ts";
import { openAudit } from "../audit/open-audit.ts";
import { createRedactor } from "../audit/redaction/create-redactor.ts";
import { DEFAULT_POLICY, type PolicySettings } from "../policy/policy-settings.ts";
import { createWorkspaceTools } from "../workspace/create-workspace-tools.ts";
import { Gate } from "./gate.ts";
import { guardWorkspace } from "./guard-workspace.ts";

async function world(settings: Partial<PolicySettings> = {}, onAsk = () => {}) {
  const folder = temporaryFolder({ "work/a.txt": "one\n", "work/.env": "SECRET=1\n" });
  const root = join(folder, "work");
  const stateDirectory = join(folder, "state");
  const redactor = createRedactor({ env: {} });
  const audit = openAudit({ file: join(folder, "run/audit.jsonl"), stateDirectory, redactor });
  onTestFinished(() => audit.close());
  const asked: ApprovalRequest[] = [];
  const gate = new Gate({
    settings: { ...DEFAULT_POLICY, ...settings },
    places: { workingDirectory: root },
    activeSkills: () => [],
    approvals: await openApprovals({ stateDirectory, runId: "run-1" }),
    approver: {
      ask(request) {
        asked.push(request);
        onAsk();
        return Promise.resolve({ approved: true, scope: "once", by: "person" });
      },
    },
    audit,
  });
  const workspace = { root, trash: join(folder, "trash") };
  const provider = guardWorkspace(createWorkspaceTools(workspace), { gate, workspace });
  const call = async (name: string, input: unknown) => {
    const tool = provider.tools().find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`${name} is not offered`);
    return tool.execute(input);
  };
  return { root, asked, call, audit };
}

describe("the workspace behind the gate", () => {
  it("X-10 P-01 reading is allowed, writing asks with the diff, the rest is not offered", async () => {
    const { root, asked, call } = await world();
    expect(await call("read_file", { path: "a.txt" })).toMatchObject({ ok: true });
    expect(asked).toEqual([]);
    expect(await call("write_file", { path: "a.txt", content: "two\n" })).toMatchObject({
      ok: true,
    });
    expect(asked[0]?.preview.diff).toContain("two");
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("two\n");
    await expect(call("run_command", {})).rejects.toThrow("not offered");
  });

  it("P-01 a denied path is denied under every name that the tool takes it by", async () => {
    const { call } = await world({ deny: ["Read(.env)"] });
    for (const input of [{ path: ".env" }, { file_path: ".env" }, '{"PATH":"./.env"}']) {
      expect(await call("read_file", input)).toMatchObject({ ok: false, code: "policy-denied" });
    }
  });

  it("P-02 what changed while it was decided on is not overwritten", async () => {
    let root = "";
    const made = await world({}, () => writeFileSync(join(root, "a.txt"), "meanwhile\n"));
    root = made.root;
    expect(await made.call("write_file", { path: "a.txt", content: "two\n" })).toMatchObject({
      ok: false,
      code: "file-changing",
    });
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("meanwhile\n");
  });

  it("P-03 X-10 nothing happens that the record cannot take", async () => {
    const { root, call, audit } = await world({
      ask: [],
      decisions: { low: "allow", medium: "allow", high: "allow" },
    });
    audit.close();
    await expect(call("write_file", { path: "new.txt", content: "x" })).rejects.toThrow(AuditError);
    expect(existsSync(join(root, "new.txt"))).toBe(false);
  });
});
