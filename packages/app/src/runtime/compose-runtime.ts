import { realpathSync } from "node:fs";
import { basename, join } from "node:path";
import type { ScriptExecutor, Skills, SkillTool } from "@skillwright/core";
import {
  type Approver,
  type Audit,
  type Executor,
  type PolicySettings,
  policySettings,
} from "@skillwright/runtime";
import {
  Gate,
  type Approvals,
  createRuntime,
  createSecrets,
  type GateOptions,
  ruleProblems,
  RunChanges,
  type RuntimeEnvironment,
  type Secrets,
} from "@skillwright/runtime/internal";
import type { Session } from "../session/session.ts";
import { executionOptions, type RuntimeOptions } from "./execution-options.ts";
import { undoableTool } from "./undoable-tool.ts";
import { workspaceOptions } from "./workspace-options.ts";
import type { AppHost } from "../host.ts";

/** Whose command line this is, and how it was called. */
export interface RuntimeContext {
  readonly session: Session;
  readonly skills: Skills;
  readonly options: RuntimeOptions;
  readonly host: AppHost;
}

/** One call of a tool, or one run: what is done in it has one record and its own approvals. */
export interface RuntimeScope {
  readonly audit: Audit;
  readonly approvals: Approvals;
  readonly approver: Approver;
  readonly activeSkills: GateOptions["activeSkills"];
  /** In the user's state, where no tool reaches it: what is deleted goes there, and long output. */
  readonly directory: string;
  readonly secrets: Secrets;
  /** Offers `run_command`, unless configuration switches it off. */
  readonly offersCommands?: boolean;
}

export interface ComposedRuntime {
  /** Runs scripts, and for the preset `sop` command lines. */
  readonly executor: ScriptExecutor;
  /** The tools of the workspace that configuration offers, behind the gate. */
  readonly workspaceTools: readonly SkillTool[];
  readonly environment: RuntimeEnvironment;
  /** What holds scripts and commands: `bubblewrap` or `none`. */
  readonly sandbox: string;
  /** Whether that works here; found out once. */
  readonly probe: () => ReturnType<Executor["probe"]>;
  readonly heldChanges: () => number;
  /** Ends the processes that hold the working directory's view. */
  readonly close: () => Promise<void>;
}

/** What skills and models may do in this command line: under its policy, with its approvals, on record. */
export function composeRuntime(
  { session, skills, options, host }: RuntimeContext,
  scope: RuntimeScope,
): ComposedRuntime {
  const { audit, approvals, approver, activeSkills, directory } = scope;
  const { project, home } = session;
  const given = workspaceOptions(session, host, directory);
  const root = realpathSync(given.root);
  const enableRunCommand = offersCommands(session, scope);
  const workspace = { ...given, enableRunCommand, root, trash: join(directory, "trash") };
  const spillDirectory = join(directory, "output");
  const isFresh = session.configuration.values.execution.freshDirectory;
  const command = `skillwright runs changes ${basename(directory)}`;
  const changes = isFresh ? undefined : new RunChanges({ root, folder: directory, command });
  const execution = {
    ...executionOptions(session, options, root),
    spillDirectory,
    ...(changes && { changes }),
  };
  const gate = new Gate({
    settings: scopeSettings(session, scope),
    places: { workingDirectory: root, project: realpathSync(project), home },
    activeSkills,
    approvals,
    approver,
    audit,
    secrets: scope.secrets,
  });
  const all = () => [...skills.all, ...skills.shadowed];
  const runtime = createRuntime({ gate, execution, workspace, skills: all });
  const { executor, tools, environment, heldChanges, close } = runtime;
  return {
    executor,
    environment,
    heldChanges,
    close,
    workspaceTools: tools.map((tool) => undoableTool(tool, workspace)),
    sandbox: execution.sandbox,
    probe: () => execution.executor.probe(),
  };
}

/** What is configured; with `run_command` switched on where this scope offers it. */
function scopeSettings(session: Session, scope: RuntimeScope): PolicySettings {
  const { values } = session.configuration;
  const workspace = { ...values.workspace, enableRunCommand: offersCommands(session, scope) };
  return policySettings({ ...values, workspace });
}

function offersCommands(
  { configuration: { values, origin } }: Session,
  { offersCommands: isOffered = false }: RuntimeScope,
): boolean {
  const isDefault = origin("workspace.enableRunCommand").layer === "default";
  return values.workspace.enableRunCommand || (isOffered && isDefault);
}

/** The secrets in the environment. A run knows those that it read before it was resumed, and more. */
export function openSecrets(
  { env }: Pick<AppHost, "env">,
  audit: Audit,
  read: () => readonly string[] = () => [],
): Secrets {
  const onRead = (name: string) => audit.append({ event: "secret-read", data: { name } });
  return createSecrets({ env, read, onRead });
}

/** Rules of the configuration that mean nothing are said once. */
export function noteRuleProblems({ configuration }: Session, host: AppHost): void {
  const problems = ruleProblems(policySettings(configuration.values));
  for (const problem of problems) host.note(`warning: ${problem}`);
}
