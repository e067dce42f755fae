import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { SOURCES } from "../../scripts/packages.mjs";

const source = (path: string) => fileURLToPath(new URL(`../../packages/${path}`, import.meta.url));

const ENTRY = `import { join } from "node:path";
  import { openSkills } from "@skillwright/core";
  import { createRedactor, policySettings } from ${JSON.stringify(source("runtime/src/index.ts"))};
  import { createBubblewrapExecutor, createScriptExecutor, denyApprover, Gate, openApprovals,
    openAudit } from ${JSON.stringify(source("runtime/src/internal/index.ts"))};
  import { DEFAULT_POLICY } from ${JSON.stringify(source("runtime/src/policy/policy-settings.ts"))};
  const { folder, script, times, timeoutMs } = JSON.parse(process.argv[2]);
  const cwd = join(folder, "work");
  const stateDirectory = join(folder, "state");
  const settings = { ...DEFAULT_POLICY, ask: [], decisions: { low: "allow", medium: "allow", high: "ask" } };
  const codes = [];
  try {
    const redactor = createRedactor({ env: process.env });
    const audit = openAudit({ file: join(folder, "record/audit.jsonl"), stateDirectory, redactor });
    const approvals = await openApprovals({ stateDirectory, runId: "run-1" });
    const gate = new Gate({ settings, places: { workingDirectory: cwd }, activeSkills: () => [],
      approvals, approver: denyApprover, audit });
    const executor = createScriptExecutor({ gate, executor: createBubblewrapExecutor(), cwd,
      sandbox: "bubblewrap", writable: ["."], limits: { timeoutMs } });
    const skill = (await openSkills({ roots: [join(folder, "skills")] })).get("pdf");
    for (let i = 0; i < times; i++) {
      const { ok, text } = await executor.run({ skill, script, args: [String(i)] }, {});
      codes.push(ok ? "done" : text);
    }
  } catch (error) {
    codes.push(error.code ?? String(error));
  }
  console.log(JSON.stringify(codes));`;

/** Everything between a model's call and a script as one file that a process of any user can start. */
export async function bundleGatedHost(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "skillwright-gated-"));
  writeFileSync(join(folder, "entry.mjs"), ENTRY);
  const bundle = await rolldown({
    input: join(folder, "entry.mjs"),
    platform: "node",
    logLevel: "silent",
    resolve: { alias: SOURCES },
    external: ["sucrase"],
  });
  await bundle.write({ dir: join(folder, "dist"), format: "esm", entryFileNames: "host.mjs" });
  await bundle.close();
  chmodSync(folder, 0o755);
  return join(folder, "dist/host.mjs");
}

export interface GatedCall {
  readonly folder: string;
  readonly script: string;
  /** How often, one after the other, until a call throws. */
  readonly times?: number;
  readonly timeoutMs?: number;
}

/** Starts a process that runs a script of the skill `pdf`; it prints what each call came to. */
export function startGatedHost(bundle: string, call: GatedCall, wrapper: readonly string[] = []) {
  const input = JSON.stringify({ times: 1, timeoutMs: 60_000, ...call });
  const [program, ...args] = [...wrapper, process.execPath, bundle, input];
  const child = spawn(program, args, {
    cwd: "/",
    env: { PATH: "/usr/bin:/bin:/usr/sbin:/sbin" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  const codes = new Promise<readonly string[]>((resolve) => {
    child.once("close", () => resolve(stdout === "" ? [] : (JSON.parse(stdout) as string[])));
  });
  return { child, codes };
}
