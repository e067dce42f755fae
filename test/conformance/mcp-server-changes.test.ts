import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { ClientApprover } from "@skillwright/mcp";
import {
  chainApprovers,
  createFlagApprover,
  createRedactor,
  DEFAULT_POLICY,
} from "@skillwright/runtime";
import {
  Gate,
  chooseExecutor,
  createScriptExecutor,
  openApprovals,
  openAudit,
  RunChanges,
} from "@skillwright/runtime/internal";
import { describe, expect, it, onTestFinished } from "vitest";
import { skillText } from "../support/skill-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { skillWorld, TOKEN } from "./mcp-server-world.ts";

const REQUEST = { requestInit: { headers: { authorization: `Bearer ${TOKEN}` } } };
const CALL = {
  name: "run_skill_script",
  arguments: { skill_name: "w", script_file: "do.sh", args: ["x"] },
};
/** Counts its runs where the view does not reach. One file is the same each time, one is not. */
const SCRIPT = `echo x >> "$SKILLWRIGHT_OUTPUT/count"
echo stamp >> out.txt; mkdir -p sub; echo fixed > sub/fixed.txt; echo "written: fixed.txt"`;

async function changingWorld(flag?: "--yes=run_script") {
  const stateDirectory = temporaryFolder();
  const cwd = realpathSync(temporaryFolder());
  const approver = new ClientApprover();
  const flags = flag === undefined ? [] : [createFlagApprover(["run_script"])];
  const file = join(stateDirectory, "audit.jsonl");
  const redactor = createRedactor({ env: {} });
  const audit = approver.recording(openAudit({ file, stateDirectory, redactor }));
  const gate = new Gate({
    settings: DEFAULT_POLICY,
    places: { workingDirectory: cwd },
    activeSkills: () => [],
    approvals: await openApprovals({ stateDirectory, runId: "test" }),
    approver: chainApprovers([...flags, approver]),
    audit,
  });
  const sandbox = await chooseExecutor({ sandbox: "bubblewrap" });
  if ("ok" in sandbox) throw new Error(sandbox.message);
  const run = join(stateDirectory, "run");
  const changes = new RunChanges({ root: cwd, folder: run, command: "show-changes" });
  onTestFinished(async () => {
    await changes.close();
    await audit.close();
  });
  const bounds = { sandbox: "bubblewrap", cwd, changes };
  const executor = createScriptExecutor({ gate, executor: sandbox, ...bounds });
  const files = { "w/SKILL.md": skillText("w"), "w/scripts/do.sh": SCRIPT };
  const { http } = await skillWorld({ gate, approver, executor, cwd, files });
  const count = () => readFileSync(join(run, "files/count"), "utf8").trim().split("\n").length;
  const text = (path: string) => {
    const place = join(cwd, path);
    return existsSync(place) ? readFileSync(place, "utf8") : undefined;
  };
  return { url: http.url, changes, count, text };
}

interface Asked {
  readonly message: string;
  readonly requestedSchema: { readonly properties?: Readonly<Record<string, unknown>> };
}

type Answer = (params: Asked) => Record<string, string>;

async function oldClient(url: string, answer?: Answer) {
  const capabilities = answer === undefined ? {} : { elicitation: {} };
  const client = new OldClient({ name: "old", version: "1" }, { capabilities });
  if (answer !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      return { action: "accept", content: answer(params as Asked) };
    });
  }
  await client.connect(new OldHttp(new URL(url), REQUEST));
  onTestFinished(() => client.close());
  return client;
}

async function modernClient(url: string, answer?: Answer) {
  const capabilities = answer === undefined ? {} : { elicitation: { form: {} } };
  const client = new Client(
    { name: "new", version: "1" },
    { capabilities, versionNegotiation: { mode: "auto" } },
  );
  if (answer !== undefined) {
    client.setRequestHandler("elicitation/create", ({ params }) => {
      return { action: "accept", content: answer(params as Asked) };
    });
  }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), REQUEST));
  onTestFinished(() => client.close());
  return client;
}

const ALLOW = { decision: "allow once" };

