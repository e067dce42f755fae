import type { ScriptExecutor } from "@skillwright/core";
import type { McpHost } from "./mcp-host.ts";

export interface McpScriptsOptions {
  readonly host: Pick<McpHost, "isOwn" | "materialise">;
  /** Runs the scripts of all other skills. */
  readonly others: ScriptExecutor;
  /**
   * Runs the scripts of skills from servers. Its gate has to ask each time for what was not approved
   * for exactly these files, whatever else is allowed.
   */
  readonly own: ScriptExecutor;
}

/** Scripts of skills from servers, from a folder with their verified files. */
export function mcpScripts({ host, others, own }: McpScriptsOptions): ScriptExecutor {
  return {
    ...others,
    canRun: (path) => others.canRun(path),
    async run(request, context) {
      const { skill } = request;
      if (!host.isOwn(skill)) return others.run(request, context);
      const kept = await host.materialise(skill, context.signal);
      if (!kept.ok) return { ok: false, text: kept.message };
      return own.run({ ...request, skill: { ...skill, path: kept.directory } }, context);
    },
  };
}
