import type { Failure } from "@skillwright/core";
import { defined, markHostError, nearNames } from "@skillwright/core/internal";
import type { Audit, AuditRecord } from "../audit/audit.ts";
import { toolName, TOOLS } from "../policy/policy-settings.ts";
import {
  type Approval,
  type ApprovalDecision,
  ApprovalError,
  approvalFailure,
  type ApprovalFailure,
  type ApprovalRequest,
  showText,
  terminalOnlyFailure,
} from "./approval.ts";
import { type Approvals, openApprovals, type OpenApprovalsOptions } from "./open-approvals.ts";

export interface AskContext {
  readonly signal?: AbortSignal;
  /**
   * All of the script that the request is about, to be shown line by line. Where it was not in the request
   * as a whole, a wide approval counts only after this was called.
   */
  readonly source?: () => string | undefined;
}

/** Who decides: a person at a terminal, a flag, a host. */
export interface Approver {
  /**
   * Decides, or gives a decision that is `pending`. Must reject soon after the signal aborts; to throw
   * approves nothing. Only an approver that asks a person may give `by: "person"`.
   */
  ask(request: ApprovalRequest, context: AskContext): Promise<ApprovalDecision>;
  /** For one that asks several people: opens the approvals of whoever the call under way belongs to. */
  approvals?(open: (principal?: string) => Promise<Approvals>): Promise<Approvals>;
  /** For the same one: names that person in the record. */
  recording?(audit: Audit): Audit;
}

/**
 * Whether it is about a skill that an MCP server sent, and not about one in a folder. Tools of the
 * server do not count: each has its own name, and a flag with that name means this tool.
 */
function isFromServer({ skill, tool }: Pick<ApprovalRequest, "skill" | "tool">): boolean {
  return skill?.source.startsWith("mcp:") === true && !tool.startsWith("mcp__");
}

/** Approves nothing and leaves every call undecided: for runs without a person. */
export const denyApprover: Approver = createDenyApprover();

/** The same, and says how the call can be made after all. */
export function createDenyApprover({
  resumeCommand,
}: {
  /** The command of this host that continues the run with the approval. */
  readonly resumeCommand?: (request: ApprovalRequest) => string;
} = {}): Approver {
  return {
    async ask(request) {
      const what = isFromServer(request)
        ? `${request.tool} needs a separate approval for a skill of a server, which no flag gives.`
        : `${request.tool} needs an approval.`;
      const undecided = { approved: false, pending: true, scope: "once", by: "host" } as const;
      if (resumeCommand === undefined) return { ...undecided, reason: what };
      const command = resumeCommand(request);
      const where = request.terminalOnly ? "in a terminal" : "with";
      const reason = `${what} Continue ${where}: ${command}`;
      return { ...undecided, reason, resumeCommand: command };
    },
  };
}

/** Asks one after the other until one decides. When none does, the decision is pending. */
export function chainApprovers(approvers: readonly Approver[]): Approver {
  return {
    async ask(request, context) {
      let last: ApprovalDecision | undefined;
      for (const approver of approvers) {
        context.signal?.throwIfAborted();
        last = await approver.ask(request, context);
        if (last.pending !== true) return last;
      }
      return last ?? denyApprover.ask(request, context);
    },
  };
}

/**
 * For `--yes=run_script,…`: approves each call of the tools it names and leaves all others to the next
 * approver. It remembers nothing: a run that is continued needs the flag again. What a server sent is
 * approved file by file: the flag was given before it was known.
 */
export function createFlagApprover(tools: readonly string[]): Approver {
  const named: ReadonlySet<string> = new Set(tools.map(toolName));
  return {
    async ask(request) {
      const { tool, terminalOnly } = request;
      const isNamed = named.has(tool) && !terminalOnly && !isFromServer(request);
      return isNamed
        ? { approved: true, scope: "once", by: "flag", reason: `--yes=${tool}` }
        : { approved: false, pending: true, scope: "once", by: "flag" };
    },
  };
}

/**
 * Decides on a request: by what was approved earlier, or by the approver, whose answer counts only as
 * far as the request offers it. Act on `approved` alone; `approval` is for the record of the run.
 */
export async function decideApproval(
  request: ApprovalRequest,
  {
    approvals,
    approver,
    signal,
  }: Pick<AskContext, "signal"> & {
    readonly approvals: Approvals;
    readonly approver: Approver;
  },
): Promise<{ readonly decision: ApprovalDecision; readonly approval?: Approval }> {
  signal?.throwIfAborted();
  const found = await approvals.find(request);
  if (found !== undefined) return { decision: found };
  const source = () => approvals.source(request);
  let given: ApprovalDecision;
  try {
    given = await approver.ask(request, { source, ...defined({ signal }) });
  } catch (error) {
    // What an approver throws is its host's: an interrupt of a framework, which has to arrive as it is.
    markHostError(error);
    throw error;
  }
  signal?.throwIfAborted();
  // A copy: the approver may still hold and change what it gave.
  const decision = { ...given };
  const result = await approvals.record(request, decision);
  if (!result.ok) {
    return { decision: { approved: false, scope: "once", by: "host", reason: result.message } };
  }
  return { decision, ...defined({ approval: result.approval }) };
}

