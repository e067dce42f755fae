import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { ClientApprover } from "@skillwright/mcp";
import {
  type Approver,
  type AuditRecord,
  chainApprovers,
  createRedactor,
  DEFAULT_POLICY,
  type PolicySettings,
  verifyAudit,
} from "@skillwright/runtime";
import {
  Gate,
  createProcessExecutor,
  createScriptExecutor,
  openApprovals,
  openAudit,
} from "@skillwright/runtime/internal";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { post, skillWorld, TOKEN } from "./mcp-server-world.ts";

const REQUEST = { requestInit: { headers: { authorization: `Bearer ${TOKEN}` } } };
const CALL = {
  name: "run_skill_script",
  arguments: { skill_name: "pdf", script_file: "join.mjs", args: ["a", "b"] },
};

type Answer = { action: "accept" | "decline" | "cancel"; content?: Record<string, string> };
const YES: Answer = { action: "accept", content: { decision: "allow once" } };
const NO: Answer = { action: "accept", content: { decision: "deny" } };

interface Clients {
  /** What the person answers; undefined for a client that cannot ask. */
  readonly answer: ((message: string) => Answer) | undefined;
  readonly fetch?: typeof fetch;
}

async function gatedWorld(settings: Partial<PolicySettings> = {}, host?: Approver) {
  const stateDirectory = temporaryFolder();
  const cwd = realpathSync(temporaryFolder());
  const redactor = createRedactor({ env: {} });
  const file = join(stateDirectory, "audit.jsonl");
  const approver = new ClientApprover();
  const audit = approver.recording(openAudit({ file, stateDirectory, redactor }));
  onTestFinished(() => audit.close());
  const gate = new Gate({
    settings: { ...DEFAULT_POLICY, ...settings },
    places: { workingDirectory: cwd, project: cwd, home: cwd },
    activeSkills: () => [],
    approvals: await approver.approvals((principal) =>
      openApprovals({ stateDirectory, runId: "test", ...(principal && { principal }) }),
    ),
    approver: chainApprovers([...(host ? [host] : []), approver]),
    audit,
  });
  const executor = createScriptExecutor({
    gate,
    executor: createProcessExecutor(),
    sandbox: "none",
    cwd,
  });
  const world = await skillWorld({ gate, approver, executor, cwd });
  const records = () =>
    readFileSync(audit.file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as AuditRecord);
  const events = () => records().map(({ event }) => event);
  return { ...world, audit, cwd, events, records, stateDirectory };
}

async function oldClient(url: string, { answer }: Clients) {
  const capabilities = answer === undefined ? {} : { elicitation: {} };
  const client = new OldClient({ name: "old", version: "1" }, { capabilities });
  if (answer !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params.message));
  }
  await client.connect(new OldHttp(new URL(url), REQUEST));
  onTestFinished(() => client.close());
  return client;
}

async function modernClient(url: string, { answer, ...transport }: Clients) {
  const capabilities = answer === undefined ? {} : { elicitation: { form: {} } };
  const client = new Client(
    { name: "new", version: "1" },
    { capabilities, versionNegotiation: { mode: "auto" } },
  );
  if (answer !== undefined) {
    client.setRequestHandler("elicitation/create", ({ params }) => answer(params.message));
  }
  const options = { ...REQUEST, ...transport };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), options));
  onTestFinished(() => client.close());
  return client;
}

