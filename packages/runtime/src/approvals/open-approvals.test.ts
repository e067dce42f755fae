import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import type { ApprovalCall, ApprovalDecision, OpenApprovalsOptions } from "../index.ts";
import { openApprovals } from "./index.ts";

const DIGEST = `sha256:${"a".repeat(64)}`;
const OTHER_DIGEST = `sha256:${"b".repeat(64)}`;

const CALL = {
  tool: "run_script",
  input: { skill: "pdf", script: "a.py", args: ["in.pdf"], stdin: "x" },
  cwd: "/work",
  skill: { name: "pdf", source: "project", digest: DIGEST },
  script: { path: "scripts/a.py", args: ["in.pdf"], text: "print(1)\n" },
  command: ["python3", "-E", "scripts/a.py", "in.pdf"],
  sandbox: "bubblewrap",
  writable: ["out", "tmp"],
  network: ["example.org"],
} as const satisfies ApprovalCall;

const yes = (more: Partial<ApprovalDecision> = {}): ApprovalDecision => ({
  approved: true,
  scope: "once",
  by: "person",
  ...more,
});

let count = 0;
const open = (stateDirectory: string, more: Partial<OpenApprovalsOptions> = {}) =>
  openApprovals({
    stateDirectory,
    runId: "run-1",
    clock: () => 1_800_000_000_000,
    ids: () => `request-${++count}`,
    ...more,
  });

type Store = Awaited<ReturnType<typeof open>>;

const find = async (store: Store, call: ApprovalCall = CALL) =>
  store.find(await store.request(call));
const give = async (store: Store, decision: ApprovalDecision, call: ApprovalCall = CALL) =>
  store.record(await store.request(call), decision);

const withArguments = (...args: string[]): ApprovalCall => ({
  ...CALL,
  input: { ...CALL.input, args },
  script: { ...CALL.script, args },
  command: ["python3", "-E", "scripts/a.py", ...args],
});

/** Every way in which a call can be another than the approved one, arguments aside. */
const OTHER_CALLS: Readonly<Record<string, ApprovalCall>> = {
  tool: { ...CALL, tool: "run_command" },
  input: { ...CALL, input: { ...CALL.input, stdin: "y" } },
  cwd: { ...CALL, cwd: "/elsewhere" },
  name: { ...CALL, skill: { ...CALL.skill, name: "pdf2" } },
  source: { ...CALL, skill: { ...CALL.skill, source: "user" } },
  digest: { ...CALL, skill: { ...CALL.skill, digest: OTHER_DIGEST } },
  script: { ...CALL, script: { ...CALL.script, path: "scripts/b.py" } },
  interpreter: { ...CALL, command: ["python2", "-E", "scripts/a.py", "in.pdf"] },
  sandbox: { ...CALL, sandbox: "none" },
  writable: { ...CALL, writable: ["out", "tmp", "."] },
  network: { ...CALL, network: ["example.org", "example.net"] },
};

