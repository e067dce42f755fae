import { type KeyObject, randomUUID } from "node:crypto";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { KeyFileError, openKeyFile } from "../key-file.ts";
import {
  type AdmitResult,
  type Approval,
  type ApprovalCall,
  type ApprovalDecision,
  ApprovalError,
  type ApprovalFailure,
  type ApprovalRequest,
  type Approvals,
  frozenCopy,
  type RecordResult,
} from "./approval.ts";
import {
  approvalId,
  createRequest,
  exactSubject,
  fixedCall,
  isWhollyShown,
  kindSubjects,
  openSubject,
} from "./request.ts";
import type { ApprovedScript, LastApproved } from "./script-preview.ts";
import { ApprovalStore, hashOf, hasSignature, signatureOf, verifyRequest } from "./store.ts";

export interface OpenApprovalsOptions {
  /** Where the user's key and approvals are; nothing that is approved may write there. */
  readonly stateDirectory: string;
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

type RunOptions = Required<Omit<OpenApprovalsOptions, "recorded">> & { readonly key: KeyObject };

export async function openApprovals(options: OpenApprovalsOptions): Promise<Approvals> {
  const { stateDirectory, principal = localPrincipal(), recorded = [] } = options;
  const defaults = { principal, terminalOnly: false, clock: Date.now, ids: randomUUID };
  const key = openKey(join(stateDirectory, "approvals", "key"));
  const approvals = new RunApprovals({ ...defaults, ...options, principal, key });
  for (const approval of recorded) approvals.restore(approval);
  return approvals;
}

/** The user of this process. */
function localPrincipal(): string {
  return `local:${process.getuid?.() ?? userInfo().username}`;
}

function openKey(file: string): KeyObject {
  try {
    return openKeyFile(file);
  } catch (cause) {
    const { message } = cause as Error;
    if (cause instanceof KeyFileError) {
      throw new ApprovalError(
        "approval-key-unusable",
        `the key ${file} cannot be used: ${message}`,
        {
          cause,
          hint: `Give it back to its owner with mode 0600. Without it, remove ${dirname(file)}: everything is then asked again.`,
        },
      );
    }
    throw new ApprovalError("approval-unwritable", `cannot make the key ${file}: ${message}`, {
      cause,
      hint: "Without a key nothing can be approved. Make the state directory writable.",
    });
  }
}

/** Stands in a command that people copy, so it must need no quoting and be no option. */
const SAFE_ID = /^[A-Za-z0-9][\w.-]{0,199}$/;
// oxlint-disable-next-line no-control-regex -- control characters are what it refuses
const PRINCIPAL = /^[^\u0000-\u001f\u007f]{1,256}$/;
/** Of a script that is kept. */
const MAX_TEXT_BYTES = 256 * 1024;

class RunApprovals implements Approvals {
  readonly runId: string;
  readonly principal: string;
  readonly #options: RunOptions;
  readonly #store: ApprovalStore;
  /** Approvals of scope `run`. */
  readonly #inRun = new Map<string, Approval>();
  /** Decisions on calls of a stopped run, by id of the call. */
  readonly #admitted = new Map<string, ApprovalDecision>();
  /** The calls of requests that wait for a decision, by id of the request. */
  readonly #waiting = new Map<string, ApprovalCall>();
  /** Requests whose script was handed out from the first line to the last. */
  readonly #shown = new Set<string>();

  constructor(options: RunOptions) {
    const { stateDirectory, runId, principal, key } = options;
    if (!PRINCIPAL.test(principal)) {
      throw new TypeError(`${JSON.stringify(principal)} cannot be a principal`);
    }
    this.runId = safeId(runId);
    this.principal = principal;
    this.#options = options;
    this.#store = new ApprovalStore(join(stateDirectory, "approvals"), principal, key);
  }

