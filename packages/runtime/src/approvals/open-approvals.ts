import { canonicalJson, defined } from "@skillwright/core/internal";
import { createSecretKey, type KeyObject, randomUUID } from "node:crypto";
import { userInfo } from "node:os";
import {
  type Approval,
  type ApprovalCall,
  type ApprovalDecision,
  ApprovalError,
  approvalFailure,
  type ApprovalFailure,
  type ApprovalRequest,
  type ApprovalSubject,
  frozenCopy,
  terminalOnlyFailure,
} from "./approval.ts";
import {
  approvalId,
  createRequest,
  exactSubject,
  fixedCall,
  isWhollyShown,
  offersOf,
  requestFacts,
  subjectsOf,
} from "./request.ts";
import {
  type ApprovalStore,
  createFileApprovals,
  hashOf,
  hasSignature,
  keyedDigest,
  SignedEntries,
} from "./store.ts";

export interface OpenApprovalsOptions {
  /** Where the user's key and approvals are; nothing that is approved may write there. */
  readonly stateDirectory: string;
  /** Keeps key and approvals instead of the state directory. */
  readonly store?: ApprovalStore;
  readonly runId: string;
  /**
   * Whose approvals these are; no others count. A host that works for many people names the one it
   * works for. Default: the user of this process, `local:<uid>`.
   */
  readonly principal?: string;
  /** Approvals from the record of this run, when it is continued. */
  readonly recorded?: readonly unknown[];
  /** Only a person at a terminal may approve: no flag, no host, no printed command. */
  readonly terminalOnly?: boolean;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  /** Gives the ids of requests, never one twice, also when the run is continued. */
  readonly ids?: () => string;
}

export async function openApprovals(options: OpenApprovalsOptions): Promise<Approvals> {
  const { store = createFileApprovals(options.stateDirectory) } = options;
  const key = await store.key();
  if (key.length < MIN_KEY_BYTES)
    throw new TypeError(`the key of a store has ${MIN_KEY_BYTES} bytes`);
  return new StoredApprovals({ ...options, store }, createSecretKey(key));
}

const MIN_KEY_BYTES = 32;

/** Stands in a command that people copy, so it must need no quoting and be no option. */
const SAFE_ID = /^[A-Za-z0-9][\w.-]{0,199}$/;
// oxlint-disable-next-line no-control-regex -- control characters are what it refuses
const PRINCIPAL = /^[^\u0000-\u001f\u007f]{1,256}$/;
const DECIDERS: ReadonlySet<unknown> = new Set(["person", "flag", "host"]);
const SCOPES: ReadonlySet<unknown> = new Set(["once", "run", "skill"]);

interface AdmittedCall {
  /** The request that was decided. */
  readonly request: string;
  readonly decision: ApprovalDecision;
}

/** Requests and decisions of one principal; a host may pass an object of its own. */
export type Approvals = Pick<StoredApprovals, keyof StoredApprovals>;

/**
 * What was approved, in this run and by this user. Every method throws an `ApprovalError` when the
 * user's state is damaged or cannot be written: then nothing is approved.
 */
class StoredApprovals {
  readonly runId: string;
  /** Whose approvals these are. Those of others never count. */
  readonly principal: string;
  readonly #options: Required<Pick<OpenApprovalsOptions, "terminalOnly" | "clock" | "ids">>;
  readonly #key: KeyObject;
  readonly #store: SignedEntries;
  /** Approvals of scope `run`. */
  readonly #inRun = new Map<string, Approval>();
  /** The calls of requests that wait for a decision, by id of the request. */
  readonly #waiting = new Map<string, ApprovalCall>();
  /** Requests whose script was handed out from the first line to the last. */
  readonly #shown = new Set<string>();

  constructor(
    {
      store,
      runId,
      recorded = [],
      ...more
    }: OpenApprovalsOptions & { readonly store: ApprovalStore },
    key: KeyObject,
  ) {
    const { principal = `local:${process.getuid?.() ?? userInfo().username}` } = more;
    const { terminalOnly = false, clock = Date.now, ids = randomUUID } = more;
    if (!PRINCIPAL.test(principal)) {
      throw new TypeError(`${JSON.stringify(principal)} cannot be a principal`);
    }
    this.runId = safeId(runId);
    this.principal = principal;
    this.#options = { terminalOnly, clock, ids };
    this.#key = key;
    this.#store = new SignedEntries(store, principal, key);
    for (const approval of recorded) this.#restore(approval);
  }

