import { readdirSync, statSync } from "node:fs";
import { readIfPresent, removeQuietly, writeAtomic } from "@skillwright/core/internal";
import type { ExecutionReceipt } from "../execution/executor.ts";
import type { ScriptChanges } from "../changes/run-changes.ts";
import type { ToolContext } from "@skillwright/core";
import { type ToolFailure, defined } from "@skillwright/core/internal";
import { join } from "node:path";
import { type Approver, decideApproval } from "../approvals/approvers.ts";
import { matchesCall } from "../approvals/request.ts";
import type { ApprovalCall, ApprovalRequest, ChangesOverview } from "../approvals/approval.ts";
import type { Approvals } from "../approvals/open-approvals.ts";
import type { Audit, AuditEvent } from "../audit/audit.ts";
import type { RunChanges } from "../changes/run-changes.ts";
import { decideBy, readPolicy } from "../policy/decide.ts";
import {
  type Decision,
  type PolicyDecision,
  type PolicyPlaces,
  type PolicySettings,
  type PolicySkill,
  type NarrowingRules,
  toolName,
  TOOLS,
} from "../policy/policy-settings.ts";
import { createSecrets, type Secrets } from "../secrets/secrets.ts";

export interface GateOptions {
  readonly settings: PolicySettings;
  readonly places: PolicyPlaces;
  readonly runPolicy?: NarrowingRules;
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
  /** A tool that the host offers: nothing has to switch it on. */
  readonly offered?: boolean;
  /** It ran, and does not run again: a denial counts, but nobody is asked about the call itself. */
  readonly repeats?: RepeatableCall | undefined;
}

/**
 * - `policy-denied`: policy does not allow it, so no one was asked.
 * - `approval-needed`: the decision is still open. `request` is signed; a host shows it, and goes on with
 *   `resumeApproval` or by making the call again. With a `receipt` the script ran, and the question is
 *   what becomes of its changes; it does not run again.
 * - `approval-refused`: a person or the host said no; the message has the reason.
 * - `aborted`: the signal of the call ended it while somebody was asked.
 */
export type GateFailureCode = "policy-denied" | "approval-needed" | "approval-refused" | "aborted";

/** Why a call did not happen. */
export interface GateFailure extends ToolFailure<GateFailureCode> {
  readonly request?: ApprovalRequest;
}

export type GateResult = PassedCall | GateFailure;

interface PassedCall {
  readonly ok: true;
  /** The approver answered just now, and not policy or an earlier approval. */
  readonly wasAsked?: boolean;
}

/** A file that a script or command changed. */
export interface ChangedFile {
  /** From the working directory, with `/`. */
  readonly path: string;
  readonly kind: "created" | "modified" | "deleted" | "mode";
  /** Of the file as it is now. */
  readonly bytes?: number;
  /** Of its content; makes the answer one for these contents. */
  readonly digest?: string;
}

/** What a script or command did to files, none of which is kept yet. */
export interface ChangesCall extends Pick<ApprovalCall, "cwd" | "skill"> {
  /** The script or command, as people know it. */
  readonly madeBy: string;
  readonly changes: readonly ChangedFile[];
  /** What changes in the files that a person is asked about. */
  readonly diff: (files: readonly ChangedFile[]) => Promise<string>;
  /** The same in short; without it, or where it gives none, they are named one by one. */
  readonly overview?: (files: readonly ChangedFile[]) => Promise<ChangesOverview | undefined>;
  readonly policySkill?: PolicySkill;
  /** Folders, as `changes` name paths, in which nothing has to be asked about. */
  readonly writable?: readonly string[];
}

export interface DeniedChange {
  readonly path: string;
  readonly reason: string;
}

export interface AdmittedChanges {
  /** The paths to keep. */
  readonly keep: readonly string[];
  /** What policy does not allow; the others may be kept all the same. */
  readonly denied: readonly DeniedChange[];
  /** What was not approved: `approval-needed` is to be held, `approval-refused` discarded. */
  readonly held?: {
    readonly paths: readonly string[];
    readonly failure: GateFailure;
  };
}

const MAX_LISTED = 50;

/** Changes are governed by the policy of this tool. */
const CHANGES = "write_file";

/**
 * Between a decision of a model and the act: policy first, then an approval where policy asks for one,
 * both in the record before anything happens. What the record cannot take does not happen.
 */
