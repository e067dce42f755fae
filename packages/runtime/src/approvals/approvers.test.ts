import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import {
  type ApprovalDecision,
  type ApprovalRequest,
  type Approver,
  chainApprovers,
  createFlagApprover,
} from "../index.ts";
import {
  type ApprovalCall,
  createDenyApprover,
  decideApproval,
  denyApprover,
  type OpenApprovalsOptions,
  parseYesFlag,
} from "../internal/index.ts";
import { openApprovals, resumeApproval } from "./index.ts";

const WRITE: ApprovalCall = {
  tool: "write_file",
  input: { path: "a", content: "b" },
  cwd: "/work",
};
const RUN: ApprovalCall = { ...WRITE, tool: "run_script" };

let count = 0;
const open = (more: Partial<OpenApprovalsOptions> = {}) =>
  openApprovals({
    stateDirectory: temporaryFolder(),
    runId: "run-1",
    clock: () => 1_800_000_000_000,
    ids: () => `a${++count}`,
    ...more,
  });

/** Gives one answer to everything and counts how often it was asked. */
function answering(answer: Partial<ApprovalDecision>): Approver & { asked: number } {
  return {
    asked: 0,
    async ask() {
      this.asked++;
      return { approved: true, scope: "once", by: "person", ...answer };
    },
  };
}

describe("--yes", () => {
  it("P-02 approves only what it names, and is recorded as a flag", async () => {
    const approvals = await open();
    const approver = chainApprovers([createFlagApprover(["run_skill_script"]), denyApprover]);
    const run = await decideApproval(await approvals.request(RUN), { approvals, approver });
    expect(run.decision).toMatchObject({ approved: true, by: "flag" });
    const write = await decideApproval(await approvals.request(WRITE), { approvals, approver });
    expect(write.decision).toMatchObject({ approved: false, pending: true });
    expect(await approvals.list()).toEqual([]);
  });

  it("P-02 R-12 does not count for what a server sent; the way on is said", async () => {
    const approvals = await open();
    const approver = chainApprovers([createFlagApprover(["run_script"]), denyApprover]);
    const request = await approvals.request(RUN);
    const skill = { name: "pdf", digest: `sha256:${"0".repeat(64)}` };
    const ask = (source: string) => approver.ask({ ...request, skill: { ...skill, source } }, {});
    expect(await ask("mcp:docs")).toMatchObject({
      approved: false,
      pending: true,
      reason: expect.stringMatching(/a separate approval for a skill of a server, which no flag/),
    });
    expect(await ask("user")).toMatchObject({ approved: true });
  });

  it("P-02 counts for a server's tool that it names, and for no other", async () => {
    const approvals = await open();
    const approver = chainApprovers([createFlagApprover(["mcp__docs__search"]), denyApprover]);
    const skill = { name: "search", source: "mcp:docs", digest: `sha256:${"0".repeat(64)}` };
    const request = { ...(await approvals.request(RUN)), skill };
    const ask = (tool: string) => approver.ask({ ...request, tool }, {});
    expect(await ask("mcp__docs__search")).toMatchObject({ approved: true, by: "flag" });
    expect(await ask("mcp__docs__delete")).toMatchObject({ approved: false });
  });

  it.each([undefined, true, false, "", " ", ",", "run_script,", ",run_script"])(
    "P-02 a flag of %j names nothing",
    (text) => {
      expect(parseYesFlag(text)).toMatchObject({ ok: false, code: "yes-names-nothing" });
    },
  );

  it.each(["*", "all", "true", "toString", "__proto__", "run_script;write_file", "run_script *"])(
    "P-02 %j is no tool",
    (text) => {
      expect(parseYesFlag(text)).toMatchObject({ ok: false, code: "tool-unknown" });
    },
  );

  it("P-02 takes every name of a tool, and helps with a wrong one", () => {
    expect(parseYesFlag("run_script, network,write_file,Write")).toEqual({
      ok: true,
      tools: ["run_script", "network_request", "write_file"],
    });
    expect(parseYesFlag("run_scirpt")).toMatchObject({ candidates: ["run_script"] });
  });
});

describe("approvers", () => {
  it("P-02 without a person nothing is approved, and only the host knows a way on", async () => {
    const approvals = await open();
    const request = await approvals.request(WRITE);
    const { decision } = await decideApproval(request, { approvals, approver: denyApprover });
    expect(decision).toMatchObject({
      approved: false,
      pending: true,
      reason: "write_file needs an approval.",
    });
    expect(decision).not.toHaveProperty("resumeCommand");
    const approver = createDenyApprover({ resumeCommand: ({ run, id }) => `go ${run} ${id}` });
    expect(await approver.ask(request, {})).toMatchObject({
      reason: `write_file needs an approval. Continue with: go run-1 ${request.id}`,
      resumeCommand: `go run-1 ${request.id}`,
    });
  });

  it("P-02 a chain ends with the first who decides, a refusal included", async () => {
    const approvals = await open();
    const later = answering({});
    const refusing = answering({ approved: false, by: "host" });
    const approver = chainApprovers([
      answering({ approved: false, pending: true }),
      refusing,
      later,
    ]);
    const decided = await decideApproval(await approvals.request(WRITE), { approvals, approver });
    expect(decided.decision).toMatchObject({ approved: false, by: "host" });
    expect([refusing.asked, later.asked]).toEqual([1, 0]);
  });

  it("P-02 an empty chain approves nothing", async () => {
    const approvals = await open();
    const request = await approvals.request(WRITE);
    expect(await chainApprovers([]).ask(request, {})).toMatchObject({ approved: false });
  });

  it("P-02 what was approved for the run is not asked again", async () => {
    const approvals = await open();
    const approver = answering({ scope: "run" });
    const decide = async () =>
      decideApproval(await approvals.request(WRITE), { approvals, approver });
    expect((await decide()).approval).toMatchObject({ scope: "run", by: "person" });
    expect((await decide()).decision).toMatchObject({ approved: true, by: "memory" });
    expect(approver.asked).toBe(1);
  });

  it("P-02 an answer beyond what is offered approves nothing", async () => {
    const approvals = await open();
    const approver = answering({ scope: "skill" });
    const decided = await decideApproval(await approvals.request(WRITE), { approvals, approver });
    expect(decided).toEqual({
      decision: {
        approved: false,
        scope: "once",
        by: "host",
        reason: 'this cannot be approved with the scope "skill"',
      },
    });
  });

  it("P-02 who cancels approves nothing", async () => {
    const approvals = await open();
    const controller = new AbortController();
    const approver: Approver = {
      async ask() {
        controller.abort(new Error("canceled"));
        return { approved: true, scope: "run", by: "person" };
      },
    };
    const request = await approvals.request(WRITE);
    const { signal } = controller;
    await expect(decideApproval(request, { approvals, approver, signal })).rejects.toThrow(
      "canceled",
    );
    expect(await approvals.list()).toEqual([]);
  });
});

