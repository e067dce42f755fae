import type { KeyObject } from "node:crypto";
import type { ApprovalRequest, ApprovalSubject } from "../approval.ts";
import { keyedDigest } from "../sign-request.ts";
import type { RequestFacts } from "./request-facts.ts";

/** What exactly this request is for. */
export function exactSubject(request: RequestFacts): ApprovalSubject {
  const { tool, skill, script, cwd, command, sandbox, writable, network, inputDigest } = request;
  const { secretNames = [] } = request;
  return {
    tool,
    skill: skill ?? null,
    script: script?.path ?? null,
    arguments: "these",
    cwd,
    command: command ?? null,
    sandbox: sandbox ?? null,
    writable: sorted(writable),
    network: network === "none" ? network : sorted(network),
    ...(secretNames.length > 0 && { secretNames: sorted(secretNames) }),
    input: inputDigest,
  };
}

/** The same with the script's arguments left open; undefined when there is nothing to leave open. */
export function openSubject(request: RequestFacts): ApprovalSubject | undefined {
  const { script, command } = request;
  if (request.skill === undefined || script?.argumentCount === undefined) return undefined;
  return {
    ...exactSubject(request),
    arguments: "any",
    command: command?.slice(0, command.length - script.argumentCount) ?? null,
    input: script.otherInputDigest,
  };
}

/**
 * Whether the script may be approved with any arguments: a person who was not shown all of it cannot
 * know what other arguments make it do.
 */
export function offersAnyArguments(request: ApprovalRequest): boolean {
  const { firstLines, diff, moreLines = 0 } = request.preview;
  const isShown = (firstLines ?? diff) !== undefined && moreLines === 0;
  return isShown && openSubject(request) !== undefined;
}

/** The id of an approval for a subject: in one run, or in all of them. */
export function approvalId(
  subject: ApprovalSubject,
  run: string | undefined,
  key: KeyObject,
): string {
  return keyedDigest("approval-id", { subject, run }, key).slice(0, 32);
}

function sorted(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}
