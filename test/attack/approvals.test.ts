import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { skillDigest } from "../../packages/core/src/index.ts";
import {
  openApprovals,
  resumeApproval,
  matchesCall,
} from "../../packages/runtime/src/approvals/index.ts";
import type {
  ApprovalDecision,
  ApprovalRequest,
  Approver,
} from "../../packages/runtime/src/index.ts";
import {
  type ApprovalCall,
  approvalChoices,
  type Approvals,
  approvalText,
  decideApproval,
  denyApprover,
  type OpenApprovalsOptions,
} from "../../packages/runtime/src/internal/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const SCRIPT = "print('harmless')\n";

/** A user with a project that holds a skill, and a file that exists once something was done. */
class Desk {
  readonly folder = temporaryFolder({
    "project/skills/pdf/SKILL.md": "---\nname: pdf\ndescription: Reads.\n---\nBody\n",
    "project/skills/pdf/scripts/a.py": SCRIPT,
    "project/skills/pdf/scripts/helper.py": "x = 1\n",
  });
  readonly project = join(this.folder, "project");
  readonly skill = join(this.project, "skills/pdf");
  readonly state = join(this.folder, "state");
  readonly done = join(this.folder, "done");

  open(more: Partial<OpenApprovalsOptions> = {}): Promise<Approvals> {
    return openApprovals({ stateDirectory: this.state, runId: "run-1", ...more });
  }

  async call(args: readonly string[] = ["in.pdf"]): Promise<ApprovalCall> {
    return {
      tool: "run_script",
      input: { skill: "pdf", script: "a.py", args },
      cwd: this.project,
      skill: { name: "pdf", source: "project", digest: await skillDigest(this.skill) },
      script: {
        path: "scripts/a.py",
        args,
        text: readFileSync(join(this.skill, "scripts/a.py"), "utf8"),
      },
      command: ["python3", "scripts/a.py", ...args],
      sandbox: "bubblewrap",
    };
  }

  /** What a runtime does: ask, look once more, act. */
  async act(
    approvals: Approvals,
    call: ApprovalCall,
    approver: Approver = denyApprover,
  ): Promise<ApprovalDecision> {
    const request = await approvals.request(call);
    const { decision } = await decideApproval(request, { approvals, approver });
    if (decision.approved && matchesCall(request, call)) writeFileSync(this.done, "");
    return decision;
  }

  get isDone(): boolean {
    return existsSync(this.done);
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }
}

const person = (decision: Partial<ApprovalDecision> = {}): Approver => ({
  ask: async () => ({ approved: true, scope: "once", by: "person", ...decision }),
});

const approveForever = async (desk: Desk, anyArguments = false) => {
  const approvals = await desk.open();
  const request = await approvals.request(await desk.call());
  const decision = { approved: true, scope: "skill", by: "person", anyArguments } as const;
  expect(await approvals.record(request, decision)).toMatchObject({ ok: true });
};

/** Each test of a refusal shows first that the same way leads to the act when nothing is wrong. */
describe("the way that the attacks are about", () => {
  it("P-02 what is approved is done, now and from memory", async () => {
    const now = new Desk();
    await now.act(await now.open(), await now.call(), person());
    expect(now.isDone).toBe(true);
    const later = new Desk();
    await approveForever(later);
    expect(await later.act(await later.open({ runId: "run-2" }), await later.call())).toMatchObject(
      {
        by: "memory",
      },
    );
    expect(later.isDone).toBe(true);
  });
});

describe("105: the input is rewritten after it was checked", () => {
  it("P-02 by the approver, in the request", async () => {
    const desk = new Desk();
    const rewriting: Approver = {
      async ask(request) {
        (request.command as string[])[2] = "/etc/passwd";
        return { approved: true, scope: "once", by: "host" };
      },
    };
    await expect(desk.act(await desk.open(), await desk.call(), rewriting)).rejects.toThrow(
      TypeError,
    );
    expect(desk.isDone).toBe(false);
  });

  it("P-02 by a hook, in the call, while a person decides", async () => {
    const desk = new Desk();
    const args = ["in.pdf"];
    const call = await desk.call(args);
    const hook: Approver = {
      async ask(request, context) {
        args[0] = "/etc/passwd";
        return person().ask(request, context);
      },
    };
    expect(await desk.act(await desk.open(), call, hook)).toMatchObject({ approved: true });
    expect(desk.isDone).toBe(false);
  });

  it("P-02 by a copy of the request that is handed back as the real one", async () => {
    const desk = new Desk();
    const approvals = await desk.open();
    const request = await approvals.request(await desk.call());
    const copy: ApprovalRequest = { ...request, command: ["rm", "-rf", "/"], cautions: [] };
    const yes = { approved: true, scope: "skill", by: "person" } as const;
    expect(await approvals.record(copy, yes)).toMatchObject({ code: "approval-request-invalid" });
    expect(await approvals.find(copy)).toBeUndefined();
    expect(await approvals.list()).toEqual([]);
  });
});

