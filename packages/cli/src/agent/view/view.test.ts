import type { Plan } from "@skillwright/agent";
import type { AuditRecord } from "@skillwright/runtime";
import fc from "fast-check";
import pc from "picocolors";
import { describe, expect, it } from "vitest";
import { displayWidth } from "@skillwright/core/internal";
import {
  applyRecord,
  NOTHING_YET,
  showLine,
  showNow,
  showPlan,
  type ViewLine,
  type ViewState,
} from "../index.ts";

const colors = pc.createColors(false);
const HOSTILE = "\u001B[2Jcleared\r\u202Eevil\u0007";

const SKILL = { name: "slow", source: "project", description: "" };
const START = [
  "run-start",
  { means: { model: "mock:x" }, catalog: { skills: [SKILL], omitted: 2 } },
];
const SELECT = [
  "action-decide",
  { action: { action: "select_skills", skills: [{ name: "slow" }], reason: "It fits." } },
];
const ACTIVATE = ["skill-activate", { name: "slow", source: "project", by: "model", tokens: 96 }];
const SCRIPT = { skill: "slow", script: "scripts/wait.py" };
const SCRIPT_START = ["script-start", { ...SCRIPT, args: ["a b", "8"] }];
const SCRIPT_END = ["script-end", { ...SCRIPT, ok: true, exitCode: 0, durationMs: 120 }];
const ACTION_END = ["action-end", { ok: true, observation: "one\ntwo\n" }];
const USAGE = { inputTokens: 1000, outputTokens: 200, cost: 0.01 };
const RESPONSE = ["model-response", { usage: USAGE, calls: [], text: "" }];
const RUN_END = ["run-end", { status: "answered", answer: "", usage: {} }];

type Event = readonly unknown[];

function record([event, data]: Event, sequence: number): AuditRecord {
  return {
    schemaVersion: 1,
    sequence,
    time: "",
    event,
    data,
    previous: "",
    hash: "",
  } as AuditRecord;
}

/** A second for each. */
function view(...events: readonly Event[]): { state: ViewState; lines: ViewLine[] } {
  let state = NOTHING_YET;
  const lines: ViewLine[] = [];
  for (const [i, event] of events.entries()) {
    const applied = applyRecord(state, record(event, i + 1), (i + 1) * 1000);
    state = applied.state;
    lines.push(...applied.lines);
  }
  return { state, lines };
}

function texts(...events: readonly Event[]): string[] {
  return view(...events).lines.map(({ label, text }) => `${label} ${text}`.trim());
}

function planOf(...statuses: readonly ("pending" | "in_progress" | "completed")[]): Plan {
  const steps = statuses.map((status, i) => ({ id: `${i}`, title: `step ${i + 1}`, status }));
  return { goal: "", steps, assumptions: [], constraints: {} };
}

