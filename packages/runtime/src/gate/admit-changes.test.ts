import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import {
  type ApprovalDecision,
  type ApprovalRequest,
  createRedactor,
  DEFAULT_POLICY,
  type PolicySettings,
} from "@skillwright/runtime";
import {
  Gate,
  type ChangesCall,
  openApprovals,
  openAudit,
  type NarrowingRules,
} from "@skillwright/runtime/internal";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";

interface World {
  readonly settings?: Partial<PolicySettings>;
  readonly runPolicy?: NarrowingRules;
  readonly decision?: Partial<ApprovalDecision>;
}

async function admit(more: Partial<ChangesCall>, { settings, runPolicy, decision }: World = {}) {
  const folder = temporaryFolder({ "work/.keep": "" });
  const stateDirectory = join(folder, "state");
  const redactor = createRedactor({ env: {} });
  const audit = openAudit({ file: join(folder, "audit.jsonl"), stateDirectory, redactor });
  onTestFinished(() => audit.close());
  const asked: ApprovalRequest[] = [];
  const gate = new Gate({
    settings: { ...DEFAULT_POLICY, ...settings },
    places: { workingDirectory: join(folder, "work") },
    ...(runPolicy && { runPolicy }),
    activeSkills: () => [],
    approvals: await openApprovals({ stateDirectory, runId: "run-1" }),
    approver: {
      async ask(request) {
        asked.push(request);
        return { approved: false, pending: true, scope: "once", by: "host", ...decision };
      },
    },
    audit,
  });
  const result = await gate.admitChanges({
    cwd: join(folder, "work"),
    madeBy: "scripts/a.py",
    diff: async () => "+x",
    changes: [
      { path: "out/report.txt", kind: "created", bytes: 5 },
      { path: "notes.md", kind: "modified", bytes: 2 },
      { path: "old.txt", kind: "deleted" },
    ],
    ...more,
  });
  return { result, asked };
}

const YES = { approved: true, pending: false, by: "person" } as const;
const ALL = ["out/report.txt", "notes.md", "old.txt"];

it("X-11 P-02 one question is about all changes, with the list and the diff", async () => {
  const { result, asked } = await admit({}, { decision: YES });
  expect(result).toEqual({ keep: ALL, denied: [] });
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({
    tool: "write_file",
    writable: ALL,
    preview: { diff: "+x" },
    input: {
      made_by: "scripts/a.py",
      changes: [{ path: "out/report.txt", kind: "created" }, {}, {}],
    },
  });
});

it("X-11 P-02 without a person they are held, after a no they are not", async () => {
  const held = await admit({});
  expect(held.result).toMatchObject({
    keep: [],
    held: { paths: ALL, failure: { ok: false, code: "approval-needed" } },
  });
  const refused = await admit({}, { decision: { ...YES, approved: false, reason: "not now" } });
  expect(refused.result).toMatchObject({
    keep: [],
    held: { paths: ALL, failure: { code: "approval-refused" } },
  });
  const failure = refused.result.held?.failure;
  expect(failure?.message).toContain("not now");
});

it("X-11 P-02 a person may keep some", async () => {
  const { result } = await admit({}, { decision: { ...YES, only: ["notes.md", "../else"] } });
  expect(result).toMatchObject({
    keep: ["notes.md"],
    held: { paths: ["out/report.txt", "old.txt"] },
  });
});

it("X-11 P-01 policy decides on each: what it allows is kept, what it denies is named", async () => {
  const settings = { ask: [], allow: ["Write(out/**)"], deny: ["Write(notes.md)"] };
  const { result, asked } = await admit({}, { settings });
  expect(result).toMatchObject({
    keep: ["out/report.txt"],
    denied: [{ path: "notes.md", reason: expect.stringContaining("Write(notes.md)") as string }],
    held: { paths: ["old.txt"] },
  });
  expect(asked[0]?.writable).toEqual(["old.txt"]);
  const never = await admit({}, { runPolicy: { deny: ["write_file"] } });
  expect(never.result).toMatchObject({ keep: [], denied: [{}, {}, {}] });
  expect(never.asked).toEqual([]);
});

it("X-11 P-01 a folder that may be written asks nothing, and denies as ever", async () => {
  const { result } = await admit({ writable: ["out"] });
  expect(result).toMatchObject({
    keep: ["out/report.txt"],
    held: { paths: ["notes.md", "old.txt"] },
  });
  expect((await admit({ writable: ["."] })).result).toEqual({ keep: ALL, denied: [] });
  const denied = await admit({ writable: ["."] }, { settings: { deny: ["Write(out/**)"] } });
  expect(denied.result.keep).toEqual(["notes.md", "old.txt"]);
});

it("X-11 P-01 a path that leads out is denied", async () => {
  const { result } = await admit({ changes: [{ path: "../x", kind: "created" }], writable: ["."] });
  expect(result).toMatchObject({ keep: [], denied: [{ path: "../x" }] });
});

it("X-11 P-02 ten thousand changes are one small request", async () => {
  const changes = Array.from({ length: 10_000 }, (_, n) => ({
    path: `out/${n}.txt`,
    kind: "created" as const,
  }));
  const { result, asked } = await admit({ changes, diff: async () => "+x\n".repeat(100_000) });
  expect(result.held?.paths).toHaveLength(10_000);
  expect(JSON.stringify(asked[0]?.input).length).toBeLessThan(20_000);
  expect(asked[0]?.scopes).toEqual(["once"]);
});
