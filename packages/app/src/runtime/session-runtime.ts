import type { Skills } from "@skillwright/core";
import type { Configuration } from "@skillwright/core/internal";
import {
  type ApprovalDecision,
  type ApprovalRequest,
  type Approver,
  type AskContext,
  chainApprovers,
  createFlagApprover,
  createRedactor,
} from "@skillwright/runtime";
import {
  isAboutChanges,
  openApprovals,
  openAudit,
  parseYesFlag,
  pruneAudits,
  RunChanges,
} from "@skillwright/runtime/internal";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { AppFailure } from "../failure.ts";
import type { AppHost } from "../host.ts";
import { withMcp } from "../mcp/with-mcp.ts";
import { type Removal, retentionOf } from "../runs/remove-runs.ts";
import { managedOption, type Session } from "../session/session.ts";
import {
  type ComposedRuntime,
  composeRuntime,
  executionOptions,
  noteRuleProblems,
  openSecrets,
  type RuntimeOptions,
} from "./compose-runtime.ts";

/** The record of a call outside of runs, in a folder with what belongs to it. */
export const CALL_RECORD = "audit.jsonl";

export function callsDirectory(stateDirectory: string): string {
  return join(stateDirectory, "calls");
}

/** Names sort by time. */
export function newCallId(): string {
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
  return `${time}-${randomUUID().slice(0, 8)}`;
}

/** Removes old records of calls, with what they deleted or kept, which can then not be undone. Changes that wait stay. */
export async function removeCalls(
  stateDirectory: string,
  { keep, olderThanMs }: Removal,
): ReturnType<typeof pruneAudits> {
  return pruneAudits(callsDirectory(stateDirectory), {
    stateDirectory,
    record: CALL_RECORD,
    keep,
    olderThan: olderThanMs === undefined ? undefined : Date.now() - olderThanMs,
    isWaiting: (folder) => RunChanges.pendingIn(folder) > 0,
  });
}

/** The same, as far as the user's configuration says how long records are kept. */
export async function removeOldCalls(
  stateDirectory: string,
  configuration: Configuration,
): Promise<void> {
  const retention = retentionOf(configuration);
  if (retention !== undefined) await removeCalls(stateDirectory, retention);
}

export interface Unapproved {
  readonly tool: string;
  /** How it can be approved; undefined when a person refused. */
  readonly remedy?: string;
}

interface SessionApproverOptions {
  readonly terminalOnly: boolean;
  /** Where that comes from, if not from the user. */
  readonly terminalOnlyBy?: string | undefined;
  /** Says what can be done when no one can be asked. */
  readonly nobodyThere: Approver;
  /** The person leaves without an answer. Without this, that is a no. */
  readonly onWalkAway?: () => void;
}

/** The flag first, then a person at the terminal; when nobody is there the call does not happen. */
export class SessionApprover implements Approver {
  unapproved: Unapproved | undefined;
  readonly #approver: Approver;

  constructor(options: RuntimeOptions, host: AppHost, given: SessionApproverOptions) {
    const { terminalOnly, terminalOnlyBy, nobodyThere, onWalkAway } = given;
    const named = namedTools(options);
    const person = host.person();
    if (terminalOnly && named.length > 0) {
      const by = terminalOnlyBy === undefined ? "" : `; ${terminalOnlyBy}`;
      host.note(`note: --yes does not count, since approvals.terminalOnly is on${by}`);
    }
    const approvers = [
      ...(named.length > 0 && !terminalOnly ? [createFlagApprover(named)] : []),
      ...(person === undefined ? [] : [person.approver(onWalkAway)]),
      nobodyThere,
    ];
    this.#approver = chainApprovers(approvers);
  }

  async ask(request: ApprovalRequest, context: AskContext): Promise<ApprovalDecision> {
    const decision = await this.#approver.ask(request, context);
    const { tool } = request;
    const { approved, pending, reason } = decision;
    if (!approved) {
      this.unapproved = {
        tool,
        ...(pending === true && reason !== undefined && { remedy: reason }),
      };
    }
    return decision;
  }
}

/** For a call that cannot be continued, only made again; what its scripts changed is held with it. */
function callAgain(callId: string): Approver {
  return {
    async ask(request) {
      const reason = isAboutChanges(request)
        ? `Changes are held. Look at them with:\n  skillwright runs changes ${callId}\n` +
          "Then keep them with --apply, or discard them with --discard."
        : `${request.tool} needs an approval. ${remedyFor(request)}`;
      return { approved: false, pending: true, scope: "once", by: "host", reason };
    },
  };
}

function remedyFor({ tool, terminalOnly, skill }: ApprovalRequest): string {
  if (skill?.source.startsWith("mcp:") === true && tool === "run_script") {
    return `Its files come from ${skill.source}, so that --yes does not count; call it again in a terminal.`;
  }
  return terminalOnly
    ? "Only a person at a terminal may approve it (approvals.terminalOnly); call it again there."
    : `Call it again in a terminal, or approve it here with --yes=${tool}.`;
}

/** What `--yes` names. One that names nothing is wrong, whether or not something is asked. */
export function namedTools({ yes = [] }: RuntimeOptions): readonly string[] {
  const given = yes === true ? [undefined] : yes;
  const tools = given.flatMap((one) => {
    const named = parseYesFlag(one);
    if (named.ok) return named.tools;
    const { message, hint } = named;
    throw new AppFailure("usage", message, hint === undefined ? {} : { hint });
  });
  return [...new Set(tools)];
}

export interface SessionRuntime extends ComposedRuntime {
  /** The call that was not approved, because nobody was there or somebody refused. */
  readonly unapproved: () => Unapproved | undefined;
}

/** For calls of tools by hand: each command line has a record of its own in the user's state. */
export async function openSessionRuntime(
  session: Session,
  skills: Skills,
  options: RuntimeOptions,
  host: AppHost,
): Promise<SessionRuntime> {
  const { configuration, stateDirectory } = session;
  const { terminalOnly } = configuration.values.approvals;
  const runId = newCallId();
  const nobodyThere = callAgain(runId);
  const terminalOnlyBy = managedOption(session, "approvals.terminalOnly");
  const approver = new SessionApprover(options, host, {
    terminalOnly,
    terminalOnlyBy,
    nobodyThere,
  });
  const directory = join(callsDirectory(stateDirectory), runId);
  // What is wrong with the options is said before anything is written.
  executionOptions(session, options, host.cwd);
  noteRuleProblems(session, host);
  await removeOldCalls(stateDirectory, configuration.values);
  const approvals = await openApprovals({ stateDirectory, runId, terminalOnly });
  const redactor = createRedactor({ env: host.env });
  const audit = openAudit({ file: join(directory, CALL_RECORD), stateDirectory, redactor });
  const secrets = openSecrets(host, audit);
  const scope = { audit, approvals, approver, activeSkills: () => [], directory, secrets };
  const context = { session, skills, options, host };
  const runtime = await withMcp(composeRuntime(context, scope), context, scope);
  return {
    ...runtime,
    unapproved: () => approver.unapproved,
    close: async () => {
      audit.close();
      await runtime.close();
    },
  };
}
