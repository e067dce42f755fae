import type { ApprovalDecision, ApprovalRequest } from "../approval.ts";
import { offersAnyArguments } from "../request/approval-subject.ts";
import { showText } from "./show-values.ts";

/** An answer that a person may give. */
export interface ApprovalChoice {
  readonly id: "deny" | "once" | "run" | "run-any" | "skill" | "skill-any";
  readonly label: string;
  /** What the answer means, as if a person gave it. */
  readonly decision: ApprovalDecision;
}

/** The answers to a request. The first one refuses, so that a hasty key approves nothing. */
export function approvalChoices(request: ApprovalRequest): ApprovalChoice[] {
  const { scopes, skill } = request;
  const name = skill === undefined ? "" : showText(skill.name);
  const digest = skill === undefined ? "" : showText(skill.digest.slice(0, 19));
  const always = `whenever ${name} has the digest ${digest}…`;
  const hasOpenArguments = offersAnyArguments(request);
  const choices: ApprovalChoice[] = [
    { id: "deny", label: "No", decision: { approved: false, scope: "once", by: "person" } },
  ];
  const add = (id: ApprovalChoice["id"], label: string, decision: Partial<ApprovalDecision>) =>
    choices.push({
      id,
      label,
      decision: { approved: true, scope: "once", by: "person", ...decision },
    });
  if (scopes.includes("once")) add("once", "Yes, this once", {});
  if (scopes.includes("run")) {
    add("run", "Yes, exactly this call, for the rest of this run", { scope: "run" });
    if (hasOpenArguments) {
      const label = "Yes, this script with any arguments, for the rest of this run";
      add("run-any", label, { scope: "run", anyArguments: true });
    }
  }
  if (scopes.includes("skill")) {
    add("skill", `Yes, exactly this call, ${always}`, { scope: "skill" });
    if (hasOpenArguments) {
      const label = `Yes, this script with any arguments, ${always}`;
      add("skill-any", label, { scope: "skill", anyArguments: true });
    }
  }
  return choices;
}