describe.each([
  ["1.x", oldClient],
  ["2026-07-28", modernClient],
] as const)("approvals through a client of %s", (_, connect) => {
  it("P-02 H-02 a person is shown what runs, and it runs after a yes", async () => {
    const { http, events } = await gatedWorld();
    const shown: string[] = [];
    const client = await connect(http.url, {
      answer: (message) => {
        shown.push(message);
        return YES;
      },
    });
    const result = await client.callTool(CALL);
    expect(result.structuredContent).toMatchObject({ ok: true });
    expect(JSON.stringify(result)).toContain("joined a b");
    expect(shown).toHaveLength(1);
    expect(shown[0]).toMatch(/scripts\/join\.mjs[^]*Sandbox +NONE[^]*console\.log/);
    expect(events()).toContain("approval-decision");
    await client.callTool(CALL);
    expect(shown).toHaveLength(2);
  });

  it("P-02 H-02 the script is shown as it runs, and only what is said about it hides paths", async () => {
    const { http, root, cwd } = await gatedWorld();
    const script = `console.log("${cwd}/a", "${root}/pdf");`;
    writeFileSync(join(root, "pdf/scripts/join.mjs"), `${script}\n`);
    const shown: string[] = [];
    const client = await connect(http.url, {
      answer: (message) => {
        shown.push(message);
        return NO;
      },
    });
    await client.callTool(CALL);
    expect(shown.join()).toContain(`  | ${script}`);
    expect(shown.join().replaceAll(script, "")).not.toContain(cwd);
  });

  it("X-04 H-02 a failed script gives both its outputs, and is an error once", async () => {
    const { http, root } = await gatedWorld();
    const script =
      "console.log('3 of 4 done'); console.error('a warning'); process.exitCode = 1;\n";
    writeFileSync(join(root, "pdf/scripts/join.mjs"), script);
    const client = await connect(http.url, { answer: () => YES });
    const { content, isError } = await client.callTool(CALL);
    expect(isError).toBe(true);
    const said = JSON.stringify(content);
    expect(said).toContain("Error: scripts/join.mjs ended with exit code 1");
    expect(said).toContain("3 of 4 done");
    expect(said).toContain("a warning");
  });

  it("P-03 H-02 everything on record names the client, and the session where there is one", async () => {
    const { http, records } = await gatedWorld({ deny: ["search_skills"] });
    const clients = [
      await connect(http.url, { answer: () => YES }),
      await connect(http.url, { answer: () => YES }),
    ];
    for (const client of clients) {
      await client.callTool(CALL);
      await client.callTool({ name: "load_skill", arguments: { skill_name: "pdf" } });
      await client.callTool({ name: "search_skills", arguments: { query: "x" } });
      await client.readResource({ uri: "skill://pdf/SKILL.md" });
      await client.getPrompt({ name: "pdf" });
    }
    const all = records().map(({ event, data }) => ({ event, ...(data as object) }));
    const kinds = new Set(all.map(({ event }) => event));
    for (const kind of ["script-start", "script-end", "tool-call", "tool-end", "policy-deny"]) {
      expect(kinds).toContain(kind);
    }
    for (const kind of ["approval-request", "approval-decision", "file-read", "skill-activate"]) {
      expect(kinds).toContain(kind);
    }
    const isModern = connect === modernClient;
    for (const record of all) {
      expect(record).toMatchObject({ client: isModern ? "new 1" : "old 1" });
    }
    const sessions = new Set(all.map((record) => (record as { session?: string }).session));
    expect(sessions.size).toBe(isModern ? 1 : 2);
    expect(sessions.has(undefined)).toBe(isModern);
  });

  it.each<[string, Answer]>([
    ["no", NO],
    ["nothing", { action: "decline" }],
    ["walking away", { action: "cancel" }],
    ["nonsense", { action: "accept", content: { decision: "sure" } }],
  ])("P-02 H-02 %s is a no", async (_name, answer) => {
    const { http, events } = await gatedWorld();
    const client = await connect(http.url, { answer: () => answer });
    const result = await client.callTool(CALL);
    expect(result).toMatchObject({ isError: true });
    expect(events()).not.toContain("script-start");
  });

  it("P-02 H-02 where nobody can be asked, the reason and the way are said", async () => {
    const { http, events } = await gatedWorld();
    const client = await connect(http.url, { answer: undefined });
    const result = await client.callTool(CALL);
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result.content)).toContain("--yes=run_script");
    expect(events()).not.toContain("script-start");
  });

  it("P-02 H-02 an answer counts for what was shown, and a changed script is shown anew", async () => {
    const { http, root } = await gatedWorld();
    const shown: string[] = [];
    const client = await connect(http.url, {
      answer: (message) => {
        shown.push(message);
        if (shown.length === 1) {
          writeFileSync(join(root, "pdf/scripts/join.mjs"), "console.log('another');\n");
        }
        return YES;
      },
    });
    const result = await client.callTool(CALL);
    expect(shown).toHaveLength(2);
    expect(shown[1]).toContain("another");
    expect(JSON.stringify(result)).toContain("another");
  });

  it("P-01 P-03 H-02 reads pass the policy and are on record", async () => {
    const { http, events, audit, stateDirectory } = await gatedWorld({
      deny: ["read_skill_file"],
    });
    const client = await connect(http.url, { answer: undefined });
    await expect(client.readResource({ uri: "skill://pdf/SKILL.md" })).rejects.toThrow(
      /not allowed/,
    );
    const loaded = await client.callTool({ name: "load_skill", arguments: { skill_name: "pdf" } });
    expect(loaded.isError).toBeUndefined();
    expect(events()).toEqual(["policy-deny", "tool-call", "tool-end"]);
    await audit.close();
    expect(await verifyAudit(audit.file, { stateDirectory })).toMatchObject({ ok: true });
  });
});

