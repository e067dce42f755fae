import { type Approver, approvalChoices } from "@skillwright/runtime";
import { visibleLine } from "@skillwright/core/internal";
import type { Console } from "../console.ts";
import { shownApproval } from "./shown-approval.ts";

/**
 * Asks the person at the terminal, who sees exactly what will happen. Who walks away has not answered
 * where that can be told to somebody, who then ends the work; elsewhere it is a no.
 */
export function createTerminalApprover(console: Console, onWalkAway?: () => void): Approver {
  return {
    async ask(request, { signal }) {
      console.note(shownApproval(request, console));
      const choices = approvalChoices(request);
      const answer = await console.choose(
        {
          message: `Allow ${visibleLine(request.tool)}?`,
          choices: choices.map(({ id, label }) => ({ value: id, label })),
          initial: "deny",
        },
        signal,
      );
      if (answer === undefined && onWalkAway !== undefined) {
        onWalkAway();
        signal?.throwIfAborted();
      }
      const chosen = choices.find(({ id }) => id === answer) ?? choices[0];
      return chosen?.decision ?? { approved: false, scope: "once", by: "person" };
    },
  };
}