  /** The request to approve a call, signed. Carry out what it names, from the same snapshot. */
  async request(call: ApprovalCall): Promise<ApprovalRequest> {
    const { ids, terminalOnly } = this.#options;
    const fixed = fixedCall(call);
    const id = safeId(ids());
    if (this.#waiting.has(id)) throw new TypeError(`the id ${id} was given twice`);
    this.#waiting.set(id, fixed);
    return createRequest(fixed, {
      id,
      run: this.runId,
      principal: this.principal,
      createdAt: this.#now(),
      terminalOnly,
      key: this.#key,
    });
  }

  /** Whether a value, such as one from the record of a run, is a request of this user, unchanged. */
  verify(value: unknown): value is ApprovalRequest {
    return hasSignature("request", value, this.#key);
  }

  /**
   * All of the script that a request waiting here is about; undefined where it has none that is text. Who
   * was given it may be asked about more than this one call.
   */
  source(request: ApprovalRequest): string | undefined {
    if (!this.#isOwn(request)) return undefined;
    const text = this.#waiting.get(request.id)?.script?.text;
    if (text !== undefined) this.#shown.add(request.id);
    return text;
  }

  /**
   * The earlier approval that covers a request; undefined when it has to be asked for. One that was
   * admitted for one call is used up by this.
   */
  async find(request: ApprovalRequest): Promise<ApprovalDecision | undefined> {
    if (!this.#isOwn(request)) return undefined;
    const found = (await this.#takeAdmitted(request)) ?? (await this.#remembered(request));
    if (found !== undefined) this.#waiting.delete(request.id);
    return found;
  }

  /**
   * Remembers a decision as far as its scope goes. The call that was asked about may then proceed.
   * `approval` is for the record of the run; absent for scope `once` and for a refusal.
   */
  async record(
    request: ApprovalRequest,
    decision: ApprovalDecision,
  ): Promise<{ readonly ok: true; readonly approval?: Approval } | ApprovalFailure> {
    const problem = this.#problemOf(request, decision);
    if (problem !== undefined) return problem;
    if (!this.#waiting.delete(request.id)) return spent(request);
    if (!decision.approved) return { ok: true };
    const approval = await this.#remember(request, decision);
    return { ok: true, ...defined({ approval }) };
  }

  /**
   * Takes a decision of scope `once` on a request from a stopped run, for the call that will equal it:
   * `find` gives it then, in this process or another one with the same store. A request is admitted at
   * most once, and counts for one call.
   */
  async admit(
    request: ApprovalRequest,
    decision: ApprovalDecision,
  ): Promise<{ readonly ok: true } | ApprovalFailure> {
    const problem = this.#problemOf(request, decision);
    if (problem !== undefined) return problem;
    if (decision.scope !== "once") {
      return approvalFailure(
        "approval-scope-not-offered",
        'a stopped run is continued with scope "once"',
      );
    }
    if (!(await this.#spend(request.id))) return spent(request);
    const admitted = { request: request.id, decision };
    if (decision.approved) await this.#store.put("admitted", this.#callOf(request), admitted);
    return { ok: true };
  }

  /** What is remembered: for this run, and for skills in all runs. */
  async list(): Promise<Approval[]> {
    return [...this.#inRun.values(), ...((await this.#store.list("approval")) as Approval[])];
  }

  /** Takes an approval from the record of this run. One of another principal does not count. */
  #restore(value: unknown): void {
    if (!hasSignature("approval", value, this.#key) || (value as Approval).run !== this.runId) {
      throw new ApprovalError(
        "approval-damaged",
        `the record of the run ${this.runId} holds an approval that was not given in it`,
        { hint: "Start the run anew; what it needs is then asked again." },
      );
    }
    const approval = frozenCopy(value) as unknown as Approval;
    const isOwn = approval.principal === this.principal && approval.scope === "run";
    if (isOwn) this.#inRun.set(approval.id, approval);
  }

  async #remembered(request: ApprovalRequest): Promise<ApprovalDecision | undefined> {
    // All are read, whatever is asked for: one from another machine is an error.
    const approvals = await this.list();
    // What cannot be shown as it is must be asked, also when its arguments may be any.
    if (!request.scopes.includes("run")) return undefined;
    const isPersonOnly = request.terminalOnly || this.#options.terminalOnly;
    const found = subjectsOf(request)
      .map((subject) => canonicalJson(subject))
      .flatMap((wanted) => approvals.filter(({ subject }) => canonicalJson(subject) === wanted))
      .find(({ by }) => by === "person" || !isPersonOnly);
    if (found === undefined) return undefined;
    const { id, scope, by, approvedAt, subject } = found;
    return {
      approved: true,
      scope,
      ...(subject.arguments === "any" && { anyArguments: true }),
      ...(subject.arguments === "kind" && { allOfKind: true }),
      by: "memory",
      reason: `approved by ${by} at ${approvedAt} (${id})`,
    };
  }

  /** Undefined when there is nothing to remember. */
  async #remember(
    request: ApprovalRequest,
    decision: ApprovalDecision,
  ): Promise<Approval | undefined> {
    const { scope, by } = decision;
    if (scope === "once" || by === "memory") return undefined;
    const { runId: run, principal } = this;
    const covers = coverage(decision);
    const subject = subjectsOf(request).find((subject) => subject.arguments === covers);
    if (subject === undefined) return undefined;
    const id = approvalId(subject, scope === "run" ? run : undefined, this.#key);
    const approvedAt = this.#now();
    const content = { id, scope, run, principal, request: request.id, by, approvedAt, subject };
    const signature = keyedDigest("approval", content, this.#key);
    const approval = frozenCopy({ ...content, signature }) as unknown as Approval;
    if (scope === "run") this.#inRun.set(id, approval);
    else await this.#store.put("approval", id, approval);
    return approval;
  }

  /** An approval that was admitted counts for one call, of whatever process takes it first. */
  async #takeAdmitted(request: ApprovalRequest): Promise<ApprovalDecision | undefined> {
    // The recorded request cannot serve as a call: it has to be made again.
    if (!this.#waiting.has(request.id)) return undefined;
    const call = this.#callOf(request);
    const admitted = (await this.#store.get("admitted", call)) as AdmittedCall | undefined;
    // A setting such as `terminalOnly` may have changed since.
    if (admitted === undefined || this.#problemOf(request, admitted.decision)) return undefined;
    const isFirst = await this.#spend(`${admitted.request}\n`);
    await this.#store.remove("admitted", call);
    return isFirst ? admitted.decision : undefined;
  }

  /** True once for each mark of this run, in all processes. */
  async #spend(mark: string): Promise<boolean> {
    const { runId: run } = this;
    return this.#store.add("spent", hashOf([run, mark]), { run, mark });
  }

  #callOf(request: ApprovalRequest): string {
    return approvalId(exactSubject(request), this.runId, this.#key);
  }

  /**
   * Names a call that may be made again in this run, by whatever process: only for one that equals it in
   * everything that is approved is it the same. Undefined for what cannot be approved.
   */
  async callId(call: ApprovalCall): Promise<string | undefined> {
    try {
      const facts = requestFacts(call, this.principal, this.#key);
      return approvalId(exactSubject(facts), this.runId, this.#key);
    } catch (error) {
      if (error instanceof TypeError) return undefined;
      throw error;
    }
  }

  #now(): string {
    return new Date(this.#options.clock()).toISOString();
  }

  #isOwn(request: ApprovalRequest): boolean {
    const { run, principal } = request;
    return this.verify(request) && run === this.runId && principal === this.principal;
  }

  /** Why a decision does not count for a request; undefined when it does. A refusal always counts. */
  #problemOf(request: ApprovalRequest, decision: ApprovalDecision): ApprovalFailure | undefined {
    if (!this.#isOwn(request)) {
      return approvalFailure(
        "approval-request-invalid",
        "the request was changed, or is of another run",
      );
    }
    const { scope, by, anyArguments = false, allOfKind = false, only } = decision;
    // Approvers are other people's code: nothing but a clear yes is one.
    const { approved, pending = false }: { approved?: unknown; pending?: unknown } = decision;
    if (approved === false) return undefined;
    const isClear = approved === true && pending === false && typeof anyArguments === "boolean";
    const isKnown = DECIDERS.has(by) && SCOPES.has(scope) && typeof allOfKind === "boolean";
    if (!isClear || !isKnown || (only !== undefined && scope !== "once")) {
      return approvalFailure("approval-decision-invalid", "the approver gave no valid decision");
    }
    if ((this.#options.terminalOnly || request.terminalOnly) && by !== "person")
      return terminalOnlyFailure();
    const isShown = isWhollyShown(request) || this.#shown.has(request.id);
    const covers = coverage(decision);
    const offers = offersOf(request, isShown).filter((offer) => offer.scope === scope);
    const isOffered = offers.some((offer) => offer.covers === covers);
    if (isOffered && !(anyArguments && allOfKind)) return undefined;
    const what = anyArguments ? "any arguments for " : allOfKind ? "all of its kind for " : "";
    return approvalFailure(
      "approval-scope-not-offered",
      `this cannot be approved with ${what}the scope "${scope}"`,
      `Offered: ${request.scopes.join(", ")}.`,
    );
  }
}

function coverage({ anyArguments, allOfKind }: ApprovalDecision): ApprovalSubject["arguments"] {
  return anyArguments === true ? "any" : allOfKind === true ? "kind" : "these";
}

function spent({ id }: ApprovalRequest): ApprovalFailure {
  return approvalFailure("approval-spent", `the request ${id} was already decided`);
}

function safeId(id: string): string {
  if (!SAFE_ID.test(id)) throw new TypeError(`${JSON.stringify(id)} cannot be an id`);
  return id;
}
