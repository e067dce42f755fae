import type { Failure, Logger, SkillRecord, SkillTool, ToolContext } from "@skillwright/core";
import {
  type Configuration,
  failureText,
  isFailure,
  type ParameterDefinitions,
  type ParameterValues,
  promptText,
  readInput,
  type ToolFailure,
  toInputSchema,
  truncate,
} from "@skillwright/core/internal";
import { existsSync, realpathSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import type { RunChanges } from "../changes/run-changes.ts";
import type { RepeatableCall } from "../gate/gate.ts";
import type { NetworkLookup, NetworkTransport } from "./network/send-request.ts";

type Configured = Configuration["workspace"];
type Switches =
  | "enableReadFile"
  | "enableWriteFile"
  | "enableListDirectory"
  | "enableSearchFiles"
  | "enableRunCommand";
type Limits = "maxFileSizeBytes" | "commandTimeoutSeconds" | "maxOutputSizeBytes";

/** The switches and limits have the names and defaults of the `workspace` configuration. */
export interface WorkspaceOptions extends Partial<Pick<Configured, Switches | Limits>> {
  /** The working directory. It may itself be a link; what counts is where it leads now. */
  readonly root: string;
  /** Where deleted files go; made when needed. Inside the root, the tools cannot reach it. */
  readonly trash: string;
  /** Default: false. */
  readonly enableDeleteFile?: boolean;
  /** Default: false. */
  readonly enableNetworkRequest?: boolean;
  /** Hosts that may be asked: `example.com`, `*.example.com`, `example.com:8443`. Default: none. */
  readonly allowedDomains?: readonly string[];
  /** Default: 30. */
  readonly networkTimeoutSeconds?: number;
  /** Default: 10. */
  readonly searchTimeoutSeconds?: number;
  /** Runs commands in the sandbox; without it `run_command` answers that it is missing. */
  readonly commandRunner?: CommandRunner;
  /** Gets the output of commands as it comes. Must not throw. */
  readonly onOutput?: (text: string, stream: "stdout" | "stderr") => void;
  /** What scripts of the same run changed: files are read as they left them. */
  readonly changes?: RunChanges;
  readonly transport?: NetworkTransport;
  readonly lookup?: NetworkLookup;
  readonly clock?: () => Date;
}

/** What every tool of one workspace knows. */
export interface Workspace {
  /** As it was given, made absolute. */
  readonly named: string;
  /** Its real path, to which everything is confined. Undefined if the folder does not exist. */
  readonly root: string | undefined;
  readonly trash: string;
  /** Patterns in addition to the built-in ones: no tool writes to the trash, wherever it is. */
  readonly protectedFiles: readonly string[];
  /** What scripts of the same run changed and what is not kept yet. */
  readonly changes: RunChanges | undefined;
  readonly maxFileBytes: number;
  readonly maxOutputBytes: number;
}

export function openWorkspace(options: WorkspaceOptions): Workspace {
  const root = realPath(options.root);
  const trash = resolve(options.trash);
  return {
    named: resolve(options.root),
    root,
    trash,
    protectedFiles: insideRoot(root, trash),
    changes: options.changes,
    maxFileBytes: options.maxFileSizeBytes ?? 10 * 1024 * 1024,
    maxOutputBytes: options.maxOutputSizeBytes ?? 102_400,
  };
}

function insideRoot(root: string | undefined, trash: string): string[] {
  if (root === undefined) return [];
  const path = relative(root, realPath(trash) ?? trash);
  return path === "" || path.startsWith("..") ? [] : [`/${path.split(sep).join("/")}/`];
}

function realPath(path: string): string | undefined {
  // Most trash is never made, and an error takes longer than a look.
  if (!existsSync(path)) return undefined;
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

export type Parameters = ParameterDefinitions;

type ToolInput<P extends Parameters> =
  | { readonly ok: true; readonly values: ParameterValues<P> }
  | Failure<"input-invalid">;

/** Other words that models use for parameters, the same for every tool. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  path: ["file_path", "file", "filename", "relative_path", "directory", "dir", "folder"],
  start_line: ["offset", "from", "start"],
  end_line: ["to", "end"],
  limit: ["count", "lines", "max_lines", "num_lines"],
  content: ["text", "contents", "data", "file_text"],
  old_text: ["old_string", "old_str", "old", "search"],
  new_text: ["new_string", "new_str", "new", "replacement"],
  all: ["replace_all"],
  pattern: ["query", "regex", "regexp", "search"],
  glob: ["include", "file_pattern"],
  ignore_case: ["case_insensitive", "i"],
  max_results: ["limit", "n"],
  command: ["cmd", "command_line"],
  argv: ["args", "arguments"],
  cwd: ["directory", "dir", "working_directory", "workdir"],
  timeout_seconds: ["timeout"],
  url: ["address", "uri"],
  body: ["data"],
};

/** The parameters of a call, as forgiving as `readInput`. Never throws. */
export function readToolInput<P extends Parameters>(input: unknown, parameters: P): ToolInput<P> {
  const entries = Object.entries(parameters);
  const namesOf = (wanted: (one: Parameters[string]) => boolean) =>
    new Set(entries.filter(([, one]) => wanted(one)).map(([name]) => name));
  const read = readInput(input, toInputSchema(parameters), {
    otherNames: OTHER_NAMES,
    mayBeEmpty: namesOf(({ mayBeEmpty }) => mayBeEmpty === true),
    mayBeList: namesOf(({ type }) => type === "words"),
  });
  return read as ToolInput<P>;
}

interface Succeeded {
  readonly ok: true;
}

interface WorkspaceToolDefinition<P extends Parameters, R extends Succeeded> {
  readonly name: WorkspaceTool["name"];
  readonly description: string;
  readonly parameters: P;
  readonly run: (values: ParameterValues<P>, context: ToolContext) => Promise<R | Failure>;
  /** Of what `run` gave when it did not fail. */
  readonly toText: (result: R) => string;
}

/** A tool that also shows how it reads its input. */
export interface WorkspaceTool extends SkillTool {
  readonly name:
    | "read_file"
    | "write_file"
    | "edit_file"
    | "delete_file"
    | "list_directory"
    | "search_files"
    | "run_command"
    | "network_request";
  /**
   * The parameters under their own names, or what is wrong with them. Whoever decides about a call
   * must look at these: a model may write `file_path` for `path`, and JSON text for an object.
   */
  readInput(input: unknown): ToolInput<Parameters>;
}

const MAX_LOGGED = 200;

/** A tool from its definition: input read and checked, failures as values and in the log. */
export function defineWorkspaceTool<const P extends Parameters, R extends Succeeded>({
  name,
  description,
  parameters,
  run,
  toText,
}: WorkspaceToolDefinition<P, R>): WorkspaceTool {
  const call = async (input: unknown, context: ToolContext): Promise<R | Failure> => {
    if (context.signal?.aborted === true) {
      return { ok: false, code: "aborted", message: "the call was aborted" };
    }
    try {
      const read = readToolInput(input, parameters);
      if (!read.ok) return read;
      logCall(context.logger, name, read.values, parameters);
      return await run(read.values, context);
    } catch (error) {
      // A bug of ours or of the host: the model still gets an answer.
      const reason = error instanceof Error ? error.message : "an unknown error";
      return { ok: false, code: "tool-failed", message: `${name} failed: ${reason}` };
    }
  };
  return {
    name,
    description,
    inputSchema: toInputSchema(parameters),
    readInput: (input) => readToolInput<Parameters>(input, parameters),
    async execute(input, context = {}) {
      const result = await call(input, context);
      if (!result.ok) {
        const { code, message } = result;
        context.logger?.error("tool failed", { tool: name, code, message: shortened(message) });
      }
      return forPrompt(result);
    },
    toText(result) {
      try {
        if (isFailure(result)) return promptText(textOfFailure(result));
        // Only what `run` gave has it.
        const isOurs = typeof result === "object" && (result as R | null)?.ok === true;
        return promptText(isOurs ? toText(result as R) : (JSON.stringify(result) ?? ""));
      } catch {
        return "The result cannot be shown.";
      }
    },
  };
}

/** Every text of a result may reach a model, in a host that passes results on as JSON. */
export function forPrompt<Value>(value: Value): Value {
  if (typeof value === "string") return promptText(value) as Value & string;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => forPrompt(item)) as Value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, forPrompt(item as unknown)]),
  ) as Value;
}