  async request(call: ApprovalCall): Promise<ApprovalRequest> {
    const { clock, ids, terminalOnly, key, principal } = this.#options;
    const fixed = fixedCall(call);
    const id = safeId(ids());
    if (this.#waiting.has(id)) throw new TypeError(`the id ${id} was given twice`);
    const createdAt = new Date(clock()).toISOString();
    const last = this.#lastApproved(fixed);
    this.#waiting.set(id, fixed);
    const run = this.runId;
    return createRequest(fixed, { id, run, principal, createdAt, terminalOnly, key, last });
  }

  verify(value: unknown): value is ApprovalRequest {
    return verifyRequest(value, this.#options.key);
  }

  source(request: ApprovalRequest): string | undefined {
    if (!this.#isOwn(request)) return undefined;
    const text = this.#waiting.get(request.id)?.script?.text;
    if (text !== undefined) this.#shown.add(request.id);
    return text;
  }

  async find(request: ApprovalRequest): Promise<ApprovalDecision | undefined> {
    if (!this.#isOwn(request)) return undefined;
    const found = this.#takeAdmitted(request) ?? this.#remembered(request);
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
    const approval = this.#remember(request, decision);
    // Later changes are shown against what a person saw, not against what a flag let through.
    if (decision.by === "person") this.#keepScript(call);
    return { ok: true, ...(approval === undefined ? undefined : { approval }) };
  }

  async admit(request: ApprovalRequest, decision: ApprovalDecision): Promise<AdmitResult> {
    const problem = this.#problemOf(request, decision);
    if (problem !== undefined) return problem;
    if (decision.scope !== "once") {
      return failure("approval-scope-not-offered", 'a stopped run is continued with scope "once"');
    }
    if (!this.#spend(request.id)) return spent(request);
    if (decision.approved) {
      this.#admitted.set(this.#idOf(request), { ...decision });
    }
    return { ok: true };
  }

  async list(): Promise<Approval[]> {
    return [...this.#inRun.values(), ...this.#granted()];
  }

  async revoke(id: string): Promise<boolean> {
    const approval = this.#inRun.get(id);
    if (approval === undefined) return this.#store.remove("approval", id);
    // The record of the run still holds it.
    this.#spend(markOf(approval));
    return this.#inRun.delete(id);
  }

  /** Takes an approval from the record of this run. One of another principal does not count. */
  restore(value: unknown): void {
    const { key } = this.#options;
    if (!hasSignature("approval", value, key) || (value as Approval).run !== this.runId) {
      throw new ApprovalError(
        "approval-damaged",
        `the record of the run ${this.runId} holds an approval that was not given in it`,
        { hint: "Start the run anew; what it needs is then asked again." },
      );
    }
    const approval = frozenCopy(value) as unknown as Approval;
    if (approval.principal !== this.principal || approval.scope !== "run") return;
    if (!this.#isSpent(markOf(approval))) this.#inRun.set(approval.id, approval);
  }

  #remembered(request: ApprovalRequest): ApprovalDecision | undefined {
    // Ids depend on the user's key, so a file from another machine is never looked up. It is an error all the same.
    this.#granted();
    // What cannot be shown as it is must be asked, also when its arguments may be any.
    if (!request.scopes.includes("run")) return undefined;
    const { runId, key } = this.#options;
    for (const subject of [exactSubject(request), openSubject(request), ...kindSubjects(request)]) {
      if (subject === undefined) continue;
      const inRun = this.#inRun.get(approvalId(subject, runId, key));
      if (inRun !== undefined && this.#counts(inRun, request)) return asDecision(inRun);
      if (subject.skill === null || subject.arguments === "kind") continue;
      const granted = this.#grantedFor(approvalId(subject, undefined, key));
      if (granted !== undefined && this.#counts(granted, request)) return asDecision(granted);
    }
    return undefined;
  }

  /** Undefined when there is nothing to remember. */
  #remember(request: ApprovalRequest, decision: ApprovalDecision): Approval | undefined {
    const { scope, by, anyArguments = false, allOfKind = false } = decision;
    if (scope === "once" || by === "memory") return undefined;
    const { runId: run, clock, key, principal } = this.#options;
    const [kind] = allOfKind ? kindSubjects(request) : [];
    const subject =
      kind ?? (anyArguments ? openSubject(request) : undefined) ?? exactSubject(request);
    const id = approvalId(subject, scope === "run" ? run : undefined, key);
    const approvedAt = new Date(clock()).toISOString();
    const content = { id, scope, run, principal, request: request.id, by, approvedAt, subject };
    const signature = signatureOf("approval", content, key);
    const approval = frozenCopy({ ...content, signature }) as unknown as Approval;
    if (scope === "run") this.#inRun.set(id, approval);
    else this.#store.put("approval", id, approval);
    return approval;
  }

  #granted(): Approval[] {
    return this.#store.list("approval") as Approval[];
  }

  /** A signed approval of a run, or for something else, is none for this. */
  #grantedFor(id: string): Approval | undefined {
    const approval = this.#store.get("approval", id) as Approval | undefined;
    const { key } = this.#options;
    const isItself =
      approval?.scope === "skill" && approvalId(approval.subject, undefined, key) === id;
    return isItself ? approval : undefined;
  }

  #counts({ by }: Approval, { terminalOnly }: ApprovalRequest): boolean {
    return by === "person" || !(terminalOnly || this.#options.terminalOnly);
  }

  /** Undefined when it never was. Damage is not an error here: it approves nothing. */
  #lastApproved(call: ApprovalCall): LastApproved {
    const place = placeOf(call);
    if (place === undefined) return undefined;
    try {
      return this.#store.get("script", place) as ApprovedScript | undefined;
    } catch (error) {
      if (ApprovalError.isInstance(error)) return "damaged";
      throw error;
    }
  }

  /** A text that is too long is not kept, nor the one before: its changes would mislead. */
  #keepScript(call: ApprovalCall): void {
    const place = placeOf(call);
    if (place === undefined || call.skill === undefined) return;
    const text = call.script?.text;
    if (text === undefined || Buffer.byteLength(text) > MAX_TEXT_BYTES) {
      this.#store.remove("script", place);
    } else {
      this.#store.put("script", place, { digest: call.skill.digest, text });
    }
  }

  /** True for the first one, in whatever process. */
  #spend(mark: string): boolean {
    return this.#store.add("spent", hashOf([this.runId, mark]), { run: this.runId, mark });
  }

  #isSpent(mark: string): boolean {
    return this.#store.has("spent", hashOf([this.runId, mark]));
  }

  /** An approval that was admitted counts for one call. */
  #takeAdmitted(request: ApprovalRequest): ApprovalDecision | undefined {
    const id = this.#idOf(request);
    const admitted = this.#admitted.get(id);
    // The recorded request cannot serve as a call: it has to be made again.
    if (admitted === undefined || !this.#waiting.has(request.id)) return undefined;
    this.#admitted.delete(id);
    return admitted;
  }

  #idOf(request: ApprovalRequest): string {
    return approvalId(exactSubject(request), this.runId, this.#options.key);
  }

  #problemOf(request: ApprovalRequest, decision: ApprovalDecision): ApprovalFailure | undefined {
    if (!this.#isOwn(request)) {
      return failure("approval-request-invalid", "the request was changed, or is of another run");
    }
    const { terminalOnly } = this.#options;
    const isShown = isWhollyShown(request) || this.#shown.has(request.id);
    return decisionProblem(request, decision, { terminalOnly, isShown });
  }

