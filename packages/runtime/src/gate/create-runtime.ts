import type { Change } from "../changes/change.ts";
import type { RunChanges } from "../changes/run-changes.ts";
import { changedFile, changesDiff } from "./keep-changes.ts";
import type { ChangedFile } from "./gate.ts";
import type { ScriptExecutor, SkillRecord, SkillTool } from "@skillwright/core";
import { defined, isBelow, type ToolFailure } from "@skillwright/core/internal";
import { resolve } from "node:path";
import { type ExecutionReceipt, receiptText } from "../execution/executor.ts";
import {
  commonPrograms,
  pythonLibraries,
  trustedProgram,
  withActualProgram,
} from "../execution/find-program.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type {
  CommandOptions,
  CommandResult,
  CommandRunner,
  CommandScript,
} from "../workspace/workspace.ts";
import {
  findSkillScript,
  findUnknownScript,
  hiddenScripts,
  skillScriptFolders,
} from "../workspace/command/skill-scripts.ts";
import { createWorkspaceTools } from "../workspace/create-workspace-tools.ts";
import type { WorkspaceOptions } from "../workspace/workspace.ts";
import { createScriptExecutor } from "./create-script-executor.ts";
import type { Gate } from "./gate.ts";
import { guardWorkspace } from "./guard-tools.ts";
import { failureText, runRecorded, type ScriptExecutorOptions } from "./run-recorded.ts";

/** The options of scripts in the same run. */
interface CommandRunnerOptions extends ScriptExecutorOptions {
  /** The working directory: all that commands see of the user's files. */
  readonly root: string;
  /** Every skill that is known now, also those that a model may not use. */
  readonly skills: () => readonly SkillRecord[];
}

/**
 * Runs commands in the sandbox of scripts, without network. It does not decide whether a command may
 * run: `guardWorkspace` does. A command that runs a script of a skill is run as that script, behind its
 * own gate.
 */
export function createCommandRunner(options: CommandRunnerOptions): CommandRunner {
  const { sandbox, root, skills, writable = [] } = options;
  const scriptOf = (argv: readonly string[], cwd: string) =>
    findSkillScript(argv, cwd, skillScriptFolders(skills())) ?? findUnknownScript(argv, cwd);
  const runScript = (script: CommandScript, call: CommandOptions) =>
    runAsScript(script, call, options);
  return {
    bounds: { sandbox, writable: writable.map((place) => resolve(root, place)) },
    actualCommand: withActualProgram,
    scriptOf,
    runScript,
    async runCommand(argv, call) {
      const script = scriptOf(argv, call.cwd);
      if (script === undefined) return runProgram(argv, call, options);
      if (script.ok) return runScript(script, call);
      const { code, message, hint } = script;
      return { ok: false, text: message, code, ...defined({ hint }) };
    },
  };
}

async function runAsScript(
  { skill, script, args }: CommandScript,
  { cwd, timeoutMs, signal, changesMayWait, probe, onOutput = () => {} }: CommandOptions,
  options: CommandRunnerOptions,
): Promise<CommandResult> {
  const { root, limits, writable = [] } = options;
  const isFresh = options.cwd === "fresh";
  const scripts = createScriptExecutor({
    ...options,
    cwd: isFresh ? "fresh" : cwd,
    limits: { ...limits, timeoutMs },
    // A script sees its working directory only, so only the writable places in it count.
    writable: isFresh
      ? writable
      : writable.map((place) => resolve(root, place)).filter((path) => isBelow(cwd, path)),
    onOutput,
  });
  const result = await scripts.run(
    { skill, script, args },
    defined({ signal, changesMayWait, probe }),
  );
  return { ...result, hidesSecrets: true };
}