/** Calls at debug, with what was asked for but nothing that may be secret. */
function logCall(
  logger: Logger | undefined,
  tool: string,
  values: Readonly<Record<string, unknown>>,
  parameters: Parameters,
): void {
  const entries = Object.entries(values).map(([name, value]) => {
    const isPrivate = parameters[name]?.private === true;
    return [name, isPrivate ? `[${String(value).length} characters]` : shortened(value)];
  });
  logger?.debug("tool called", { tool, arguments: Object.fromEntries(entries) });
}

/** Several lines hold the output of a program, which stays exact. */
function textOfFailure(failure: Failure): string {
  const { message, hint } = failure;
  if (!message.includes("\n")) return failureText(failure);
  const end = hint === undefined || /[.!?]$/.test(hint) ? "" : ".";
  return [`Error: ${message}`, ...(hint === undefined ? [] : [`${hint}${end}`])].join("\n");
}

function shortened(value: unknown): unknown {
  return typeof value === "string" ? truncate(value, MAX_LOGGED) : value;
}

/** Runs a program in the sandbox. `createCommandRunner` makes one. */
export interface CommandRunner {
  /** What holds a command; shown in approvals. */
  readonly bounds?: CommandBounds;
  /** The command with the program that would run, such as `python3` where there is no `python`. */
  actualCommand?(argv: readonly string[]): readonly string[];
  /**
   * The script of a skill that a command runs. Callers that decide about commands must ask this first:
   * such a command is decided on as a script, and carried out by `runScript`. A failure is a command that
   * names a script and cannot be run as one.
   */
  scriptOf?(argv: readonly string[], cwd: string): CommandScript | Failure | undefined;
  /** Under the policy of scripts, from a snapshot, by the digest that was approved. */
  runScript?(script: CommandScript, options: CommandOptions): Promise<CommandResult>;
  /**
   * `argv` goes to the process as it is; no shell sees it. A program that is a script of a skill must
   * be run as that: with its policy, snapshot and digest. Expected failures are values.
   */
  runCommand(argv: readonly string[], options: CommandOptions): Promise<CommandResult>;
}

