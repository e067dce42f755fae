import { type ApprovalCall, decideApproval, openApprovals } from "@skillwright/runtime/internal";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { type Console, createConsole } from "../index.ts";
import { createTerminalApprover } from "./index.ts";

const DIGEST = `sha256:${"a".repeat(64)}`;
const CALL: ApprovalCall = {
  tool: "run_script",
  input: { script: "a.py", args: ["x"] },
  cwd: "/work",
  skill: { name: "pdf", source: "project", digest: DIGEST },
  script: { path: "scripts/a.py", args: ["x"], text: `${"x = 1\n".repeat(99)}the_end()\n` },
  command: ["python3", "scripts/a.py", "x"],
  sandbox: "bubblewrap",
};
const WRITE: ApprovalCall = {
  tool: "write_file",
  input: { path: "out/a.txt", content: "new" },
  cwd: "/work",
  writable: ["out/a.txt"],
  diff: "-old\n+new",
};

/** What a script changed, put to the person. */
const CHANGES: ApprovalCall = {
  tool: "write_file",
  input: {
    made_by: "scripts/a.py",
    changes: [
      { path: "old.txt", kind: "deleted" },
      { path: "out", kind: "created" },
      { path: "out/a b.txt", kind: "created" },
      { path: "notes.md", kind: "modified" },
    ],
  },
  cwd: "/work",
  writable: ["old.txt", "out", "out/a b.txt", "notes.md"],
  diff: "-old\n+new",
};

/** A person who types these lines; undefined is Ctrl-C. */
async function asked(call: ApprovalCall, ...typed: readonly (string | undefined)[]) {
  return askedAt(80, call, ...typed);
}

async function askedAt(
  columns: number,
  call: ApprovalCall,
  ...typed: readonly (string | undefined)[]
) {
  const stream = { write: () => true, isTTY: true, columns, rows: 24 };
  const notes: string[] = [];
  const questions: string[] = [];
  const left = [...typed];
  const console: Console = {
    ...createConsole({ stdout: stream, stderr: stream, env: {}, cwd: "/" }, {}),
    note: (text) => notes.push(text),
    async askText(question) {
      questions.push(question);
      if (left.length === 0) throw new Error("the person was asked too often");
      return left.shift();
    },
  };
  const approvals = await openApprovals({ stateDirectory: temporaryFolder(), runId: "r" });
  const approver = createTerminalApprover(console);
  const request = await approvals.request(call);
  const { decision, approval } = await decideApproval(request, { approvals, approver });
  return { decision, approval, notes, questions };
}

describe("a person at the terminal", () => {
  it("P-02 C-01 no answer is broken where the question is longer than a line", async () => {
    const { questions } = await askedAt(50, CHANGES, "n");
    expect(questions).toEqual([
      "Keep the changes? y yes, n no, n because …,\n   s some, a again, d diff",
    ]);
  });

  it.each([
    ["s out", ["out", "out/a b.txt"]],
    ["s old.txt, notes.md", ["old.txt", "notes.md"]],
    ["S out/a b.txt", ["out/a b.txt"]],
  ])("X-11 keeps some of the changes that a script made: %j", async (typed, only) => {
    const { decision, questions, notes } = await asked(CHANGES, typed);
    expect(decision).toEqual({ approved: true, scope: "once", by: "person", only });
    expect(questions).toEqual([
      "Keep the changes? y yes, n no, n because …, s some, a again, d diff",
    ]);
    expect(notes.join("\n")).toContain("deleted old.txt; modified notes.md; created out, ");
  });

  it.each([
    ["s", "Name the files or folders to keep"],
    ["s ou", "No change of ou is among them."],
    ["s old.txt ou", "No change of ou is among them."],
  ])("X-11 keeps nothing when it is not clear what: %j", async (typed, problem) => {
    const { decision, notes } = await asked(CHANGES, typed, "n");
    expect(decision).toMatchObject({ approved: false });
    expect(notes.join("\n")).toContain(problem);
  });

  it.each([
    ["y", { approved: true, scope: "once", by: "person" }],
    ["YES", { approved: true, scope: "once", by: "person" }],
    ["n", { approved: false, scope: "once", by: "person" }],
    ["", { approved: false, scope: "once", by: "person" }],
    [
      "n because it deletes",
      { approved: false, scope: "once", by: "person", reason: "it deletes" },
    ],
    ["no, use b.txt", { approved: false, scope: "once", by: "person", reason: "use b.txt" }],
  ])("P-02 answers %j", async (typed, decision) => {
    const answer = await asked(WRITE, typed);
    expect(answer.decision).toEqual(decision);
    expect(answer.notes).toHaveLength(1);
    expect(answer.notes[0]!.split("\n").length).toBeLessThanOrEqual(9);
    expect(answer.notes[0]).toMatch(/With a {4}all writes below out\/, for the rest of this run$/);
    expect(answer.questions[0]).toBe("Allow write_file? y yes, n no, n because …, a all, d diff");
  });

  it("P-02 who walks away has said no", async () => {
    expect((await asked(WRITE, undefined)).decision).toMatchObject({ approved: false });
  });

  it("P-02 sees source and changes on demand", async () => {
    const script = await asked(CALL, "v", "y");
    expect(script.notes[0]).not.toContain("the_end()");
    expect(script.notes[1]).toContain("  | the_end()");
    const write = await asked(WRITE, "d", "y");
    expect(write.notes[1]).toContain("  | +new");
    expect(write.decision.approved).toBe(true);
  });

  it("P-02 allows all of a kind only after all of the source could be seen", async () => {
    const early = await asked(CALL, "a", "n");
    expect(early.decision.approved).toBe(false);
    expect(early.notes[1]).toContain("View all of it first: v");
    const seen = await asked(CALL, "v", "a");
    expect(seen.decision).toMatchObject({ approved: true, scope: "run", allOfKind: true });
    expect(seen.approval?.subject).toMatchObject({ arguments: "kind", script: null });
    const write = await asked(WRITE, "a");
    expect(write.approval?.subject).toMatchObject({ arguments: "kind", below: "out" });
  });

  it("P-02 must view what did not fit before a yes", async () => {
    const command = ["sh", "-c", "x".repeat(3000)];
    const long: ApprovalCall = { tool: "run_command", input: { argv: command }, cwd: "/", command };
    const { decision, notes } = await asked(long, "y", "v", "y");
    expect(notes[1]).toContain("View it first: v");
    expect(decision).toMatchObject({ approved: true, scope: "once" });
  });

  it("P-02 nothing but a clear answer counts", async () => {
    const { decision, notes } = await asked(WRITE, "yess", "y please", "ok", "v", "1", "n");
    expect(decision.approved).toBe(false);
    expect(notes).toHaveLength(6);
  });

  it("P-02 what hides something is never allowed for more than once", async () => {
    const hidden = { ...WRITE, input: { path: "out/a.txt", content: "\u202e" }, diff: "+\u202e" };
    const { questions, notes, decision } = await asked(hidden, "a", "y");
    expect(questions[0]).not.toContain("a ");
    expect(notes[0]).toContain("Careful");
    expect(decision).toMatchObject({ approved: true, scope: "once" });
  });
});
