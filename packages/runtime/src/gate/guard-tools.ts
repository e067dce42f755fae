import type { Failure, SkillTool } from "@skillwright/core";
import { type ToolProvider, defined } from "@skillwright/core/internal";
import { type AuditEvent, contentDigest } from "../audit/audit.ts";
import { REDACTED, type Redactor } from "../audit/redaction/redactor.ts";
import {
  commandAnswer,
  type CommandCall,
  type CommandValues,
  DEFAULT_TIMEOUT_SECONDS,
  readCommandCall,
} from "../workspace/command/run-command.ts";
import { parseWorkspacePath, realWorkspacePath } from "../workspace/confinement/workspace-path.ts";
import type { WorkspaceTools } from "../workspace/create-workspace-tools.ts";
import { changeByEdit, type EditFileInput } from "../workspace/files/edit-file.ts";
import { pathInOtherCase } from "../workspace/files/read-file.ts";
import {
  type ChangeMode,
  changeByWrite,
  type WriteFileInput,
} from "../workspace/files/write-file.ts";
import {
  forPrompt,
  openWorkspace,
  type WorkspaceOptions,
  type WorkspaceTool,
} from "../workspace/workspace.ts";
import type { Gate, GateFailure } from "./gate.ts";
import { forModel, restoreSecrets } from "./run-recorded.ts";

export interface GuardOptions {
  readonly gate: Gate;
  /** The working directory that the tool acts in. */
  readonly cwd: string;
  /** What the tool is called in policy, when the model knows it by another name. */
  readonly policyName?: string;
}

export interface GuardWorkspaceOptions {
  readonly gate: Gate;
  readonly workspace: WorkspaceOptions;
}

/**
 * The same tool behind the gate: a call that does not pass gives the failure as its result. To guard a tool
 * is to offer it, so that a tool policy does not know asks, unless a rule or a switch says otherwise.
 */
export function guardTool(tool: SkillTool, { gate, cwd, policyName }: GuardOptions): SkillTool {
  return withExecute(tool, async (input, context) => {
    const call = { tool: policyName ?? tool.name, input, cwd, offered: true };
    const run = async () => tool.execute(input, context);
    return forModel(await gate.act(call, run, context, tool.name), gate.secrets);
  });
}

/** The workspace tools behind the gate: what policy sees is what the tool will do. */
export function guardWorkspace(
  tools: WorkspaceTools,
  options: GuardWorkspaceOptions,
): ToolProvider {
  const guarded = tools
    .tools()
    .map((tool) =>
      tool.name === "run_command" ? guardCommand(tool, options) : guardFileTool(tool, options),
    );
  return { tools: () => guarded };
}

function withExecute(tool: SkillTool, execute: SkillTool["execute"]): SkillTool {
  return { ...tool, mayAsk: true, execute, toText: (result) => tool.toText(result) };
}

type Values = Readonly<Record<string, unknown>>;

/** The parameters that hold text of files; secrets that were read are put back into these. */
const WRITTEN_TEXTS: Readonly<Record<string, readonly string[]>> = {
  write_file: ["content"],
  edit_file: ["old_text", "new_text"],
};

/** The tools that change the file they are called with. */
const CHANGES_FILE: ReadonlySet<string> = new Set(["write_file", "edit_file", "delete_file"]);

