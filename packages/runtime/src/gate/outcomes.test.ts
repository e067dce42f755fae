import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Failure, openSkills, type SkillTool } from "@skillwright/core";
import { toAiSdkTools } from "@skillwright/core/ai-sdk";
import { runAnthropicToolUse } from "@skillwright/core/anthropic";
import { toLangChainTools } from "@skillwright/core/langchain";
import { runOpenAiChatCall, runOpenAiResponsesCall } from "@skillwright/core/openai";
import {
  type ApprovalRequest,
  type Approver,
  createRedactor,
  DEFAULT_POLICY,
  type PolicySettings,
} from "@skillwright/runtime";
import {
  Gate,
  guardTool,
  createScriptExecutor,
  denyApprover,
  openApprovals,
  openAudit,
} from "@skillwright/runtime/internal";
import { describe, expect, it, onTestFinished } from "vitest";
import { createCodeExecutor } from "../../../../test/support/code-executor.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { skillText } from "../../../../test/support/skill-tree.ts";

const INPUT = { skill_name: "pdf", script_file: "join.py", args: [] };

interface World {
  readonly approver?: Approver;
  readonly settings?: Partial<PolicySettings>;
}

async function world({ approver = denyApprover, settings }: World = {}) {
  const folder = temporaryFolder({
    "skills/pdf/SKILL.md": skillText("pdf"),
    "skills/pdf/scripts/join.py": "raise SystemExit(3)\n",
    "work/.keep": "",
  });
  const cwd = join(folder, "work");
  const stateDirectory = join(folder, "state");
  const redactor = createRedactor({ env: {} });
  const audit = openAudit({ file: join(folder, "audit.jsonl"), stateDirectory, redactor });
  onTestFinished(() => audit.close());
  const approvals = await openApprovals({ stateDirectory, runId: "run-1", principal: "alice" });
  const gate = new Gate({
    settings: { ...DEFAULT_POLICY, ...settings },
    places: { workingDirectory: cwd },
    activeSkills: () => [],
    approvals,
    approver,
    audit,
  });
  const failing = createCodeExecutor({
    "pdf/scripts/join.py": () => ({ stderr: "no such page", exitCode: 3 }),
  });
  const executor = createScriptExecutor({ gate, executor: failing, sandbox: "code", cwd });
  const skills = await openSkills({ roots: [join(folder, "skills")] });
  const tool = skills
    .conversation({ scripts: executor })
    .tools()
    .find(({ name }) => name === "run_skill_script");
  if (tool === undefined) throw new Error("no script tool is offered");
  return { cwd, gate, approvals, tool };
}

/** Each way in which a host calls a tool, and the value that it gets. */
const WAYS: Readonly<Record<string, (tool: SkillTool, signal?: AbortSignal) => Promise<unknown>>> =
  {
    directly: (tool, signal) => tool.execute(INPUT, { ...(signal && { signal }) }),
    "the AI SDK": (tool, signal) => {
      const made = toAiSdkTools([tool], (schema) => schema as unknown)[tool.name];
      return made!.execute(INPUT, { abortSignal: signal });
    },
    "OpenAI chat": async (tool, signal) => {
      const call = { id: "1", function: { name: tool.name, arguments: JSON.stringify(INPUT) } };
      return valueOf((context) => runOpenAiChatCall([tool], call, context), signal);
    },
    "OpenAI responses": async (tool, signal) => {
      const call = { call_id: "1", name: tool.name, arguments: JSON.stringify(INPUT) };
      return valueOf((context) => runOpenAiResponsesCall([tool], call, context), signal);
    },
    Anthropic: async (tool, signal) => {
      const call = { id: "1", name: tool.name, input: INPUT };
      return valueOf((context) => runAnthropicToolUse([tool], call, context), signal);
    },
    LangChain: async (tool, signal) => {
      type Run = (input: unknown, config?: { signal?: AbortSignal }) => Promise<[string, unknown]>;
      let run: Run | undefined;
      toLangChainTools([tool], (made) => {
        run = made;
        return { invoke: async () => undefined };
      });
      return (await run!(INPUT, signal ? { signal } : {}))[1];
    },
  };

type Context = NonNullable<Parameters<typeof runOpenAiChatCall>[2]>;

async function valueOf(call: (context: Context) => Promise<unknown>, signal?: AbortSignal) {
  const values: unknown[] = [];
  await call({ onResult: (_, value) => values.push(value), ...(signal && { signal }) });
  return values[0];
}

