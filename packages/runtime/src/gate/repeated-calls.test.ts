import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  CHANGE,
  host,
  newFolder,
  NO,
  ONLY_SCRIPTS,
  type Outcome,
  PENDING,
  YES,
} from "../../../../test/support/script-host.ts";
import type { ApprovalDecision, ApprovalRequest, Approver } from "../index.ts";

class Interrupt extends Error {
  readonly tool: string;

  constructor(tool: string) {
    super(tool);
    this.tool = tool;
  }
}

/** As LangGraph: the answers of before are given again in order, and what is new interrupts. */
class Replay implements Approver {
  readonly answers: ApprovalDecision[] = [];
  #next = 0;

  async ask({ tool }: ApprovalRequest): Promise<ApprovalDecision> {
    const answer = this.answers[this.#next++];
    if (answer === undefined) throw new Interrupt(tool);
    return answer;
  }

  /** Makes a call until nothing interrupts it; `decide` answers each new question. */
  async until<T>(call: () => Promise<T>, decide: (tool: string) => ApprovalDecision): Promise<T> {
    for (;;) {
      this.#next = 0;
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof Interrupt)) throw error;
        this.answers.push(decide(error.tool));
      }
    }
  }
}

describe("an approver that throws the interrupt of its host", () => {
  it("P-06 X-11 the script runs once, and its files are kept", async () => {
    const replay = new Replay();
    const { script, count, text, changes, openCalls } = await host(newFolder(), replay);
    const asked: string[] = [];
    const result = await replay.until(
      () => script(CHANGE),
      (tool) => (asked.push(tool), YES),
    );
    expect(asked).toEqual(["run_script", "write_file"]);
    expect(result).toMatchObject({ ok: true });
    expect(result.text).toMatch(/^done\n\nChanged in the working directory:\n- "a.txt" modified/);
    expect([count(), text("a.txt"), text("fixed.txt")]).toEqual([1, "one\ntwo\n", "fixed\n"]);
    expect([changes.pending(), openCalls()]).toEqual([[], []]);
    replay.answers.length = 0;
    await replay.until(
      () => script(CHANGE),
      () => YES,
    );
    expect([count(), text("a.txt")]).toEqual([2, "one\ntwo\ntwo\n"]);
  });

  it("P-06 X-11 a command runs once, and both questions are answered in order", async () => {
    const replay = new Replay();
    const { command, count, text } = await host(newFolder(), replay);
    const asked: string[] = [];
    const result = await replay.until(
      () => command(`echo x >> "$SKILLWRIGHT_OUTPUT/count"; ${CHANGE}`),
      (tool) => (asked.push(tool), YES),
    );
    expect(asked).toEqual(["run_command", "write_file"]);
    expect(result).toMatchObject({ ok: true });
    expect([count(), text("a.txt")]).toEqual([1, "one\ntwo\n"]);
  });

  it("P-06 X-11 after a no the script ran once, and nothing is left of it", async () => {
    const replay = new Replay();
    const { script, count, text, changes, openCalls } = await host(newFolder(), replay);
    const result = await replay.until(
      () => script(CHANGE),
      (tool) => (tool === "write_file" ? NO : YES),
    );
    expect(result.text).toContain('Not kept (write_file was not approved):\n- "a.txt" modified');
    expect([count(), text("a.txt")]).toEqual([1, "one\n"]);
    expect([changes.pending(), openCalls()]).toEqual([[], []]);
  });

  it("P-06 X-11 some of the files are kept", async () => {
    const replay = new Replay();
    const { script, count, text, root } = await host(newFolder(), replay);
    const result = await replay.until(
      () => script(CHANGE),
      (tool) => (tool === "write_file" ? { ...YES, only: ["a.txt"] } : YES),
    );
    expect(result.text).toContain('Not kept (the person chose other files):\n- "fixed.txt"');
    expect([count(), text("a.txt"), existsSync(join(root, "fixed.txt"))]).toEqual([
      1,
      "one\ntwo\n",
      false,
    ]);
  });

  it("P-06 X-11 each question may be answered in another process", async () => {
    const folder = newFolder();
    const answers: ApprovalDecision[] = [];
    const call = async () => {
      const replay = new Replay();
      replay.answers.push(...answers);
      const { script, close } = await host(folder, replay);
      try {
        return await script(CHANGE);
      } catch (error) {
        return error;
      } finally {
        await close();
      }
    };
    expect(await call()).toMatchObject({ tool: "run_script" });
    answers.push(YES);
    expect(await call()).toMatchObject({ tool: "write_file" });
    expect(await call()).toMatchObject({ tool: "write_file" });
    answers.push(YES);
    expect(await call()).toMatchObject({ ok: true });
    const { count, text } = await host(folder, PENDING);
    expect([count(), text("a.txt"), text("fixed.txt")]).toEqual([1, "one\ntwo\n", "fixed\n"]);
  });
});

