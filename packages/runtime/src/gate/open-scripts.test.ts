import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openSkills, type SkillTool, SkillwrightError } from "@skillwright/core";
import {
  type ApprovalRequest,
  type Approver,
  type Executor,
  openScripts,
  type OpenScriptsOptions,
  verifyAudit,
} from "@skillwright/runtime";
import { describe, expect, it, onTestFinished } from "vitest";
import { CHANGE, newFolder, type Outcome } from "../../../../test/support/script-host.ts";

const env = { PATH: process.env["PATH"], API_TOKEN: "s3cret-value" };

/** One request of a server: the same folder and id is another process of the same conversation. */
async function open(folder: string, options: Partial<OpenScriptsOptions> = {}) {
  const scripts = await openScripts({
    cwd: join(folder, "work"),
    stateDirectory: join(folder, "state"),
    runId: "chat-1",
    env,
    ...options,
  });
  if (!scripts.ok) throw new Error(scripts.message);
  let isOpen = true;
  const close = async () => {
    if (isOpen) await scripts.close();
    isOpen = false;
  };
  onTestFinished(close);
  const skills = await openSkills({ roots: [join(folder, "skills")] });
  const tools = [...skills.conversation({ scripts }).tools(), ...scripts.tools];
  const call = async (name: string, input: object) =>
    (await tools.find((one) => one.name === name)?.execute(input)) as Outcome;
  const script = (text: string) =>
    call("run_skill_script", { skill_name: "w", script_file: "do.sh", args: [text] });
  return { scripts, tools, call, script, close };
}

const work = (folder: string, name: string) => readFileSync(join(folder, "work", name), "utf8");