function guardFileTool(tool: WorkspaceTool, { gate, workspace }: GuardWorkspaceOptions): SkillTool {
  const { audit, secrets } = gate;
  const { name } = tool;
  const execute: SkillTool["execute"] = async (input, context) => {
    // Read once, and only this is decided on and carried out: a model may use other names.
    const read = tool.readInput(input);
    if (!read.ok) return read;
    const given = withActualPath(name, read.values, workspace);
    const restored = restoreSecrets(secrets, (restore) => {
      const fields = WRITTEN_TEXTS[name]?.filter((field) => typeof given[field] === "string") ?? [];
      const texts = fields.map((field) => [field, restore(given[field] as string)] as const);
      return { ...given, ...Object.fromEntries(texts) };
    });
    if (restored.problem !== undefined) return restored.problem;
    const { value: values, names: secretNames } = restored;
    const { path } = values;
    const preview = await changeBy(name, values, workspace, "preview");
    const real = typeof path === "string" ? await realWorkspacePath(workspace, path) : undefined;
    const changed = preview?.ok === true ? preview.path : String(path);
    const call = {
      tool: name,
      writable: CHANGES_FILE.has(name) ? [changed] : [],
      input: given,
      restoredInput: values,
      secretNames,
      cwd: workspace.root,
      realPaths: real?.ok === true ? [real.path] : [],
      ...(preview?.ok === true && { diff: secrets.mask(preview.diff) }),
    };
    // Why something cannot be done may quote the file, or tell what is in it.
    const mayRead =
      preview?.ok !== false || (await gate.decide({ ...call, tool: "read_file" })) === "allow";
    if (preview?.ok === false && mayRead && (await gate.decide(call)) !== "deny") {
      // Nobody has to approve what cannot be done.
      await gate.recordCall(name, given);
      gate.recordEnd(name, preview);
      return preview;
    }
    const run = async (mode: ChangeMode = "write") => {
      // What would change was shown: when the file is another one by now, it is asked about again.
      const now = await changeBy(name, values, workspace, "preview");
      if (preview?.ok === true && (now?.ok !== true || now.diff !== preview.diff)) {
        const message = "the file changed while the call was decided on";
        return { ok: false, code: "file-changing", message, hint: "try again" };
      }
      const held = CHANGES_FILE.has(name) ? workspace.changes?.waiting() : undefined;
      const more = name === "search_files" && { mayRead: await gate.fileFilter(call) };
      if (mode === "hold") {
        const result: Values = { ...(await changeBy(name, values, workspace, mode)) };
        const end = { held: [changed], left: workspace.changes?.waiting() };
        if (result["ok"] === true) audit.append({ event: "changes-end", data: end });
        return forPrompt(result);
      }
      const result = (await tool.execute(values, { ...context, ...more })) as Values;
      const event = fileEvent(name, given, result, audit.redactor);
      if (result["ok"] === true && event !== undefined) audit.append(event);
      // What a script made of the file no longer waits.
      const left = held === undefined ? held : workspace.changes?.waiting();
      if (left !== held) audit.append({ event: "changes-end", data: { left } });
      return result;
    };
    const isHeld =
      preview?.ok === true &&
      context?.changesMayWait === true &&
      secretNames.length === 0 &&
      workspace.changes?.heldFile(changed) !== undefined;
    if (isHeld && (await gate.decide(call)) === "ask") {
      // Asked about as a change: without an answer it waits with what a script made of the file.
      const { bytes, diff } = preview;
      const changes = [{ path: changed, kind: "modified" as const, bytes }];
      const question = { cwd: workspace.root, madeBy: name, changes, diff: async () => diff };
      const { failure } = (await gate.admitChanges(question, context)).held ?? {};
      if (failure !== undefined && failure.code !== "approval-needed") return failure;
      await gate.recordCall(name, given);
      const result = await run(failure === undefined ? "write" : "hold");
      gate.recordEnd(name, result);
      return result;
    }
    const acted = await gate.act<Values | GateFailure>(call, () => run(), context);
    const isOther = acted.ok === true && given !== read.values;
    const result = isOther ? { ...acted, resolvedFrom: read.values["path"] } : acted;
    if (result.ok === true || mayRead || "request" in result) return result;
    const { code, message } = result;
    return { ok: false, code, message };
  };
  return withExecute(tool, async (input, context) =>
    forModel(await execute(input, context), secrets),
  );
}

/** A file that is read by a name in another case: what is decided on is the name that it has. */
function withActualPath(tool: string, values: Values, options: WorkspaceOptions): Values {
  const { path } = values;
  if (tool !== "read_file" || typeof path !== "string") return values;
  const workspace = openWorkspace(options);
  const parsed = parseWorkspacePath(path, workspace);
  const found = parsed.ok ? pathInOtherCase(workspace, parsed.segments) : undefined;
  return found === undefined ? values : { ...values, path: found };
}

async function changeBy(
  tool: string,
  values: Values,
  workspace: WorkspaceOptions,
  mode: ChangeMode,
) {
  // The tool has checked its parameters.
  if (tool === "write_file")
    return changeByWrite(workspace, values as unknown as WriteFileInput, mode);
  if (tool === "edit_file")
    return changeByEdit(workspace, values as unknown as EditFileInput, mode);
  return undefined;
}

