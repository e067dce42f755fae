import type { Failure, ToolContext } from "@skillwright/core";
import type { Approvals } from "../approvals/approvals.ts";
import type { Approver } from "../approvals/approvers/approver.ts";
import { decideApproval } from "../approvals/approvers/decide-approval.ts";
import type { ApprovalCall } from "../approvals/request/approval-call.ts";
import { matchesCall } from "../approvals/request/matches-call.ts";
import type { Audit, AuditEvent } from "../audit/audit.ts";
import { decide } from "../policy/decide.ts";
import type { Decision } from "../policy/decision.ts";
import type {
  PolicyDecision,
  PolicyPlaces,
  PolicySkill,
  RunPolicy,
} from "../policy/policy-request.ts";
import type { PolicySettings } from "../policy/policy-settings.ts";
import { RISK_CLASSES } from "../policy/risk-classes.ts";
import { toolName } from "../policy/tool-names.ts";
import { createSecrets, type Secrets } from "../secrets/secrets.ts";
import { runPolicyForTool, settingsForTool } from "./rules-for-tool.ts";

export interface GateOptions {
  readonly settings: PolicySettings;
  readonly places: PolicyPlaces;
  readonly runPolicy?: RunPolicy;
  /** The skills that are active now. */
  readonly activeSkills: () => Promise<readonly PolicySkill[]> | readonly PolicySkill[];
  readonly approvals: Approvals;
  readonly approver: Approver;
  readonly audit: Audit;
  /** What a model must not see. Default: the secrets in the environment of this process. */
  readonly secrets?: Secrets;
}

export interface GatedCall extends ApprovalCall {
  /** The skill that the call names, as policy sees it. */
  readonly policySkill?: PolicySkill;
  /** Where its paths really lead. */
  readonly realPaths?: readonly string[];
  /** The input with secrets put back, where it has any: policy decides on what is carried out. */
  readonly restoredInput?: unknown;
}

export type GateResult =
  | { readonly ok: true }
  | Failure<"policy-denied" | "approval-refused" | "approval-needed">;

/**
 * Between a decision of a model and the act: policy first, then an approval where policy asks for one,
 * both in the record before anything happens. What the record cannot take does not happen.
 */
export class Gate {
  readonly #options: GateOptions;
  /** Every result that goes to a model is to pass `hide`. */
  readonly secrets: Secrets;

  constructor(options: GateOptions) {
    this.#options = options;
    this.secrets = options.secrets ?? createSecrets();
  }

  get audit(): Audit {
    return this.#options.audit;
  }

  async pass(call: GatedCall, { signal }: ToolContext = {}): Promise<GateResult> {
    const { audit } = this.#options;
    const { tool, input } = call;
    const activeSkills = await this.#options.activeSkills();
    const { decision, reason, rule, risk, unlistedBy } = this.#decide(call, activeSkills);
    if (decision === "allow") return { ok: true };
    if (decision === "deny") {
      audit.append({ event: "policy-deny", data: { tool, input, reason, rule, risk } });
      const message = this.secrets.mask(`${tool} is not allowed: ${reason}`);
      return { ok: false, code: "policy-denied", message };
    }
    return this.#ask(unlistedBy === undefined ? call : { ...call, unlistedBy }, signal);
  }

  /**
   * The same for what can wait, such as changes that are held: without an answer it is put off, and
   * nothing has to be called again. Its events have names of their own.
   */
  async passLater(call: GatedCall, { signal }: ToolContext = {}): Promise<"yes" | "no" | "later"> {
    const { decision } = this.#decide(call, await this.#options.activeSkills());
    if (decision !== "ask") return decision === "allow" ? "yes" : "no";
    const { request, decision: given } = await this.#decideOn(call, "changes", signal);
    if (given.approved) return matchesCall(request, call) ? "yes" : "no";
    return given.pending === true ? "later" : "no";
  }

  /** What policy says to a call. Nothing is asked or recorded; only `pass` lets one happen. */
  async decide(call: GatedCall): Promise<Decision> {
    return this.#decide(call, await this.#options.activeSkills()).decision;
  }

  /** Records what is about to happen, and waits until the record is safe. Call it before any effect. */
  async record(event: AuditEvent): Promise<void> {
    const { audit } = this.#options;
    audit.append(event);
    await audit.sync();
  }

  /** The same for a call of a tool. One that only reads does not wait. */
  async recordCall(tool: string, input: unknown): Promise<void> {
    const event = { event: "tool-call", data: { tool, input } } as const;
    if (RISK_CLASSES.get(toolName(tool))?.risk === "low") this.audit.append(event);
    else await this.record(event);
  }

  /**
   * For a call that passed and reaches more files than it names: whether policy lets it have one of
   * them. What made the call itself ask was answered; anything else that asks is a no.
   */
  async fileFilter(call: GatedCall): Promise<(path: string, realPath: string) => boolean> {
    const activeSkills = await this.#options.activeSkills();
    const answered = this.#decide(call, activeSkills);
    const { tool, cwd } = call;
    const { settings, runPolicy } = this.#options;
    // There may be very many files.
    const rules = {
      settings: settingsForTool(settings, tool),
      ...(runPolicy && { runPolicy: runPolicyForTool(runPolicy, tool) }),
    };
    return (path, realPath) => {
      const file = { tool, cwd, input: { path: `./${path}` }, realPaths: [realPath] };
      const { decision, reason } = this.#decide(file, activeSkills, rules);
      if (decision !== "ask") return decision === "allow";
      return answered.decision === "ask" && answered.reason === reason;
    };
  }

  #decide(
    call: GatedCall,
    activeSkills: readonly PolicySkill[],
    { settings, runPolicy }: Pick<GateOptions, "settings" | "runPolicy"> = this.#options,
  ): PolicyDecision {
    const { places } = this.#options;
    const { tool, input, restoredInput = input, policySkill, command, realPaths } = call;
    return decide({
      tool,
      input: restoredInput,
      settings,
      places,
      activeSkills,
      ...(policySkill && { skill: policySkill }),
      ...(runPolicy && { runPolicy }),
      ...(command && { commandLine: command }),
      ...(realPaths && { realPaths }),
    });
  }

  async #ask(call: GatedCall, signal: AbortSignal | undefined): Promise<GateResult> {
    const { request, decision } = await this.#decideOn(call, "approval", signal);
    // The last look: what was approved is this call and no other.
    if (decision.approved && matchesCall(request, call)) return { ok: true };
    const { pending = false, resumeCommand, reason } = decision;
    return {
      ok: false,
      code: pending ? "approval-needed" : "approval-refused",
      message: reason ?? `${call.tool} was not approved`,
      ...(resumeCommand === undefined ? undefined : { hint: resumeCommand }),
    };
  }

  async #decideOn(call: GatedCall, kind: "approval" | "changes", signal: AbortSignal | undefined) {
    const { approvals, approver, audit } = this.#options;
    const request = await approvals.request(call);
    audit.append({ event: `${kind}-request`, data: request });
    const { decision, approval } = await decideApproval(request, {
      approvals,
      approver,
      ...(signal && { signal }),
    });
    audit.append({ event: `${kind}-decision`, data: { request: request.id, decision, approval } });
    return { request, decision };
  }
}