  #isOwn(request: ApprovalRequest): boolean {
    return (
      this.verify(request) && request.run === this.runId && request.principal === this.principal
    );
  }
}

function asDecision({ id, scope, by, approvedAt, subject }: Approval): ApprovalDecision {
  return {
    approved: true,
    scope,
    ...(subject.arguments === "any" && { anyArguments: true }),
    ...(subject.arguments === "kind" && { allOfKind: true }),
    by: "memory",
    reason: `approved by ${by} at ${approvedAt} (${id})`,
  };
}

/** Of this giving of the approval: it may be given again. */
function markOf({ id, request }: Approval): string {
  return `${id} ${request}`;
}

/** Where a script lives, whatever its content. */
function placeOf({ skill, script, cwd }: ApprovalCall): string | undefined {
  if (skill === undefined || script === undefined) return undefined;
  const { name, source } = skill;
  return hashOf({ name, source, script: script.path, cwd });
}

function spent({ id }: ApprovalRequest): ApprovalFailure {
  return failure("approval-spent", `the request ${id} was already decided`);
}

function safeId(id: string): string {
  if (!SAFE_ID.test(id)) throw new TypeError(`${JSON.stringify(id)} cannot be an id`);
  return id;
}

const DECIDERS: ReadonlySet<unknown> = new Set(["person", "flag", "host"]);
const SCOPES: ReadonlySet<unknown> = new Set(["once", "run", "skill"]);

