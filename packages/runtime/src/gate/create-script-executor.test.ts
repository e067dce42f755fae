import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSkills } from "@skillwright/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { approvalText, openApprovals } from "../approvals/index.ts";
import { verifyAudit } from "../audit/index.ts";
import {
  type ApprovalDecision,
  type ApprovalRequest,
  createRedactor,
  DEFAULT_POLICY,
  type ExecutionReceipt,
  type PolicySettings,
} from "../index.ts";
import {
  Gate,
  createSecrets,
  createScriptExecutor,
  denyApprover,
  type ScriptExecution,
  openAudit,
} from "../internal/index.ts";

const APPROVED: ApprovalDecision = { approved: true, scope: "once", by: "person" };

interface WorldOptions {
  readonly tools?: string;
  readonly settings?: Partial<PolicySettings>;
  readonly decide?: (request: ApprovalRequest) => ApprovalDecision;
  /** The environment whose secrets are known. */
  readonly env?: Readonly<Record<string, string>>;
  /** What the script writes, in parts. */
  readonly parts?: readonly (readonly [text: string, stream: "stdout" | "stderr"])[];
  readonly exitCode?: number;
  readonly onRun?: (request: ScriptExecution) => void;
  readonly receipt?: Partial<ExecutionReceipt>;
}

async function world(options: WorldOptions = {}) {
  const { tools = "", settings = {}, decide, env = {}, parts = [["joined\n", "stdout"]] } = options;
  const { onRun = () => {} } = options;
  const folder = temporaryFolder({
    "skills/pdf/SKILL.md": skillText("pdf", undefined, tools),
    "skills/pdf/scripts/join.py": "print('joined')\n",
    "work/.keep": "",
  });
  const stateDirectory = join(folder, "state");
  const redactor = createRedactor({ env });
  const audit = openAudit({ file: join(folder, "run/audit.jsonl"), stateDirectory, redactor });
  onTestFinished(() => audit.close());
  const asked: ApprovalRequest[] = [];
  const ran: ScriptExecution[] = [];
  const output: (readonly [text: string, stream: string])[] = [];
  const gate = new Gate({
    settings: { ...DEFAULT_POLICY, ...settings },
    places: { workingDirectory: join(folder, "work") },
    activeSkills: () => [],
    approvals: await openApprovals({ stateDirectory, runId: "run-1" }),
    approver:
      decide === undefined
        ? denyApprover
        : {
            ask(request) {
              asked.push(request);
              return Promise.resolve(decide(request));
            },
          },
    audit,
    secrets: createSecrets({ env }),
  });
  const executor = createScriptExecutor({
    gate,
    sandbox: "bubblewrap",
    cwd: join(folder, "work"),
    executor: {
      probe: () => Promise.resolve({ ok: true as const }),
      run(request, context) {
        if ("argv" in request) throw new Error("only scripts are run here");
        ran.push(request);
        onRun(request);
        for (const [text, stream] of parts) context?.onOutput?.(text, stream);
        const of = (name: string) =>
          parts.map(([text, stream]) => (stream === name ? text : "")).join("");
        const written = { stdout: of("stdout"), stderr: of("stderr") };
        const more = options.receipt;
        return Promise.resolve({ ...receipt(request, options.exitCode), ...written, ...more });
      },
    },
    onOutput: (text, stream) => output.push([text, stream]),
    spillDirectory: join(folder, "run/output"),
  });
  const skills = await openSkills({ roots: [join(folder, "skills")] });
  const tool = skills
    .conversation({ scripts: executor })
    .tools({ preset: "scripts" })
    .find(({ name }) => name === "run_skill_script");
  const run = async (more: { readonly args?: readonly string[] } = {}) => {
    if (tool === undefined) throw new Error("no script tool is offered");
    const input = { skill_name: "pdf", script_file: "join.py", args: ["a b"], ...more };
    return tool.toText(await tool.execute(input));
  };
  const records = () =>
    readFileSync(audit.file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { event: string; data: Record<string, unknown> });
  const events = () => records().map(({ event }) => event);
  return { folder, stateDirectory, audit, asked, ran, output, run, events, records, executor };
}

function receipt({ skill: { digest = "" } }: ScriptExecution, exitCode = 0): ExecutionReceipt {
  return {
    ok: exitCode === 0,
    exitCode,
    signal: null,
    timedOut: false,
    canceled: false,
    truncated: false,
    stdout: "joined\n",
    stderr: "",
    durationMs: 1,
    sandbox: "code",
    digest,
    command: [],
    unenforced: [],
  };
}

