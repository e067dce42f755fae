import { toolName } from "../../policy/tool-names.ts";
import type { Approver } from "./approver.ts";

/**
 * For `--yes=run_script,…`: approves each call of the tools it names and leaves all others to the next
 * approver. It remembers nothing: a run that is continued needs the flag again.
 */
export function createFlagApprover(tools: readonly string[]): Approver {
  const named: ReadonlySet<string> = new Set(tools.map(toolName));
  return {
    async ask({ tool, terminalOnly }) {
      const isNamed = named.has(tool) && !terminalOnly;
      return isNamed
        ? { approved: true, scope: "once", by: "flag", reason: `--yes=${tool}` }
        : { approved: false, pending: true, scope: "once", by: "flag" };
    },
  };
}