describe("110: the skill changes between approval and run", () => {
  it.each(["scripts/a.py", "scripts/helper.py", "SKILL.md", "scripts/new.py"])(
    "P-02 %s",
    async (file) => {
      const desk = new Desk();
      await approveForever(desk, true);
      desk.write(`project/skills/pdf/${file}`, "print('evil')\n");
      expect(await desk.act(await desk.open(), await desk.call())).toMatchObject({ pending: true });
      expect(desk.isDone).toBe(false);
    },
  );

  it("P-02 while the run is stopped", async () => {
    const desk = new Desk();
    const stored = await (await desk.open()).request(await desk.call());
    desk.write("project/skills/pdf/scripts/helper.py", "evil = 1\n");
    const approvals = await desk.open();
    expect(await resumeApproval(stored, stored.id, { approvals })).toMatchObject({ ok: true });
    expect(await desk.act(approvals, await desk.call())).toMatchObject({ pending: true });
    expect(desk.isDone).toBe(false);
  });

  it("P-02 while a person decides: what is carried out is compared with what was shown", async () => {
    const desk = new Desk();
    const approvals = await desk.open();
    const request = await approvals.request(await desk.call());
    desk.write("project/skills/pdf/scripts/a.py", "print('evil')\n");
    expect(matchesCall(request, await desk.call())).toBe(false);
  });
});

describe("111: an approval is replayed for something else", () => {
  const changes: Readonly<Record<string, (call: ApprovalCall) => ApprovalCall>> = {
    cwd: (call) => ({ ...call, cwd: "/" }),
    sandbox: (call) => ({ ...call, sandbox: "none" }),
    network: (call) => ({ ...call, network: ["evil.example"] }),
    writable: (call) => ({ ...call, writable: ["."] }),
    tool: (call) => ({ ...call, tool: "run_command" }),
    script: (call) => ({ ...call, script: { ...call.script!, path: "scripts/helper.py" } }),
    interpreter: (call) => ({ ...call, command: ["bash", ...call.command!.slice(1)] }),
  };

  it.each(Object.entries(changes))("P-02 another %s", async (_, change) => {
    for (const anyArguments of [false, true]) {
      const desk = new Desk();
      await approveForever(desk, anyArguments);
      const call = change(await desk.call());
      expect(await desk.act(await desk.open(), call)).toMatchObject({ pending: true });
      expect(desk.isDone).toBe(false);
    }
  });

  it("P-02 other arguments, unless a person left them open", async () => {
    const desk = new Desk();
    await approveForever(desk);
    expect(await desk.act(await desk.open(), await desk.call(["--delete"]))).toMatchObject({
      pending: true,
    });
    expect(desk.isDone).toBe(false);
  });

  it("P-02 the record of a run is edited into an approval", async () => {
    const desk = new Desk();
    const approvals = await desk.open();
    const request = await approvals.request(await desk.call());
    const given = await approvals.record(request, { approved: true, scope: "run", by: "person" });
    const recorded = JSON.stringify(given.ok ? given.approval : undefined);
    const edits = [
      recorded.replace('"in.pdf"', '"--delete"'),
      recorded.replace(/sha256:[0-9a-f]{64}/, await skillDigest(join(desk.skill, "scripts"))),
      recorded.replace('"scope":"run"', '"scope":"skill"'),
      JSON.stringify({ ...request, scope: "run" }),
      JSON.stringify(request),
      "null",
    ];
    for (const edit of edits) {
      expect(edit).not.toBe(recorded);
      const open = desk.open({ recorded: [JSON.parse(edit) as unknown] });
      await expect(open, edit).rejects.toMatchObject({ code: "approval-damaged" });
    }
    const other = desk.open({ runId: "run-2", recorded: [JSON.parse(recorded) as unknown] });
    await expect(other).rejects.toMatchObject({ code: "approval-damaged" });
  });

  it("P-02 an approval that was used is put back into the record", async () => {
    const desk = new Desk();
    const stored = await (await desk.open()).request(await desk.call());
    const first = await desk.open();
    await resumeApproval(stored, stored.id, { approvals: first });
    await desk.act(first, await desk.call());
    expect(desk.isDone).toBe(true);
    const second = await desk.open();
    expect(await resumeApproval(stored, stored.id, { approvals: second })).toMatchObject({
      code: "approval-spent",
    });
    expect(await desk.act(second, await desk.call())).toMatchObject({ pending: true });
  });
});

