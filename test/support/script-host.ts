import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openSkills, type ToolContext } from "@skillwright/core";
import {
  type ApprovalDecision,
  type ApprovalRequest,
  type Approver,
  createRedactor,
  DEFAULT_POLICY,
  type PolicySettings,
} from "@skillwright/runtime";
import {
  Gate,
  chooseExecutor,
  createRuntime,
  createSecrets,
  openApprovals,
  openAudit,
  resumeApproval,
  RunChanges,
} from "@skillwright/runtime/internal";
import { onTestFinished } from "vitest";
import { skillText } from "./skill-tree.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Counts its runs where the view does not reach, and runs its argument. */
export const SCRIPT = 'echo x >> "$SKILLWRIGHT_OUTPUT/count"; eval "$1"';
export const CHANGE = "echo two >> a.txt; echo fixed > fixed.txt; echo done";

export function newFolder(): string {
  return temporaryFolder({
    "work/a.txt": "one\n",
    "skills/w/SKILL.md": skillText("w"),
    "skills/w/scripts/do.sh": SCRIPT,
  });
}

export interface Outcome {
  readonly ok: boolean;
  readonly code?: string;
  readonly message?: string;
  readonly hint?: string;
  readonly text?: string;
  readonly request?: ApprovalRequest;
  readonly receipt?: { readonly stdout: string };
}

interface HostOptions {
  readonly principal?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly settings?: Partial<PolicySettings>;
}

let opened = 0;

/** A host with durable approvals: each one opened in a folder is as another process. */
export async function host(folder: string, approver: Approver, options: HostOptions = {}) {
  const { principal = "alice", env = {}, settings } = options;
  const root = join(folder, "work");
  const run = join(folder, "run");
  const stateDirectory = join(folder, "state");
  const redactor = createRedactor({ env: {} });
  const file = join(folder, `audit-${opened++}.jsonl`);
  const audit = openAudit({ file, stateDirectory, redactor });
  const approvals = await openApprovals({ stateDirectory, runId: "run-1", principal });
  const gate = new Gate({
    settings: { ...DEFAULT_POLICY, switches: { run_command: true }, ...settings },
    places: { workingDirectory: root },
    activeSkills: () => [],
    approvals,
    approver,
    audit,
    secrets: createSecrets({ env }),
  });
  const executor = await chooseExecutor({ sandbox: "bubblewrap" });
  if ("ok" in executor) throw new Error(executor.message);
  const changes = new RunChanges({ root, folder: run });
  const roots = [join(folder, "skills")];
  const runtime = createRuntime({
    gate,
    execution: { executor, sandbox: "bubblewrap", cwd: root, changes },
    workspace: { root, trash: join(folder, "trash"), enableRunCommand: true },
    skills: () => [],
  });
  const skills = await openSkills({ roots });
  const close = async () => {
    await changes.close();
    audit.close();
  };
  onTestFinished(close);
  const tools = [...skills.conversation({ scripts: runtime.executor }).tools(), ...runtime.tools];
  const call = async (name: string, input: object, context?: ToolContext) =>
    (await tools.find((one) => one.name === name)?.execute(input, context)) as Outcome;
  const script = (text: string, context?: ToolContext) =>
    call("run_skill_script", { skill_name: "w", script_file: "do.sh", args: [text] }, context);
  const command = (text: string) => call("run_command", { argv: ["bash", "-c", text] });
  const resume = async ({ request }: Outcome): Promise<Pick<Outcome, "ok" | "code">> =>
    resumeApproval(request, request?.id ?? "", { approvals });
  const count = () => readFileSync(join(run, "files/count"), "utf8").trim().split("\n").length;
  const text = (path: string) => readFileSync(join(root, path), "utf8");
  const openCalls = () => {
    const place = join(run, "changes/open");
    return existsSync(place) ? readdirSync(place).map((name) => join(place, name)) : [];
  };
  return { root, changes, script, command, resume, count, text, openCalls, close };
}

export const YES: ApprovalDecision = { approved: true, scope: "once", by: "host" };
export const NO: ApprovalDecision = { ...YES, approved: false };
export const PENDING: Approver = { ask: async () => ({ ...NO, pending: true }) };
export const ONLY_SCRIPTS: Approver = {
  ask: async ({ tool }) => (tool === "run_script" ? YES : { ...NO, pending: true }),
};
