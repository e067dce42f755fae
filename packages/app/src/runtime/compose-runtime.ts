import type { ScriptExecutor, Skills, SkillTool } from "@skillwright/core";
import { leadsOut } from "@skillwright/core/internal";
import {
  type Approver,
  type Audit,
  createExecutor,
  type Executor,
  policySettings,
  type PolicySettings,
} from "@skillwright/runtime";
import {
  type Approvals,
  type ApprovalStore,
  createRuntime,
  createSecrets,
  Gate,
  type GateOptions,
  ruleProblems,
  RunChanges,
  type RuntimeEnvironment,
  type ScriptExecutorOptions,
  type Secrets,
  type WorkspaceOptions,
} from "@skillwright/runtime/internal";
import { realpathSync } from "node:fs";
import { basename, isAbsolute, join, relative, resolve } from "node:path";
import { AppFailure } from "../failure.ts";
import type { AppHost } from "../host.ts";
import { withEnvironments } from "@skillwright/runtime/environments";
import { environmentStore } from "../environments.ts";
import { limitFlag, type Session } from "../session/session.ts";

export interface RuntimeOptions {
  /** Each `--yes=run_script,…`; true for a bare `--yes`, which is an error. */
  readonly yes?: readonly string[] | true;
  readonly sandbox?: string;
  /** Folders in which changes of scripts are kept without asking; from the working directory on. */
  readonly writable?: readonly string[];
  /** Receives the output of scripts and commands as it comes, without secrets. Must not throw. */
  readonly onOutput?: ScriptExecutorOptions["onOutput"];
  /** For many runs of one command line: they share its limit of what runs at once. */
  readonly shared?: OpenedExecutor;
  /** Default: a store of its own for each run, in the state directory. */
  readonly approvals?: ApprovalStore;
}

/** What runs scripts and commands, and what holds them. */
export type OpenedExecutor = Pick<ScriptExecutorOptions, "executor" | "python" | "sandbox">;

/** How scripts and commands run; whether the sandbox works here is found out when the first one does. */
export function executionOptions(
  session: Session,
  options: RuntimeOptions,
  root: string,
): Omit<ScriptExecutorOptions, "gate"> {
  const { execution, workspace } = session.configuration.values;
  const { domains, memoryBytes, cpuSeconds, processes, networkBytes } = execution;
  return {
    ...(options.shared ?? openExecutor(session, options)),
    cwd: execution.freshDirectory ? "fresh" : root,
    limits: {
      timeoutMs: workspace.commandTimeoutSeconds * 1000,
      outputBytes: workspace.maxOutputSizeBytes,
      memoryBytes,
      cpuSeconds,
      processes,
      networkBytes,
    },
    network: domains.length === 0 ? "none" : { domains },
    ...(options.onOutput && { onOutput: options.onOutput }),
    // A fresh directory is all the script's own.
    writable: execution.freshDirectory ? [] : writableFolders(session, options, root),
  };
}

/** Scripts see only the working directory, so that a folder outside of it cannot be writable. */
function writableFolders(
  session: Session,
  { writable = [] }: RuntimeOptions,
  root: string,
): readonly string[] {
  const { configuration } = session;
  for (const folder of writable) {
    const path = relative(root, resolve(root, folder));
    limitFlag(session, `--writable ${folder}`, "execution.writable", [path]);
  }
  const outside = writable.find((folder) => leadsOut(root, folder));
  if (outside !== undefined) {
    const message = `--writable ${outside} is outside of the working directory`;
    const hint = `scripts see only ${root}; choose another with --cwd`;
    throw new AppFailure("usage", message, { hint });
  }
  // The user's configuration serves many projects: folders of the others do not count here.
  const configured = configuration.values.execution.writable.filter(
    (folder) => !leadsOut(root, folder),
  );
  return [...configured, ...writable];
}