it("P-02 H-02 an answer cannot be used twice", async () => {
  const { http, events } = await gatedWorld();
  const bodies: string[] = [];
  const client = await modernClient(http.url, {
    answer: () => YES,
    fetch: (input, init) => {
      if (typeof init?.body === "string") bodies.push(init.body);
      return fetch(input, init);
    },
  });
  await client.callTool(CALL);
  const last = bodies.findLast((body) => body.includes("inputResponses")) ?? "";
  expect(last).toContain("allow once");
  const again = await post(http.url, last, {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "run_skill_script",
  });
  expect(await again.text()).toContain("input_required");
  expect(events().filter((event) => event === "script-start")).toHaveLength(1);
});

describe("P-06 two clients of one server", () => {
  /** Approves for the rest of the run, but only for this principal. */
  const hostFor = (principal: string): Approver => ({
    ask: async (request) =>
      request.principal === principal
        ? { approved: true, scope: "run", by: "host" }
        : { approved: false, scope: "once", by: "host", pending: true },
  });

  it.each([
    ["old", oldClient, modernClient],
    ["new", modernClient, oldClient],
  ] as const)(
    "P-06 H-02 what is approved for %s never serves the other",
    async (name, one, two) => {
      const { http, records } = await gatedWorld({}, hostFor(`mcp:${name}`));
      const first = await one(http.url, { answer: undefined });
      const second = await two(http.url, { answer: undefined });
      for (let i = 0; i < 2; i++) {
        expect((await first.callTool(CALL)).isError).toBeUndefined();
        expect(await second.callTool(CALL)).toMatchObject({ isError: true });
      }
      const decisions = records()
        .filter(({ event }) => event === "approval-decision")
        .map(
          ({ data }) => data as { principal: string; decision: { approved: boolean; by: string } },
        )
        .map(({ principal, decision }) => [principal, decision.approved, decision.by]);
      const other = name === "old" ? "mcp:new" : "mcp:old";
      expect(decisions).toEqual([
        [`mcp:${name}`, true, "host"],
        [other, false, "host"],
        [`mcp:${name}`, true, "memory"],
        [other, false, "host"],
      ]);
    },
  );

  it("P-06 H-02 the answer of one client does not answer the question of another", async () => {
    const { http, events, records } = await gatedWorld();
    const replies: string[] = [];
    const client = await modernClient(http.url, {
      answer: () => YES,
      fetch: async (input, init) => {
        const { body } = init ?? {};
        if (typeof body === "string" && body.includes("inputResponses") && replies.length === 0) {
          const stolen = body.replaceAll('"name":"new"', '"name":"thief"');
          const headers = {
            "mcp-protocol-version": "2026-07-28",
            "mcp-method": "tools/call",
            "mcp-name": "run_skill_script",
          };
          replies.push(await (await post(http.url, stolen, headers)).text());
        }
        return fetch(input, init);
      },
    });
    await client.callTool(CALL);
    expect(replies.join()).toContain("input_required");
    expect(events().filter((event) => event === "script-start")).toHaveLength(1);
    expect(JSON.stringify(records())).toContain('"principal":"mcp:thief"');
  });
});