/** Why a decision does not count for a request; undefined when it does. A refusal always counts. */
function decisionProblem(
  request: ApprovalRequest,
  decision: ApprovalDecision,
  { terminalOnly, isShown }: { readonly terminalOnly: boolean; readonly isShown: boolean },
): ApprovalFailure | undefined {
  const { scope, by, anyArguments = false, allOfKind = false, only } = decision;
  // Approvers are other people's code: nothing but a clear yes is one.
  const { approved, pending = false }: { approved?: unknown; pending?: unknown } = decision;
  if (approved === false) return undefined;
  const isClear = approved === true && pending === false && typeof anyArguments === "boolean";
  const isKnown = DECIDERS.has(by) && SCOPES.has(scope) && typeof allOfKind === "boolean";
  if (!isClear || !isKnown || (only !== undefined && scope !== "once")) {
    return failure("approval-decision-invalid", "the approver gave no valid decision");
  }
  if ((terminalOnly || request.terminalOnly) && by !== "person") return onlyInTerminal();
  const mayBeOpen = scope !== "once" && isShown && openSubject(request) !== undefined;
  const mayBeKind =
    scope === "run" && request.kind !== undefined && (isShown || request.script === undefined);
  const isOffered = (!anyArguments || mayBeOpen) && (!allOfKind || mayBeKind);
  if (request.scopes.includes(scope) && isOffered && !(anyArguments && allOfKind)) return undefined;
  const what = anyArguments ? "any arguments for" : allOfKind ? "all of its kind for" : "";
  return failure(
    "approval-scope-not-offered",
    `this cannot be approved with ${what}${what && " "}the scope "${scope}"`,
    `Offered: ${request.scopes.join(", ")}.`,
  );
}

function failure(code: ApprovalFailure["code"], message: string, hint?: string): ApprovalFailure {
  return { ok: false, code, message, ...(hint === undefined ? undefined : { hint }) };
}

function onlyInTerminal(): ApprovalFailure {
  const hint = "Continue the run in a terminal.";
  return failure("approval-terminal-only", "only a person at a terminal may approve this", hint);
}

interface ResumeApprovalOptions {
  /** Opened for the run that stopped. */
  readonly approvals: Approvals;
  /** Refuse: only a person at a terminal may approve. */
  readonly terminalOnly?: boolean;
}

type ResumeApprovalResult =
  | { readonly ok: true; readonly request: ApprovalRequest }
  | ApprovalFailure;

/** The signed request of a stopped run, admitted for the call that equals it. */
export async function resumeApproval(
  stored: unknown,
  approvalId: string,
  { approvals, terminalOnly = false }: ResumeApprovalOptions,
): Promise<ResumeApprovalResult> {
  if (!approvals.verify(stored) || stored.run !== approvals.runId) {
    return failure(
      "approval-request-invalid",
      "the request in the record of the run is not the one that was made",
      "Continue the run without --approve; what it needs is then asked again.",
    );
  }
  if (stored.principal !== approvals.principal) {
    return failure(
      "approval-of-another",
      "the run stopped for an approval of somebody else",
      "Continue the run without it; what it needs is then asked again.",
    );
  }
  if (stored.id !== approvalId) {
    // Does not name which one: the person who approves has seen what the id refers to.
    const hint = "See in the record of the run what it waits for.";
    return failure("approval-unknown", "the run waits for another approval", hint);
  }
  if (terminalOnly || stored.terminalOnly) return onlyInTerminal();
  const reason = `--approve ${stored.id}`;
  const result = await approvals.admit(stored, {
    approved: true,
    scope: "once",
    by: "flag",
    reason,
  });
  return result.ok ? { ok: true, request: stored } : result;
}