/** What the flag or the configuration chooses. */
export function openExecutor(session: Session, { sandbox }: RuntimeOptions): OpenedExecutor {
  const { execution } = session.configuration.values;
  const chosen = createExecutor({
    sandbox:
      sandbox === undefined
        ? execution.sandbox
        : limitFlag(session, `--sandbox ${sandbox}`, "execution.sandbox", sandbox),
  });
  if (!chosen.ok) {
    const { message, hint } = chosen;
    throw new AppFailure("usage", message, hint === undefined ? {} : { hint });
  }
  const { executor } = chosen;
  const virtualEnvironment = virtualEnvironmentOf(session);
  const prepared = withEnvironments(executor, {
    store: environmentStore(session.cacheDirectory),
    command: (skill) => `skillwright env prepare ${skill}`,
  });
  return {
    executor:
      virtualEnvironment === undefined ? prepared : withEnvironment(prepared, virtualEnvironment),
    sandbox: chosen.sandbox,
    ...(virtualEnvironment !== undefined && { python: join(virtualEnvironment, "bin/python3") }),
  };
}

/** A relative one lies in the project, whose programs are not to be run before it is trusted. */
function virtualEnvironmentOf(session: Session): string | undefined {
  const { virtualEnvironment } = session.configuration.values.execution;
  if (virtualEnvironment === undefined) return undefined;
  const isOwn = isAbsolute(virtualEnvironment) || /^~(?:\/|$)/.test(virtualEnvironment);
  if (isOwn || session.projectTrusted) return fullPath(virtualEnvironment, session);
  throw new AppFailure(
    "usage",
    `the virtual environment ${virtualEnvironment} lies in a project that is not trusted`,
    { hint: "give its absolute path, or trust the project: skillwright trust" },
  );
}

function withEnvironment(executor: Executor, virtualEnvironment: string): Executor {
  return {
    probe: () => executor.probe(),
    run: (request, context) => executor.run({ ...request, virtualEnvironment }, context),
  };
}

/** Relative paths count from the project. */
function fullPath(path: string, { home, project }: Pick<Session, "home" | "project">): string {
  const isInHome = path === "~" || path.startsWith("~/");
  return isInHome ? join(home, path.slice(1)) : resolve(project, path);
}

type Places = Pick<WorkspaceOptions, "root" | "trash">;

/** `delete_file` with the command that undoes it in its result; any other tool as it is. */
function undoableTool(tool: SkillTool, places: Places): SkillTool {
  if (tool.name !== "delete_file") return tool;
  return {
    ...tool,
    async execute(input, context) {
      const result = await tool.execute(input, context);
      const undo = undoCommand(result, places);
      return undo === undefined ? result : { ...(result as object), undo };
    },
    toText(result) {
      const undo = (result as { readonly undo?: unknown } | null | undefined)?.undo;
      const text = tool.toText(result);
      return typeof undo === "string" ? `${text}\nTo undo it: ${undo}` : text;
    },
  };
}

function undoCommand(result: unknown, { root, trash }: Places): string | undefined {
  const { ok, path, trashId } = (result ?? {}) as Partial<Record<string, unknown>>;
  if (ok !== true || typeof path !== "string" || typeof trashId !== "string") return undefined;
  return `mv -n -- ${quoted(join(trash, trashId, "item"))} ${quoted(join(root, path))}`;
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}

/** The workspace of this command line: what configuration offers, in the folder that it is started in. */
export function workspaceOptions(
  session: Pick<Session, "configuration" | "project" | "home">,
  { cwd }: AppHost,
  runDirectory: string,
): WorkspaceOptions {
  const { workspace, policy, execution } = session.configuration.values;
  const { workingDirectory } = workspace;
  return {
    root: workingDirectory === "." ? cwd : fullPath(workingDirectory, session),
    // With the record of the run, where no tool reaches it.
    trash: join(runDirectory, "trash"),
    enableReadFile: workspace.enableReadFile,
    enableListDirectory: workspace.enableListDirectory,
    enableSearchFiles: workspace.enableSearchFiles,
    enableWriteFile: workspace.enableWriteFile,
    enableRunCommand: workspace.enableRunCommand,
    enableDeleteFile: policy.enableDeleteFile,
    enableNetworkRequest: policy.enableNetworkRequest,
    maxFileSizeBytes: workspace.maxFileSizeBytes,
    maxOutputSizeBytes: workspace.maxOutputSizeBytes,
    commandTimeoutSeconds: workspace.commandTimeoutSeconds,
    allowedDomains: execution.domains,
  };
}

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
