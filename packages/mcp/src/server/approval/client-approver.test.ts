import type { ApprovalRequest } from "@skillwright/runtime";
import { describe, expect, it } from "vitest";
import { ClientApprover } from "../../index.ts";

const REQUEST: ApprovalRequest = {
  version: 1,
  id: "1",
  run: "r",
  principal: "p",
  tool: "run_script",
  input: {},
  inputDigest: "sha256:1",
  cwd: "/work",
  preview: {},
  writable: [],
  network: "none",
  scopes: ["once"],
  cautions: [],
  terminalOnly: false,
  createdAt: "2026-01-01T00:00:00Z",
  signature: "",
};

const CALL = { canAsk: true };

describe("ClientApprover", () => {
  it("P-02 an answer counts once, and for the same request", async () => {
    const approver = new ClientApprover();
    const first = await approver.during(CALL, () => approver.ask(REQUEST));
    expect(first.result).toMatchObject({ approved: false, pending: true });
    const { state = "" } = first.question ?? {};
    const answered = { ...CALL, answer: { state, approved: true } };
    const second = await approver.during(answered, () => approver.ask({ ...REQUEST, id: "2" }));
    expect(second).toMatchObject({ result: { approved: true, scope: "once" } });
    const third = await approver.during(answered, () => approver.ask(REQUEST));
    expect(third.result.approved).toBe(false);
    expect(third.question?.state).not.toBe(state);
  });

  it("P-02 an answer to something else approves nothing", async () => {
    const approver = new ClientApprover();
    const { question } = await approver.during(CALL, () => approver.ask(REQUEST));
    const answer = { state: question?.state ?? "", approved: true };
    const other = { ...REQUEST, inputDigest: "sha256:2" };
    const { result } = await approver.during({ ...CALL, answer }, () => approver.ask(other));
    expect(result.approved).toBe(false);
  });

  it("P-02 an answer that comes too late approves nothing", async () => {
    let now = 0;
    const approver = new ClientApprover({ clock: () => now });
    const { question } = await approver.during(CALL, () => approver.ask(REQUEST));
    now = 11 * 60_000;
    const answer = { state: question?.state ?? "", approved: true };
    const { result } = await approver.during({ ...CALL, answer }, () => approver.ask(REQUEST));
    expect(result.approved).toBe(false);
  });

  it("P-02 calls at the same time do not hear of each other", async () => {
    const approver = new ClientApprover();
    const asks = [true, false].map((canAsk) =>
      approver.during({ canAsk }, async () => {
        await Promise.resolve();
        return approver.ask(REQUEST);
      }),
    );
    const [one, two] = await Promise.all(asks);
    expect(one?.question).toBeDefined();
    expect(two?.question).toBeUndefined();
    expect(two?.result.reason).toContain("--yes=run_script");
  });

  it("P-02 what only a terminal may approve is not asked, nor what no call belongs to", async () => {
    const approver = new ClientApprover();
    const request = { ...REQUEST, terminalOnly: true };
    const { result, question } = await approver.during(CALL, () => approver.ask(request));
    expect({ result, question }).toMatchObject({
      result: { approved: false },
      question: undefined,
    });
    expect(await approver.ask(REQUEST)).toMatchObject({ approved: false, pending: true });
  });
});
