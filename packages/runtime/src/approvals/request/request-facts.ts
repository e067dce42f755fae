import type { KeyObject } from "node:crypto";
import { toolName } from "../../policy/tool-names.ts";
import type { ApprovalRequest, RequestedScript } from "../approval.ts";
import type { JsonValue } from "../frozen-json.ts";
import { keyedDigest } from "../sign-request.ts";
import type { ApprovalCall, CalledScript } from "./approval-call.ts";

/** What of a request says which call it is for. */
export type RequestFacts = Pick<
  ApprovalRequest,
  | "tool"
  | "inputDigest"
  | "cwd"
  | "skill"
  | "script"
  | "command"
  | "sandbox"
  | "writable"
  | "network"
  | "secretNames"
>;

export function requestFacts(call: ApprovalCall, key: KeyObject): RequestFacts {
  const { cwd, skill, script, command, sandbox, secretNames = [] } = call;
  if (skill?.digest === "") throw new TypeError("the skill has no digest");
  const input = inputOf(call);
  return {
    tool: toolName(call.tool),
    inputDigest: inputDigest(input, key),
    cwd,
    ...(skill === undefined ? undefined : { skill }),
    ...(script === undefined ? undefined : { script: requestedScript(call, script, key) }),
    ...(command === undefined ? undefined : { command }),
    ...(sandbox === undefined ? undefined : { sandbox }),
    writable: call.writable ?? [],
    network: call.network ?? "none",
    ...(secretNames.length > 0 && { secretNames }),
  };
}

export function inputOf({ input }: ApprovalCall): JsonValue {
  return (input ?? null) as JsonValue;
}

function inputDigest(input: JsonValue, key: KeyObject): string {
  return `hmac-sha256:${keyedDigest("input", input, key)}`;
}

function requestedScript(
  call: ApprovalCall,
  { path, args }: CalledScript,
  key: KeyObject,
): RequestedScript {
  const { command = args } = call;
  const end = command.slice(command.length - args.length);
  const isAtEnd = end.length === args.length && args.every((text, index) => text === end[index]);
  return {
    path,
    ...(isAtEnd ? { argumentCount: args.length } : undefined),
    otherInputDigest: inputDigest(withoutArguments(inputOf(call)), key),
  };
}

/** Tools take the names of their parameters in any case. */
function withoutArguments(input: JsonValue): JsonValue {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(
    Object.entries(input).filter(([name]) => name.toLowerCase() !== "args"),
  );
}
