import type { ApprovalRequest } from "../approval.ts";
import type { Approver } from "./approver.ts";
import { isFromServer } from "./is-from-server.ts";

/** For runs that nobody watches: approves nothing and says how the run is continued. */
export const denyApprover: Approver = {
  async ask(request) {
    const command = resumeCommand(request);
    const where = request.terminalOnly ? "in a terminal" : "with";
    const what = isFromServer(request)
      ? `${request.tool} needs an approval of its own for a skill of a server, which --yes does not give.`
      : `${request.tool} needs an approval.`;
    return {
      approved: false,
      pending: true,
      scope: "once",
      by: "host",
      reason: `${what} Continue ${where}: ${command}`,
      resumeCommand: command,
    };
  },
};

/** The command that continues the run. Where only a person may approve, it asks that person again. */
export function resumeCommand({ run, id, terminalOnly }: ApprovalRequest): string {
  const command = `skillwright runs resume ${run}`;
  return terminalOnly ? command : `${command} --approve ${id}`;
}
