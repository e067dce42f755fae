import { type Approver, approvalChoices, approvalText } from "@skillwright/runtime";
import type { Console } from "../console.ts";

/** Asks the person at the terminal, who sees exactly what will happen. */
export function createTerminalApprover(console: Console): Approver {
  return {
    async ask(request) {
      console.note(approvalText(request));
      const choices = approvalChoices(request);
      const answer = await console.choose({
        message: `Allow ${request.tool}?`,
        choices: choices.map(({ id, label }) => ({ value: id, label })),
        initial: "deny",
      });
      const chosen = choices.find(({ id }) => id === answer) ?? choices[0];
      return chosen?.decision ?? { approved: false, scope: "once", by: "person" };
    },
  };
}