/** What a call that succeeded did to a file, beside what was asked for; undefined for other tools. */
function fileEvent(
  tool: string,
  { path: given, content, append = false }: Values,
  { path = given, ...facts }: Values,
  { redactText }: Redactor,
): AuditEvent | undefined {
  if (tool === "read_file") {
    const { startLine, endLine, size } = facts;
    return { event: "workspace-read", data: { path, startLine, endLine, size } };
  }
  if (tool === "delete_file") {
    const { kind, trashId } = facts;
    return { event: "workspace-write", data: { path, deleted: true, kind, trashId } };
  }
  if (tool !== "edit_file" && tool !== "write_file") return undefined;
  const { created, bytes } = facts;
  const isWhole = tool === "write_file" && append !== true && typeof content === "string";
  if (!isWhole) return { event: "workspace-write", data: { path, created, bytes } };
  // A short secret could be guessed from the digest of a text that holds it.
  const isOpen = redactText(content) === content && !content.includes("⟦secret:");
  const digest = isOpen ? contentDigest(content) : REDACTED;
  return { event: "workspace-write", data: { path, created, bytes, digest } };
}

/**
 * `run_command` behind the gate. What policy sees, what is approved and what runs is one argument list
 * in one folder; only the values of secrets are put in last. A command that runs a script of a skill is
 * not decided on here: the way of scripts has its own gate, for the script and its digest.
 */
function guardCommand(tool: WorkspaceTool, { gate, workspace }: GuardWorkspaceOptions): SkillTool {
  const { commandRunner: runner, onOutput } = workspace;
  const { commandTimeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = workspace;
  const opened = openWorkspace(workspace);
  const { name } = tool;
  return withExecute(tool, async (input, context = {}) => {
    const { signal, changesMayWait, probe } = context;
    // Without a runner nothing can happen; the tool says so.
    if (runner === undefined || signal?.aborted === true) return tool.execute(input, context);
    const read = tool.readInput(input);
    if (!read.ok) return read;
    const values: CommandValues = read.values;
    const asked = await readCommandCall(values, opened, commandTimeoutSeconds);
    if (!asked.ok) return asked;
    // A command that is denied under the name it was given stays denied.
    const given = { tool: name, input: commandInput(asked), cwd: asked.cwd };
    const actual = runner.actualCommand?.(asked.argv) ?? asked.argv;
    const isDenied = actual !== asked.argv && (await gate.decide(given)) === "deny";
    const call = isDenied ? asked : { ...asked, argv: actual };
    const { argv, cwd, timeoutMs } = call;
    const how = { cwd, timeoutMs, ...defined({ signal, onOutput, changesMayWait, probe }) };
    const script = runner.scriptOf?.(argv, cwd);
    if (script?.ok === false) return script;
    if (script !== undefined) {
      const result = await runner.runScript?.(script, how);
      if (result === undefined) return scriptsMissing();
      return result.failure ?? forPrompt(commandAnswer(argv, result, opened.maxOutputBytes));
    }
    const restored = restoreSecrets(gate.secrets, (restore) => argv.map(restore));
    if (restored.problem !== undefined) return restored.problem;
    const gated = {
      tool: name,
      input: commandInput(call),
      restoredInput: commandInput({ ...call, argv: restored.value }),
      secretNames: restored.names,
      cwd,
      command: argv,
      ...runner.bounds,
    };
    const repeats = await gate.repeatable(gated, workspace.changes, context);
    const run = ({ wasAsked }: { readonly wasAsked?: boolean }) =>
      runner.runCommand(restored.value, {
        ...how,
        ...(repeats && { repeats: { ...repeats, wasAsked } }),
      });
    const result = await gate.act({ ...gated, repeats }, run, context);
    if (!("text" in result)) return result;
    const { text, hidesSecrets = false, failure } = result;
    const seen = { ...result, text: hidesSecrets ? text : gate.secrets.hideOutput(text) };
    const answer = forPrompt(commandAnswer(argv, seen, opened.maxOutputBytes));
    // It ran, and its changes wait for an answer.
    const isWaiting = failure?.receipt !== undefined && !answer.ok;
    return isWaiting ? { ...failure, message: answer.message } : answer;
  });
}

/** In one form, whatever names and whatever way of quoting a model used. */
function commandInput({ argv, folder, timeoutMs }: Omit<CommandCall, "ok" | "cwd">) {
  return { argv, ...(folder !== "." && { cwd: folder }), timeout_seconds: timeoutMs / 1000 };
}

function scriptsMissing(): Failure<"sandbox-missing"> {
  const message = "scripts of skills cannot be run here";
  return { ok: false, code: "sandbox-missing", message };
}
