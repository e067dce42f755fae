import { truncateMiddle } from "@skillwright/core/internal";
import type { KeyObject } from "node:crypto";
import type { ApprovalRequest, ApprovalScope } from "../approval.ts";
import { ApprovalError } from "../approval-error.ts";
import { frozenCopy } from "../frozen-json.ts";
import { signRequest } from "../sign-request.ts";
import type { ApprovalCall } from "./approval-call.ts";
import { boundedInput } from "./bounded-input.ts";
import { cautionsOf } from "./cautions.ts";
import { rememberKey } from "./matches-call.ts";
import { inputOf, requestFacts } from "./request-facts.ts";
import { type LastApproved, previewScript } from "./script-preview.ts";

export interface CreateRequestOptions {
  readonly id: string;
  readonly run: string;
  readonly createdAt: string;
  readonly terminalOnly: boolean;
  readonly key: KeyObject;
  /** The script of the call when it was last approved. */
  readonly last: LastApproved;
}

const MAX_DIFF = 64_000;

/** The signed request for a call that nobody can change any more. */
export async function createRequest(
  call: ApprovalCall,
  options: CreateRequestOptions,
): Promise<ApprovalRequest> {
  const { id, run, createdAt, terminalOnly, key, last } = options;
  const { script, diff, skill, unlistedBy } = call;
  const facts = requestFacts(call, key);
  const { input, isCut } = boundedInput(inputOf(call));
  const previewed =
    script === undefined ? { preview: {}, cautions: [] } : await previewScript(script, last);
  const cautions = [
    ...cautionsOf({ ...facts, input }, diff),
    ...(isCut ? ["the input is shortened"] : []),
    ...((diff?.length ?? 0) > MAX_DIFF ? ["the changes are shortened"] : []),
    ...previewed.cautions,
  ];
  const request = {
    version: 1,
    id,
    run,
    ...facts,
    ...(call.tool !== facts.tool && { calledAs: call.tool }),
    input,
    ...(unlistedBy && { unlistedBy }),
    preview: {
      ...previewed.preview,
      ...(diff === undefined ? undefined : { diff: truncateMiddle(diff, MAX_DIFF) }),
    },
    scopes: scopesOf(cautions, skill !== undefined),
    cautions,
    terminalOnly,
    createdAt,
  } as const;
  const signed = frozenCopy(signRequest(request, key)) as unknown as ApprovalRequest;
  rememberKey(signed, key);
  return signed;
}

/** A copy that later changes to the call do not reach. Throws for what cannot be written down. */
export function fixedCall(call: ApprovalCall): ApprovalCall {
  try {
    return frozenCopy(call) as unknown as ApprovalCall;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const message = `the call cannot be approved: ${error.message}`;
    throw new ApprovalError("approval-input-invalid", message, { cause: error });
  }
}

function scopesOf(cautions: readonly string[], hasSkill: boolean): ApprovalScope[] {
  if (cautions.length > 0) return ["once"];
  return hasSkill ? ["once", "run", "skill"] : ["once", "run"];
}