const person = (approved: boolean, reason?: string): Approver => ({
  ask: async () => ({ approved, scope: "once", by: "person", ...(reason && { reason }) }),
});

describe.each(Object.entries(WAYS))("an outcome through %s", (_, call) => {
  it("P-06 is needed, with the request that this user signed", async () => {
    const { tool, approvals } = await world();
    const result = (await call(tool)) as Failure & { readonly request: ApprovalRequest };
    expect(result).toMatchObject({
      ok: false,
      code: "approval-needed",
      message: "run_script needs an approval.",
      request: { tool: "run_script", principal: "alice", script: { path: "scripts/join.py" } },
    });
    expect(approvals.verify(result.request)).toBe(true);
    expect(result).not.toHaveProperty("hint");
  });

  it("P-06 is refused, with the reason", async () => {
    const { tool } = await world({ approver: person(false, "use the other file") });
    expect(await call(tool)).toMatchObject({
      ok: false,
      code: "approval-refused",
      message: "a person refused run_script: use the other file",
      request: { principal: "alice" },
    });
  });

  it("P-06 is denied by policy, and nobody is asked", async () => {
    const { tool } = await world({ settings: { deny: ["run_script"] }, approver: person(true) });
    expect(await call(tool)).toMatchObject({
      ok: false,
      code: "policy-denied",
      message: expect.stringContaining("the rule `run_script` denies this") as string,
    });
  });

  it("P-06 is a script that failed, with the receipt", async () => {
    const { tool } = await world({ approver: person(true) });
    expect(await call(tool)).toMatchObject({
      ok: false,
      code: "script-failed",
      message: expect.stringContaining("no such page") as string,
      receipt: { ok: false, exitCode: 3, stderr: "no such page" },
    });
  });

  it("P-06 is aborted, while somebody is asked", async () => {
    const ending = new AbortController();
    const { tool } = await world({
      approver: {
        ask: (_, { signal }) =>
          new Promise((_, reject) => {
            signal?.addEventListener("abort", () => reject(new Error("gone")));
            ending.abort();
          }),
      },
    });
    expect(await call(tool, ending.signal)).toMatchObject({ ok: false, code: "aborted" });
  });

  it("P-06 is the interrupt of the host, as it was thrown", async () => {
    const interrupt = Object.assign(new Error("interrupt"), { value: { kind: "graph" } });
    const { tool } = await world({ approver: { ask: () => Promise.reject(interrupt) } });
    expect(await call(tool).catch((error: unknown) => error)).toBe(interrupt);
  });
});

describe("guardTool, as the documentation shows it", () => {
  const today: SkillTool = {
    name: "today",
    description: "Gives the date of today.",
    inputSchema: { type: "object", properties: {} },
    execute: async () => ({ ok: true, date: new Date().toISOString().slice(0, 10) }),
    toText: (result) => JSON.stringify(result),
  };

  it("P-06 H-02 asks, and calls the tool after a yes", async () => {
    const yes = await world({ approver: person(true) });
    const guarded = guardTool(today, { gate: yes.gate, cwd: yes.cwd });
    expect(await guarded.execute({})).toMatchObject({ ok: true });
    const no = await world();
    expect(await guardTool(today, { gate: no.gate, cwd: no.cwd }).execute({})).toMatchObject({
      code: "approval-needed",
    });
  });

  it("P-01 H-02 a rule or a switch decides otherwise", async () => {
    for (const [settings, code] of [
      [{ allow: ["today"] }, undefined],
      [{ risks: { today: "low" } }, undefined],
      [{ deny: ["today"] }, "policy-denied"],
      [{ switches: { today: false } }, "policy-denied"],
    ] as const) {
      const { gate, cwd } = await world({ settings });
      const result = (await guardTool(today, { gate, cwd }).execute({})) as { code?: string };
      expect(result.code).toBe(code);
    }
  });

  it("P-06 H-02 passes the interrupt of the host on", async () => {
    const interrupt = new Error("interrupt");
    const { gate, cwd } = await world({ approver: { ask: () => Promise.reject(interrupt) } });
    const guarded = guardTool(today, { gate, cwd });
    expect(await guarded.execute({}).catch((error: unknown) => error)).toBe(interrupt);
    expect(existsSync(cwd)).toBe(true);
  });
});