describe("continuing a stopped run", () => {
  const stopped = async (more: Partial<OpenApprovalsOptions> = {}) => {
    const stateDirectory = temporaryFolder();
    const approvals = await open({ stateDirectory, ...more });
    const stored = JSON.parse(JSON.stringify(await approvals.request(WRITE))) as ApprovalRequest;
    return { stored, stateDirectory, approvals: await open({ stateDirectory }) };
  };

  it("P-02 the printed approval is for the same call, once", async () => {
    const { stored, approvals } = await stopped();
    const result = await resumeApproval(stored, stored.id, { approvals });
    expect(await approvals.find(stored)).toBeUndefined();
    expect(result).toMatchObject({ ok: true, request: { tool: "write_file" } });
    const other = await approvals.request({ ...WRITE, input: { path: "a", content: "c" } });
    expect(await approvals.find(other)).toBeUndefined();
    const found = await approvals.find(await approvals.request(WRITE));
    expect(found).toMatchObject({ approved: true, scope: "once", by: "flag" });
    expect(await approvals.find(await approvals.request(WRITE))).toBeUndefined();
  });

  it("P-02 it counts for one call, of whatever process makes it first", async () => {
    const { stored, approvals, stateDirectory } = await stopped();
    await resumeApproval(stored, stored.id, { approvals });
    const again = await open({ stateDirectory });
    expect(await resumeApproval(stored, stored.id, { approvals: again })).toMatchObject({
      code: "approval-spent",
    });
    expect(await again.find(await again.request(WRITE))).toMatchObject({ approved: true });
    expect(await again.find(await again.request(WRITE))).toBeUndefined();
    expect(await approvals.find(await approvals.request(WRITE))).toBeUndefined();
  });

  it("P-02 an admitted approval does not count where only a person at a terminal may approve", async () => {
    const { stored, approvals, stateDirectory } = await stopped();
    await resumeApproval(stored, stored.id, { approvals });
    const strict = await open({ stateDirectory, terminalOnly: true });
    expect(await strict.find(await strict.request(WRITE))).toBeUndefined();
    expect(await approvals.find(await approvals.request(WRITE))).toMatchObject({ by: "flag" });
  });

  it("P-02 another id, another run or a changed request is refused and leaves it usable", async () => {
    const { stored, approvals, stateDirectory } = await stopped();
    const other = await resumeApproval(stored, "a0", { approvals });
    expect(other).toMatchObject({ code: "approval-unknown" });
    expect(JSON.stringify(other), "nobody is told the id").not.toContain(stored.id);
    const elsewhere = await open({ stateDirectory, runId: "run-2" });
    const invalid = { code: "approval-request-invalid" };
    expect(await resumeApproval(stored, stored.id, { approvals: elsewhere })).toMatchObject(
      invalid,
    );
    const edited = { ...stored, cwd: "/" };
    expect(await resumeApproval(edited, stored.id, { approvals })).toMatchObject(invalid);
    expect(await resumeApproval(null, stored.id, { approvals })).toMatchObject(invalid);
    expect(await resumeApproval(stored, stored.id, { approvals })).toMatchObject({ ok: true });
  });

  it("P-02 terminalOnly takes no printed command, whoever set it and when", async () => {
    const refused = { ok: false, code: "approval-terminal-only" };
    const now = await stopped();
    const { stored, approvals, stateDirectory } = now;
    expect(
      await resumeApproval(stored, stored.id, { approvals, terminalOnly: true }),
    ).toMatchObject({ ...refused, hint: "Continue the run in a terminal." });
    const strict = await open({ stateDirectory, terminalOnly: true });
    expect(await resumeApproval(stored, stored.id, { approvals: strict })).toMatchObject(refused);
    const before = await stopped({ terminalOnly: true });
    expect(await resumeApproval(before.stored, before.stored.id, before)).toMatchObject(refused);
    expect(await approvals.find(await approvals.request(WRITE))).toBeUndefined();
  });

  it("P-02 terminalOnly prints no command that approves, and takes no flag", async () => {
    const approvals = await open({ terminalOnly: true });
    const nobody = createDenyApprover({ resumeCommand: ({ run }) => `go ${run}` });
    const approver = chainApprovers([createFlagApprover(["write_file"]), nobody]);
    const decided = await decideApproval(await approvals.request(WRITE), { approvals, approver });
    expect(decided.decision).toMatchObject({
      approved: false,
      pending: true,
      reason: "write_file needs an approval. Continue in a terminal: go run-1",
    });
  });
});
