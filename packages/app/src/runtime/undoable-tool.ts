import { join } from "node:path";
import type { SkillTool } from "@skillwright/core";
import type { WorkspaceOptions } from "@skillwright/runtime/internal";

type Places = Pick<WorkspaceOptions, "root" | "trash">;

/** `delete_file` with the command that undoes it in its result; any other tool as it is. */
export function undoableTool(tool: SkillTool, places: Places): SkillTool {
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