describe("what stays on the screen", () => {
  it("C-01 X-11 says what became of changes, never in the text that the model reads", () => {
    const observation =
      'Exit code 0.\n\nstdout:\nhi\n\nNot kept, as it did not come to its end:\n- "part0.txt" created, 2 bytes';
    const names = Array.from({ length: 9 }, (_, i) => `part${i}.txt`);
    const end = {
      kept: ["a.md"],
      held: ["b.md"],
      refused: [".env"],
      discarded: names,
      conflicts: [{ path: "c.md", reason: "x" }],
      why: "it did not come to its end",
      counts: { kept: 1001, held: 1, discarded: 9 },
      left: 1,
    };
    const { lines, state } = view(
      START,
      SCRIPT_START,
      SCRIPT_END,
      ["changes-end", end],
      ["action-end", { ok: true, observation }],
    );
    const [script, ...changes] = lines.slice(1);
    expect(script?.output?.text).toBe("Exit code 0.\n\nstdout:\nhi");
    expect(changes.map(({ label, text }) => `${label}: ${text}`)).toEqual([
      "changed: a.md and 1,000 more changes",
      "held: b.md (until you decide)",
      "not kept: part0.txt, part1.txt, part2.txt, part3.txt, part4.txt, part5.txt and 3 more changes (it did not come to its end)",
      "not kept: .env (scripts may not change it)",
      "not kept: c.md (the file changed meanwhile)",
    ]);
    expect(state.changes).toBeUndefined();
    expect(view(START, SCRIPT_START, ["changes-end", end], RUN_END).lines).toHaveLength(6);
  });

  it("C-01 says which skills there were, which one was chosen and why", () => {
    const { lines } = view(START, SELECT, ACTIVATE);
    expect(lines).toEqual([
      { label: "skills", text: "3 to choose from: slow and 2 more" },
      { label: "chose", text: "slow (project, 96 tokens)", tone: "strong", remark: "It fits." },
    ]);
  });

  it("C-01 the reason stands once, with the first of several skills", () => {
    const { lines } = view(START, SELECT, ACTIVATE, ACTIVATE);
    expect(lines.map(({ remark }) => remark)).toEqual([undefined, "It fits.", undefined]);
  });

  it("C-01 shows the script as one would type it, with its time and output", () => {
    const { lines } = view(START, SCRIPT_START, SCRIPT_END, ACTION_END);
    expect(lines.slice(1)).toEqual([
      {
        label: "script",
        text: "slow/scripts/wait.py 'a b' 8 (0.1s)",
        output: { text: "one\ntwo\n", from: "start" },
      },
    ]);
  });

  it("C-01 of a script that failed shows the exit code and the end of its output", () => {
    const failed = ["script-end", { ...SCRIPT, ok: false, exitCode: 3, timedOut: true }];
    const { lines } = view(START, SCRIPT_START, failed, [
      "action-end",
      { ok: false, observation: "x" },
    ]);
    expect(lines.slice(1)).toMatchObject([
      {
        text: expect.stringContaining("(exit 3, out of time)"),
        tone: "bad",
        output: { from: "end" },
      },
    ]);
  });

  it("C-01 a script that was stopped has its line when the run ends", () => {
    const stopped = ["script-end", { ...SCRIPT, ok: false, exitCode: null, canceled: true }];
    expect(texts(START, SCRIPT_START, stopped, RUN_END).at(-1)).toContain("(cut off, stopped)");
  });

  it("P-02 says who allowed or refused something, and not twice that it failed", () => {
    const decision = (given: object) => ["approval-decision", { request: "1", decision: given }];
    const allowed = decision({ approved: true, by: "flag", reason: "--yes=run_script" });
    const refused = decision({ approved: false, by: "person" });
    const waiting = decision({ approved: false, pending: true, by: "host" });
    const failed = ["action-end", { ok: false, observation: "run_script was not approved" }];
    expect(texts(START, allowed).at(-1)).toBe("allowed by --yes=run_script");
    expect(texts(START, refused, failed).slice(1)).toEqual(["refused by you"]);
    expect(texts(START, waiting, failed).slice(1)).toEqual([]);
    expect(texts(START, failed).at(-1)).toBe("failed run_script was not approved");
  });

  it("C-01 keeps what a model says beside its calls, and not what is for the program", () => {
    const said = (text: string, calls: readonly object[] = [{}]) =>
      texts(START, ["model-response", { usage: USAGE, calls, text }]).slice(1);
    expect(said("I look at the file first.\n")).toEqual(["says I look at the file first."]);
    expect(said("The answer.", [])).toEqual([]);
    expect([said(" "), said('{"action":"x"}')]).toEqual([[], []]);
  });

  it("C-01 shows what a command wrote, and how it failed", () => {
    const command = ["tool-call", { tool: "run_command", input: { argv: ["ls"] } }];
    const ended = (ok: boolean, observation: string) =>
      view(START, command, ["action-end", { ok, observation }]).lines.slice(2);
    expect(ended(true, "a.txt\n")).toMatchObject([{ label: "output", text: "a.txt" }]);
    expect(ended(true, "a\nb\n")).toMatchObject([{ output: { text: "a\nb\n", from: "start" } }]);
    expect(ended(false, "Error: exit code 2\nstderr:\nno such file\n")).toMatchObject([
      { label: "failed", text: "Error: exit code 2", output: { text: "stderr:\nno such file" } },
    ]);
  });

  it("C-01 shows reads, tools, writes, denials, files, and a skill that is gone", () => {
    expect(
      texts(
        START,
        ["file-read", { skill: "slow", path: "references/a.md", ok: true }],
        ["tool-call", { tool: "search_files", input: { query: "x", path: "src" } }],
        ["tool-call", { tool: "run_command", input: { argv: ["wc", "-l", "a b.txt"] } }],
        ["workspace-write", { path: "out.txt" }],
        ["policy-deny", { tool: "run_command", reason: "it is off" }],
        ["skill-drop", { name: "slow", reason: "not trusted" }],
        ["action-reject", { problem: "that is no action" }],
      ).slice(1),
    ).toEqual([
      "read slow/references/a.md",
      "tool search_files src",
      "tool run_command wc -l 'a b.txt'",
      "wrote out.txt",
      "denied run_command: it is off",
      "skill slow is no longer active: not trusted",
      "unclear that is no action",
    ]);
  });

  it("D-08 shows what was searched for and found", () => {
    const search = { action: "use_tool", tool: "search_skills", input: { query: "merge" } };
    const { lines } = view(START, ["action-decide", { action: search }], ACTION_END);
    expect(lines.slice(1)).toMatchObject([
      { label: "search", text: "merge" },
      { label: "found", output: { text: "one\ntwo\n" } },
    ]);
  });

  it("A-07 a child run does not end its parent, nor replace its plan", () => {
    const plan = planOf("in_progress");
    const child = ["run-start", { ...(START[1] as object), parent: "p", skill: "slow" }];
    const { state } = view(
      START,
      ["plan-update", { plan }],
      child,
      ["plan-update", { plan: planOf("completed", "completed") }],
      RUN_END,
    );
    expect(state).toMatchObject({ depth: 1, hasEnded: false, plan });
    expect(view(START, child, RUN_END, RUN_END).state).toMatchObject({ depth: 0, hasEnded: true });
  });
});