describe("112: a skill of the same name from another source", () => {
  it("P-02 has none of the other's approvals, not even with the same content", async () => {
    for (const anyArguments of [false, true]) {
      const desk = new Desk();
      await approveForever(desk, anyArguments);
      const call = await desk.call();
      const other = { ...call, skill: { ...call.skill!, source: "user" } };
      expect(await desk.act(await desk.open(), other)).toMatchObject({ pending: true });
      expect(desk.isDone).toBe(false);
    }
  });

  it("P-02 and a name that only looks the same is another name", async () => {
    const desk = new Desk();
    await approveForever(desk);
    const call = await desk.call();
    for (const name of ["PDF", "pdf ", "pdf\u200b", "рdf"]) {
      const other = { ...call, skill: { ...call.skill!, name } };
      expect(await desk.act(await desk.open(), other), name).toMatchObject({ pending: true });
    }
    expect(desk.isDone).toBe(false);
  });
});

describe("116: nobody is there", () => {
  it("P-02 nothing is done and nothing is remembered", async () => {
    const desk = new Desk();
    const approvals = await desk.open();
    expect(await desk.act(approvals, await desk.call())).toMatchObject({
      approved: false,
      pending: true,
    });
    expect(desk.isDone).toBe(false);
    expect(await approvals.list()).toEqual([]);
  });

  it.each([
    ["answers with junk", "yes"],
    ["answers with nothing", undefined],
    ["claims to remember", { approved: true, scope: "once", by: "memory" }],
  ])("P-02 nor when an approver %s", async (_, answer) => {
    const desk = new Desk();
    const approver: Approver = { ask: async () => answer as ApprovalDecision };
    expect(await desk.act(await desk.open(), await desk.call(), approver)).toMatchObject({
      approved: false,
    });
    expect(desk.isDone).toBe(false);
  });

  it("P-02 nor when an approver fails", async () => {
    const desk = new Desk();
    const approver: Approver = { ask: () => Promise.reject(new Error("no terminal")) };
    await expect(desk.act(await desk.open(), await desk.call(), approver)).rejects.toThrow(
      "no terminal",
    );
    expect(desk.isDone).toBe(false);
  });
});

describe("117: a project brings its own approvals", () => {
  it("P-02 made on another machine, beside its skills: they are not looked at", async () => {
    const desk = new Desk();
    const author = join(desk.folder, "author");
    const theirs = await desk.open({ stateDirectory: author });
    const request = await theirs.request(await desk.call());
    await theirs.record(request, { approved: true, scope: "skill", by: "person" });
    for (const place of ["", ".agent", ".local/state/skillwright", "skillwright"]) {
      cpSync(author, join(desk.project, place), { recursive: true });
    }
    expect(await desk.act(await desk.open(), await desk.call())).toMatchObject({ pending: true });
    expect(desk.isDone).toBe(false);
  });

  it("P-02 made on another machine, and brought into the user's state: an error", async () => {
    const desk = new Desk();
    const author = join(desk.folder, "author");
    const theirs = await desk.open({ stateDirectory: author });
    const request = await theirs.request(await desk.call());
    await theirs.record(request, { approved: true, scope: "skill", by: "person" });
    const mine = await desk.open();
    cpSync(join(author, "approvals"), join(desk.state, "approvals"), {
      recursive: true,
      filter: (path) => basename(path) !== "key",
    });
    await expect(desk.act(mine, await desk.call(), person())).rejects.toMatchObject({
      code: "approval-damaged",
    });
    expect(desk.isDone).toBe(false);
  });
});

