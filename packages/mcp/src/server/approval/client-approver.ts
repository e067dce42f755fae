import { AsyncLocalStorage } from "node:async_hooks";
import { createHash, randomUUID } from "node:crypto";
import type { ApprovalDecision, ApprovalRequest, Approver, Audit } from "@skillwright/runtime";
import type { Approvals } from "@skillwright/runtime/internal";
import { quoteName } from "@skillwright/core/internal";
import { clientAudit } from "../client-record.ts";
import { clientApprovals, type OpenClientApprovals } from "./client-approvals.ts";

/** A call of a tool by a client, and what a person there has answered. */
export interface ClientCall {
  /** Whether the client can put a question to a person. */
  readonly canAsk: boolean;
  readonly client?: string | undefined;
  /** The state of the question that is answered, and whether the answer is yes. */
  readonly answer?: ClientAnswer | undefined;
}

interface ClientAnswer {
  readonly state: string;
  readonly approved: boolean;
  /** Of the files that were asked about, those to keep. */
  readonly only?: readonly string[];
}

export interface ClientQuestion {
  readonly text: string;
  /** It is about files that a script changed: some of them may be kept. */
  readonly isAboutChanges: boolean;
  /** To be sent back with the answer. */
  readonly state: string;
}

export interface AskedResult<Result> {
  readonly result: Result;
  /** What has to be answered before the call can be made. */
  readonly question?: ClientQuestion;
}

interface CallState extends ClientCall {
  question?: ClientQuestion;
}

interface PendingQuestion {
  readonly subject: string;
  readonly expires: number;
}

const MAX_PENDING = 1000;
const TIME_TO_ANSWER = 10 * 60_000;

/**
 * Asks the person at the client whose call is under way. A question is answered by making the call again
 * with the answer, which counts once and only for what was shown. A script that ran does not run again.
 */
export class ClientApprover implements Approver {
  readonly #calls = new AsyncLocalStorage<CallState>();
  readonly #pending = new Map<string, PendingQuestion>();
  readonly #clock: () => number;

  constructor({ clock = Date.now }: { readonly clock?: () => number } = {}) {
    this.#clock = clock;
  }

  /** Does the work of a call; what is asked in it goes to its client. */
  async during<Result>(
    call: ClientCall,
    work: () => Promise<Result>,
  ): Promise<AskedResult<Result>> {
    const state: CallState = { ...call };
    const result = await this.#calls.run(state, work);
    return state.question === undefined ? { result } : { result, question: state.question };
  }

  /** The same record, in which events that a request of a client causes name that client. */
  recording(audit: Audit): Audit {
    return clientAudit(audit);
  }

  /**
   * Approvals for a gate that works for several clients: each has its own, under the name of the client
   * whose request is under way.
   */
  approvals(open: OpenClientApprovals): Promise<Approvals> {
    return clientApprovals(open);
  }

  async ask(request: ApprovalRequest): Promise<ApprovalDecision> {
    const call = this.#calls.getStore();
    if (call === undefined || !call.canAsk || request.terminalOnly) return nobodyThere(request);
    const { approvalText, isAboutChanges } = await import("@skillwright/runtime/internal");
    const text = approvalText(request);
    const subject = subjectOf(request, text);
    const { answer, client = "the client" } = call;
    const isAnswer = answer !== undefined && this.#take(answer.state) === subject;
    const held = isAboutChanges(request) ? request.writable : undefined;
    const unknown = isAnswer && answer.approved ? unknownName(answer, held) : undefined;
    if (isAnswer && unknown === undefined) return answered(request.tool, answer, client, held);
    const note =
      unknown === undefined ? "" : `No change of ${quoteName(unknown)} is among them.\n\n`;
    call.question = {
      text: note + text,
      isAboutChanges: held !== undefined,
      state: this.#remember(subject),
    };
    return undecided(`${request.tool} waits for an answer of the person at ${client}`);
  }

  #remember(subject: string): string {
    const now = this.#clock();
    for (const [state, { expires }] of this.#pending) {
      if (expires > now && this.#pending.size < MAX_PENDING) break;
      this.#pending.delete(state);
    }
    const state = randomUUID();
    this.#pending.set(state, { subject, expires: now + TIME_TO_ANSWER });
    return state;
  }

  #take(state: string): string | undefined {
    const pending = this.#pending.get(state);
    this.#pending.delete(state);
    return pending !== undefined && pending.expires > this.#clock() ? pending.subject : undefined;
  }
}

/** What is approved, and for whom: all that was shown, and the whole of an input that was shown shortened. */
function subjectOf({ principal, inputDigest, cwd }: ApprovalRequest, text: string): string {
  return createHash("sha256")
    .update(JSON.stringify([principal, text, inputDigest, cwd]))
    .digest("hex");
}

function answered(
  tool: string,
  { approved, only = [] }: ClientAnswer,
  client: string,
  held: HeldFiles,
): ApprovalDecision {
  const no = { approved: false, scope: "once", by: "host" } as const;
  if (!approved) return { ...no, reason: `${tool} was refused by the person at ${client}` };
  const yes = { ...no, approved: true, reason: `approved through ${client}` };
  if (only.length === 0 || held === undefined) return yes;
  return { ...yes, only: held.filter((file) => only.some((name) => isIn(file, name))) };
}

/** Files that a script changed; undefined for a request about something else. */
type HeldFiles = readonly string[] | undefined;

/** One that a person gave, and no change has. */
function unknownName({ only = [] }: ClientAnswer, held: HeldFiles): string | undefined {
  return held && only.find((name) => !held.some((file) => isIn(file, name)));
}

function isIn(file: string, name: string): boolean {
  return file === name || file.startsWith(`${name}/`);
}

function nobodyThere({ tool, terminalOnly }: ApprovalRequest): ApprovalDecision {
  const way = terminalOnly
    ? "Only a person at a terminal may approve it (approvals.terminalOnly)."
    : `The client cannot ask for one: start the server with --yes=${tool}, or use a client with elicitation.`;
  return undecided(`${tool} needs an approval. ${way}`);
}

function undecided(reason: string): ApprovalDecision {
  return { approved: false, pending: true, scope: "once", by: "host", reason };
}
