import type { SkillTool } from "@skillwright/core";
import type { Audit } from "@skillwright/runtime";

/**
 * A tool of the host with its calls in the record. The host sees to its policy, but the record has to
 * show a call that had begun when the run was cut off.
 */
export function recordedTool(tool: SkillTool, audit: Audit): SkillTool {
  return {
    ...tool,
    async execute(input, context) {
      audit.append({ event: "tool-call", data: { tool: tool.name, input } });
      await audit.sync();
      const result = await tool.execute(input, context);
      // After a stop the run no longer waits for results.
      if (context?.signal?.aborted !== true) {
        audit.append({ event: "tool-end", data: { tool: tool.name } });
      }
      return result;
    },
    toText: (result) => tool.toText(result),
  };
}