describe("P-06: somebody else's approval", () => {
  const alice = { principal: "alice" };
  const mallory = { principal: "mallory" };
  const approvalsOf = (desk: Desk, text: string) =>
    readdirSync(join(desk.state, "approvals"), { recursive: true, encoding: "utf8" })
      .map((name) => join(desk.state, "approvals", name))
      .filter((file) => /approval-[0-9a-f]+\.json$/.test(file))
      .filter((file) => readFileSync(file, "utf8").includes(text));

  const approvedBy = async (desk: Desk, options: { readonly principal: string }) => {
    const approvals = await desk.open(options);
    const request = await approvals.request(await desk.call());
    const yes = { approved: true, scope: "skill", by: "person" } as const;
    expect(await approvals.record(request, yes)).toMatchObject({ ok: true });
  };

  it("P-06 in the same state is not found", async () => {
    const desk = new Desk();
    await approvedBy(desk, alice);
    expect(await desk.act(await desk.open(mallory), await desk.call())).toMatchObject({
      pending: true,
    });
    expect(desk.isDone).toBe(false);
    await desk.act(await desk.open(alice), await desk.call());
    expect(desk.isDone).toBe(true);
  });

  it("P-06 copied into one's own folder, under its own name or that of another approval, is an error", async () => {
    for (const isRenamed of [false, true]) {
      const desk = new Desk();
      await approvedBy(desk, alice);
      const [hers] = approvalsOf(desk, "alice");
      const other = await desk.open(mallory);
      const request = await other.request({ ...(await desk.call()), cwd: "/elsewhere" });
      await other.record(request, { approved: true, scope: "skill", by: "host" });
      const [his] = approvalsOf(desk, "mallory");
      cpSync(hers!, isRenamed ? his! : join(dirname(his!), basename(hers!)));
      const act = desk.act(await desk.open(mallory), await desk.call(), person());
      await expect(act).rejects.toMatchObject({ code: "approval-damaged" });
      expect(desk.isDone).toBe(false);
    }
  });

  it("P-06 with the name of the principal edited is an error", async () => {
    const desk = new Desk();
    await approvedBy(desk, alice);
    const [hers] = approvalsOf(desk, "alice");
    const edited = readFileSync(hers!, "utf8").replaceAll("alice", "mallory");
    const own = await desk.open(mallory);
    const request = await own.request({ ...(await desk.call()), cwd: "/elsewhere" });
    await own.record(request, { approved: true, scope: "skill", by: "host" });
    const [his] = approvalsOf(desk, "mallory");
    writeFileSync(join(dirname(his!), basename(hers!)), edited);
    await expect(desk.act(own, await desk.call(), person())).rejects.toMatchObject({
      code: "approval-damaged",
    });
    expect(desk.isDone).toBe(false);
  });

  it("P-06 does not go on with a run that another resumes", async () => {
    const desk = new Desk();
    const hers = await desk.open(alice);
    const request = await hers.request(await desk.call());
    const given = await hers.record(request, { approved: true, scope: "run", by: "person" });
    const recorded = [JSON.parse(JSON.stringify(given.ok && given.approval)) as unknown];
    const resumed = await desk.open({ ...mallory, recorded });
    expect(await resumed.list()).toEqual([]);
    expect(await desk.act(resumed, await desk.call())).toMatchObject({ pending: true });
    expect(desk.isDone).toBe(false);
    await desk.act(await desk.open({ ...alice, recorded }), await desk.call());
    expect(desk.isDone).toBe(true);
  });

  it("P-06 does not approve what another's run stopped for", async () => {
    const desk = new Desk();
    const stored = await (await desk.open(alice)).request(await desk.call());
    const approvals = await desk.open(mallory);
    expect(await resumeApproval(stored, stored.id, { approvals })).toMatchObject({
      code: "approval-of-another",
    });
    const edited = { ...stored, principal: "mallory" };
    expect(await resumeApproval(edited, stored.id, { approvals })).toMatchObject({
      code: "approval-request-invalid",
    });
    expect(await desk.act(approvals, await desk.call())).toMatchObject({ pending: true });
    expect(desk.isDone).toBe(false);
  });
});

