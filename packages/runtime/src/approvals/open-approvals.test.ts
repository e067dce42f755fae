import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import type { ApprovalDecision } from "../index.ts";
import type { ApprovalCall, OpenApprovalsOptions } from "../internal/index.ts";
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

/** The files of one kind of entry, for whomever. */
const entries = (state: string, kind: "approval"): string[] =>
  readdirSync(join(state, "approvals"), { recursive: true, encoding: "utf8" })
    .filter((name) => basename(name).startsWith(`${kind}-`) && name.endsWith(".json"))
    .map((name) => join(state, "approvals", name));

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
    const digest = fc.string({ minLength: 1 });
    const at = (text: string) => ({ ...CALL, skill: { ...CALL.skill, digest: text } });
    await fc.assert(
      fc.asyncProperty(digest, digest, fc.boolean(), async (a, b, anyArguments) => {
        const store = await open(temporaryFolder());
        const request = await store.request(at(a));
        fc.pre(a !== b && request.scopes.includes("skill"));
        await store.record(request, yes({ scope: "skill", anyArguments }));
        expect(await find(store, at(a))).toBeDefined();
        expect(await find(store, at(b))).toBeUndefined();
      }),
    );
  });
});

describe("all of a kind in this run", () => {
  const kind = yes({ scope: "run", allOfKind: true });
  const write = (path: string, more: Partial<ApprovalCall> = {}): ApprovalCall => ({
    tool: "write_file",
    input: { path, content: "x" },
    cwd: "/work",
    writable: [path],
    diff: "+x",
    ...more,
  });

  it("P-02 covers other scripts of the same skill, and nothing else", async () => {
    const state = temporaryFolder();
    const store = await open(state);
    expect((await store.request(CALL)).kind).toBe("all scripts of pdf");
    const given = await give(store, kind);
    const other = { ...CALL.script, path: "scripts/b.py", text: "print(2)" };
    const command = ["python3", "scripts/b.py", "x"];
    expect(await find(store, { ...CALL, script: other, command, input: { y: 1 } })).toMatchObject({
      allOfKind: true,
      by: "memory",
    });
    for (const what of [
      "tool",
      "cwd",
      "name",
      "source",
      "digest",
      "sandbox",
      "writable",
      "network",
    ]) {
      expect(await find(store, OTHER_CALLS[what]), what).toBeUndefined();
    }
    expect(await find(store, { ...CALL, secretNames: ["TOKEN"] })).toBeUndefined();
    expect(await find(store, withArguments("\u202efdp.exe"))).toBeUndefined();
    expect(await find(await open(state))).toBeUndefined();
    const recorded = given.ok ? [given.approval] : [];
    expect(await find(await open(state, { recorded }))).toMatchObject({ allOfKind: true });
  });

  it("P-02 covers writes below the folder, and none beside it", async () => {
    const store = await open(temporaryFolder());
    expect((await store.request(write("out/a/b.txt"))).kind).toBe("all writes below out/a/");
    expect((await store.request(write("b.txt"))).kind).toBe("all writes in the working directory");
    await give(store, kind, write("out/b.txt"));
    for (const path of ["out/c.txt", "out/a/d.txt"]) {
      expect(await find(store, write(path)), path).toBeDefined();
    }
    for (const path of [
      "outer/c.txt",
      "c.txt",
      "out",
      "out/../c.txt",
      "/out/c.txt",
      "out\\..\\c",
    ]) {
      expect(await find(store, write(path)), path).toBeUndefined();
    }
    const linked = write("out/link.txt", { writable: ["out/link.txt", "src/real.txt"] });
    expect(await find(store, linked)).toBeUndefined();
    expect(await find(store, write("out/c.txt", { cwd: "/elsewhere" }))).toBeUndefined();
    expect(await find(store, write("out/c.txt", { tool: "delete_file" }))).toBeUndefined();
    const changes = [{ path: "out/c.txt", kind: "deleted" }];
    expect(await find(store, write("out/c.txt", { input: { changes } }))).toBeUndefined();
  });

  it("P-02 is offered for the run only, and where something is offered", async () => {
    const store = await open(temporaryFolder());
    const refused = { code: "approval-scope-not-offered" };
    expect(await give(store, { ...kind, scope: "skill" })).toMatchObject(refused);
    expect(await give(store, { ...kind, scope: "once" })).toMatchObject(refused);
    expect(await give(store, { ...kind, anyArguments: true })).toMatchObject(refused);
    const command = { tool: "run_command", input: { argv: ["ls"] }, cwd: "/work", command: ["ls"] };
    expect((await store.request(command)).kind).toBeUndefined();
    expect(await give(store, kind, command)).toMatchObject(refused);
  });

  it("P-02 reaches beyond one call of a script only after all of its source was handed out", async () => {
    const store = await open(temporaryFolder());
    const text = "x = 1\n".repeat(60);
    const call = { ...CALL, script: { ...CALL.script, text } };
    for (const decision of [kind, yes({ scope: "run", anyArguments: true })]) {
      const request = await store.request(call);
      const refused = await store.record(request, decision);
      expect(refused).toMatchObject({ code: "approval-scope-not-offered" });
      expect(store.source(request)).toBe(text);
      expect(await store.record(request, decision)).toMatchObject({ ok: true });
    }
  });
});

