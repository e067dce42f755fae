import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type ApprovalDecision,
  type ApprovalRequest,
  createRedactor,
  DEFAULT_POLICY,
  type PolicySettings,
} from "@skillwright/runtime";
import { Gate, createSecrets, openApprovals, openAudit } from "@skillwright/runtime/internal";
import { describe, expect, it, onTestFinished } from "vitest";
import { guardMcpTool, mcpPolicy } from "../../packages/mcp/src/index.ts";
import { type Behaviour, hostWorld, type HostWorldOptions } from "./mcp-host-world.ts";

const SCHEMA = { type: "object", properties: { q: { type: "string" } } };
const SEARCH = { name: "search", description: "Searches.", inputSchema: SCHEMA };
const READER = { ...SEARCH, annotations: { readOnlyHint: true } };
const SECRET = "sk-proj-abcdefghijklmnopqrstuvwxyz012345";
const REMEMBERED: ApprovalDecision = { approved: true, scope: "skill", by: "person" };

interface ToolWorldOptions extends HostWorldOptions {
  readonly policy?: Partial<PolicySettings>;
  readonly decision?: ApprovalDecision;
}

/** The tool of a server behind a gate, and what was asked and recorded. */
async function toolWorld(behaviour: Behaviour, options: ToolWorldOptions = {}) {
  const world = hostWorld({ docs: behaviour }, options);
  const { tools } = await world.host.tools();
  const [tool] = tools;
  if (tool === undefined) throw new Error("there is no tool");
  const stateDirectory = join(world.folder, "state");
  const env = { OPENAI_API_KEY: SECRET };
  const redactor = createRedactor({ env });
  const file = join(world.folder, "run/audit.jsonl");
  const audit = openAudit({ file, stateDirectory, redactor });
  onTestFinished(() => audit.close());
  const asked: ApprovalRequest[] = [];
  const { decision = { approved: false, scope: "once", by: "person" } } = options;
  const gate = new Gate({
    settings: mcpPolicy({ ...DEFAULT_POLICY, ...options.policy }, tools),
    places: { workingDirectory: world.folder },
    activeSkills: () => [],
    approvals: await openApprovals({ stateDirectory, runId: "run-1" }),
    approver: {
      ask(request) {
        asked.push(request);
        return Promise.resolve(decision);
      },
    },
    audit,
    secrets: createSecrets({ env }),
  });
  const guarded = guardMcpTool(tool, { gate, cwd: world.folder });
  const calls = () => world.log("docs").filter((line) => line.startsWith("call"));
  return { ...world, guarded, asked, calls, gate, record: () => readFileSync(file, "utf8") };
}