describe("a line in a terminal", () => {
  const options = { width: 40, colors };

  it("C-01 hangs below its label, and shortens output", () => {
    const output = { text: "1\n2\n3\n4\n5\n6\n7\n8\n", from: "start" } as const;
    const shown = showLine(
      { label: "script", text: "a/b.py with rather many arguments", output },
      options,
    );
    expect(shown).toEqual([
      "script   a/b.py with rather many",
      "         arguments",
      "         │ 1",
      "         │ 2",
      "         │ 3",
      "         │ 4",
      "         │ 5",
      "         │ … 3 more lines",
    ]);
  });

  it("C-01 does not spend a line on saying that one line is left", () => {
    const output = { text: "1\n2\n3\n4\n5\n6", from: "end" } as const;
    const shown = showLine({ label: "script", text: "x", output }, options);
    expect(shown.slice(1)).toEqual(["1", "2", "3", "4", "5", "6"].map((n) => `         │ ${n}`));
  });

  it("C-01 keeps to the width and shows what is hidden, whatever is in it", () => {
    const any = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(any, any, any, fc.integer({ min: 40, max: 120 }), (text, remark, out, width) => {
        const output = { text: out + HOSTILE, from: "end" } as const;
        const line = { label: "script", text: text + HOSTILE, remark, output };
        for (const shown of showLine(line, { width, colors, isApart: true })) {
          expect(displayWidth(shown)).toBeLessThanOrEqual(width);
          expect(shown).not.toMatch(/[\p{Cc}\u202e]/u);
        }
      }),
    );
  });
});