async function runProgram(
  argv: readonly string[],
  { cwd, timeoutMs, signal, onOutput, repeats }: CommandOptions,
  options: CommandRunnerOptions,
): Promise<CommandResult> {
  const { gate, executor, root, skills, sandbox, limits, writable = [], changes } = options;
  const known = skillScriptFolders(skills());
  const { receipt, text, unanswered } = await runRecorded({
    gate,
    executor,
    kind: "command",
    facts: { sandbox },
    start: { argv: argv.map((word) => gate.secrets.mask(word)), cwd, writable },
    request: {
      argv,
      root,
      cwd,
      writable,
      limits: { ...limits, timeoutMs },
      hidden: hiddenScripts(known, skills(), root),
    },
    by: argv[0] ?? "",
    signal,
    toText: commandText,
    ...defined({ onOutput, changes, repeats }),
  });
  const { ok, exitCode, timedOut, truncated, failure } = receipt;
  const facts = { text, hidesSecrets: true, exitCode, timedOut, truncated };
  if (unanswered === undefined) return { ok, ...facts, ...defined({ code: failure?.code }) };
  const waiting = { ...unanswered, message: text, receipt };
  return { ok: false, ...facts, code: unanswered.code, failure: waiting };
}

/** Unlike a script's, the result of a command is both its outputs: programs use either for anything. */
function commandText(receipt: ExecutionReceipt): string {
  const { ok, stdout, stderr } = receipt;
  if (!ok || stderr.trim() === "") return receiptText(receipt);
  return [stdout.trimEnd(), `stderr:\n${stderr.trimEnd()}`]
    .filter((part) => part !== "")
    .join("\n");
}

/**
 * For the preset `sop`: its `run_shell_command` is the guarded `run_command` under another name and
 * with nothing but a command line.
 */
export function commandLineRunner(tool: SkillTool): NonNullable<ScriptExecutor["runCommand"]> {
  return async (command, context) => {
    const result = await tool.execute({ command }, context);
    const { ok, ...given } = Object(result) as Partial<ToolFailure>;
    if (ok !== false) return { ok: true, text: tool.toText(result) };
    const failure = { code: "command-failed", message: "the command failed", ...given, ok };
    return { ok: false, text: failureText(failure), failure };
  };
}

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
    heldChanges: () => changes?.waiting() ?? 0,
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

/** What became of held files. */
export interface SettledFiles {
  readonly paths: readonly string[];
  /** What is not as the script saw it, or what the system refused. It stays held. */
  readonly conflicts: readonly { readonly path: string; readonly reason: string }[];
}

/** Files that scripts changed, kept apart from the real ones until somebody decides. */
export interface HeldFiles {
  list(): readonly ChangedFile[];
  /** For a person to read, without values of secrets. */
  diff(paths?: readonly string[]): Promise<string>;
  /** Carries them out in the real working directory. Default: all. */
  keep(paths?: readonly string[]): Promise<SettledFiles>;
  /** Default: all. */
  discard(paths?: readonly string[]): Promise<SettledFiles>;
}

/** What a host decides is in the record before it happens. */
export function heldFiles(gate: Gate, changes: RunChanges | undefined): HeldFiles {
  const among = (paths: readonly string[] | undefined): readonly Change[] => {
    const wanted = paths === undefined ? undefined : new Set(paths);
    return changes?.pending().filter(({ path }) => wanted?.has(path) ?? true) ?? [];
  };
  const settle = async (
    decision: "changes-apply" | "changes-discard",
    paths: readonly string[] | undefined,
    work: (isWanted: (change: Change) => boolean, held: RunChanges) => Promise<SettledFiles>,
  ): Promise<SettledFiles> => {
    const wanted = new Set(among(paths).map(({ path }) => path));
    if (changes === undefined || wanted.size === 0) return { paths: [], conflicts: [] };
    await gate.record({ event: decision, data: { paths: [...wanted], by: "host" } });
    const settled = await work(({ path }) => wanted.has(path), changes);
    const left = changes.waiting();
    gate.audit.append({ event: "changes-end", data: { ...settled, left } });
    return settled;
  };
  const pathsOf = (list: readonly Change[]) => list.map(({ path }) => path);
  return {
    list: () => among(undefined).map(changedFile),
    diff: async (paths) =>
      changes === undefined ? "" : gate.secrets.mask(await changesDiff(among(paths), changes)),
    keep: (paths) =>
      settle("changes-apply", paths, async (isWanted, held) => {
        const { applied, conflicts } = await held.apply(isWanted);
        return { paths: pathsOf(applied), conflicts };
      }),
    discard: (paths) =>
      settle("changes-discard", paths, async (isWanted, held) => {
        return { paths: pathsOf(await held.discard(isWanted)), conflicts: [] };
      }),
  };
}
