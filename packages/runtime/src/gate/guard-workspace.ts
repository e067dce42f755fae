import type { SkillTool, ToolProvider } from "@skillwright/core";
import { previewWrite } from "../workspace/files/write-file.ts";
import type { WorkspaceTools } from "../workspace/create-workspace-tools.ts";
import type { WorkspaceTool } from "../workspace/input/define-workspace-tool.ts";
import { realWorkspacePath } from "../workspace/real-workspace-path.ts";
import type { WorkspaceOptions } from "../workspace/workspace-options.ts";
import { fileEvent } from "./file-event.ts";
import { guardCommand } from "./guard-command.ts";
import type { GuardWorkspaceOptions } from "./guard-workspace-options.ts";

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
  return {
    ...tool,
    async execute(input, context) {
      // Read once, and only this is decided on and carried out: a model may use other names.
      const read = tool.readInput(input);
      if (!read.ok) return read;
      const values: Readonly<Record<string, unknown>> = read.values;
      const diff = await diffOf(tool.name, values, workspace);
      const realPaths = await realPathsOf(values, workspace);
      const call = { tool: tool.name, input: values, cwd: workspace.root, realPaths };
      const passed = await gate.pass(diff === undefined ? call : { ...call, diff }, context);
      if (!passed.ok) return passed;
      // What would change was shown: when the file is another one by now, it is asked about again.
      if (diff !== undefined && (await diffOf(tool.name, values, workspace)) !== diff) {
        const message = "the file changed while the call was decided on";
        return { ok: false, code: "file-changing", message, hint: "try again" };
      }
      gate.audit.append({ event: "tool-call", data: { tool: tool.name, input: values } });
      await gate.audit.sync();
      const result = await tool.execute(values, {
        ...context,
        ...(tool.name === "search_files" && { mayRead: await gate.fileFilter(call) }),
      });
      const ok = (result as { ok?: unknown } | undefined)?.ok === true;
      const event = ok ? fileEvent(tool.name, values, result, gate.audit.redactor) : undefined;
      if (event !== undefined) gate.audit.append(event);
      gate.audit.append({ event: "tool-end", data: { tool: tool.name, ok } });
      return result;
    },
    toText: (result) => tool.toText(result),
  };
}

async function diffOf(
  tool: string,
  { path, content }: Readonly<Record<string, unknown>>,
  workspace: WorkspaceOptions,
): Promise<string | undefined> {
  if (tool !== "write_file" || typeof path !== "string" || typeof content !== "string") {
    return undefined;
  }
  const preview = await previewWrite(workspace, { path, content });
  return preview.ok ? preview.diff : undefined;
}

async function realPathsOf(
  { path }: Readonly<Record<string, unknown>>,
  workspace: WorkspaceOptions,
): Promise<readonly string[]> {
  if (typeof path !== "string") return [];
  const real = await realWorkspacePath(workspace, path);
  return real.ok ? [real.path] : [];
}