export class Gate {
  readonly #options: GateOptions;
  readonly #rules: ReturnType<typeof readPolicy>;
  /** Every result that goes to a model is to pass `hide`. */
  readonly secrets: Secrets;

  constructor(options: GateOptions) {
    this.#options = options;
    this.#rules = readPolicy(options);
    this.secrets = options.secrets ?? createSecrets();
  }

  get audit(): Audit {
    return this.#options.audit;
  }

  async pass(
    { repeats, ...call }: GatedCall,
    { signal, probe }: ToolContext = {},
  ): Promise<GateResult> {
    const { tool, input } = call;
    const policy = this.#decide(call, await this.#options.activeSkills());
    const wasApproved = policy.decision === "ask" && repeats?.open?.wasApproved === true;
    if (policy.decision === "allow" || wasApproved) return probe ? PROBED : { ok: true };
    if (policy.decision === "deny") {
      const { reason, rule, risk } = policy;
      this.#append({ event: "policy-deny", data: { tool, input, reason, rule, risk } });
      const message = this.secrets.mask(`${tool} is not allowed: ${reason}`);
      return { ok: false, code: "policy-denied", message };
    }
    const { unlistedBy } = policy;
    const asked = unlistedBy === undefined ? call : { ...call, unlistedBy };
    if (probe === undefined) return this.#ask(asked, signal);
    const answer = await this.#ask(asked, signal, "approval", probing(probe));
    return answer.ok ? PROBED : answer;
  }

  /** Lets a tool act when its call passes, with the call and its end in the record. */
  async act<Result>(
    call: GatedCall,
    run: (passed: PassedCall) => Promise<Result>,
    context: ToolContext = {},
    recordedAs = call.tool,
  ): Promise<Result | GateFailure> {
    const passed = await this.pass(call, context);
    if (!passed.ok) return passed;
    await this.recordCall(recordedAs, call.input);
    const result = await run(passed);
    this.recordEnd(recordedAs, result);
    return result;
  }

  /**
   * Whether a call ran before and waits for the answer about its changes. Undefined where it does not
   * wait for answers: it runs anew each time.
   */
  async repeatable(
    call: GatedCall,
    changes: RunChanges | undefined,
    { changesMayWait = false }: ToolContext,
  ): Promise<RepeatableCall | undefined> {
    if (changes === undefined || changesMayWait) return undefined;
    const id = await this.#options.approvals.callId(call);
    return id === undefined ? undefined : { id, ...defined({ open: readOpenCall(changes, id) }) };
  }

  /** What policy says to a call. Nothing is asked or recorded; only `pass` lets one happen. */
  async decide(call: GatedCall): Promise<Decision> {
    return this.#decide(call, await this.#options.activeSkills()).decision;
  }

  /** Records what is about to happen, and waits until the record is safe. Call it before any effect. */
  async record(event: AuditEvent): Promise<void> {
    this.#append(event);
    await this.audit.sync();
  }

  /** The same for a call of a tool. One that only reads does not wait. */
  async recordCall(tool: string, input: unknown): Promise<void> {
    const event = { event: "tool-call", data: { tool, input } } as const;
    if (TOOLS.get(toolName(tool))?.risk === "low") this.#append(event);
    else await this.record(event);
  }

  recordEnd(tool: string, result: unknown): void {
    const { ok = true, success = true } = Object(result) as Readonly<Record<string, unknown>>;
    const isSuccess = ok !== false && success !== false;
    this.audit.append({ event: "tool-end", data: { tool, ok: isSuccess } });
  }

  /**
   * For a call that passed and reaches more files than it names: whether policy lets it have one of
   * them. What made the call itself ask was answered; anything else that asks is a no.
   */
  async fileFilter(call: GatedCall): Promise<(path: string, realPath: string) => boolean> {
    const activeSkills = await this.#options.activeSkills();
    const answered = this.#decide(call, activeSkills);
    const { tool, cwd } = call;
    return (path, realPath) => {
      const file = { tool, cwd, input: { path: `./${path}` }, realPaths: [realPath] };
      const { decision, reason } = this.#decide(file, activeSkills);
      if (decision !== "ask") return decision === "allow";
      return answered.decision === "ask" && answered.reason === reason;
    };
  }

