import type { AuditRecord } from "@skillwright/runtime";
import { describe, expect, it } from "vitest";
import { createConsole } from "../../index.ts";
import { createRunView, NO_USAGE } from "../index.ts";

const MOVES = "\u001B[J";

function view(options = {}, env: Readonly<Record<string, string>> = {}, used = NO_USAGE) {
  let written = "";
  const write = (text: string) => (written += text);
  const stderr = { write, isTTY: true, columns: 80, rows: 24 };
  const console = createConsole({ stdout: stderr, stderr, env, cwd: "/" }, options);
  const run = createRunView(console, used);
  const tell = (event: string, data: object) =>
    run.onEvent({ schemaVersion: 1, sequence: 1, time: "", event, data } as AuditRecord);
  const begin = () => {
    tell("run-start", { means: { model: "m" }, catalog: { skills: [], omitted: 0 } });
    tell("model-request", { turn: 1 });
  };
  /** What was written since. */
  const taken = () => {
    const text = written;
    written = "";
    return text;
  };
  return { run, console, tell, begin, taken };
}

describe("the view of a run", () => {
  it("C-01 is drawn anew on a terminal, and gone at the end", () => {
    const { run, begin, taken } = view();
    begin();
    expect(taken()).toMatch(/skills[^]*thinking/);
    run.end();
    expect(taken()).toContain(MOVES);
    run.end();
    expect(taken(), "nothing is left to be taken away").toBe("");
  });

  it("C-01 makes room for somebody else, and comes back", () => {
    const { run, begin, tell, taken } = view();
    begin();
    run.pause();
    taken();
    tell("model-response", { usage: { inputTokens: 1, outputTokens: 1 }, calls: [] });
    expect(taken()).toBe("");
    run.resume();
    expect(taken()).toContain("2 tokens");
    run.end();
  });

  it("C-01 goes on counting after a resume", () => {
    const used = { ...NO_USAGE, turns: 4, inputTokens: 900, outputTokens: 98 };
    const { run, tell, taken } = view({}, {}, used);
    tell("run-resume", { means: { model: "m" }, reason: "person" });
    tell("model-response", { usage: { inputTokens: 1, outputTokens: 1 }, calls: [] });
    tell("model-request", { turn: 5 });
    run.pause();
    run.resume();
    expect(taken()).toMatch(/(?:1k|1\.0k|1,000|1000) tokens · turn 5/);
    run.end();
  });

  it("C-01 lets a note of others stand above it", () => {
    const { run, begin, console, taken } = view();
    begin();
    taken();
    console.note("warning: no sandbox");
    expect(taken()).toMatch(/warning: no sandbox\n[^]*thinking/);
    run.end();
  });

  it("C-01 writes nothing more to a terminal that is gone", () => {
    const { run, begin, tell, taken } = view();
    begin();
    taken();
    run.stopping("gone");
    tell("file-read", { skill: "a", path: "b", ok: true });
    run.end();
    expect(taken()).toBe("");
  });

  it("C-01 can be used for the next run", () => {
    const { run, begin, taken } = view();
    begin();
    run.end();
    taken();
    begin();
    expect(taken()).toContain("thinking");
    run.end();
  });

  it.each([
    ["CI", {}, { CI: "1" }],
    ["a dumb terminal", {}, { TERM: "dumb" }],
    ["--json", { json: true }, {}],
  ])("C-01 is plain lines for %s", (_, options, env) => {
    const { run, begin, tell, taken } = view(options, env);
    begin();
    tell("file-read", { skill: "a", path: "b", ok: true });
    run.end();
    const text = taken();
    expect(text).toMatch(/read[^]*a\/b\n/);
    expect(text).not.toContain(MOVES);
  });

  it.each([
    ["--quiet", { quiet: true }],
    ["--events", { events: true }],
  ])("C-01 is nothing for %s", (_, options) => {
    const { run, begin, taken } = view(options);
    begin();
    run.stopping("now");
    run.end();
    expect(taken()).toBe("");
  });
});
