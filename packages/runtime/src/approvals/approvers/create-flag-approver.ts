import { toolName } from "../../policy/tool-names.ts";
import type { Approver } from "./approver.ts";
import { isFromServer } from "./is-from-server.ts";

/**
 * For `--yes=run_script,…`: approves each call of the tools it names and leaves all others to the next
 * approver. It remembers nothing: a run that is continued needs the flag again. What a server sent is
 * approved file by file: nobody can have meant it who named a tool before it was there.
 */
export function createFlagApprover(tools: readonly string[]): Approver {
  const named: ReadonlySet<string> = new Set(tools.map(toolName));
  return {
    async ask(request) {
      const { tool, terminalOnly } = request;
      const isNamed = named.has(tool) && !terminalOnly && !isFromServer(request);
      return isNamed
        ? { approved: true, scope: "once", by: "flag", reason: `--yes=${tool}` }
        : { approved: false, pending: true, scope: "once", by: "flag" };
    },
  };
}