/**
 * For `runs resume <run> --approve <approval>`: approves the request that a stopped run holds in its
 * record. It then counts for the call that equals the request, and for no other; each request can be
 * approved this way once. Not with `terminalOnly`: then only a person at a terminal may approve.
 */
export async function resumeApproval(
  stored: unknown,
  approvalId: string,
  {
    approvals,
    terminalOnly = false,
  }: { readonly approvals: Approvals; readonly terminalOnly?: boolean },
): Promise<{ readonly ok: true; readonly request: ApprovalRequest } | ApprovalFailure> {
  if (!approvals.verify(stored) || stored.run !== approvals.runId) {
    return approvalFailure(
      "approval-request-invalid",
      "the request in the record of the run is not the one that was made",
      "Continue the run without --approve; what it needs is then asked again.",
    );
  }
  if (stored.principal !== approvals.principal) {
    return approvalFailure(
      "approval-of-another",
      "the run stopped to wait for another approval",
      "Continue the run without it; what it needs is then asked again.",
    );
  }
  if (stored.id !== approvalId) {
    // Does not name which one: the person who approves has seen what the id refers to.
    const hint = "See in the record of the run what it waits for.";
    return approvalFailure("approval-unknown", "the run waits for another approval", hint);
  }
  if (terminalOnly || stored.terminalOnly) return terminalOnlyFailure();
  const decision = { approved: true, scope: "once", by: "flag" } as const;
  const result = await approvals.admit(stored, { ...decision, reason: `--approve ${stored.id}` });
  return result.ok ? { ok: true, request: stored } : result;
}

type YesFlagResult =
  | { readonly ok: true; readonly tools: readonly string[] }
  | Failure<"yes-names-nothing" | "tool-unknown">;

/** A tool of an MCP server, whole: whether there is one is only known when it is called. */
const SERVER_TOOL = /^mcp__[\w-]+?__[\w.-]+$/;

const EXAMPLE = "Name the tools: --yes=run_script,write_file";

/**
 * The tools that `--yes=<tool,…>` names, each under our name. A bare `--yes` (undefined or true, as
 * command-line parsers give it) names nothing, and there is no name for all tools.
 */
export function parseYesFlag(text: string | boolean | undefined): YesFlagResult {
  const names = typeof text === "string" ? text.split(",").map((name) => name.trim()) : [];
  if (names.length === 0 || names.includes("")) {
    const message = "--yes approves only tools that it names";
    return { ok: false, code: "yes-names-nothing", message, hint: EXAMPLE };
  }
  const unknown = names.find((name) => !TOOLS.has(toolName(name)) && !SERVER_TOOL.test(name));
  if (unknown === undefined) return { ok: true, tools: [...new Set(names.map(toolName))] };
  const candidates = nearNames(unknown, [...TOOLS.keys()]);
  const message = `--yes names ${showText(unknown)}, which is not a tool`;
  const found = candidates.length === 0 ? undefined : candidates;
  return {
    ok: false,
    code: "tool-unknown",
    message,
    hint: EXAMPLE,
    ...defined({ candidates: found }),
  };
}

/** What the record of a run says about its approvals. */
export interface RecordedRunApprovals {
  /** Earlier records, when the run is resumed. */
  readonly records: readonly AuditRecord[];
  /** The id of the request that a person approves; the request is in the records. */
  readonly approve?: string;
}

/**
 * The approvals of a run that may be continued: what was approved for the whole run counts again, and
 * the request that it stopped for is approved where `approve` names it.
 */
export async function openRunApprovals(
  options: OpenApprovalsOptions,
  { records, approve }: RecordedRunApprovals,
): Promise<Approvals | ApprovalFailure> {
  const approvals = await openRecorded(options, records);
  if (approve === undefined) return approvals;
  const { terminalOnly = false } = options;
  const requests = records.filter(({ event }) => event === "approval-request");
  const stored = requests.find(({ data }) => Object(data)["id"] === approve)?.data;
  const resumed = await resumeApproval(stored, approve, { approvals, terminalOnly });
  return resumed.ok ? approvals : resumed;
}

/** What was redacted in the record is asked again. */
async function openRecorded(
  options: OpenApprovalsOptions,
  records: readonly AuditRecord[],
): Promise<Approvals> {
  const recorded = records.flatMap(({ event, data }) => {
    const { approval } = (event === "approval-decision" ? data : {}) as { approval?: unknown };
    return approval === undefined || approval === null ? [] : [approval];
  });
  try {
    return await openApprovals({ ...options, recorded });
  } catch (error) {
    if (!ApprovalError.isInstance(error) || error.code !== "approval-damaged") throw error;
    return openApprovals(options);
  }
}
