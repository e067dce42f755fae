import { canonicalJson, truncateMiddle } from "@skillwright/core/internal";
import type { KeyObject } from "node:crypto";
import { toolName } from "../policy/tools.ts";
import {
  type ApprovalCall,
  ApprovalError,
  type ApprovalRequest,
  type ApprovalScope,
  type ApprovalSubject,
  type CalledScript,
  frozenCopy,
  type JsonValue,
  type RequestedScript,
} from "./approval.ts";
import { type LastApproved, previewScript } from "./script-preview.ts";
import {
  cutMiddle,
  firstHiddenLine,
  hidesSomething,
  showCommand,
  showInput,
  showLines,
  showList,
  showText,
} from "./shown-values.ts";
import { keyedDigest, signRequest } from "./store.ts";

/** What of a request says which call it is for. */
type RequestFacts = Pick<
  ApprovalRequest,
  | "principal"
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

function requestFacts(call: ApprovalCall, principal: string, key: KeyObject): RequestFacts {
  const { cwd, skill, script, command, sandbox, secretNames = [] } = call;
  if (skill?.digest === "") throw new TypeError("the skill has no digest");
  const input = inputOf(call);
  return {
    principal,
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

function inputOf({ input }: ApprovalCall): JsonValue {
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

/** What exactly this request is for. */
export function exactSubject(request: RequestFacts): ApprovalSubject {
  const { tool, skill, script, cwd, command, sandbox, writable, network, inputDigest } = request;
  const { principal, secretNames = [] } = request;
  return {
    principal,
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
 * Everything of the same kind, from the narrowest to the widest; the first one is offered. Nothing where
 * secrets are put in: those are asked about each time.
 */
export function kindSubjects(
  request: RequestFacts & Pick<ApprovalRequest, "input">,
): readonly ApprovalSubject[] {
  const { tool, skill, script, secretNames = [] } = request;
  if (secretNames.length > 0) return [];
  const all = {
    ...exactSubject(request),
    arguments: "kind",
    script: null,
    command: null,
    input: "",
  };
  const subject = all as ApprovalSubject;
  if (tool === "run_script") return skill && script ? [subject] : [];
  if (tool === "write_file") {
    return foldersOf(request).map((below) => ({ ...subject, writable: [], below }));
  }
  return tool.startsWith("mcp__") ? [subject] : [];
}

/** The folder that holds all files of a request, and those above it up to the working directory. */
function foldersOf({
  writable,
  input,
}: Pick<ApprovalRequest, "writable" | "input">): readonly string[] {
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
function kindOf(request: RequestFacts & Pick<ApprovalRequest, "input">): string | undefined {
  const [subject] = kindSubjects(request);
  if (subject === undefined) return undefined;
  const { below, skill, tool } = subject;
  if (below !== undefined) {
    return `all writes ${below === "." ? "in the working directory" : `below ${showText(`${below}/`)}`}`;
  }
  if (tool === "run_script") return `all scripts of ${showText(skill?.name ?? "")}`;
  return `all calls of ${showText(tool)}`;
}

/** Whether every line of the script is in the request. Without a script there is nothing to show. */
export function isWhollyShown({ preview, script }: ApprovalRequest): boolean {
  const { firstLines, diff, moreLines = 0 } = preview;
  return script !== undefined && (firstLines ?? diff) !== undefined && moreLines === 0;
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

/** Held here so that no request carries the key itself. */
const keys = new WeakMap<RequestFacts, KeyObject>();

function rememberKey(request: RequestFacts, key: KeyObject): void {
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

const MAX_CHARACTERS = 8000;
const MAX_TEXT = 200;

/** An input as it is kept and shown: whole, or with its long texts shortened. */
function boundedInput(input: JsonValue): {
  readonly input: JsonValue;
  readonly isCut: boolean;
} {
  const text = canonicalJson(input);
  if (text.length <= MAX_CHARACTERS) return { input, isCut: false };
  const short = shortened(input);
  const isFitting = canonicalJson(short).length <= MAX_CHARACTERS;
  return { input: isFitting ? short : cutMiddle(text, MAX_CHARACTERS / 2), isCut: true };
}

function shortened(value: JsonValue): JsonValue {
  if (typeof value === "string") return cutMiddle(value, MAX_TEXT);
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.map(shortened);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shortened(item)]));
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

type Shown = RequestFacts & { readonly input: JsonValue };

/** What of a call a person will not see as it is. */
function cautionsOf(call: Shown, diff = ""): string[] {
  const { tool, skill, script, command = [], input, cwd, sandbox = "", writable } = call;
  const network = call.network === "none" ? [] : call.network;
  const names = [tool, skill?.name ?? "", skill?.source ?? "", skill?.digest ?? "", sandbox];
  const texts: readonly [string, readonly string[]][] = [
    ["the command", command],
    ["the input", stringsOf(input)],
    ["a path", [cwd, script?.path ?? "", ...writable]],
    ["a name", [...names, ...network]],
  ];
  const cut: readonly [string, boolean][] = [
    ["the command", showCommand(command).isCut],
    ["the input", showInput(input).isCut],
    ["the list of writable places", showList(writable).isCut],
    ["the list of hosts", showList(network).isCut],
    ["the changes", showLines(diff).isCut],
  ];
  return [
    ...texts
      .filter(([, values]) => values.some(hidesSomething))
      .map(([what]) => `hidden characters in ${what}`),
    ...(firstHiddenLine(diff) === undefined ? [] : ["hidden characters in the changes"]),
    ...cut.filter(([, isCut]) => isCut).map(([what]) => `too long to be shown whole: ${what}`),
  ];
}

/** Every text in a value, names included. */
function stringsOf(value: JsonValue): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => [name, ...stringsOf(item)]);
}

interface CreateRequestOptions {
  readonly id: string;
  readonly run: string;
  readonly principal: string;
  readonly createdAt: string;
  readonly terminalOnly: boolean;
  readonly key: KeyObject;
  /** The script of the call when it was last approved. */
  readonly last: LastApproved;
}

const MAX_DIFF = 64_000;

/** The signed request for a call that can no longer change. */
export async function createRequest(
  call: ApprovalCall,
  options: CreateRequestOptions,
): Promise<ApprovalRequest> {
  const { id, run, principal, createdAt, terminalOnly, key, last } = options;
  const { script, diff, skill, unlistedBy } = call;
  const facts = requestFacts(call, principal, key);
  const { input, isCut } = boundedInput(inputOf(call));
  const previewed =
    script === undefined ? { preview: {}, cautions: [] } : await previewScript(script, last);
  const cautions = [
    ...cautionsOf({ ...facts, input }, diff),
    ...(isCut ? ["the input is shortened"] : []),
    ...((diff?.length ?? 0) > MAX_DIFF ? ["the changes are shortened"] : []),
    ...previewed.cautions,
  ];
  const kind = cautions.length > 0 ? undefined : kindOf({ ...facts, input });
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
    ...(kind !== undefined && { kind }),
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
