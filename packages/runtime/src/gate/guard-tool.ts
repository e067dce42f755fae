import type { SkillTool } from "@skillwright/core";
import type { Gate } from "./gate.ts";

export interface GuardOptions {
  readonly gate: Gate;
  /** The working directory that the tool acts in. */
  readonly cwd: string;
  /** What the tool is called in policy, when the model knows it by another name. */
  readonly policyName?: string;
}

/** The same tool behind the gate: a call that does not pass gives the failure as its result. */
export function guardTool(tool: SkillTool, { gate, cwd, policyName }: GuardOptions): SkillTool {
  return {
    ...tool,
    async execute(input, context) {
      const passed = await gate.pass({ tool: policyName ?? tool.name, input, cwd }, context);
      if (!passed.ok) return passed;
      gate.audit.append({ event: "tool-call", data: { tool: tool.name, input } });
      await gate.audit.sync();
      const result = await tool.execute(input, context);
      gate.audit.append({ event: "tool-end", data: { tool: tool.name, ok: isSuccess(result) } });
      return result;
    },
    toText: (result) => tool.toText(result),
  };
}

function isSuccess(result: unknown): boolean {
  if (typeof result !== "object" || result === null) return true;
  const { ok, success } = result as { ok?: unknown; success?: unknown };
  return ok !== false && success !== false;
}