describe("122: a person is not shown all of it", () => {
  const long = (length: number) => "a".repeat(length);
  const disguises: Readonly<Record<string, (call: ApprovalCall) => ApprovalCall>> = {
    "a bidi override in an argument": (call) => ({ ...call, command: ["rm", "\u202efdp.x"] }),
    "a tag in an argument": (call) => ({ ...call, command: ["rm", "a\u{e0041}"] }),
    "an escape sequence in an argument": (call) => ({ ...call, command: ["rm", "\u001b[8mx"] }),
    "a gap before the end": (call) => ({ ...call, command: ["sh", `ls${" ".repeat(500)};rm x`] }),
    "a very long argument": (call) => ({ ...call, command: ["echo", long(9000), "; rm -rf ~"] }),
    "very many arguments": (call) => ({ ...call, command: Array<string>(5000).fill("ab") }),
    "a very long input": (call) => ({ ...call, input: { text: long(9000) } }),
    "an input of many parts": (call) => ({ ...call, input: Array<string>(5000).fill("ab") }),
    "a hidden name in the input": (call) => ({ ...call, input: { "a\u200b": 1 } }),
    "a hidden character in the folder": (call) => ({ ...call, cwd: "/work\u2066" }),
    "a hidden character in a place": (call) => ({ ...call, writable: ["a\u00ad"] }),
    "many places": (call) => ({ ...call, writable: Array.from({ length: 60 }, (_, n) => `d${n}`) }),
    "many hosts": (call) => ({ ...call, network: Array.from({ length: 60 }, (_, n) => `h${n}`) }),
    "a hidden character far down in the script": (call) => ({
      ...call,
      script: { ...call.script!, text: `${"x\n".repeat(500)}\u202e` },
    }),
    "a line of the script that is too long": (call) => ({
      ...call,
      script: { ...call.script!, text: `x = 1 # ${long(500)}; evil()` },
    }),
    "a script that is no text": (call) => ({
      ...call,
      script: { ...call.script!, text: undefined },
    }),
    "changes with an overwriting return": (call) => ({ ...call, diff: "+evil()\r+good()" }),
    "a change that is too long": (call) => ({ ...call, diff: `+${long(500)}` }),
    "changes that are too many": (call) => ({ ...call, diff: "+a\n".repeat(40_000) }),
  };

  it.each(Object.entries(disguises))(
    "P-02 %s: said, and approved only once",
    async (_, disguise) => {
      const desk = new Desk();
      const approvals = await desk.open();
      const call = disguise(await desk.call());
      const request = await approvals.request(call);
      expect(request.scopes).toEqual(["once"]);
      expect(approvalChoices(request).map(({ id }) => id)).toEqual(["deny", "once"]);
      const text = approvalText(request);
      expect(text).toMatch(/Look closely:\n {2}! \S/);
      expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\u00ad\u{e0000}-\u{e007f}]/u);
      for (const scope of ["run", "skill"] as const) {
        expect(await desk.act(approvals, call, person({ scope }))).toMatchObject({
          approved: false,
        });
      }
      expect(desk.isDone).toBe(false);
      expect(await approvals.list()).toEqual([]);
      await desk.act(approvals, call, person());
      expect(desk.isDone).toBe(true);
    },
  );

  it("P-02 a request stays small, whatever it is for", async () => {
    const desk = new Desk();
    const call = await desk.call();
    const request = await (
      await desk.open()
    ).request({
      ...call,
      input: { content: long(5_000_000), list: Array<string>(100_000).fill("ab") },
      script: { ...call.script!, text: `${long(5_000_000)}\n${" ".repeat(1_000_000)}` },
      diff: long(5_000_000),
    });
    expect(JSON.stringify(request).length).toBeLessThan(100_000);
    expect(request.scopes).toEqual(["once"]);
  });

  it("P-02 both ends of a long command are shown", async () => {
    const desk = new Desk();
    const call = disguises["a very long argument"]!(await desk.call());
    const text = approvalText(await (await desk.open()).request(call));
    expect(text).toContain("Command    echo aaa");
    expect(text).toMatch(/\(\d+ characters are not shown\) … a+ "; rm -rf ~"\n/);
  });

  it("P-02 any arguments does not cover those that hide something", async () => {
    const desk = new Desk();
    await approveForever(desk, true);
    expect(await desk.act(await desk.open(), await desk.call(["\u202efdp"]))).toMatchObject({
      pending: true,
    });
    expect(desk.isDone).toBe(false);
  });
});
