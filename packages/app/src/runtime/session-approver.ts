import {
  type ApprovalDecision,
  type ApprovalRequest,
  type Approver,
  type AskContext,
  chainApprovers,
  createFlagApprover,
} from "@skillwright/runtime";
import { isAboutChanges, parseYesFlag } from "@skillwright/runtime/internal";
import type { RuntimeOptions } from "./execution-options.ts";
import { AppFailure } from "../failure.ts";
import type { AppHost } from "../host.ts";

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
export function callAgain(callId: string): Approver {
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
