import type { Skills, SkillTool } from "@skillwright/core";
import { visibleLine } from "@skillwright/core/internal";
import { policySettings, type PolicySettings } from "@skillwright/runtime";
import { createScriptExecutor, Gate } from "@skillwright/runtime/internal";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import {
  type ComposedRuntime,
  executionOptions,
  type RuntimeContext,
  type RuntimeScope,
  workspaceOptions,
} from "../runtime/compose-runtime.ts";
import { mcpHostOf } from "./mcp-session-skills.ts";

/**
 * A run's runtime with what the user's MCP servers bring: their tools, and the scripts of their
 * skills. Servers that fail are said and left out.
 */
export async function withMcp(
  runtime: ComposedRuntime,
  { session, skills, options, host }: RuntimeContext,
  { directory, ...scope }: RuntimeScope,
): Promise<ComposedRuntime> {
  const servers = mcpHostOf(skills);
  if (servers === undefined) return runtime;
  const { guardMcpTool, mcpPolicy, mcpScripts } = await import("@skillwright/mcp");
  const { tools, problems } = await servers.tools();
  const said = new Set(skills.diagnostics().map(({ message }) => message));
  for (const problem of problems) {
    if (!said.has(problem)) host.note(visibleLine(`warning: ${problem}`));
  }
  const { configuration, project, home } = session;
  const cwd = realpathSync(workspaceOptions(session, host, directory).root);
  const places = { workingDirectory: cwd, project: realpathSync(project), home };
  const settings = policySettings(configuration.values);
  const gate = new Gate({ settings: mcpPolicy(settings, tools), places, ...scope });
  const own = createScriptExecutor({
    ...executionOptions(session, options, cwd),
    gate: new Gate({ settings: scriptPolicy(settings), places, ...scope }),
    spillDirectory: join(directory, "output"),
  });
  return {
    ...runtime,
    executor: mcpScripts({ host: servers, others: runtime.executor, own }),
    workspaceTools: [
      ...runtime.workspaceTools,
      ...tools.map((tool) => guardMcpTool(tool, { gate, cwd })),
    ],
  };
}

/** Each set of files is asked about, whatever is allowed elsewhere, and grants itself nothing. */
function scriptPolicy(settings: PolicySettings): PolicySettings {
  const { ask, allowedTools } = settings;
  return {
    ...settings,
    ask: [...ask, "run_script"],
    allowedTools: allowedTools === "grant" ? "ask" : allowedTools,
  };
}

/** Tools of the servers of these skills, to be listed. They are called behind the gate; see `withMcp`. */
export async function mcpToolDefinitions(skills: Skills): Promise<readonly SkillTool[]> {
  const listed = await mcpHostOf(skills)?.tools();
  return (listed?.tools ?? []).map(({ definition }) => ({
    name: definition.fullName,
    description: definition.description,
    inputSchema: definition.inputSchema,
    execute: () => Promise.reject(new TypeError(`${definition.fullName} has no gate here`)),
    toText: () => "",
  }));
}