it("P-06 X-11 each interrupt may be answered by `resumeApproval` in another process", async () => {
  const folder = newFolder();
  let request: ApprovalRequest | undefined;
  const throwing: Approver = {
    ask: (asked) => {
      request = asked;
      return Promise.reject(new Interrupt(asked.tool));
    },
  };
  const call = async () => {
    const one = await host(folder, throwing);
    if (request !== undefined) await one.resume({ ok: false, request });
    const result = await one.script(CHANGE).catch((error: unknown) => error);
    await one.close();
    return result;
  };
  expect(await call()).toMatchObject({ tool: "run_script" });
  expect(await call()).toMatchObject({ tool: "write_file" });
  expect(await call()).toMatchObject({ ok: true });
  const { count, text } = await host(folder, PENDING);
  expect([count(), text("a.txt")]).toEqual([1, "one\ntwo\n"]);
});

describe("an approver that gives `pending`", () => {
  /** Answers the first question, so that the script runs. */
  async function ran(folder: string, text = CHANGE) {
    const one = await host(folder, PENDING);
    const first = await one.script(text);
    expect(first).toMatchObject({ code: "approval-needed", request: { tool: "run_script" } });
    expect(first).not.toHaveProperty("receipt");
    expect(await one.resume(first)).toMatchObject({ ok: true });
    return { one, waiting: await one.script(text) };
  }

  it("P-06 X-11 the outcome has the request about the changes, and what the script gave", async () => {
    const { one, waiting } = await ran(newFolder());
    expect(waiting).toMatchObject({
      ok: false,
      code: "approval-needed",
      request: { tool: "write_file", writable: ["a.txt", "fixed.txt"] },
      receipt: { ok: true, stdout: "done\n", changes: { changes: [{ path: "a.txt" }, {}] } },
    });
    expect(waiting.message).toMatch(
      /It does not run again.\n\ndone\n\nHeld until a person approves[^]*"a.txt" modified/,
    );
    expect(await one.script(CHANGE)).toMatchObject({
      code: "approval-needed",
      message: waiting.message,
    });
    const [file = ""] = one.openCalls();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await one.resume(waiting)).toMatchObject({ ok: true });
    const result = await one.script(CHANGE);
    expect(result.text).toMatch(/^done\n\nChanged in the working directory:\n/);
    expect([one.count(), one.text("a.txt")]).toEqual([1, "one\ntwo\n"]);
    expect(one.openCalls()).toEqual([]);
    // Made on purpose once more.
    expect(await one.script(CHANGE)).toMatchObject({ request: { tool: "run_script" } });
  });

  it("P-06 X-11 another process with the same state admits the answer", async () => {
    const folder = newFolder();
    const { one, waiting } = await ran(folder);
    await one.close();
    const stored = JSON.parse(JSON.stringify(waiting)) as Outcome;
    const two = await host(folder, PENDING);
    expect(await two.resume(stored)).toMatchObject({ ok: true });
    expect(await two.script(CHANGE)).toMatchObject({ ok: true });
    expect([two.count(), two.text("fixed.txt")]).toEqual([1, "fixed\n"]);
  });

  it("P-06 X-11 a failed script fails once its changes are decided on", async () => {
    const failing = `${CHANGE}; exit 3`;
    const { one, waiting } = await ran(newFolder(), failing);
    expect(waiting).toMatchObject({ code: "approval-needed", receipt: { exitCode: 3 } });
    await one.resume(waiting);
    expect(await one.script(failing)).toMatchObject({
      code: "script-failed",
      message: expect.stringContaining('Changed in the working directory:\n- "a.txt"') as string,
      receipt: { exitCode: 3, stdout: "done\n" },
    });
    expect(one.count()).toBe(1);
  });

  it("P-06 X-11 a command runs once, too", async () => {
    const one = await host(newFolder(), PENDING);
    const text = 'echo x >> "$SKILLWRIGHT_OUTPUT/count"; echo new > new.txt; echo done';
    const first = await one.command(text);
    expect(first).toMatchObject({ request: { tool: "run_command" } });
    await one.resume(first);
    const waiting = await one.command(text);
    expect(waiting).toMatchObject({
      code: "approval-needed",
      request: { tool: "write_file" },
      receipt: { stdout: "done\n" },
    });
    await one.resume(waiting);
    const result = await one.command(text);
    expect(result.text).toMatch(/^done\n\nChanged in the working directory:\n- "new.txt" created/);
    expect([one.count(), one.text("new.txt")]).toEqual([1, "new\n"]);
  });

  it("P-06 X-11 what was decided elsewhere is named, and nothing runs again", async () => {
    const { one } = await ran(newFolder());
    await one.changes.apply(({ path }) => path === "a.txt");
    await one.changes.discard(() => true);
    const result = await one.script(CHANGE);
    expect(result).toMatchObject({ ok: true });
    expect(result.text).toContain('Kept, discarded or changed again meanwhile:\n- "a.txt"');
    expect([one.count(), one.openCalls()]).toEqual([1, []]);
  });

  it("X-11 what is kept of a result has no secrets, and they are hidden once", async () => {
    const folder = newFolder();
    const value = "correct-horse-battery";
    writeFileSync(join(folder, "work/b.txt"), `${value} ⟦secret:DB_PASSWORD⟧\n`);
    const one = await host(folder, ONLY_SCRIPTS, { env: { DB_PASSWORD: value } });
    const text = "echo new > new.txt; cat b.txt";
    const waiting = await one.script(text);
    const hidden = "⟦secret:DB_PASSWORD⟧ ⟦⟦secret:DB_PASSWORD⟧\n";
    expect(waiting.message).toContain(hidden);
    const [stored = ""] = one.openCalls().map((file) => readFileSync(file, "utf8"));
    expect(stored).toContain("⟦secret:DB_PASSWORD⟧");
    expect(stored).not.toContain(value);
    await one.resume(waiting);
    expect((await one.script(text)).text).toMatch(new RegExp(`^${hidden}\nChanged in`));
  });
});