  /** Names the person on whose behalf it happens. */
  #append({ event, data }: AuditEvent): void {
    const { audit, approvals } = this.#options;
    audit.append({ event, data: { ...(data as object), principal: approvals.principal } });
  }

  #decide(call: GatedCall, activeSkills: readonly PolicySkill[]): PolicyDecision {
    const { settings, places, runPolicy } = this.#options;
    const { tool, input, restoredInput = input, policySkill, command, realPaths, offered } = call;
    return decideBy(this.#rules, {
      tool,
      input: restoredInput,
      settings,
      places,
      activeSkills,
      ...defined({ skill: policySkill, runPolicy, commandLine: command, realPaths, offered }),
    });
  }

  /**
   * Decides on the changes that a script or command made, each as a call of `write_file`. What policy asks
   * about is put to approval together, with the list and the diff. Nothing is written here: apply `keep`.
   */
  async admitChanges(call: ChangesCall, { signal }: ToolContext = {}): Promise<AdmittedChanges> {
    const { changes, diff, overview, madeBy, writable = [], ...rest } = call;
    const activeSkills = await this.#options.activeSkills();
    const keep: string[] = [];
    const denied: DeniedChange[] = [];
    const asked: ChangedFile[] = [];
    for (const change of changes) {
      const { path } = change;
      const one = { ...rest, tool: CHANGES, input: { path }, realPaths: [join(call.cwd, path)] };
      const { decision, reason } = this.#decide(one, activeSkills);
      if (decision === "allow") keep.push(path);
      else if (decision === "ask" && isBelowAny(path, writable)) keep.push(path);
      else if (decision === "ask") asked.push(change);
      else denied.push({ path, reason: this.secrets.mask(reason) });
    }
    const [first] = denied;
    if (first !== undefined) {
      const paths = denied.slice(0, MAX_LISTED).map(({ path }) => path);
      const input = { made_by: madeBy, paths, count: denied.length };
      const data = { tool: CHANGES, input, reason: first.reason, risk: "high" };
      this.#append({ event: "policy-deny", data });
    }
    if (asked.length === 0) return { keep, denied };
    const paths = asked.map(({ path }) => path);
    const inShort = await overview?.(asked);
    const question = {
      ...rest,
      tool: CHANGES,
      input: { made_by: madeBy, changes: asked },
      writable: paths,
      diff: this.secrets.mask(await diff(asked)),
      ...(inShort && {
        overview: {
          files: this.secrets.mask(inShort.files),
          lines: inShort.lines,
        },
      }),
    };
    const answer = await this.#ask(question, signal, "changes");
    if (!answer.ok) return { keep, denied, held: { paths, failure: answer } };
    const wanted = new Set(answer.only ?? paths);
    const left = paths.filter((path) => !wanted.has(path));
    keep.push(...paths.filter((path) => wanted.has(path)));
    if (left.length === 0) return { keep, denied };
    const message = "the person chose other files";
    const failure = { ok: false, code: "approval-refused", message } as const;
    return { keep, denied, held: { paths: left, failure } };
  }

  /**
   * Asks for an approval. What can wait has events of its own, so that the run goes on without an answer.
   * `only` are those of several files that were chosen, where not all were.
   */
  async #ask(
    call: ApprovalCall,
    signal: AbortSignal | undefined,
    about: "approval" | "changes" = "approval",
    asks: Approver = this.#options.approver,
  ): Promise<(PassedCall & { readonly only?: readonly string[] }) | GateFailure> {
    const { approvals, audit } = this.#options;
    let wasAsked = false;
    const approver: Approver = {
      ask: (...asked) => {
        wasAsked = true;
        return asks.ask(...asked);
      },
    };
    const { tool } = call;
    const request = await approvals.request(call);
    audit.append({ event: `${about}-request`, data: request });
    const failed = (code: GateFailureCode, message: string, hint?: string) => {
      return { ok: false, code, message, ...defined({ hint }), request } as const;
    };
    const options = { approvals, approver, ...defined({ signal }) };
    const decided = await decideApproval(request, options).catch((error: unknown) => {
      if (signal?.aborted === true) return undefined;
      throw error;
    });
    if (decided === undefined) return failed("aborted", `${tool} was aborted before a decision`);
    const { decision, approval } = decided;
    this.#append({ event: `${about}-decision`, data: { request: request.id, decision, approval } });
    const { approved, pending = false, resumeCommand, reason, only, by } = decision;
    // The last look: what was approved is this call and no other.
    if (approved && matchesCall(request, call)) return { ok: true, wasAsked, ...defined({ only }) };
    const message = reason ?? `${tool} was not approved`;
    if (pending) return failed("approval-needed", message, resumeCommand);
    const isRefusal = by === "person" && reason !== undefined && !approved;
    const refusal = isRefusal ? `a person refused ${tool}: ${reason}` : message;
    return failed("approval-refused", refusal, resumeCommand);
  }
}