describe("openScripts", () => {
  it("P-02 P-06 asks the function, runs the script and records for whom", async () => {
    const folder = newFolder();
    const asked: ApprovalRequest[] = [];
    const { script, close } = await open(folder, {
      principal: "alice",
      approve: (request) => asked.push(request) > 0,
    });
    expect(await script(CHANGE)).toMatchObject({ ok: true });
    expect(work(folder, "fixed.txt")).toBe("fixed\n");
    expect(asked.map(({ tool, principal }) => [tool, principal])).toEqual([
      ["run_script", "alice"],
      ["write_file", "alice"],
    ]);
    await close();
    const [name = ""] = readdirSync(join(folder, "state/calls"));
    const file = join(folder, "state/calls", name, "audit.jsonl");
    expect(await verifyAudit(file, { stateDirectory: join(folder, "state") })).toMatchObject({
      ok: true,
    });
    expect(readFileSync(file, "utf8")).toMatch(/"approval-decision".*"principal":"alice"/);
  });

  it("P-02 a no is a refusal with its reason", async () => {
    const { script } = await open(newFolder(), {
      approve: () => ({ approved: false, by: "person", reason: "not today" }),
    });
    expect(await script("true")).toMatchObject({
      code: "approval-refused",
      message: expect.stringContaining("not today"),
    });
  });

  it("P-02 P-06 without a function the request is resumed, once and by its own principal", async () => {
    const folder = newFolder();
    const alice = await open(folder, { principal: "alice" });
    const { code, request } = await alice.script("echo done");
    expect(code).toBe("approval-needed");
    await alice.close();
    const stored: unknown = JSON.parse(JSON.stringify(request));
    const bob = await open(folder, { principal: "bob" });
    expect(await bob.scripts.resume(stored)).toMatchObject({ code: "approval-of-another" });
    expect(await bob.script("echo done")).toMatchObject({ code: "approval-needed" });
    const again = await open(folder, { principal: "alice" });
    expect(await again.scripts.resume(stored)).toMatchObject({ ok: true });
    expect(await again.script("echo done")).toMatchObject({ ok: true });
    expect(await again.scripts.resume(stored)).toMatchObject({ code: "approval-spent" });
    expect(await again.script("echo done")).toMatchObject({ code: "approval-needed" });
  });

  it("H-02 P-02 what the function throws passes through as it is", async () => {
    class Interrupt extends Error {}
    const { script } = await open(newFolder(), {
      approve: () => {
        throw new Interrupt("ask a person");
      },
    });
    await expect(script("true")).rejects.toBeInstanceOf(Interrupt);
  });

  it("X-11 P-06 held changes are listed, shown, kept and discarded by the host", async () => {
    const folder = newFolder();
    const approve: OpenScriptsOptions["approve"] = ({ tool }) =>
      tool === "run_script" || { approved: false, pending: true };
    const { scripts, script } = await open(folder, { principal: "alice", approve });
    expect(await script(`${CHANGE}; echo s3cret-value > key.txt`)).toMatchObject({
      code: "approval-needed",
      receipt: { stdout: "done\n" },
    });
    const { held } = scripts;
    expect(held.list().map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      "modified a.txt",
      "created fixed.txt",
      "created key.txt",
    ]);
    expect(await held.diff(["a.txt"])).toContain("+two");
    expect(await held.diff()).not.toContain("s3cret-value");
    const bob = await open(folder, { principal: "bob" });
    expect(bob.scripts.held.list()).toEqual([]);
    expect(await held.keep(["a.txt"])).toEqual({ paths: ["a.txt"], conflicts: [] });
    expect(work(folder, "a.txt")).toBe("one\ntwo\n");
    expect(await held.discard()).toEqual({ paths: ["fixed.txt", "key.txt"], conflicts: [] });
    expect(held.list()).toEqual([]);
    expect(readdirSync(join(folder, "work"))).toEqual(["a.txt"]);
  });

  it("X-02 a sandbox that is unknown or does not work is a failure, never less protection", async () => {
    const cwd = newFolder();
    expect(await openScripts({ cwd, sandbox: "gvisor" })).toMatchObject({
      ok: false,
      code: "sandbox-unknown",
      hint: expect.stringContaining("bubblewrap"),
    });
    const broken: Executor = {
      probe: async () => ({ ok: false, code: "sandbox-unusable", message: "no", hint: "yes" }),
      run: async () => expect.unreachable(),
    };
    expect(await openScripts({ cwd, executor: broken })).toMatchObject({
      ok: false,
      code: "sandbox-unusable",
    });
    expect(await openScripts({ cwd: join(cwd, "gone") })).toMatchObject({
      ok: false,
      code: "working-directory-refused",
    });
  });

  it("X-02 runs in a host's executor under the same policy", async () => {
    const ran: string[] = [];
    const executor: Executor = {
      probe: async () => ({ ok: true }),
      run: async (request) => {
        ran.push("script" in request ? request.script : "a command");
        return {
          ok: true,
          exitCode: 0,
          signal: null,
          timedOut: false,
          canceled: false,
          truncated: false,
          stdout: "from afar\n",
          stderr: "",
          durationMs: 1,
          sandbox: "firecracker",
          digest: "",
          command: [],
          unenforced: [],
        };
      },
    };
    const asked: (string | undefined)[] = [];
    const { script, scripts } = await open(newFolder(), {
      executor,
      sandbox: "firecracker",
      approve: ({ sandbox }) => asked.push(sandbox) > 0,
    });
    expect(await script("true")).toMatchObject({ ok: true });
    expect([scripts.sandbox, ...asked, ...ran]).toEqual([
      "firecracker",
      "firecracker",
      "scripts/do.sh",
    ]);
  });

  it("X-10 P-01 offers workspace tools only when asked to, behind the same policy", async () => {
    const folder = newFolder();
    expect((await open(folder)).scripts.tools).toEqual([]);
    const options = { runId: "chat-2", workspace: { enableRunCommand: true } };
    const { scripts, call } = await open(folder, { ...options, policy: { deny: ["Read(a.txt)"] } });
    expect(scripts.tools.map(({ name }) => name)).toContain("run_command");
    expect(await call("read_file", { path: "a.txt" })).toMatchObject({ code: "policy-denied" });
    expect(await call("run_command", { command: "echo hi" })).toMatchObject({
      code: "approval-needed",
    });
  });

  it("P-01 P-06 guards a tool of the host", async () => {
    const tool: SkillTool = {
      name: "send_mail",
      description: "Sends a mail.",
      inputSchema: { type: "object", properties: {} },
      execute: async () => ({ ok: true, sent: true }),
      toText: String,
    };
    const { scripts } = await open(newFolder(), {
      approve: ({ tool: name }) => name !== tool.name,
    });
    expect(await scripts.guard(tool).execute({})).toMatchObject({ code: "approval-refused" });
    expect(await scripts.guard(tool, "read_file").execute({})).toMatchObject({ sent: true });
  });

  it("P-06 an approver of several people has the approvals and names of each", async () => {
    let caller = "alice";
    const folder = newFolder();
    const approver: Approver = {
      ask: async () => ({ approved: true, scope: "run", by: "host" }),
      approvals: async (openFor) => {
        const [alice, bob] = [await openFor("alice"), await openFor("bob")];
        return new Proxy(alice, {
          get: (_, name) => {
            const own = caller === "alice" ? alice : bob;
            const value: unknown = Reflect.get(own, name, own);
            return typeof value === "function" ? (value as () => unknown).bind(own) : value;
          },
        });
      },
      recording: (audit) => ({
        ...audit,
        append: ({ event, data }) => audit.append({ event, data: { ...Object(data), caller } }),
      }),
    };
    const file = join(folder, "own.jsonl");
    const { script, close } = await open(folder, { approve: approver, audit: file });
    await script("true");
    caller = "bob";
    await script("true");
    await close();
    const decisions = readFileSync(file, "utf8").match(/"approval-request".*/g) ?? [];
    expect(decisions.map((line) => /"caller":"(\w+)"/.exec(line)?.[1])).toEqual(["alice", "bob"]);
  });

  it("X-05 a fresh directory leaves nothing and offers no files", async () => {
    const folder = newFolder();
    const { script, scripts } = await open(folder, {
      cwd: "fresh",
      workspace: true,
      approve: () => true,
    });
    expect(await script("ls; echo x > y; cat y")).toMatchObject({ ok: true, text: /x/ });
    expect(scripts.tools).toEqual([]);
    expect(scripts.held.list()).toEqual([]);
    expect(await scripts.held.keep()).toEqual({ paths: [], conflicts: [] });
  });

  it("D-12 wrong options throw with the nearest name", async () => {
    const cwd = newFolder();
    const wrong: [object, RegExp][] = [
      [{ cwd, aprove: () => true }, /there is no "aprove"; did you mean "approve"/],
      [{ cwd, approve: true }, /"approve" must be a function/],
      [{ cwd: new URL("file:///tmp") }, /"cwd" must be a string/],
      [{ cwd, policy: { denny: [] } }, /policy: there is no "denny"; did you mean "deny"/],
      [{ cwd, limits: { timeout: 5 } }, /limits: there is no "timeout"; did you mean "timeoutMs"/],
      [{}, /"cwd" is required/],
      [{ cwd, runId: "../x" }, /"runId" must be an id/],
    ];
    for (const [options, message] of wrong) {
      const error: unknown = await openScripts(options as OpenScriptsOptions).catch(
        (thrown: unknown) => thrown,
      );
      expect(SkillwrightError.isInstance(error)).toBe(true);
      expect(String(error)).toMatch(message);
    }
  });
});
