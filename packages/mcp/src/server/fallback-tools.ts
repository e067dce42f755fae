import type { SkillTool } from "@skillwright/core";
import { guardTool } from "@skillwright/runtime";
import type { ClientSession, ServerParts } from "./server-parts.ts";

export const RUN_SCRIPT = "run_skill_script";

/**
 * The tools by which a model finds, loads and reads skills through a client that knows only tools, behind
 * the gate. Running a script passes it where the script is known.
 */
export function fallbackTools(
  { skills, executor, gate, cwd }: ServerParts,
  { view }: ClientSession,
): SkillTool[] {
  // One server may serve many conversations: what is in one of them is not in the next.
  view.ledger.clear();
  const tools = skills.tools({
    view,
    preset: "standard",
    // So little that not all skills fit: the client shows no catalog, so that they have to be searched.
    catalogBudgetTokens: 1,
    enabled: { list_skill_files: false },
    providers: [],
    ...(executor && { executor }),
  });
  return tools.map((tool) =>
    gate === undefined || tool.name === RUN_SCRIPT ? tool : guardTool(tool, { gate, cwd }),
  );
}