interface CommandBounds {
  /** `bubblewrap`, or `none` where nothing holds the process. */
  readonly sandbox: string;
  readonly writable: readonly string[];
}

/** A command line that means: run this script of this skill. */
export interface CommandScript {
  readonly ok: true;
  readonly skill: SkillRecord;
  /** Below the skill: `scripts/join.py`. */
  readonly script: string;
  readonly args: readonly string[];
}

export interface CommandOptions {
  /** Absolute, inside the working directory, and no link. */
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly onOutput?: (text: string, stream: "stdout" | "stderr") => void;
  /** What `Gate.repeatable` gave for this call. */
  readonly repeats?: RepeatableCall;
  /** As in the context of a tool: a script is only asked about. */
  readonly probe?: (request: unknown) => void;
  readonly changesMayWait?: boolean;
}

export interface CommandResult {
  readonly ok: boolean;
  /** What the model gets to read. */
  readonly text: string;
  /** Values of secrets are hidden in the text already. */
  readonly hidesSecrets?: boolean;
  readonly exitCode?: number | null;
  readonly timedOut?: boolean;
  /** Something of the output was left out already. */
  readonly truncated?: boolean;
  /** Why nothing ran, where that is known. */
  readonly code?: string;
  readonly hint?: string;
  /** The same as a value for the host, where a script did not succeed or changes are not decided on. */
  readonly failure?: ToolFailure;
}
