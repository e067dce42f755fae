import type { SkillTool } from "@skillwright/core";
import { canInterpret } from "@skillwright/runtime";
import type { AgentTools } from "../../acts/world.ts";
import type { RunMeans } from "../../events/run-event.ts";

/** The tools that a run had, to be talked about and not to be used. */
export function toolsOf({ tools, canRun, answer }: RunMeans): AgentTools {
  const unusable = (): never => {
    throw new TypeError("a replayed run does nothing");
  };
  return {
    tools: tools.map(
      (tool) => ({ ...tool, execute: unusable, toText: unusable }) as unknown as SkillTool,
    ),
    canRun,
    isScript: (path) => canRun && path.startsWith("scripts/") && canInterpret(path),
    ...(answer && { answer }),
  };
}
