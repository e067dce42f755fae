import { canonicalJson, defined, truncateMiddle } from "@skillwright/core/internal";
import type { KeyObject } from "node:crypto";
import { toolName } from "../policy/policy-settings.ts";
import {
  type ApprovalCall,
  ApprovalError,
  type ApprovalPreview,
  type ApprovalRequest,
  type ApprovalScope,
  type ApprovalSubject,
  type CalledScript,
  cutMiddle,
  firstHiddenLine,
  frozenCopy,
  hidesSomething,
  type JsonValue,
  type RequestedScript,
  type RequestFacts,
  showCommand,
  showInput,
  showLines,
  showList,
  showText,
} from "./approval.ts";
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
function kindOf(request: KindRequest): string | undefined {
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

interface RequestOptions extends Pick<
  ApprovalRequest,
  "id" | "run" | "principal" | "createdAt" | "terminalOnly"
> {
  readonly key: KeyObject;
}

const MAX_DIFF = 64_000;

/** The signed request for a call that can no longer change. */
export function createRequest(
  call: ApprovalCall,
  { id, run, principal, createdAt, terminalOnly, key }: RequestOptions,
): ApprovalRequest {
  const { script, diff, overview, skill, unlistedBy } = call;
  const facts = requestFacts(call, principal, key);
  const { input, isCut } = boundedInput((call.input ?? null) as JsonValue);
  const previewed = script === undefined ? { preview: {}, cautions: [] } : previewScript(script);
  const cautions = [
    ...cautionsOf({ ...facts, input }, diff),
    ...(isCut ? ["the input is shortened"] : []),
    ...((diff?.length ?? 0) > MAX_DIFF ? ["the changes are shortened"] : []),
    ...previewed.cautions,
  ];
  const isClear = cautions.length === 0;
  const always =
    skill === undefined ? (["once", "run"] as const) : (["once", "run", "skill"] as const);
  const request: Omit<ApprovalRequest, "signature"> = {
    version: 1,
    id,
    run,
    ...facts,
    ...(call.tool !== facts.tool && { calledAs: call.tool }),
    input,
    ...defined({ unlistedBy, kind: isClear ? kindOf({ ...facts, input }) : undefined }),
    preview: {
      ...previewed.preview,
      ...(diff !== undefined && { diff: truncateMiddle(diff, MAX_DIFF) }),
      ...(overview && { overview }),
    },
    scopes: isClear ? always : ["once"],
    cautions,
    terminalOnly,
    createdAt,
  };
  const signature = keyedDigest("request", request, key);
  const signed = frozenCopy({ ...request, signature }) as unknown as ApprovalRequest;
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

/** Whether every line of the script is in the request. Without a script there is nothing to show. */
export function isWhollyShown({ preview, script }: ApprovalRequest): boolean {
  const { firstLines, moreLines = 0 } = preview;
  return script !== undefined && firstLines !== undefined && moreLines === 0;
}

const MAX_CHARACTERS = 8000;
const MAX_TEXT = 200;

/** An input as it is kept and shown: whole, or with its long texts shortened. */
function boundedInput(input: JsonValue): { readonly input: JsonValue; readonly isCut: boolean } {
  const text = canonicalJson(input);
  if (text.length <= MAX_CHARACTERS) return { input, isCut: false };
  const short = shortened(withFewerChanges(input));
  const isFitting = canonicalJson(short).length <= MAX_CHARACTERS;
  return { input: isFitting ? short : cutMiddle(text, MAX_CHARACTERS / 2), isCut: true };
}

/** The first changes of a script: that it is about changes must still show. */
function withFewerChanges(input: JsonValue): JsonValue {
  const { changes } = Object(input) as { readonly changes?: unknown };
  if (!Array.isArray(changes)) return input;
  let left = MAX_CHARACTERS / 2;
  const kept = (changes as readonly JsonValue[]).filter((change) => {
    left -= canonicalJson(shortened(change)).length + 1;
    return left > 0;
  });
  return { ...(input as object), changes: kept, more_changes: changes.length - kept.length };
}

function shortened(value: unknown): JsonValue {
  if (typeof value === "string") return cutMiddle(value, MAX_TEXT);
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== "object" || value === null) return value as JsonValue;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shortened(item)]));
}

/** What of a call a person will not see as it is. */
function cautionsOf(call: RequestFacts & { readonly input: JsonValue }, diff = ""): string[] {
  const { tool, skill, script, command = [], input, cwd, sandbox = "", writable } = call;
  const network = call.network === "none" ? [] : call.network;
  const names = [tool, skill?.name ?? "", skill?.source ?? "", skill?.digest ?? "", sandbox];
  const hidden: readonly [what: string, hides: boolean][] = [
    ["the command", command.some(hidesSomething)],
    ["the input", textsOf(input).some(hidesSomething)],
    ["a path", [cwd, script?.path ?? "", ...writable].some(hidesSomething)],
    ["a name", [...names, ...network].some(hidesSomething)],
    ["the changes", firstHiddenLine(diff) !== undefined],
  ];
  const cut: readonly [what: string, isCut: boolean][] = [
    ["the command", showCommand(command).isCut],
    ["the input", showInput(input).isCut],
    ["the list of writable places", showList(writable).isCut],
    ["the list of hosts", showList(network).isCut],
    ["the changes", showLines(diff).isCut],
  ];
  return [
    ...hidden.flatMap(([what, hides]) => (hides ? [`hidden characters in ${what}`] : [])),
    ...cut.flatMap(([what, isCut]) => (isCut ? [`too long to be shown whole: ${what}`] : [])),
  ];
}

/** Every text in a value, names included. */
function textsOf(value: JsonValue): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => [name, ...textsOf(item)]);
}

interface Previewed {
  readonly preview: ApprovalPreview;
  readonly cautions: readonly string[];
}

const FIRST_LINES = 40;
const MAX_FIRST_LINE = 1000;
/** The first lines. */
function previewScript({ text }: CalledScript): Previewed {
  if (text === undefined) {
    return { preview: {}, cautions: ["the script is not text and cannot be shown"] };
  }
  const hiddenLine = firstHiddenLine(text);
  const lines = linesOf(text);
  const first = lines.slice(0, FIRST_LINES);
  const cautions = [
    ...(hiddenLine === undefined
      ? []
      : [`the script holds hidden characters, first in line ${hiddenLine}`]),
    ...(showLines(first.join("\n")).isCut ? ["a line of the script is too long to be shown"] : []),
  ];
  const preview = {
    firstLines: first.map((line) => cutMiddle(line, MAX_FIRST_LINE)).join("\n"),
    moreLines: Math.max(0, lines.length - FIRST_LINES),
  };
  return { preview, cautions };
}

function linesOf(text: string): readonly string[] {
  return text.replace(/\r?\n$/, "").split("\n");
}