describe("a script behind the gate", () => {
  it("X-01 P-02 does not run by itself: it asks, and says so when nobody answers", async () => {
    const { run, ran, events } = await world();
    expect(await run()).toContain("run_script needs an approval");
    expect(ran).toEqual([]);
    expect(events()).toEqual(["approval-request", "approval-decision"]);
  });

  it("X-03 takes every file that may be a script, by its ending or its first line", async () => {
    const { executor } = await world();
    const runnable = ["a.py", "a.mts", "bare", "note.md", ".hidden", "data.json"].filter((name) =>
      executor.canRun(`scripts/${name}`),
    );
    expect(runnable).toEqual(["a.py", "a.mts", "bare"]);
  });

  it("X-02 P-03 runs what was approved, by digest, and records it before and after", async () => {
    const { run, ran, asked, events, audit, stateDirectory } = await world({
      decide: () => APPROVED,
    });
    expect(await run()).toContain("joined");
    expect(asked[0]).toMatchObject({ tool: "run_script", script: { path: "scripts/join.py" } });
    expect(asked[0]?.preview.firstLines).toContain("print('joined')");
    expect(ran[0]?.skill.digest).toBe(asked[0]?.skill?.digest);
    expect(ran[0]?.args).toEqual(["a b"]);
    expect(events()).toEqual([
      "approval-request",
      "approval-decision",
      "script-start",
      "script-end",
    ]);
    audit.close();
    expect(await verifyAudit(audit.file, { stateDirectory })).toMatchObject({ ok: true });
  });

  it("P-02 a refusal is no run", async () => {
    const { run, ran } = await world({ decide: () => ({ ...APPROVED, approved: false }) });
    expect(await run()).toContain("not approved");
    expect(ran).toEqual([]);
  });

  it("P-01 a skill that does not declare it cannot run it, and nobody is asked", async () => {
    const { run, ran, asked, events } = await world({
      tools: "allowed-tools: Read\n",
      decide: () => APPROVED,
    });
    expect(await run()).toContain("not allowed");
    expect([ran, asked]).toEqual([[], []]);
    expect(events()).toEqual(["policy-deny"]);
  });

  it("P-01 what policy denies is denied, whatever the skill declares", async () => {
    const { run, ran } = await world({
      tools: "allowed-tools: Bash\n",
      settings: { deny: ["run_script"] },
      decide: () => APPROVED,
    });
    expect(await run()).toContain("not allowed");
    expect(ran).toEqual([]);
  });

  it("P-02 an approval for a skill dies with its content", async () => {
    const { folder, run, ran, asked } = await world({
      decide: () => ({ approved: true, scope: "skill", by: "person" }),
    });
    await run();
    await run();
    expect([asked.length, ran.length]).toEqual([1, 2]);
    writeFileSync(join(folder, "skills/pdf/scripts/join.py"), "print('other')\n");
    await run();
    expect([asked.length, ran.length]).toEqual([2, 3]);
    expect(asked[1]?.preview.firstLines).toBe("print('other')");
  });

  it("X-02 P-02 runs the copy that was shown, also when the skill changes meanwhile", async () => {
    const copies: string[] = [];
    const { folder, run, ran, asked } = await world({
      decide() {
        writeFileSync(join(folder, "skills/pdf/scripts/join.py"), "print('evil')\n");
        return APPROVED;
      },
      onRun({ skill: { snapshot } }) {
        copies.push(readFileSync(join(snapshot?.directory ?? "", "scripts/join.py"), "utf8"));
      },
    });
    await run();
    expect(copies).toEqual(["print('joined')\n"]);
    expect(ran[0]?.skill.snapshot?.digest).toBe(asked[0]?.skill?.digest);
    const { directory = "/" } = ran[0]?.skill.snapshot ?? {};
    await expect.poll(() => existsSync(directory), { message: "the copy is gone" }).toBe(false);
  });
});