describe("the plan", () => {
  const options = { width: 40, colors };

  it("A-03 has a tick for what is done", () => {
    expect(showPlan(planOf("completed", "in_progress", "pending"), 5, options)).toEqual([
      "✓ step 1",
      "▸ step 2",
      "○ step 3",
    ]);
  });

  it("A-03 shows the part that is at work where there is no room for all", () => {
    const done = Array.from({ length: 20 }, (_, i) =>
      i < 10 ? "completed" : i === 10 ? "in_progress" : "pending",
    );
    const shown = showPlan(planOf(...(done as "pending"[])), 4, options);
    expect(shown).toEqual(["10 of 20 steps done", "✓ step 10", "▸ step 11", "○ step 12"]);
    const all = planOf(...done.map(() => "completed" as const));
    expect(showPlan(all, 3, options)).toEqual(["20 of 20 steps done", "✓ step 19", "✓ step 20"]);
  });
});

describe("the part that changes", () => {
  it("C-01 shows the plan, what is done since when, and what it took", () => {
    const plan = planOf("completed", "in_progress");
    const { state } = view(
      START,
      ["model-request", {}],
      RESPONSE,
      ["plan-update", { plan }],
      SCRIPT_START,
    );
    const shown = showNow(state, { columns: 80, rows: 24 }, 8000, colors);
    expect(shown.slice(0, 3)).toEqual(["", "✓ step 1", "▸ step 2"]);
    expect(shown[3]).toMatch(/^\S running slow\/scripts\/wait\.py 'a b' 8 {2}3s$/);
    expect(shown[4]).toBe("  7s · 1.2k tokens · turn 1 · $0.0100 · Ctrl-C stops it · mock:x");
  });

  it("C-01 moves while nothing happens", () => {
    const { state } = view(START, ["model-request", {}]);
    const at = (now: number) => showNow(state, { columns: 80, rows: 24 }, now, colors)[0];
    expect(at(2000)).not.toBe(at(2200));
  });

  it("C-01 shows what the model says, but not a decision in JSON", () => {
    const { state } = view(START, ["model-request", {}]);
    const said = (text: string) =>
      showNow({ ...state, said: text }, { columns: 80, rows: 24 }, 0, colors).join("\n");
    expect(said("Let me look at the file")).toContain("  Let me look at the file");
    expect(said('{"action":"final_answer"')).not.toContain("action");
    expect(said("```json\n{")).not.toContain("json");
  });

  it("C-01 says that it stops after this step", () => {
    const { state } = view(START, SCRIPT_START);
    const shown = showNow({ ...state, isStopping: true }, { columns: 80, rows: 24 }, 5000, colors);
    expect(shown.join("\n")).toMatch(/then it stops[^]*Ctrl-C stops it now/);
  });

  it("C-01 is nothing before the run and after it", () => {
    expect(showNow(NOTHING_YET, { columns: 80, rows: 24 }, 0, colors)).toEqual([]);
    expect(showNow(view(START, RUN_END).state, { columns: 80, rows: 24 }, 0, colors)).toEqual([]);
  });

  it("C-01 fits into every terminal, whatever models and skills write", () => {
    const title = fc.string({ unit: "binary", minLength: 1 });
    const status = fc.constantFrom("pending", "in_progress", "completed");
    const steps = fc.array(fc.record({ id: fc.constant("1"), title, status }), { maxLength: 60 });
    const sizes = fc.record({
      columns: fc.integer({ min: 20, max: 200 }),
      rows: fc.integer({ min: 1, max: 60 }),
    });
    fc.assert(
      fc.property(steps, sizes, title, (list, size, text) => {
        const { state } = view(START, ["plan-update", { plan: { steps: list } }]);
        const activity = { text: text + HOSTILE, since: 0 };
        const said = text + HOSTILE;
        const shown = showNow({ ...state, activity, said, model: text }, size, 5000, colors);
        expect(shown.length).toBeLessThanOrEqual(Math.max(1, size.rows - 2));
        for (const line of shown) {
          expect(displayWidth(line)).toBeLessThan(size.columns);
          expect(line).not.toMatch(/[\p{Cc}\u202e]/u);
        }
      }),
    );
  });
});