describe.each([
  ["1.x", oldClient],
  ["2026-07-28", modernClient],
] as const)("changes of scripts through a client of %s", (_, connect) => {
  it("P-02 X-11 H-02 the script runs once, and after a yes its files are there", async () => {
    const { url, count, text, changes } = await changingWorld();
    const asked: Asked[] = [];
    const client = await connect(url, (params) => {
      asked.push(params);
      return ALLOW;
    });
    const result = await client.callTool(CALL);
    expect(result.isError).toBeUndefined();
    expect(JSON.stringify(result.content)).toContain(
      'written: fixed.txt\\n\\nChanged in the working directory:\\n- \\"out.txt\\" created',
    );
    expect(asked.map(({ message }) => message.split("\n")[0])).toEqual([
      "A skill asks to run something:",
      "A script ran and changed files:",
    ]);
    expect(asked[1]?.message).toContain("+stamp");
    expect([count(), text("out.txt"), text("sub/fixed.txt")]).toEqual([1, "stamp\n", "fixed\n"]);
    expect(changes.pending()).toEqual([]);
    // The same call on purpose: a script of its own.
    await client.callTool(CALL);
    expect([asked.length, count(), text("out.txt")]).toEqual([4, 2, "stamp\nstamp\n"]);
  });

  it("P-02 X-11 H-02 after a no it ran once, and nothing is left", async () => {
    const { url, count, text, changes } = await changingWorld();
    let questions = 0;
    const client = await connect(url, () => (questions++ === 0 ? ALLOW : { decision: "deny" }));
    const result = await client.callTool(CALL);
    expect(JSON.stringify(result.content)).toContain(
      "Not kept (write_file was refused by the person at",
    );
    expect([questions, count(), text("out.txt")]).toEqual([2, 1, undefined]);
    expect(changes.pending()).toEqual([]);
  });

  it("P-02 X-11 H-02 a person may keep some of the files", async () => {
    const { url, count, text } = await changingWorld();
    const client = await connect(url, ({ requestedSchema: { properties = {} } }) => {
      return "only" in properties ? { ...ALLOW, only: "sub/\n" } : ALLOW;
    });
    const result = await client.callTool(CALL);
    expect(JSON.stringify(result.content)).toContain("Not kept (the person chose other files):");
    expect([count(), text("out.txt"), text("sub/fixed.txt")]).toEqual([1, undefined, "fixed\n"]);
  });

  it("P-02 X-11 H-02 a name that is not among the files is asked about again", async () => {
    const { url, count, text } = await changingWorld();
    const names = ["../out.txt", "out.txt\nsub/fixed", "out.txt"];
    const messages: string[] = [];
    const client = await connect(url, ({ message, requestedSchema: { properties = {} } }) => {
      if (!("only" in properties)) return ALLOW;
      messages.push(message);
      return { ...ALLOW, only: names.shift() ?? "" };
    });
    await client.callTool(CALL);
    expect(messages[1]).toContain('No change of "../out.txt" is among them.');
    expect(messages[2]).toContain('No change of "sub/fixed" is among them.');
    expect([count(), text("out.txt"), text("sub/fixed.txt")]).toEqual([1, "stamp\n", undefined]);
  });

  it("P-02 X-11 H-02 only the changes are asked about where scripts are approved beforehand", async () => {
    const { url, count, text } = await changingWorld("--yes=run_script");
    const asked: string[] = [];
    const client = await connect(url, ({ message }) => {
      asked.push(message);
      return ALLOW;
    });
    await client.callTool(CALL);
    expect([asked.length, count(), text("out.txt")]).toEqual([1, 1, "stamp\n"]);
  });

  it("P-02 X-11 H-02 a client that cannot ask reads that the changes are held", async () => {
    const { url, count, text, changes } = await changingWorld("--yes=run_script");
    const client = await connect(url);
    for (const runs of [1, 2]) {
      const result = await client.callTool(CALL);
      expect(result.isError).toBeUndefined();
      const said = JSON.stringify(result.content);
      expect(said).toMatch(/Held until a person approves with [^]*show-changes[^]*sub\/fixed.txt/);
      expect([count(), text("out.txt"), text("sub/fixed.txt")]).toEqual([
        runs,
        undefined,
        undefined,
      ]);
    }
    expect(changes.pending().map(({ path }) => path)).toEqual(["out.txt", "sub", "sub/fixed.txt"]);
  });
});
