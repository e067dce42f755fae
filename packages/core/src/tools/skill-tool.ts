import type { SkillMessage } from "../conversation/context.ts";
import type { Failure } from "../failure.ts";
import type { Logger } from "../logger.ts";
import type { ToolRule } from "../format/tool-rules.ts";
import type { SkillRecord } from "../registry/skill-record.ts";
import type { CodeScript } from "../sources/skill-source.ts";

/** A JSON schema (draft 2020-12) of an object. */
export interface InputSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** One definition for every framework. */
export interface SkillTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  /**
   * Takes the parameters as an object or as JSON text, their names in any case. Gives the value that
   * the preset promises, also for failures. Throws only what the host's own approver threw.
   */
  execute(input: unknown, context?: ToolContext): Promise<unknown>;
  /** Any result of `execute` as plain text. */
  toText(result: unknown): string;
  /** Calls may need an approval; with `probe` in the context one finds out, and nothing happens. */
  readonly mayAsk?: boolean;
  /** Whether a result of `execute` is the answer of a call that failed, where its shape does not say. */
  isError?(result: unknown): boolean;
}

export interface ToolContext {
  readonly signal?: AbortSignal;
  readonly logger?: Logger;
  /**
   * The caller goes on while changes of a script wait for a person, who decides on them later. Without it
   * such a call gives `approval-needed` until it is made again with the answer; the script runs once.
   */
  readonly changesMayWait?: boolean;
  /** Only look: gets the request if the call needs an approval. The call then fails, whatever policy says. */
  readonly probe?: (request: unknown) => void;
  /** Puts a skill's instructions into the conversation; without it they are only in the result. */
  readonly appendMessage?: (message: SkillMessage) => void | Promise<void>;
  /** Gets the value behind the message that an adapter makes for a provider, failures included. */
  readonly onResult?: (tool: string, value: unknown) => void;
}

/** Runs a skill's script; the runtime package has one. Without it no script tool is offered. */
export interface ScriptExecutor {
  /** It heeds `probe` of the context; see `SkillTool.mayAsk`. */
  readonly mayAsk?: boolean;
  /** Whether a file of this path could be run here at all. */
  canRun(path: string): boolean;
  run(request: ScriptRequest, context: ToolContext): Promise<ScriptResult>;
  /** Runs a script that is a function of the host. Without it no such script is offered. */
  runCode?(request: CodeRequest, context: ToolContext): Promise<ScriptResult>;
  /** Runs a command line; only some runtimes do. */
  runCommand?(command: string, context: ToolContext): Promise<ScriptResult>;
}

export interface ScriptRequest {
  readonly skill: SkillRecord;
  /** Relative to the skill. */
  readonly script: string;
  readonly args: readonly string[];
}

/** A script that is a function: what is approved, and what is called then. */
export interface CodeRequest extends ScriptRequest {
  /** Of the skill with all its files. */
  readonly digest: string;
  /** The purpose and the input of the script. */
  readonly text: string;
  /** What the skill declares; undefined when it declares nothing. */
  readonly allowedTools: readonly ToolRule[] | undefined;
  readonly code: CodeScript;
}

export interface ScriptResult {
  readonly ok: boolean;
  /** What the model gets to read. */
  readonly text: string;
  /** For the host, where it failed: why, as one of the runtime's outcomes. */
  readonly failure?: ToolFailure;
}

/** A failure with what a host needs to go on. A model reads only message and hint. */
export interface ToolFailure<Code extends string = string> extends Failure<Code> {
  /** The signed request, where an approval is needed or was refused. */
  readonly request?: unknown;
  /** What happened, where a script or command ran. */
  readonly receipt?: unknown;
}

/** More tools beside the generated ones, such as those of a workspace. */
export interface ToolProvider {
  tools(): readonly SkillTool[];
}

export type ToolPreset = "standard" | "lookup" | "scripts" | "sop" | "autobot";

const origins = new WeakMap<SkillTool, string>();

/** Remembers what a generated tool is, whatever name it is offered under. */
export function withOrigin(tool: SkillTool, origin: string): SkillTool {
  origins.set(tool, origin);
  return tool;
}

/** The name a generated tool has in its preset; undefined for tools from elsewhere. */
export function originOf(tool: SkillTool): string | undefined {
  return origins.get(tool);
}