describe("scopes", () => {
  it("P-02 once is remembered nowhere", async () => {
    const state = temporaryFolder();
    const store = await open(state);
    expect(await give(store, yes())).toEqual({ ok: true });
    expect(await find(store)).toBeUndefined();
    expect(await store.list()).toEqual([]);
  });

  it("P-02 run is for this run, also when it is continued from its record", async () => {
    const state = temporaryFolder();
    const store = await open(state);
    const given = await give(store, yes({ scope: "run" }));
    expect(await find(store)).toMatchObject({ approved: true, scope: "run", by: "memory" });
    const recorded = [JSON.parse(JSON.stringify(given.ok && given.approval)) as unknown];
    expect(await find(await open(state))).toBeUndefined();
    expect(await find(await open(state, { recorded }))).toMatchObject({ approved: true });
  });

  it("P-02 skill is for every run", async () => {
    const state = temporaryFolder();
    await give(await open(state), yes({ scope: "skill" }));
    const later = await open(state, { runId: "run-2" });
    expect(await find(later)).toEqual({
      approved: true,
      scope: "skill",
      by: "memory",
      reason: expect.stringMatching(/^approved by person at 2027-01-15T08:00:00.000Z \(/) as string,
    });
    expect(await find(later, { ...CALL, writable: ["tmp", "out"] })).toBeDefined();
  });

  it.each(["run", "skill"] as const)(
    "P-02 %s covers nothing that differs from the call",
    async (scope) => {
      const store = await open(temporaryFolder());
      await give(store, yes({ scope }));
      expect(await find(store)).toBeDefined();
      expect(await find(store, withArguments("other.pdf"))).toBeUndefined();
      for (const [what, call] of Object.entries(OTHER_CALLS)) {
        expect(await find(store, call), what).toBeUndefined();
      }
    },
  );

  it.each(["run", "skill"] as const)(
    "P-02 %s with any arguments leaves the arguments open and nothing else",
    async (scope) => {
      const store = await open(temporaryFolder());
      await give(store, yes({ scope, anyArguments: true }));
      expect(await find(store, withArguments())).toMatchObject({ anyArguments: true });
      expect(await find(store, withArguments("a", "--all"))).toBeDefined();
      for (const [what, call] of Object.entries(OTHER_CALLS)) {
        expect(await find(store, call), what).toBeUndefined();
      }
      expect(await find(store, withArguments("\u202efdp.exe"))).toBeUndefined();
    },
  );

  it("P-02 arguments that the command does not end with cannot be left open", async () => {
    const store = await open(temporaryFolder());
    const call = { ...CALL, command: ["sh", "-c", "python3 a.py in.pdf; true"] };
    expect(await give(store, yes({ scope: "run", anyArguments: true }), call)).toMatchObject({
      code: "approval-scope-not-offered",
    });
  });

  it("P-02 without a skill nothing outlives the run", async () => {
    const { skill: _, script: __, ...call } = CALL;
    const store = await open(temporaryFolder());
    expect((await store.request(call)).scopes).toEqual(["once", "run"]);
    expect(await give(store, yes({ scope: "skill" }), call)).toMatchObject({ ok: false });
    expect(await find(store, call)).toBeUndefined();
  });

  it("P-02 an approval for one digest is never found for another", async () => {
    const store = await open(temporaryFolder());
    const digest = fc.string({ minLength: 1 });
    const at = (text: string) => ({ ...CALL, skill: { ...CALL.skill, digest: text } });
    await fc.assert(
      fc.asyncProperty(digest, digest, fc.boolean(), async (a, b, anyArguments) => {
        const request = await store.request(at(a));
        fc.pre(a !== b && request.scopes.includes("skill"));
        const given = await store.record(request, yes({ scope: "skill", anyArguments }));
        expect(await find(store, at(a))).toBeDefined();
        expect(await find(store, at(b))).toBeUndefined();
        expect(await store.revoke((given.ok && given.approval?.id) || "")).toBe(true);
      }),
    );
  });
});

describe("decisions that do not count", () => {
  it.each([
    ["no decision", undefined],
    ["a text for yes", { ...yes(), approved: "yes" }],
    ["an unknown scope", { ...yes(), scope: "always" }],
    ["memory that is none", { ...yes(), by: "memory" }],
    ["a name from the prototype", { ...yes(), by: "toString" }],
    ["yes and pending at once", { ...yes(), pending: true }],
    ["any arguments, but once", { ...yes(), anyArguments: true }],
  ])("P-02 %s", async (_, decision) => {
    const store = await open(temporaryFolder());
    const result = await give(store, { ...decision } as ApprovalDecision);
    expect(result.ok).toBe(false);
    expect(await store.list()).toEqual([]);
  });

  it("P-02 a request counts once, unchanged, and in its own run", async () => {
    const state = temporaryFolder();
    const store = await open(state);
    const request = await store.request(CALL);
    const edited = { ...request, cwd: "/" };
    const invalid = { ok: false, code: "approval-request-invalid" };
    expect(await store.record(edited, yes({ scope: "run" }))).toMatchObject(invalid);
    const other = await open(state, { runId: "run-2" });
    expect(await other.record(request, yes({ scope: "skill" }))).toMatchObject(invalid);
    expect(await store.record(request, { ...yes(), approved: false })).toEqual({ ok: true });
    expect(await store.record(request, yes({ scope: "run" }))).toMatchObject({
      code: "approval-spent",
    });
    expect(await store.list()).toEqual([]);
  });

  it("P-02 terminalOnly takes a person's word only, also for what is remembered", async () => {
    const state = temporaryFolder();
    await give(await open(state), yes({ scope: "skill", by: "host" }));
    const strict = await open(state, { terminalOnly: true });
    expect(await find(await open(state))).toBeDefined();
    expect(await find(strict)).toBeUndefined();
    for (const by of ["flag", "host"] as const) {
      expect(await give(strict, yes({ by }))).toMatchObject({ code: "approval-terminal-only" });
    }
    expect(await give(strict, yes({ scope: "skill" }))).toMatchObject({ ok: true });
    expect(await find(strict)).toBeDefined();
  });
});

describe("requests", () => {
  it("P-02 nobody can change one, nor by a call that answers differently each time", async () => {
    const store = await open(temporaryFolder());
    let count = 0;
    const request = await store.request({
      ...CALL,
      get cwd() {
        return `/work/${++count}`;
      },
    });
    expect(request.cwd).toBe("/work/1");
    expect(await store.record(request, yes({ scope: "skill" }))).toMatchObject({
      approval: { subject: { cwd: "/work/1" } },
    });
    expect(() => Object.assign(request, { cwd: "/" })).toThrow(TypeError);
    expect(() => Object.assign(request.preview, { firstLines: "" })).toThrow(TypeError);
  });

  it.each([
    ["a function", { input: { path: () => "/" } }],
    ["endless nesting", { input: JSON.parse("[".repeat(5000) + "]".repeat(5000)) as unknown }],
  ])("P-02 %s cannot be approved", async (_, more) => {
    const store = await open(temporaryFolder());
    await expect(store.request({ ...CALL, ...more })).rejects.toMatchObject({
      code: "approval-input-invalid",
    });
  });

  it("P-02 a skill without a digest cannot be approved", async () => {
    const store = await open(temporaryFolder());
    const call = { ...CALL, skill: { ...CALL.skill, digest: "" } };
    await expect(store.request(call)).rejects.toThrow("the skill has no digest");
  });
});

describe("taking back", () => {
  it("P-02 what is taken back is asked again, in every process", async () => {
    const state = temporaryFolder();
    const [one, other] = [await open(state), await open(state)];
    await give(one, yes({ scope: "skill" }));
    const [approval] = await other.list();
    expect(approval).toMatchObject({ scope: "skill", by: "person", subject: { cwd: "/work" } });
    expect(await other.revoke(approval!.id)).toBe(true);
    expect(await other.revoke(approval!.id)).toBe(false);
    expect(await find(one)).toBeUndefined();
  });

  it("P-02 what is taken back in a run does not return with its record", async () => {
    const state = temporaryFolder();
    const store = await open(state);
    const given = await give(store, yes({ scope: "run" }));
    const recorded = given.ok ? [given.approval] : [];
    expect(await store.revoke(recorded[0]!.id)).toBe(true);
    expect(await find(store)).toBeUndefined();
    expect(await find(await open(state, { recorded }))).toBeUndefined();
    await give(store, yes({ scope: "run" }));
    expect(await find(store)).toBeDefined();
  });

  it.each(["../key", "", "..", "key", "../../key"])("P-02 %j is no approval", async (id) => {
    const state = temporaryFolder();
    const store = await open(state);
    expect(await store.revoke(id)).toBe(false);
    expect(statSync(join(state, "approvals/key")).size).toBe(32);
  });
});

describe("the user's state", () => {
  it.runIf(process.platform !== "win32")("P-02 only its owner can read it", async () => {
    const state = temporaryFolder();
    await give(await open(state), yes({ scope: "skill" }));
    const files = readdirSync(join(state, "approvals"), { recursive: true, withFileTypes: true });
    expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(["key", "granted"]));
    for (const entry of files) {
      const { mode } = statSync(join(entry.parentPath, entry.name));
      expect(mode & 0o077, entry.name).toBe(0);
    }
  });

  const damages: Readonly<Record<string, (file: string) => void>> = {
    emptied: (file) => writeFileSync(file, ""),
    cut: (file) => writeFileSync(file, readFileSync(file, "utf8").slice(0, -20)),
    "changed by": (file) =>
      writeFileSync(file, readFileSync(file, "utf8").replace('"host"', '"person"')),
    unsigned: (file) => writeFileSync(file, readFileSync(file, "utf8").replace("signature", "s")),
    "a folder": (file) => {
      renameSync(file, `${file}.old`);
      mkdirSync(file);
    },
    "a link": (file) => {
      renameSync(file, `${file}.old`);
      symlinkSync(`${file}.old`, file);
    },
  };
  it.each(Object.entries(damages))(
    "P-02 an approval that is %s is an error, never an approval",
    async (_, damage) => {
      const state = temporaryFolder();
      const store = await open(state);
      await give(store, yes({ scope: "skill", by: "host" }));
      const [name] = readdirSync(join(state, "approvals/granted"));
      damage(join(state, "approvals/granted", name!));
      await expect(find(store)).rejects.toMatchObject({ code: "approval-damaged" });
      await expect(store.list()).rejects.toMatchObject({ code: "approval-damaged" });
    },
  );

  it("P-02 an approval under the name of another is an error", async () => {
    const state = temporaryFolder();
    const store = await open(state);
    const granted = join(state, "approvals/granted");
    await give(store, yes({ scope: "skill" }));
    const [first] = readdirSync(granted);
    const call = OTHER_CALLS["digest"]!;
    await give(store, yes({ scope: "skill" }), call);
    const second = readdirSync(granted).find((name) => name !== first);
    copyFileSync(join(granted, first!), join(granted, second!));
    await expect(find(store, call)).rejects.toMatchObject({ code: "approval-damaged" });
  });

  it("P-02 a damaged approval can be taken back", async () => {
    const state = temporaryFolder();
    const store = await open(state);
    const given = await give(store, yes({ scope: "skill" }));
    const { id } = (given.ok && given.approval) as { id: string };
    writeFileSync(join(state, `approvals/granted/${id}.json`), "{}");
    expect(await store.revoke(id)).toBe(true);
    expect(await find(store)).toBeUndefined();
  });

  it.each([
    ["is too short", (file: string) => writeFileSync(file, "short")],
    ["others can read", (file: string) => chmodSync(file, 0o644)],
    ["is a link", (file: string) => (renameSync(file, `${file}2`), symlinkSync(`${file}2`, file))],
  ])("P-02 a key that %s is an error", async (_, damage) => {
    const state = temporaryFolder();
    await open(state);
    damage(join(state, "approvals/key"));
    await expect(open(state)).rejects.toMatchObject({ code: "approval-key-unusable" });
  });

  it("P-02 a state that cannot be written is an error", async () => {
    const state = temporaryFolder({ approvals: "a file" });
    await expect(open(state)).rejects.toMatchObject({ name: "ApprovalError" });
  });

  it.each(["", "-x", "a b", "a;b", "../a", "a\n"])("P-02 %j cannot be a run", async (runId) => {
    await expect(open(temporaryFolder(), { runId })).rejects.toThrow(TypeError);
  });
});

