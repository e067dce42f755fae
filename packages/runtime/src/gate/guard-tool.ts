import type { SkillTool } from "@skillwright/core";
import type { Gate } from "./gate.ts";
import { forModel } from "./model-text.ts";

export interface GuardOptions {
  readonly gate: Gate;
  /** The working directory that the tool acts in. */
  readonly cwd: string;
  /** What the tool is called in policy, when the model knows it by another name. */
  readonly policyName?: string;
}

/**
 * The same tool behind the gate: a call that does not pass gives the failure as its result. To guard a tool
 * is to offer it, so that a tool policy does not know asks, unless a rule or a switch says otherwise.
 */
export function guardTool(tool: SkillTool, { gate, cwd, policyName }: GuardOptions): SkillTool {
  return {
    ...tool,
    async execute(input, context) {
      const call = { tool: policyName ?? tool.name, input, cwd, offered: true };
      const passed = await gate.pass(call, context);
      if (!passed.ok) return passed;
      await gate.recordCall(tool.name, input);
      const result = await tool.execute(input, context);
      gate.audit.append({ event: "tool-end", data: { tool: tool.name, ok: isSuccess(result) } });
      return forModel(result, gate.secrets);
    },
    toText: (result) => tool.toText(result),
  };
}

function isSuccess(result: unknown): boolean {
  if (typeof result !== "object" || result === null) return true;
  const { ok, success } = result as { ok?: unknown; success?: unknown };
  return ok !== false && success !== false;
}