describe("a tool of a server", () => {
  it("P-02 asks, and is not called without a yes", async () => {
    const { guarded, asked, calls } = await toolWorld({ tools: [SEARCH] });
    expect(guarded.name).toBe("mcp__docs__search");
    expect(await guarded.execute({ q: "x" })).toMatchObject({ code: "approval-refused" });
    expect(asked[0]).toMatchObject({
      tool: "mcp__docs__search",
      sandbox: "none",
      skill: { name: "search", source: "mcp:docs", digest: expect.stringMatching(/^sha256:/) },
    });
    expect(calls()).toEqual([]);
  });

  it("P-02 what a server claims about itself lowers no risk unless the user believes it", async () => {
    const claimed = await toolWorld({ tools: [READER] });
    expect(await claimed.guarded.execute({})).toMatchObject({ code: "approval-refused" });
    const settings = { docs: { readOnlyTools: ["search"] } };
    const believed = await toolWorld({ tools: [READER] }, { settings });
    expect(await believed.guarded.execute({ q: "x" })).toMatchObject({ ok: true });
    expect(believed.asked).toEqual([]);
    const unclaimed = await toolWorld({ tools: [SEARCH] }, { settings });
    expect(await unclaimed.guarded.execute({})).toMatchObject({ code: "approval-refused" });
  });

  it.each(["mcp__docs__*", "mcp__docs__search", "mcp__docs"])(
    "P-01 the rule %s can deny it",
    async (rule) => {
      const settings = { docs: { readOnlyTools: true } };
      const policy = { deny: [rule] };
      const { guarded, calls } = await toolWorld({ tools: [READER] }, { settings, policy });
      expect(await guarded.execute({})).toMatchObject({ code: "policy-denied" });
      expect(calls()).toEqual([]);
    },
  );

  it("P-01 a rule can allow it, and only it", async () => {
    const allowed = await toolWorld({ tools: [SEARCH] }, { policy: { allow: ["mcp__docs__*"] } });
    expect(await allowed.guarded.execute({})).toMatchObject({ ok: true });
    const other = await toolWorld({ tools: [SEARCH] }, { policy: { allow: ["mcp__other__*"] } });
    expect(await other.guarded.execute({})).toMatchObject({ ok: false });
  });

  it("P-02 P-03 one that is described differently is not called, and is asked about anew", async () => {
    const decision = REMEMBERED;
    const { guarded, calls, asked, host, gate, folder } = await toolWorld(
      { tools: [SEARCH], mode: "rug-pull" },
      { decision },
    );
    expect(await guarded.execute({ q: "x" })).toMatchObject({ ok: true });
    expect(asked).toHaveLength(1);
    const second = await guarded.execute({ q: "x" });
    expect(second).toMatchObject({ ok: false, code: "tool-changed" });
    expect(asked).toHaveLength(1);
    expect(calls()).toHaveLength(1);
    const [changed] = (await host.tools()).tools;
    if (changed === undefined) throw new Error("there is no tool");
    await guardMcpTool(changed, { gate, cwd: folder }).execute({ q: "x" });
    expect(asked).toHaveLength(2);
    expect(asked[1]?.skill?.digest).not.toBe(asked[0]?.skill?.digest);
  });

  it("P-03 P-05 is on record, without secrets in it or in what it gives", async () => {
    const policy = { allow: ["mcp__docs__search"] };
    const { guarded, record } = await toolWorld({ tools: [SEARCH] }, { policy });
    const result = await guarded.execute({ q: SECRET });
    expect(result).toMatchObject({ ok: true, text: expect.stringContaining("called search") });
    expect(JSON.stringify(result)).not.toContain(SECRET);
    expect(record()).toContain('"tool-call"');
    expect(record()).toContain('"tool-end"');
    expect(record()).not.toContain(SECRET);
  });

  it("H-02 content of an unknown type is named, and the rest is given", async () => {
    const content = [
      { type: "text", text: "seen" },
      { type: "hologram", data: "AAAA" },
    ];
    const policy = { allow: ["mcp__docs__*"] };
    const { guarded } = await toolWorld({ tools: [SEARCH], result: { content } }, { policy });
    expect(await guarded.execute({})).toEqual({
      ok: true,
      text: "seen\n(content of the unknown type hologram: not shown)",
    });
  });

  it("H-02 a crash during a call is a failure, and the next call finds it again", async () => {
    const policy = { allow: ["mcp__docs__*"] };
    const options = { policy, limits: { backOffMs: 1 } };
    const { guarded, calls } = await toolWorld({ tools: [SEARCH], mode: "crash-on-call" }, options);
    expect(await guarded.execute({ q: "1" })).toMatchObject({
      ok: false,
      code: "server-unreachable",
    });
    expect(await guarded.execute({ q: "2" })).toMatchObject({ ok: false });
    expect(calls()).toEqual(['call search {"q":"1"}', 'call search {"q":"2"}']);
  });

  it.each(["no json", "[1]", 7, JSON.stringify({ q: "x".repeat(300_000) })])(
    "H-02 input that is no object is not sent: %#",
    async (input) => {
      const { guarded, calls } = await toolWorld(
        { tools: [SEARCH] },
        { policy: { allow: ["mcp__docs__*"] } },
      );
      expect(await guarded.execute(input)).toMatchObject({ ok: false, code: "input-invalid" });
      expect(calls()).toEqual([]);
    },
  );

  it("X-05 a call that is canceled ends at once", async () => {
    const policy = { allow: ["mcp__docs__*"] };
    const { guarded } = await toolWorld({ tools: [SEARCH], silent: ["tools/call"] }, { policy });
    const controller = new AbortController();
    const result = guarded.execute({}, { signal: controller.signal });
    setTimeout(() => controller.abort(), 100);
    expect(await result).toMatchObject({ ok: false, code: "canceled" });
  });
});
