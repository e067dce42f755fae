import type { KeyObject } from "node:crypto";
import {
  type Approval,
  type ApprovalDecision,
  ApprovalError,
  type ApprovalRequest,
  frozenCopy,
} from "../approval.ts";
import { approvalId, exactSubject, openSubject } from "../request.ts";
import { hasSignature, signatureOf } from "../sign-request.ts";
import { GrantedFiles } from "./granted-files.ts";
import type { SpentMarks } from "./spent-marks.ts";

interface RememberedOptions {
  readonly stateDirectory: string;
  readonly runId: string;
  readonly terminalOnly: boolean;
  readonly clock: () => number;
  readonly key: KeyObject;
}

/** Approvals of scope `run`, in memory, and of scope `skill`, in the user's state. */
export class RememberedApprovals {
  readonly #options: RememberedOptions;
  readonly #spent: SpentMarks;
  readonly #granted: GrantedFiles;
  readonly #inRun = new Map<string, Approval>();

  constructor(options: RememberedOptions, spent: SpentMarks) {
    this.#options = options;
    this.#spent = spent;
    this.#granted = new GrantedFiles(options.stateDirectory, options.key);
  }

  find(request: ApprovalRequest): ApprovalDecision | undefined {
    // What cannot be shown as it is must be asked, also when its arguments may be any.
    if (!request.scopes.includes("run")) return undefined;
    const { runId, key } = this.#options;
    for (const subject of [exactSubject(request), openSubject(request)]) {
      if (subject === undefined) continue;
      const inRun = this.#inRun.get(approvalId(subject, runId, key));
      if (inRun !== undefined && this.#counts(inRun, request)) return asDecision(inRun);
      if (subject.skill === null) continue;
      const granted = this.#granted.get(approvalId(subject, undefined, key));
      if (granted !== undefined && this.#counts(granted, request)) return asDecision(granted);
    }
    // Ids depend on the user's key, so a file from another machine is never looked up. It is an error all the same.
    this.#granted.list();
    return undefined;
  }

  /** Undefined when there is nothing to remember. */
  add(request: ApprovalRequest, decision: ApprovalDecision): Approval | undefined {
    const { scope, by, anyArguments = false } = decision;
    if (scope === "once" || by === "memory") return undefined;
    const { runId: run, clock, key } = this.#options;
    const subject = (anyArguments ? openSubject(request) : undefined) ?? exactSubject(request);
    const id = approvalId(subject, scope === "run" ? run : undefined, key);
    const approvedAt = new Date(clock()).toISOString();
    const content = { id, scope, run, request: request.id, by, approvedAt, subject };
    const signature = signatureOf("approval", content, key);
    const approval = frozenCopy({ ...content, signature }) as unknown as Approval;
    if (scope === "run") this.#inRun.set(id, approval);
    else this.#granted.add(approval);
    return approval;
  }

  list(): Approval[] {
    return [...this.#inRun.values(), ...this.#granted.list()];
  }

  remove(id: string): boolean {
    const approval = this.#inRun.get(id);
    if (approval === undefined) return this.#granted.remove(id);
    // The record of the run still holds it.
    this.#spent.spend(approval.run, markOf(approval));
    return this.#inRun.delete(id);
  }

  /** Takes an approval from the record of this run. */
  restore(value: unknown): void {
    const { runId, key } = this.#options;
    if (!hasSignature("approval", value, key) || (value as Approval).run !== runId) {
      throw new ApprovalError(
        "approval-damaged",
        `the record of the run ${runId} holds an approval that was not given in it`,
        { hint: "Start the run anew; what it needs is then asked again." },
      );
    }
    const approval = frozenCopy(value) as unknown as Approval;
    if (approval.scope !== "run" || this.#spent.has(runId, markOf(approval))) return;
    this.#inRun.set(approval.id, approval);
  }

  #counts({ by }: Approval, { terminalOnly }: ApprovalRequest): boolean {
    return by === "person" || !(terminalOnly || this.#options.terminalOnly);
  }
}

function asDecision({ id, scope, by, approvedAt, subject }: Approval): ApprovalDecision {
  return {
    approved: true,
    scope,
    ...(subject.arguments === "any" ? { anyArguments: true } : undefined),
    by: "memory",
    reason: `approved by ${by} at ${approvedAt} (${id})`,
  };
}

/** Of this giving of the approval: it may be given again. */
function markOf({ id, request }: Approval): string {
  return `${id} ${request}`;
}