describe("the last approved script", () => {
  const changed = (text: string): ApprovalCall => ({
    ...CALL,
    skill: { ...CALL.skill, digest: OTHER_DIGEST },
    script: { ...CALL.script, text },
  });

  it("P-02 shows what changed since the last approval, of whatever scope", async () => {
    const store = await open(temporaryFolder());
    expect((await store.request(CALL)).preview).toEqual({ firstLines: "print(1)", moreLines: 0 });
    await give(store, yes());
    expect((await store.request(changed("print(2)\n"))).preview).toEqual({
      diff: "@@ -1 +1 @@\n-print(1)\n+print(2)",
      since: DIGEST,
    });
    const same = await store.request(changed(CALL.script.text));
    expect(same.preview).toMatchObject({ firstLines: "print(1)", since: DIGEST });
  });

  it.each(["flag", "host"] as const)(
    "P-02 a script that only a %s approved is not compared with: nobody saw it",
    async (by) => {
      const store = await open(temporaryFolder());
      expect(await give(store, yes({ by }))).toEqual({ ok: true });
      expect((await store.request(changed("print(2)\n"))).preview.diff).toBeUndefined();
    },
  );

  it("P-02 a refused script is not compared with", async () => {
    const store = await open(temporaryFolder());
    await give(store, { ...yes(), approved: false });
    expect((await store.request(changed("print(2)\n"))).preview.diff).toBeUndefined();
  });

  it("P-02 a long script is not kept, nor the one before it", async () => {
    const state = temporaryFolder();
    const store = await open(state);
    await give(store, yes());
    await give(store, yes(), changed("x\n".repeat(200_000)));
    expect(readdirSync(join(state, "approvals/scripts"))).toEqual([]);
  });

  it("P-02 a damaged text is said to be, and mended by the next approval", async () => {
    const state = temporaryFolder();
    const store = await open(state);
    await give(store, yes());
    const [name] = readdirSync(join(state, "approvals/scripts"));
    writeFileSync(join(state, "approvals/scripts", name!), "{}");
    const request = await store.request(changed("print(2)\n"));
    expect(request.cautions).toEqual(["what was kept of the last approved script is damaged"]);
    expect(request.scopes).toEqual(["once"]);
    await store.record(request, yes());
    expect((await store.request(changed("print(2)\n"))).cautions).toEqual([]);
  });

  it("P-02 the number of texts is bounded", async () => {
    const state = temporaryFolder(
      Object.fromEntries(
        Array.from({ length: 520 }, (_, index) => [`approvals/scripts/${index}.json`, "{}"]),
      ),
    );
    const store = await open(state);
    await give(store, yes());
    expect(readdirSync(join(state, "approvals/scripts"))).toHaveLength(500);
    expect((await store.request(changed("print(2)\n"))).preview.since).toBe(DIGEST);
  });
});