/** What a call gives that would happen, where only that was asked. */
const PROBED = {
  ok: false,
  code: "aborted",
  message: "the call needs no approval and was not made",
} as const;

/** Hands the request on and leaves the answer open. */
function probing(probe: NonNullable<ToolContext["probe"]>): Approver {
  return {
    ask(request) {
      probe(request);
      return Promise.resolve({ approved: false, pending: true, scope: "once", by: "host" });
    },
  };
}

function isBelowAny(path: string, folders: readonly string[]): boolean {
  return folders.some(
    (folder) => folder === "." || path === folder || path.startsWith(`${folder}/`),
  );
}

/** What a script or command gave, before its changes are decided on. */
export interface FinishedCall {
  /** Without secrets, and without what it changed. */
  readonly receipt: ExecutionReceipt;
  /** What a model reads of it, without secrets. */
  readonly text: string;
  readonly changes?: ScriptChanges;
}

/** One whose changes wait for an answer, which comes when the same call is made again. */
export interface OpenCall extends FinishedCall {
  /**
   * The call itself need not be approved again. False where an approver answered and then threw: it
   * replays its answers, so that each call must ask the same questions in the same order.
   */
  readonly wasApproved: boolean;
}

const VERSION = 1;
const MAX_BYTES = 64 * 1024 * 1024;
/** What is dropped is only forgotten: its changes stay held, and its call runs anew. */
const MAX_CALLS = 100;

/** A call that goes on where it stopped when it is made again. */
export interface RepeatableCall {
  /** Of the principal and everything else that makes it this call, keyed. */
  readonly id: string;
  /** What it gave the first time, where that is not decided on. */
  readonly open?: OpenCall;
  /** The approver was asked about the call when it was made this time. */
  readonly wasAsked?: boolean | undefined;
}

/** Undefined where the call is not open. What is damaged is not, either. */
function readOpenCall(changes: RunChanges, id: string): OpenCall | undefined {
  try {
    const bytes = readIfPresent(fileOf(changes, id), { maxBytes: MAX_BYTES });
    const stored = JSON.parse(bytes?.toString("utf8") ?? "{}") as Partial<StoredCall>;
    const { version, call, receipt, text } = stored;
    const isComplete = version === VERSION && call === id && typeof text === "string";
    return isComplete && receipt !== undefined ? (stored as StoredCall) : undefined;
  } catch {
    return undefined;
  }
}

/** Beside the held changes. False when it cannot be written, so that the call is not open. */
export function writeOpenCall(changes: RunChanges, id: string, call: OpenCall): boolean {
  try {
    const stored: StoredCall = { ...call, version: VERSION, call: id };
    writeAtomic(fileOf(changes, id), JSON.stringify(stored), { flush: true });
    dropOldest(folderOf(changes));
    return true;
  } catch {
    return false;
  }
}

export function removeOpenCall(changes: RunChanges, id: string): void {
  removeQuietly(fileOf(changes, id));
}

interface StoredCall extends OpenCall {
  readonly version: typeof VERSION;
  readonly call: string;
}

function folderOf({ folder }: RunChanges): string {
  return join(folder, "open");
}

function fileOf(changes: RunChanges, id: string): string {
  return join(folderOf(changes), `${id}.json`);
}

function dropOldest(folder: string): void {
  const files = readdirSync(folder).map((name) => join(folder, name));
  if (files.length <= MAX_CALLS) return;
  const timeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const byAge = files.map((file) => ({ file, time: timeOf(file) })).sort((a, b) => b.time - a.time);
  for (const { file } of byAge.slice(MAX_CALLS)) removeQuietly(file);
}
