import type { Failure, SkillTool, ToolProvider } from "@skillwright/core";
import { parseWorkspacePath } from "../workspace/confinement/workspace-path.ts";
import type { WorkspaceFailure } from "../workspace/confinement/workspace-failure.ts";
import { type EditFileInput, previewEdit } from "../workspace/files/edit-file.ts";
import { pathInOtherCase } from "../workspace/files/read-file.ts";
import {
  previewWrite,
  type WriteFileInput,
  type WriteFileResult,
} from "../workspace/files/write-file.ts";
import type { WorkspaceTools } from "../workspace/create-workspace-tools.ts";
import type { WorkspaceTool } from "../workspace/input/define-workspace-tool.ts";
import { realWorkspacePath } from "../workspace/confinement/workspace-path.ts";
import { openWorkspace, type WorkspaceOptions } from "../workspace/workspace.ts";
import { fileEvent } from "./file-event.ts";
import { guardCommand } from "./guard-command.ts";
import type { GuardWorkspaceOptions } from "./guard-workspace-options.ts";
import { forModel, restoreFields } from "./model-text.ts";

/** The workspace tools behind the gate: what policy sees is what the tool will do. */
export function guardWorkspace(
  tools: WorkspaceTools,
  options: GuardWorkspaceOptions,
): ToolProvider {
  const guarded = tools
    .tools()
    .map((tool) =>
      tool.name === "run_command" ? guardCommand(tool, options) : guardWorkspaceTool(tool, options),
    );
  return { tools: () => guarded };
}

function guardWorkspaceTool(
  tool: WorkspaceTool,
  { gate, workspace }: GuardWorkspaceOptions,
): SkillTool {
  const { audit, secrets } = gate;
  const execute: SkillTool["execute"] = async (input, context) => {
    // Read once, and only this is decided on and carried out: a model may use other names.
    const read = tool.readInput(input);
    if (!read.ok) return read;
    const given = withPathAsItIs(tool.name, read.values, workspace);
    const fields = WRITTEN_TEXTS.get(tool.name) ?? [];
    const { values, names, problem } = restoreFields(given, fields, secrets);
    if (problem !== undefined) return problem;
    const preview = await previewOf(tool.name, values, workspace);
    const realPaths = await realPathsOf(values, workspace);
    const changed = CHANGES_FILE.has(tool.name) ? [changedPath(preview, values)] : [];
    const call = {
      tool: tool.name,
      writable: changed,
      input: given,
      restoredInput: values,
      secretNames: names,
      cwd: workspace.root,
      realPaths,
    };
    // Why something cannot be done may quote the file, or tell what is in it.
    const mayRead =
      preview?.ok !== false || (await gate.decide({ ...call, tool: "read_file" })) === "allow";
    if (preview?.ok === false && mayRead && (await gate.decide(call)) !== "deny") {
      // Nobody has to approve what cannot be done.
      await gate.recordCall(tool.name, given);
      audit.append({ event: "tool-end", data: { tool: tool.name, ok: false } });
      return preview;
    }
    const diff = preview?.ok === true && { diff: secrets.mask(preview.diff) };
    const passed = await gate.pass({ ...call, ...diff }, context);
    if (!passed.ok) return passed;
    // What would change was shown: when the file is another one by now, it is asked about again.
    const now = await previewOf(tool.name, values, workspace);
    if (preview?.ok === true && (now?.ok !== true || now.diff !== preview.diff)) {
      const message = "the file changed while the call was decided on";
      return { ok: false, code: "file-changing", message, hint: "try again" };
    }
    await gate.recordCall(tool.name, given);
    const held = CHANGES_FILE.has(tool.name) ? workspace.changes?.pending().length : undefined;
    const result = await tool.execute(values, {
      ...context,
      ...(tool.name === "search_files" && { mayRead: await gate.fileFilter(call) }),
    });
    const ok = (result as { ok?: unknown } | undefined)?.ok === true;
    const event = ok ? fileEvent(tool.name, given, result, audit.redactor) : undefined;
    if (event !== undefined) audit.append(event);
    // What a script made of the file no longer waits.
    const left = held === undefined ? held : workspace.changes?.pending().length;
    if (left !== held) audit.append({ event: "changes-end", data: { left } });
    audit.append({ event: "tool-end", data: { tool: tool.name, ok } });
    return ok || mayRead ? result : withoutHint(result as Failure);
  };
  return {
    ...tool,
    execute: async (input, context) => forModel(await execute(input, context), secrets),
    toText: (result) => tool.toText(result),
  };
}

/** A file that is read by a name in another case: what is decided on is the name that it has. */
function withPathAsItIs(
  tool: string,
  values: Readonly<Record<string, unknown>>,
  options: WorkspaceOptions,
): Readonly<Record<string, unknown>> {
  const { path } = values;
  if (tool !== "read_file" || typeof path !== "string") return values;
  const workspace = openWorkspace(options);
  const parsed = parseWorkspacePath(path, workspace);
  const found = parsed.ok ? pathInOtherCase(workspace, parsed.segments) : undefined;
  return found === undefined ? values : { ...values, path: found };
}

function withoutHint({ code, message }: Failure): Failure {
  return { ok: false, code, message };
}

/** The parameters that hold text of files; secrets that were read are put back into these. */
const WRITTEN_TEXTS: ReadonlyMap<string, readonly string[]> = new Map([
  ["write_file", ["content"]],
  ["edit_file", ["old_text", "new_text"]],
]);

/** The tools that change the file they are called with. */
const CHANGES_FILE: ReadonlySet<string> = new Set(["write_file", "edit_file", "delete_file"]);

function changedPath(
  preview: WriteFileResult | WorkspaceFailure | undefined,
  { path }: Readonly<Record<string, unknown>>,
): string {
  return preview?.ok === true ? preview.path : String(path);
}

async function previewOf(
  tool: string,
  values: Readonly<Record<string, unknown>>,
  workspace: WorkspaceOptions,
): Promise<WriteFileResult | WorkspaceFailure | undefined> {
  // The tool has checked its parameters.
  if (tool === "write_file") return previewWrite(workspace, values as unknown as WriteFileInput);
  if (tool === "edit_file") return previewEdit(workspace, values as unknown as EditFileInput);
  return undefined;
}

async function realPathsOf(
  { path }: Readonly<Record<string, unknown>>,
  workspace: WorkspaceOptions,
): Promise<readonly string[]> {
  if (typeof path !== "string") return [];
  const real = await realWorkspacePath(workspace, path);
  return real.ok ? [real.path] : [];
}
