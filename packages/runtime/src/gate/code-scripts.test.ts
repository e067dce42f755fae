import { openSkills, script } from "@skillwright/core";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import {
  type Approve,
  type ApprovalRequest,
  openScripts,
  type OpenScriptsOptions,
} from "../index.ts";

/** Never called: scripts in code need no process. */
const NO_PROCESS: NonNullable<OpenScriptsOptions["executor"]> = {
  probe: () => Promise.resolve({ ok: true }),
  run: () => Promise.reject(new Error("a process was started")),
};

async function opened(approve: Approve, options: Partial<OpenScriptsOptions> = {}) {
  const calls: unknown[] = [];
  const convert = script({
    name: "convert",
    description: "Converts an amount into another currency.",
    input: z.object({ amount: z.number(), to: z.enum(["EUR", "USD"]) }),
    async run(input, { signal }) {
      calls.push(input);
      if (input.amount === 0) throw new Error("nothing to convert");
      if (input.amount === -1)
        await new Promise((resolve) => signal?.addEventListener("abort", resolve));
      return { amount: input.amount * 2, currency: input.to };
    },
  });
  const folder = temporaryFolder({ "work/a.txt": "a" });
  const scripts = await openScripts({
    cwd: join(folder, "work"),
    stateDirectory: join(folder, "state"),
    audit: join(folder, "audit.jsonl"),
    principal: "ada",
    executor: NO_PROCESS,
    sandbox: "container",
    approve,
    ...options,
  });
  if (!scripts.ok) throw new Error(scripts.message);
  onTestFinished(() => void scripts.close());
  const skills = await openSkills({
    roots: [],
    inline: [
      {
        name: "money",
        description: "Converts money. Use for prices.",
        instructions: "# Money\n",
        scripts: [convert],
      },
    ],
    env: { XDG_CACHE_HOME: join(folder, "cache") },
  });
  const chat = skills.conversation({ scripts });
  const tool = chat.tools().find(({ name }) => name === "run_skill_script");
  const run = (...args: string[]) =>
    tool!.execute({ skill_name: "money", script_file: "convert", args });
  const records = () =>
    readFileSync(join(folder, "audit.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { event: string; data: Record<string, unknown> });
  return { calls, chat, tool, run, records };
}

const yes: Approve = () => true;

describe("scripts that are functions of the host", () => {
  it("D-12 are listed, described and run with checked input", async () => {
    const { calls, chat, tool, run } = await opened(yes);
    expect(tool?.inputSchema.properties["skill_name"]).toMatchObject({ enum: ["money"] });
    expect(await chat.activate("money")).toMatchObject({ files: [{ path: "scripts/convert" }] });
    const read = await chat.readFile("money", "scripts/convert");
    expect(read).toMatchObject({ text: expect.stringContaining('"enum":["EUR","USD"]') as string });
    expect(await run('{"amount": 2, "to": "EUR"}')).toMatchObject({
      ok: true,
      text: '{"amount":4,"currency":"EUR"}',
    });
    expect(await run("--amount", "3", "--to=USD")).toMatchObject({ ok: true });
    expect(calls).toEqual([
      { amount: 2, to: "EUR" },
      { amount: 3, to: "USD" },
    ]);
  });

  it("D-12 T-07 input that does not fit is answered before anyone is asked", async () => {
    const asked: ApprovalRequest[] = [];
    const { calls, run } = await opened((request) => asked.push(request) > 0);
    expect(await run('{"amount": "many", "to": "EUR"}')).toMatchObject({
      ok: false,
      code: "input-invalid",
      hint: expect.stringContaining("one argument") as string,
    });
    expect([asked, calls]).toEqual([[], []]);
  });

  it("P-02 P-06 an approval shows the script, the skill and the arguments, and its no holds", async () => {
    const asked: ApprovalRequest[] = [];
    const { calls, run } = await opened((request) => {
      asked.push(request);
      return false;
    });
    expect(await run('{"amount":2,"to":"EUR"}')).toMatchObject({
      ok: false,
      code: "approval-refused",
    });
    expect(calls).toEqual([]);
    expect(asked).toMatchObject([
      {
        tool: "run_script",
        principal: "ada",
        sandbox: "code",
        skill: { name: "money", digest: expect.stringMatching(/^sha256:/) as string },
        script: { path: "scripts/convert" },
        input: {
          skill_name: "money",
          script_file: "scripts/convert",
          args: ['{"amount":2,"to":"EUR"}'],
        },
        preview: { firstLines: expect.stringContaining("Converts an amount") as string },
      },
    ]);
  });

  it("P-01 policy applies to them as to scripts", async () => {
    const { calls, run } = await opened(yes, { policy: { deny: ["run_script"] } });
    expect(await run('{"amount":2,"to":"EUR"}')).toMatchObject({
      ok: false,
      code: "policy-denied",
    });
    expect(calls).toEqual([]);
  });

  it("P-03 every call is in the record, with a receipt from code", async () => {
    const { run, records } = await opened(yes);
    await run('{"amount":2,"to":"EUR"}');
    expect(await run('{"amount":0,"to":"EUR"}')).toMatchObject({
      ok: false,
      code: "script-failed",
      message: expect.stringContaining("nothing to convert") as string,
      receipt: { ok: false, sandbox: "code", exitCode: 1 },
    });
    const events = records().filter(({ event }) => event.startsWith("script-"));
    expect(events.map(({ event, data }) => [event, data["script"], data["ok"]])).toEqual([
      ["script-start", "scripts/convert", undefined],
      ["script-end", "scripts/convert", true],
      ["script-start", "scripts/convert", undefined],
      ["script-end", "scripts/convert", false],
    ]);
    expect(events[0]?.data).toMatchObject({ skill: "money", sandbox: "code" });
  });

  it("X-05 one that does not end is given up after its time", async () => {
    const { run } = await opened(yes, { limits: { timeoutMs: 50 } });
    expect(await run('{"amount":-1,"to":"EUR"}')).toMatchObject({
      ok: false,
      code: "script-failed",
      receipt: { timedOut: true, sandbox: "code" },
    });
  });

  it("T-06 an executor that cannot call functions is not offered them", async () => {
    const { tool } = await opened(yes);
    expect(tool).toBeDefined();
    const convert = script({ name: "x", input: z.object({}), run: () => "x" });
    const skills = await openSkills({
      roots: [],
      inline: [{ name: "money", description: "Converts.", instructions: "x", scripts: [convert] }],
    });
    const executor = { canRun: () => true, run: async () => ({ ok: true, text: "" }) };
    const names = skills
      .conversation({ scripts: executor })
      .tools()
      .map(({ name }) => name);
    expect(names).not.toContain("run_skill_script");
  });

  it("H-01 names that are no names throw", () => {
    expect(() => script({ name: "../up", input: z.object({}), run: () => "" })).toThrow(
      "not a name",
    );
  });
});
