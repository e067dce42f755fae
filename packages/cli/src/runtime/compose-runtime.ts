import { realpathSync } from "node:fs";
import { join } from "node:path";
import type { ScriptExecutor, Skills, SkillTool } from "@skillwright/core";
import {
  type Approvals,
  type Approver,
  type Audit,
  createRuntime,
  type Executor,
  Gate,
  type GateOptions,
  policySettings,
  ruleProblems,
} from "@skillwright/runtime";
import type { Console } from "../console.ts";
import type { Session } from "../session.ts";
import { executionOptions, type RuntimeOptions } from "./execution-options.ts";
import { undoableTool } from "./undoable-tool.ts";
import { workspaceOptions } from "./workspace-options.ts";

/** Whose command line this is, and how it was called. */
export interface RuntimeContext {
  readonly session: Session;
  readonly skills: Skills;
  readonly options: RuntimeOptions;
  readonly console: Console;
}

/** One call of a tool, or one run: what is done in it has one record and its own approvals. */
export interface RuntimeScope {
  readonly audit: Audit;
  readonly approvals: Approvals;
  readonly approver: Approver;
  readonly activeSkills: GateOptions["activeSkills"];
  /** In the user's state, where no tool reaches it: what is deleted goes there, and long output. */
  readonly directory: string;
}

export interface ComposedRuntime {
  /** Runs scripts, and for the preset `sop` command lines. */
  readonly executor: ScriptExecutor;
  /** The tools of the workspace that configuration offers, behind the gate. */
  readonly workspaceTools: readonly SkillTool[];
  /** What holds scripts and commands: `bubblewrap` or `none`. */
  readonly sandbox: string;
  /** Whether that works here; found out once. */
  readonly probe: () => ReturnType<Executor["probe"]>;
}

/** What skills and models may do in this command line: under its policy, with its approvals, on record. */
export function composeRuntime(
  { session, skills, options, console }: RuntimeContext,
  { audit, approvals, approver, activeSkills, directory }: RuntimeScope,
): ComposedRuntime {
  const { configuration, project, home } = session;
  const given = workspaceOptions(session, console, directory);
  const root = realpathSync(given.root);
  const workspace = { ...given, root, trash: join(directory, "trash") };
  const spillDirectory = join(directory, "output");
  const execution = { ...executionOptions(session, options, root), spillDirectory };
  const settings = policySettings(configuration.values);
  const gate = new Gate({
    settings,
    places: { workingDirectory: root, project: realpathSync(project), home },
    activeSkills,
    approvals,
    approver,
    audit,
  });
  const all = () => [...skills.all, ...skills.shadowed];
  const { executor, tools } = createRuntime({ gate, execution, workspace, skills: all });
  return {
    executor,
    workspaceTools: tools.map((tool) => undoableTool(tool, workspace)),
    sandbox: execution.sandbox,
    probe: () => execution.executor.probe(),
  };
}

/** Rules of the configuration that mean nothing are said once. */
export function noteRuleProblems({ configuration }: Session, console: Console): void {
  const problems = ruleProblems(policySettings(configuration.values));
  for (const problem of problems) console.note(`warning: ${problem}`);
}
