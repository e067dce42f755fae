import type { KeyObject } from "node:crypto";
import type {
  AdmitResult,
  Approval,
  ApprovalDecision,
  ApprovalRequest,
  Approvals,
  RecordResult,
} from "./approval.ts";
import { ApprovedScripts } from "./memory/approved-scripts.ts";
import { type ApprovalFailure, decisionProblem, failure } from "./memory/decision-problem.ts";
import { RememberedApprovals } from "./memory/remembered-approvals.ts";
import { SpentMarks } from "./memory/spent-marks.ts";
import {
  type ApprovalCall,
  approvalId,
  createRequest,
  exactSubject,
  fixedCall,
} from "./request.ts";
import { verifyRequest } from "./sign-request.ts";

interface RunApprovalsOptions {
  readonly stateDirectory: string;
  readonly runId: string;
  readonly terminalOnly: boolean;
  readonly clock: () => number;
  readonly ids: () => string;
  readonly key: KeyObject;
}

/** Stands in a command that people copy, so it must need no quoting and be no option. */
const SAFE_ID = /^[A-Za-z0-9][\w.-]{0,199}$/;

export class RunApprovals implements Approvals {
  readonly runId: string;
  readonly #options: RunApprovalsOptions;
  readonly #remembered: RememberedApprovals;
  readonly #scripts: ApprovedScripts;
  readonly #spent: SpentMarks;
  /** Decisions on calls of a stopped run, by id of the call. */
  readonly #admitted = new Map<string, ApprovalDecision>();
  /** The calls of requests that wait for a decision, by id of the request. */
  readonly #waiting = new Map<string, ApprovalCall>();

  constructor(options: RunApprovalsOptions) {
    const { stateDirectory, runId, key } = options;
    this.runId = safeId(runId);
    this.#options = options;
    this.#scripts = new ApprovedScripts(stateDirectory, key);
    this.#spent = new SpentMarks(stateDirectory);
    this.#remembered = new RememberedApprovals(options, this.#spent);
  }

  async request(call: ApprovalCall): Promise<ApprovalRequest> {
    const { clock, ids, terminalOnly, key } = this.#options;
    const fixed = fixedCall(call);
    const id = safeId(ids());
    if (this.#waiting.has(id)) throw new TypeError(`the id ${id} was given twice`);
    const createdAt = new Date(clock()).toISOString();
    const last = this.#scripts.last(fixed);
    const options = { id, run: this.runId, createdAt, terminalOnly, key, last };
    this.#waiting.set(id, fixed);
    return createRequest(fixed, options);
  }

  verify(value: unknown): value is ApprovalRequest {
    return verifyRequest(value, this.#options.key);
  }

  async find(request: ApprovalRequest): Promise<ApprovalDecision | undefined> {
    if (!this.#isOwn(request)) return undefined;
    const found = this.#takeAdmitted(request) ?? this.#remembered.find(request);
    if (found !== undefined) this.#waiting.delete(request.id);
    return found;
  }

  async record(request: ApprovalRequest, decision: ApprovalDecision): Promise<RecordResult> {
    const problem = this.#problemOf(request, decision);
    if (problem !== undefined) return problem;
    const call = this.#waiting.get(request.id);
    if (call === undefined) return spent(request);
    this.#waiting.delete(request.id);
    if (!decision.approved) return { ok: true };
    const approval = this.#remembered.add(request, decision);
    // Later changes are shown against what a person saw, not against what a flag let through.
    if (decision.by === "person") this.#scripts.keep(call);
    return { ok: true, ...(approval === undefined ? undefined : { approval }) };
  }

  async admit(request: ApprovalRequest, decision: ApprovalDecision): Promise<AdmitResult> {
    const problem = this.#problemOf(request, decision);
    if (problem !== undefined) return problem;
    if (decision.scope !== "once") {
      return failure("approval-scope-not-offered", 'a stopped run is continued with scope "once"');
    }
    if (!this.#spent.spend(this.runId, request.id)) return spent(request);
    if (decision.approved) {
      this.#admitted.set(approvalId(exactSubject(request), this.runId, this.#options.key), {
        ...decision,
      });
    }
    return { ok: true };
  }

  async list(): Promise<Approval[]> {
    return this.#remembered.list();
  }

  async revoke(id: string): Promise<boolean> {
    return this.#remembered.remove(id);
  }

  /** Takes an approval from the record of this run. */
  restore(value: unknown): void {
    this.#remembered.restore(value);
  }

  /** An approval that was admitted counts for one call. */
  #takeAdmitted(request: ApprovalRequest): ApprovalDecision | undefined {
    const id = approvalId(exactSubject(request), this.runId, this.#options.key);
    const admitted = this.#admitted.get(id);
    // The request from the record itself is no call: it has to be made anew.
    if (admitted === undefined || !this.#waiting.has(request.id)) return undefined;
    this.#admitted.delete(id);
    return admitted;
  }

  #problemOf(request: ApprovalRequest, decision: ApprovalDecision): ApprovalFailure | undefined {
    if (!this.#isOwn(request)) {
      return failure("approval-request-invalid", "the request was changed, or is of another run");
    }
    return decisionProblem(request, decision, this.#options);
  }

  #isOwn(request: ApprovalRequest): boolean {
    return this.verify(request) && request.run === this.runId;
  }
}

function spent({ id }: ApprovalRequest): ApprovalFailure {
  return failure("approval-spent", `the request ${id} was already decided`);
}

function safeId(id: string): string {
  if (!SAFE_ID.test(id)) throw new TypeError(`${JSON.stringify(id)} cannot be an id`);
  return id;
}