describe("principals", () => {
  const alice = { principal: "tenant-1/alice" };
  const bob = { principal: "tenant-1/bob" };

  it("P-06 a request, an approval and what is stored name the principal", async () => {
    const state = temporaryFolder();
    const store = await open(state, alice);
    expect(store.principal).toBe("tenant-1/alice");
    expect(await store.request(CALL)).toMatchObject(alice);
    const given = await give(store, yes({ scope: "skill" }));
    expect(given).toMatchObject({ approval: { ...alice, subject: alice } });
    expect(readFileSync(entries(state, "approval")[0]!, "utf8")).toContain("tenant-1/alice");
    const local = await open(state);
    expect(local.principal).toBe(`local:${process.getuid?.()}`);
  });

  it("P-06 an approval of one never serves another", async () => {
    const state = temporaryFolder();
    const hers = await open(state, alice);
    const his = await open(state, bob);
    await give(hers, yes({ scope: "skill", anyArguments: true }));
    expect(await find(hers)).toBeDefined();
    expect(await find(his)).toBeUndefined();
    expect(await find(await open(state))).toBeUndefined();
    expect(await his.list()).toEqual([]);
    expect(await hers.list()).toHaveLength(1);
  });

  it("P-06 a decision counts for the principal that was asked", async () => {
    const state = temporaryFolder();
    const hers = await open(state, alice);
    const his = await open(state, bob);
    const request = await hers.request(CALL);
    expect(await his.record(request, yes({ scope: "skill" }))).toMatchObject({
      code: "approval-request-invalid",
    });
    expect(await his.find(request)).toBeUndefined();
    expect(his.source(request)).toBeUndefined();
  });

  it.each(["", "a\nb", "x".repeat(300)])("P-06 %j cannot be a principal", async (principal) => {
    await expect(open(temporaryFolder(), { principal })).rejects.toThrow(TypeError);
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

describe("the user's state", () => {
  it.runIf(process.platform !== "win32")("P-02 only its owner can read it", async () => {
    const state = temporaryFolder();
    await give(await open(state), yes({ scope: "skill" }));
    const files = readdirSync(join(state, "approvals"), { recursive: true, withFileTypes: true });
    expect(entries(state, "approval")).toHaveLength(1);
    expect(files.map(({ name }) => name)).toContain("key");
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
      const [file] = entries(state, "approval");
      damage(file!);
      await expect(find(store)).rejects.toMatchObject({ code: "approval-damaged" });
      await expect(store.list()).rejects.toMatchObject({ code: "approval-damaged" });
    },
  );

  it("P-02 an approval whose file is removed is asked for again, in every process", async () => {
    const state = temporaryFolder();
    const [one, other] = [await open(state), await open(state)];
    await give(one, yes({ scope: "skill" }));
    expect(await find(other)).toBeDefined();
    const [file] = entries(state, "approval");
    rmSync(file!);
    expect(await find(one)).toBeUndefined();
    expect(await find(other)).toBeUndefined();
  });

  it("P-02 an approval under the name of another is an error", async () => {
    const state = temporaryFolder();
    const store = await open(state);
    await give(store, yes({ scope: "skill" }));
    const [first] = entries(state, "approval");
    const call = OTHER_CALLS["digest"]!;
    await give(store, yes({ scope: "skill" }), call);
    const second = entries(state, "approval").find((name) => name !== first);
    copyFileSync(first!, second!);
    await expect(find(store, call)).rejects.toMatchObject({ code: "approval-damaged" });
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
