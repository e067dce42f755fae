import { randomUUID } from "node:crypto";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import type { ScriptExecutor, Skills, SkillTool } from "@skillwright/core";
import {
  createRedactor,
  createRuntime,
  type Executor,
  Gate,
  openApprovals,
  openAudit,
  policySettings,
  ruleProblems,
} from "@skillwright/runtime";
import type { Console } from "../console.ts";
import type { Session } from "../session.ts";
import { executionOptions, type RuntimeOptions } from "./execution-options.ts";
import { type Unapproved, SessionApprover } from "./session-approver.ts";
import { undoableTool } from "./undoable-tool.ts";
import { workspaceOptions } from "./workspace-options.ts";

export interface SessionRuntime {
  /** Runs scripts, and for the preset `sop` command lines. */
  readonly executor: ScriptExecutor;
  /** The tools of the workspace that configuration offers, behind the gate. */
  readonly workspaceTools: readonly SkillTool[];
  /** What holds scripts and commands: `bubblewrap` or `none`. */
  readonly sandbox: string;
  /** Whether that works here; found out once. */
  readonly probe: () => ReturnType<Executor["probe"]>;
  /** The call that was not approved, because nobody was there or somebody refused. */
  readonly unapproved: () => Unapproved | undefined;
  close(): void;
}

/** What skills and models may do in this command line: under its policy, with its approvals, on record. */
export async function openSessionRuntime(
  session: Session,
  skills: Skills,
  options: RuntimeOptions,
  console: Console,
): Promise<SessionRuntime> {
  const { configuration, stateDirectory, project, home } = session;
  const { values } = configuration;
  const { terminalOnly } = values.approvals;
  const approver = new SessionApprover(options, console, terminalOnly);
  const runId = `${timestamp()}-${randomUUID().slice(0, 8)}`;
  const runDirectory = join(stateDirectory, "calls", runId);
  const workspace = workspaceOptions(session, console, runDirectory);
  const root = realpathSync(workspace.root);
  const execution = executionOptions(session, options, root);
  const settings = policySettings(values);
  for (const problem of ruleProblems(settings)) console.note(`warning: ${problem}`);
  const approvals = await openApprovals({ stateDirectory, runId, terminalOnly });
  const redactor = createRedactor({ env: console.env });
  const audit = openAudit({ file: join(runDirectory, "audit.jsonl"), stateDirectory, redactor });
  const gate = new Gate({
    settings,
    places: { workingDirectory: root, project: realpathSync(project), home },
    activeSkills: () => [],
    approvals,
    approver,
    audit,
  });
  const runtime = createRuntime({
    gate,
    execution,
    workspace: { ...workspace, root },
    skills: () => [...skills.all, ...skills.shadowed],
  });
  return {
    executor: runtime.executor,
    workspaceTools: runtime.tools.map((tool) => undoableTool(tool, { ...workspace, root })),
    sandbox: execution.sandbox,
    probe: () => execution.executor.probe(),
    unapproved: () => approver.unapproved,
    close: () => audit.close(),
  };
}

function timestamp(): string {
  return new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
}
