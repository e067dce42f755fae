import type { SkillTool } from "@skillwright/core";
import type { AuditEvent } from "@skillwright/runtime";

/**
 * A tool of the host with its calls in the record of the run. Behind no gate, which is the host's
 * matter; but one that had begun when the run was cut off has to be known.
 */
export function recordedTool(tool: SkillTool, append: (event: AuditEvent) => unknown): SkillTool {
  return {
    ...tool,
    async execute(input, context) {
      append({ event: "tool-call", data: { tool: tool.name, input } });
      const result = await tool.execute(input, context);
      // Nobody waits any more for what comes after the run was stopped.
      if (context?.signal?.aborted !== true) {
        append({ event: "tool-end", data: { tool: tool.name } });
      }
      return result;
    },
    toText: (result) => tool.toText(result),
  };
}
