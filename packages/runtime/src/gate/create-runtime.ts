import type { ScriptExecutor, SkillRecord, SkillTool } from "@skillwright/core";
import { createWorkspaceTools } from "../workspace/create-workspace-tools.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { WorkspaceOptions } from "../workspace/workspace.ts";
import { commandLineRunner, createCommandRunner } from "./create-command-runner.ts";
import { createScriptExecutor, type ScriptExecutorOptions } from "./create-script-executor.ts";
import { describeEnvironment, type RuntimeEnvironment } from "./environment.ts";
import type { Gate } from "./gate.ts";
import { guardWorkspace } from "./guard-tools.ts";

export interface RuntimeOptions {
  /** Every act passes here. */
  readonly gate: Gate;
  /** How scripts and commands run. */
  readonly execution: Omit<ScriptExecutorOptions, "gate">;
  /** Which tools of the workspace are offered, and their limits. */
  readonly workspace: WorkspaceOptions;
  /** Skills whose scripts are run only as such, never as plain commands. */
  readonly skills: () => readonly SkillRecord[];
}

/** What an agent acts with. A host may make its own. */
export interface Runtime {
  /** Runs scripts, and for the preset `sop` command lines. */
  readonly executor: ScriptExecutor;
  /** The tools of the workspace that are offered. */
  readonly tools: readonly SkillTool[];
  /**
   * The secrets of the run. What the tools and the executor give has passed `hide`; whatever else is
   * shown to the model has to pass it once, and only once.
   */
  readonly secrets?: Secrets;
  /** What scripts and commands find here, to tell a model. */
  readonly environment?: RuntimeEnvironment;
  /** How many changes of scripts wait for a person. */
  readonly heldChanges?: () => number;
  /** Ends the processes that it keeps between scripts. Called when the run ends. */
  readonly close?: () => Promise<void>;
}

/** What skills and models may do, all of it behind one gate. */
export function createRuntime({
  gate,
  execution,
  workspace,
  skills,
}: RuntimeOptions): Required<Runtime> {
  const scripts = createScriptExecutor({ gate, ...execution });
  const { root } = workspace;
  const commandRunner = createCommandRunner({ gate, ...execution, root, skills });
  const { changes } = execution;
  const guarded = (more: { readonly enableRunCommand?: true } = {}) => {
    const all = { ...workspace, ...more, commandRunner, ...(changes && { changes }) };
    return guardWorkspace(createWorkspaceTools(all), { gate, workspace: all }).tools();
  };
  // Where commands are switched off, policy lets only scripts of skills pass.
  const command = guarded({ enableRunCommand: true }).find(({ name }) => name === "run_command");
  return {
    executor: { ...scripts, ...(command && { runCommand: commandLineRunner(command) }) },
    tools: guarded(),
    secrets: gate.secrets,
    environment: describeEnvironment(execution, root),
    heldChanges: () => changes?.pending().length ?? 0,
    close: async () => changes?.close(),
  };
}