describe("a process that is killed", () => {
  it("X-11 P-06 while somebody is asked: the next one asks again, and runs nothing", async () => {
    const folder = newFolder();
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    const hanging = await host(folder, {
      ask: async ({ tool }) => {
        if (tool === "run_script") return YES;
        asked();
        return new Promise(() => {});
      },
    });
    void hanging.script(CHANGE);
    await isAsked;
    const tools: string[] = [];
    const next = await host(folder, { ask: async ({ tool }) => (tools.push(tool), YES) });
    expect((await next.script(CHANGE)).text).toContain("Changed in the working directory:");
    expect(tools).toEqual(["run_script", "write_file"]);
    expect([next.count(), next.text("a.txt")]).toEqual([1, "one\ntwo\n"]);
  });

  it("X-11 before the result is stored: what was held is asked about again, never kept silently", async () => {
    const folder = newFolder();
    const one = await host(folder, ONLY_SCRIPTS);
    const write = "echo fixed > fixed.txt";
    await one.script(write);
    await one.close();
    rmSync(join(folder, "run/changes/open"), { recursive: true });
    const requests: ApprovalRequest[] = [];
    const next = await host(folder, { ask: async (request) => (requests.push(request), YES) });
    const result = await next.script(write);
    expect(result.text).toContain('Changed in the working directory:\n- "fixed.txt" created');
    expect(requests.map(({ tool }) => tool)).toEqual(["run_script", "write_file"]);
    expect(next.text("fixed.txt")).toBe("fixed\n");
  });
});

describe("a caller that goes on while changes wait", () => {
  it("X-11 gets the result, and a repeated call runs anew", async () => {
    const { script, count, openCalls } = await host(newFolder(), ONLY_SCRIPTS);
    const goesOn = { changesMayWait: true };
    const first = await script(CHANGE, goesOn);
    expect(first).toMatchObject({ ok: true });
    expect(first.text).toContain("Held until a person approves");
    // One file is another one, and one is written again as it was.
    const again = await script(CHANGE, goesOn);
    expect(again.text).toMatch(/Held until a person approves[^]*"a.txt"[^]*"fixed.txt"/);
    const found = await script("test -f fixed.txt && echo there", goesOn);
    expect(found.text).toMatch(
      /^there\n\nStill held from before, so not in the working directory yet: "a.txt", "fixed.txt"\.\nFor the user, who finds it there:\n- [^\n]*count", 6 bytes$/,
    );
    expect([count(), openCalls()]).toEqual([3, []]);
  });
});
