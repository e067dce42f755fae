import type { ScriptExecutor, SkillRecord, SkillTool } from "@skillwright/core";
import { defined } from "@skillwright/core/internal";
import { resolve } from "node:path";
import { commonPrograms, pythonLibraries } from "../execution/find-libraries.ts";
import { trustedProgram } from "../execution/find-program.ts";
import { createWorkspaceTools } from "../workspace/create-workspace-tools.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { WorkspaceOptions } from "../workspace/workspace.ts";
import { commandLineRunner, createCommandRunner } from "./create-command-runner.ts";
import { createScriptExecutor } from "./create-script-executor.ts";
import type { ScriptExecutorOptions } from "./run-recorded.ts";
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
  readonly ok?: true;
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
}: RuntimeOptions): Required<Omit<Runtime, "ok">> {
  const scripts = createScriptExecutor({ gate, ...execution });
  const { root } = workspace;
  const commandRunner = createCommandRunner({ gate, ...execution, root, skills });
  const { changes } = execution;
  const { enableRunCommand = false } = workspace;
  const offered = { ...workspace, commandRunner, ...defined({ changes }) };
  // Where commands are switched off, policy lets only scripts of skills pass.
  const all = guardWorkspace(createWorkspaceTools({ ...offered, enableRunCommand: true }), {
    gate,
    workspace: offered,
  }).tools();
  const command = all.find(({ name }) => name === "run_command");
  return {
    executor: { ...scripts, ...(command && { runCommand: commandLineRunner(command) }) },
    tools: enableRunCommand ? all : all.filter((tool) => tool !== command),
    secrets: gate.secrets,
    environment: describeEnvironment(execution, root),
    heldChanges: () => changes?.pending().length ?? 0,
    close: async () => changes?.close(),
  };
}

/** What scripts and commands of a run find, as plain data. */
export interface RuntimeEnvironment {
  /** As `process.platform`. */
  readonly platform: string;
  /** The working directory, or `fresh` for an empty one that is gone afterwards. */
  readonly cwd: string;
  /** `bubblewrap`, or `none` where nothing holds the process. */
  readonly sandbox: string;
  /** The folders whose changes are kept at once, absolute. */
  readonly canWrite: readonly string[];
  /** Changes elsewhere in the working directory are held until they are approved. */
  readonly holdsChanges?: boolean;
  /** The hosts that scripts may reach; commands have no network. */
  readonly network: false | readonly string[];
  /** Where results are to be written: the first writable folder. */
  readonly outputFolder?: string;
  /** Those that are installed. */
  readonly interpreters: readonly string[];
  /** Libraries that its Python can import, and other programs, of those that skills commonly need. */
  readonly libraries?: readonly string[];
  readonly programs?: readonly string[];
}

const INTERPRETERS = ["python3", "node", "bash", "ruby", "perl"];

/** Looks for programs in the folders of the system. No process is started. */
function describeEnvironment(
  { cwd, sandbox, network = "none", writable = [], changes, python }: RuntimeOptions["execution"],
  root: string,
): RuntimeEnvironment {
  // Without a view, all that is written is what a sandbox cannot prevent.
  const canWrite =
    sandbox === "sandbox-runtime" ? [] : writable.map((folder) => resolve(root, folder));
  const libraries = pythonLibraries(python);
  const programs = commonPrograms();
  return {
    platform: process.platform,
    cwd,
    sandbox,
    canWrite,
    holdsChanges: sandbox === "bubblewrap" && changes !== undefined,
    network: network === "none" ? false : network.domains,
    ...defined({ outputFolder: canWrite[0] }),
    // The Node that runs this also runs scripts.
    interpreters: INTERPRETERS.filter(
      (name) => name === "node" || trustedProgram(name) !== undefined,
    ),
    ...(libraries.length > 0 && { libraries }),
    ...(programs.length > 0 && { programs }),
  };
}