describe("secrets in what a script writes", () => {
  const SECRET = "correct-horse-battery";
  const TOKEN = `ghp_${"a1B2".repeat(9)}`;
  const env = { DEPLOY_TOKEN: SECRET };
  const decide = () => APPROVED;
  const half = SECRET.length / 2;

  it("D-11 P-04 a secret in two parts reaches neither the model, nor who follows, nor the record", async () => {
    const parts = [
      [`key ${SECRET.slice(0, half)}`, "stdout"],
      ["a warning\n", "stderr"],
      [`${SECRET.slice(half)} and ${TOKEN.slice(0, 10)}`, "stdout"],
      [TOKEN.slice(10), "stdout"],
    ] as const;
    const { run, output, audit } = await world({ decide, env, parts });
    // What only looks like a secret is exact for the model, and redacted for all others.
    expect(await run()).toContain(`key ⟦secret:DEPLOY_TOKEN⟧ and ${TOKEN}`);
    expect(output).toEqual([
      ["a warning\n", "stderr"],
      ["key [redacted] and [redacted]", "stdout"],
    ]);
    const record = readFileSync(audit.file, "utf8");
    for (const part of [SECRET, TOKEN]) expect(record).not.toContain(part);
  });

  it("P-04 nor does the error of a script that fails", async () => {
    const parts = [[`cannot log in with ${SECRET}\n`, "stderr"]] as const;
    const { run, output } = await world({ decide, env, parts, exitCode: 1 });
    const text = await run();
    expect(text).toContain("cannot log in with ⟦secret:DEPLOY_TOKEN⟧");
    expect(JSON.stringify([text, output])).not.toContain(SECRET);
  });

  it("D-11 P-04 a secret that was read is put back into arguments, by name only on record", async () => {
    const parts = [[`${SECRET}\n`, "stdout"]] as const;
    const { run, ran, asked, records, audit } = await world({ decide, env, parts });
    const args = ["--token=⟦secret:DEPLOY_TOKEN⟧", "⟦secret:OTHER⟧"];
    expect(await run({ args }), "it was not read yet").toContain("was not read in this run");
    expect(ran).toEqual([]);
    await run({ args: [] });
    await run({ args });
    expect(ran[1]?.args).toEqual([`--token=${SECRET}`, "⟦secret:OTHER⟧"]);
    expect(asked.map(({ secretNames }) => secretNames)).toEqual([undefined, ["DEPLOY_TOKEN"]]);
    const shown = approvalText(asked[1]!);
    expect(shown).toContain("puts in the secrets DEPLOY_TOKEN");
    expect(shown).not.toContain(SECRET);
    const starts = records().filter(({ event }) => event === "script-start");
    expect(starts[1]?.data["args"]).toEqual(args);
    expect(readFileSync(audit.file, "utf8")).not.toContain(SECRET);
  });

  it("P-04 what is no secret arrives as it was written, line by line", async () => {
    const parts = [
      ["one\ntwo", "stdout"],
      ["\nthree", "stdout"],
    ] as const;
    const { run, output } = await world({ decide, env, parts });
    expect(await run()).toContain("one\ntwo\nthree");
    expect(output.map(([text]) => text)).toEqual(["one\n", "two\n", "three"]);
  });
});

describe("what is kept of a run", () => {
  it("X-05 P-03 the hosts that it reached and those it was refused are on record, within bounds", async () => {
    const refused = Array.from({ length: 500 }, (_, port) => ({
      host: "x".repeat(1000),
      port,
      allowed: false,
    }));
    const reached = { host: "example.com", port: 443, allowed: true };
    const network = [...refused, reached];
    const { run, records } = await world({ decide: () => APPROVED, receipt: { network } });
    await run();
    const { data } = records().at(-1)!;
    const kept = data["network"] as readonly { readonly host: string }[];
    expect(kept[0]).toEqual(reached);
    expect(kept[1]).toEqual({ host: "x".repeat(253), port: 0, allowed: false });
    expect(kept).toHaveLength(200);
    expect(data["networkLeftOut"]).toBe(301);
  });

  it("X-05 P-03 a run without network says nothing about it", async () => {
    const { run, records } = await world({ decide: () => APPROVED });
    await run();
    expect(records().at(-1)?.data).not.toHaveProperty("network");
  });

  it("X-05 P-04 output that was cut is kept whole and without secrets", async () => {
    const secret = "sk-proj-abcdefghijklmnopqrstuvwxyz012345";
    const { run, records, ran, output } = await world({
      decide: () => APPROVED,
      env: { OPENAI_API_KEY: secret },
      parts: [
        [`first ${secret.slice(0, 20)}`, "stdout"],
        [`${secret.slice(20)}\n`, "stdout"],
        ["wrong\n", "stderr"],
        ["last\n", "stdout"],
      ],
      receipt: { truncated: true },
    });
    await run();
    const folder = String(records().at(-1)?.data["output"]);
    const stdout = readFileSync(join(folder, "stdout.txt"), "utf8");
    expect(stdout).toMatch(/^first .*\nlast\n$/);
    expect(stdout).not.toContain(secret.slice(0, 20));
    expect(stdout).not.toContain(secret.slice(20));
    expect(readFileSync(join(folder, "stderr.txt"), "utf8")).toBe("wrong\n");
    expect(output.map(([text]) => text).join("")).toContain("last\n");
    // The executor itself would write it as it comes.
    expect(ran[0]).not.toHaveProperty("spillDirectory");
  });

  it("X-05 output that is whole in the result is not kept", async () => {
    const { folder, run, records } = await world({ decide: () => APPROVED });
    await run();
    expect(records().at(-1)?.data).not.toHaveProperty("output");
    expect(readdirSync(join(folder, "run/output"))).toEqual([]);
  });
});
