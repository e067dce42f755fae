import { canonicalJson, defined } from "@skillwright/core/internal";
import type { KeyObject } from "node:crypto";
import { toolName } from "../policy/policy-settings.ts";
import type {
  ApprovalCall,
  ApprovalRequest,
  ApprovalScope,
  ApprovalSubject,
  JsonValue,
  RequestedScript,
  RequestFacts,
} from "./approval.ts";
import { showText } from "./shown-values.ts";
import { keyedDigest } from "./store.ts";

export function requestFacts(call: ApprovalCall, principal: string, key: KeyObject): RequestFacts {
  const { cwd, skill, command, sandbox, secretNames = [] } = call;
  if (skill?.digest === "") throw new TypeError("the skill has no digest");
  return {
    principal,
    tool: toolName(call.tool),
    inputDigest: inputDigest(call.input ?? null, key),
    cwd,
    ...defined({ skill, script: requestedScript(call, key), command, sandbox }),
    writable: call.writable ?? [],
    network: call.network ?? "none",
    ...(secretNames.length > 0 && { secretNames }),
  };
}

function inputDigest(input: unknown, key: KeyObject): string {
  return `hmac-sha256:${keyedDigest("input", input, key)}`;
}

function requestedScript(
  { script, command = script?.args ?? [], input = null }: ApprovalCall,
  key: KeyObject,
): RequestedScript | undefined {
  if (script === undefined) return undefined;
  const { path, args } = script;
  const end = command.slice(command.length - args.length);
  const isAtEnd = end.length === args.length && args.every((text, index) => text === end[index]);
  return {
    path,
    ...(isAtEnd && { argumentCount: args.length }),
    otherInputDigest: inputDigest(withoutArguments(input as JsonValue), key),
  };
}

/** Tools take the names of their parameters in any case. */
function withoutArguments(input: JsonValue): JsonValue {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(
    Object.entries(input).filter(([name]) => name.toLowerCase() !== "args"),
  );
}

/** What exactly this request is for. */
export function exactSubject(request: RequestFacts): ApprovalSubject {
  const { principal, tool, skill = null, script, cwd, command = null, sandbox = null } = request;
  const { writable, network, secretNames = [], inputDigest } = request;
  return {
    principal,
    tool,
    skill,
    script: script?.path ?? null,
    arguments: "these",
    cwd,
    command,
    sandbox,
    writable: sorted(writable),
    network: network === "none" ? network : sorted(network),
    ...(secretNames.length > 0 && { secretNames: sorted(secretNames) }),
    input: inputDigest,
  };
}

function sorted(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}

type KindRequest = RequestFacts & Pick<ApprovalRequest, "input">;

/**
 * All that an approval of a request may be for: exactly this call, the script with any arguments, and
 * everything of its kind from the narrowest on.
 */
export function subjectsOf(request: KindRequest): readonly ApprovalSubject[] {
  const { skill, script, command } = request;
  const exact = exactSubject(request);
  const count = script?.argumentCount;
  const open =
    skill === undefined || script === undefined || count === undefined
      ? []
      : [
          {
            ...exact,
            arguments: "any",
            command: command?.slice(0, command.length - count) ?? null,
            input: script.otherInputDigest,
          } as const,
        ];
  return [exact, ...open, ...kindSubjects(request)];
}

/** Nothing where secrets are put in: those are asked about each time. */
function kindSubjects(request: KindRequest): readonly ApprovalSubject[] {
  const { tool, skill, script, secretNames = [] } = request;
  if (secretNames.length > 0) return [];
  const subject: ApprovalSubject = {
    ...exactSubject(request),
    arguments: "kind",
    script: null,
    command: null,
    input: "",
  };
  if (tool === "run_script") return skill && script ? [subject] : [];
  if (tool === "write_file") {
    return foldersOf(request).map((below) => ({ ...subject, writable: [], below }));
  }
  return tool.startsWith("mcp__") ? [subject] : [];
}

/** The folder that holds all files of a request, and those above it up to the working directory. */
function foldersOf({ writable, input }: KindRequest): readonly string[] {
  const { changes = [] } = Object(input) as { readonly changes?: readonly { kind?: unknown }[] };
  const isUnsafe = writable.some(
    (path) => /^\/|\\|(?:^|\/)\.\.?(?:\/|$)/.test(path) || path === "",
  );
  const deletes = !Array.isArray(changes) || changes.some(({ kind }) => kind === "deleted");
  if (writable.length === 0 || isUnsafe || deletes) return [];
  const folders = writable.map((path) => path.split("/").slice(0, -1));
  const [first = [], ...others] = folders;
  const differs = first.findIndex((name, i) => others.some((folder) => folder[i] !== name));
  const common = differs === -1 ? first : first.slice(0, differs);
  const above = common.map((_, i) => common.slice(0, common.length - i).join("/"));
  return [...above, "."];
}

/** As people read it; undefined where nothing is offered. */
export function kindOf(request: KindRequest): string | undefined {
  const [subject] = kindSubjects(request);
  if (subject === undefined) return undefined;
  const { below, skill, tool } = subject;
  if (below === ".") return "all writes in the working directory";
  if (below !== undefined) return `all writes below ${showText(`${below}/`)}`;
  if (tool === "run_script") return `all scripts of ${showText(skill?.name ?? "")}`;
  return `all calls of ${showText(tool)}`;
}

/** How far an approval reaches: which calls it covers, and for how long. */
interface Offer {
  readonly scope: ApprovalScope;
  readonly covers: ApprovalSubject["arguments"];
}

/** What may be answered to a request. More than one call of a script only when all of it was shown. */
export function offersOf(request: ApprovalRequest, isShown: boolean): readonly Offer[] {
  const isOpen = isShown && subjectsOf(request).some((subject) => subject.arguments === "any");
  const isKind = request.kind !== undefined && (isShown || request.script === undefined);
  return request.scopes.flatMap((scope): readonly Offer[] => [
    { scope, covers: "these" },
    ...(isOpen && scope !== "once" ? [{ scope, covers: "any" } as const] : []),
    ...(isKind && scope === "run" ? [{ scope, covers: "kind" } as const] : []),
  ]);
}

/** The id of an approval for a subject: in one run, or in all of them. */
export function approvalId(
  subject: ApprovalSubject,
  run: string | undefined,
  key: KeyObject,
): string {
  return keyedDigest("approval-id", { subject, run }, key).slice(0, 32);
}

/** Held here so that no request carries the key itself. */
const keys = new WeakMap<RequestFacts, KeyObject>();

export function rememberKey(request: RequestFacts, key: KeyObject): void {
  keys.set(request, key);
}

/**
 * Whether a call is the one that a request is for. Check this last, right before the call is carried
 * out: hooks and tools may have changed it since it was approved. Takes the request that
 * `Approvals.request` returned; a copy never matches.
 */
export function matchesCall(request: RequestFacts, call: ApprovalCall): boolean {
  const key = keys.get(request);
  if (key === undefined) return false;
  try {
    const actual = canonicalJson(exactSubject(requestFacts(call, request.principal, key)));
    return actual === canonicalJson(exactSubject(request));
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
