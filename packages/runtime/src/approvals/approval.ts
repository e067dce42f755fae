import type { Failure } from "@skillwright/core";
import {
  canonicalJson,
  defined,
  escapeCharacter,
  truncateMiddle,
  visibleLine as withoutHidden,
  visibleLines as withoutHiddenInLines,
} from "@skillwright/core/internal";

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** A deep copy that cannot be changed, not even through the original. Throws what `canonicalJson` throws. */
export function frozenCopy(value: unknown): JsonValue {
  return freeze(JSON.parse(canonicalJson(value)) as JsonValue);
}

function freeze(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  for (const item of Object.values(value)) freeze(item);
  return Object.freeze(value);
}

/**
 * How far an approval reaches.
 *
 * - `once`: this call.
 * - `run`: the same call again, in this run.
 * - `skill`: the same call again in any run, as long as the skill has this digest.
 *
 * The same call has the same tool, input, working directory, skill, source, digest, script, command,
 * sandbox, writable places, network and secrets. A decision with `anyArguments` leaves the arguments of the
 * script open, one with `allOfKind` covers what the request names as its `kind`. Whatever its scope, an
 * approval counts for one principal.
 */
export type ApprovalScope = "once" | "run" | "skill";

/** What a call and the request for it have in common. */
interface ApprovalBounds {
  /** The working directory, or `fresh`. */
  readonly cwd: string;
  /** On whose behalf; the digest is that of the snapshot that would run. */
  readonly skill?: ApprovedSkill;
  /** Every argument as the process gets it, interpreter first. */
  readonly command?: readonly string[];
  /** The backend that would run it; `none` where nothing holds the process. */
  readonly sandbox?: string;
  /** Names of the secrets whose values are put in when it is carried out; the rest names only these. */
  readonly secretNames?: readonly string[];
}

/** A call that policy wants to have approved, exactly as it would be carried out. */
export interface ApprovalCall extends ApprovalBounds {
  /** Under any of its names. */
  readonly tool: string;
  readonly input: unknown;
  readonly script?: CalledScript;
  readonly writable?: readonly string[];
  readonly network?: "none" | readonly string[];
  /** What would change in a file, for tools that write. */
  readonly diff?: string;
  /** Of more changes than a person reads one by one. */
  readonly overview?: ChangesOverview;
  /** Active skills that declare tools without this one. */
  readonly unlistedBy?: readonly string[];
}

/** What of a request says which call it is for. */
export interface RequestFacts extends ApprovalBounds {
  /** Whose approval it asks for. */
  readonly principal: string;
  readonly tool: string;
  /** Of the whole input, keyed with the user's approval key. */
  readonly inputDigest: string;
  readonly script?: RequestedScript;
  readonly writable: readonly string[];
  readonly network: "none" | readonly string[];
}

/** What a person is asked to approve. Made and signed by `Approvals.request`, frozen all through. */
export interface ApprovalRequest extends RequestFacts {
  readonly version: 1;
  readonly id: string;
  readonly run: string;
  /** The name the tool was called by, where it differs: policy treats `edit_file` as `write_file`. */
  readonly calledAs?: string;
  /** To be shown. Shortened when it is long, which `cautions` then says. */
  readonly input: JsonValue;
  readonly preview: ApprovalPreview;
  /** Active skills that declare tools without this one. */
  readonly unlistedBy?: readonly string[];
  readonly scopes: readonly ApprovalScope[];
  /** What may be approved together for the rest of the run, such as "all writes below out/". */
  readonly kind?: string;
  /** What a person cannot see as it is. With any of these, only `once` is offered. */
  readonly cautions: readonly string[];
  /** Only a person at a terminal may approve this. */
  readonly terminalOnly: boolean;
  readonly createdAt: string;
  readonly signature: string;
}

export interface ApprovedSkill {
  readonly name: string;
  readonly source: string;
  readonly digest: string;
}

export interface RequestedScript {
  readonly path: string;
  /** How many arguments end the command; undefined when they cannot be separated from the rest. */
  readonly argumentCount?: number;
  /** Of the input without its arguments, keyed as well. */
  readonly otherInputDigest: string;
}

export interface CalledScript {
  /** Relative to the skill, in its one form: `scripts/analyze.py`. */
  readonly path: string;
  readonly args: readonly string[];
  /** From the snapshot; undefined when it is not text. */
  readonly text: string | undefined;
}

/** Many changes in short. */
export interface ChangesOverview {
  /** Which files, by folder. */
  readonly files: string;
  /** How many lines are added and removed in all. */
  readonly lines: string;
}

export interface ApprovalPreview {
  readonly firstLines?: string;
  /** Lines of the script that are not in `firstLines`. */
  readonly moreLines?: number;
  readonly diff?: string;
  readonly overview?: ChangesOverview;
}

export interface ApprovalDecision {
  readonly approved: boolean;
  readonly scope: ApprovalScope;
  /** The script may be called with other arguments; never with scope `once`. */
  readonly anyArguments?: boolean;
  /** Of the files that the request is about, those that are approved. Without it, all of them. */
  readonly only?: readonly string[];
  /** All that the request names as its `kind`; only with scope `run`. */
  readonly allOfKind?: boolean;
  /** `person` only for one who was shown the request and answered. */
  readonly by: "person" | "flag" | "host" | "memory";
  /** Nobody has decided: another approver may, or the run stops here. */
  readonly pending?: boolean;
  readonly reason?: string;
  /** The command that continues a run that stopped here. */
  readonly resumeCommand?: string;
}

/** Whether a request is about what a script changed, which is held until somebody decides. */
export function isAboutChanges({ tool, input }: ApprovalRequest): boolean {
  // Of many files only the beginning and the end of the text are in the request.
  if (typeof input === "string") return tool === "write_file" && input.startsWith('{"changes":[');
  const { made_by: madeBy, changes } = Object(input) as Readonly<Record<string, unknown>>;
  return tool === "write_file" && typeof madeBy === "string" && Array.isArray(changes);
}

/** An approval that is remembered. Signed, so that a record of a run can hold it. */
export interface Approval {
  readonly id: string;
  readonly scope: "run" | "skill";
  readonly run: string;
  readonly principal: string;
  /** The id of the request that was approved. */
  readonly request: string;
  readonly by: "person" | "flag" | "host";
  readonly approvedAt: string;
  readonly subject: ApprovalSubject;
  readonly signature: string;
}

/** What an approval is for. Two calls with equal subjects are the same call. */
export interface ApprovalSubject {
  readonly principal: string;
  readonly tool: string;
  readonly skill: ApprovedSkill | null;
  readonly script: string | null;
  /** `kind`: every call like it. */
  readonly arguments: "these" | "any" | "kind";
  /** The folder in which every write is covered. */
  readonly below?: string;
  readonly cwd: string;
  /** Without the script's arguments when they may be any. */
  readonly command: readonly string[] | null;
  readonly sandbox: string | null;
  readonly writable: readonly string[];
  readonly network: "none" | readonly string[];
  /** Only where there are any. */
  readonly secretNames?: readonly string[];
  /** Digest of the input; without the script's arguments when they may be any. */
  readonly input: string;
}

/**
 * - `approval-decision-invalid`: an approver returned something that is not a decision.
 * - `approval-of-another`: the request was made for another principal.
 * - `approval-scope-not-offered`: the approval reaches further than the request offers.
 * - `approval-terminal-only`: only a person at a terminal may approve.
 * - `approval-request-invalid`: the request was changed, or was not made for this run.
 * - `approval-spent`: the request was already decided.
 * - `approval-unknown`: the run waits for another approval.
 */
type ApprovalFailureCode =
  | "approval-decision-invalid"
  | "approval-of-another"
  | "approval-scope-not-offered"
  | "approval-terminal-only"
  | "approval-request-invalid"
  | "approval-spent"
  | "approval-unknown";

export type ApprovalFailure = Failure<ApprovalFailureCode>;

export function approvalFailure(
  code: ApprovalFailureCode,
  message: string,
  hint?: string,
): ApprovalFailure {
  return { ok: false, code, message, ...defined({ hint }) };
}

export function terminalOnlyFailure(): ApprovalFailure {
  const message = "only a person at a terminal may approve this";
  return approvalFailure("approval-terminal-only", message, "Continue the run in a terminal.");
}

/**
 * Why nothing can be approved, so that what needs an approval must not happen.
 *
 * - `approval-damaged`: something stored is not what was written; it never counts as an approval.
 * - `approval-input-invalid`: a call holds what JSON cannot, or is nested too deeply.
 * - `approval-key-unusable`: the key in the user's state is damaged, or others may read it.
 * - `approval-unwritable`: disk full, read-only, no permission.
 */
type ApprovalErrorCode =
  | "approval-damaged"
  | "approval-input-invalid"
  | "approval-key-unusable"
  | "approval-unwritable";

const MARKER = Symbol.for("skillwright.approval-error");

/** Thrown, not returned: who forgets to look at it must not act. */
export class ApprovalError extends Error {
  override readonly name = "ApprovalError";
  readonly code: ApprovalErrorCode;
  /** What to do about it. */
  readonly hint?: string;
  readonly [MARKER] = true;

  constructor(
    code: ApprovalErrorCode,
    message: string,
    options?: ErrorOptions & { hint?: string },
  ) {
    super(message, options);
    this.code = code;
    if (options?.hint !== undefined) this.hint = options.hint;
  }

  /** Like `instanceof`, and also right when two copies of this package are loaded. */
  static isInstance(error: unknown): error is ApprovalError {
    return typeof error === "object" && error !== null && MARKER in error;
  }
}

/**
 * What a person who approves must notice beyond what is hidden everywhere: characters without a
 * meaning or a picture of their own, blanks that are not a space, format characters, and joiners and
 * selectors that other texts may hold but commands have no use for. Those of emoji stay.
 */
const SUSPICIOUS = new RegExp(
  [
    String.raw`[\p{Co}\p{Cn}\ufffc\u2800]`,
    String.raw`(?! )\p{Zs}`,
    String.raw`(?!\u200d\p{Extended_Pictographic})\p{Cf}`,
    String.raw`(?<!\p{Extended_Pictographic})[\ufe0e\ufe0f]`,
  ].join("|"),
  "gu",
);

/** Letters that run from right to left and take the digits and signs beside them along. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/gu;

/** Blanks that push what follows out of sight. Tried only where a gap begins: time stays linear. */
const LONG_GAP = /(?<![ \t])[ \t]{60,}/g;

/** One line in reading order: what is hidden, and what would change the order, appears as `\u{…}`. */
export function visibleLine(text: string): string {
  return escapeSuspicious(withoutHidden(withoutGaps(text))).replace(RIGHT_TO_LEFT, escapeCharacter);
}

/** Newlines and tabs stay; what is hidden appears as `\u{…}`. */
export function visibleLines(text: string): string {
  return escapeSuspicious(withoutHiddenInLines(withoutGaps(text)));
}

/** Whether a person would not see all of a text. Line breaks and tabs are seen, quoted or as they are. */
export function hidesSomething(text: string): boolean {
  const lines = text.replaceAll("\r", "\n");
  return visibleLines(lines) !== lines;
}

/** The line of a file, from 1, in which something is hidden. A byte order mark at its start is not. */
export function firstHiddenLine(text: string): number | undefined {
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  const index = lines.findIndex((line) => visibleLines(line) !== line);
  return index === -1 ? undefined : index + 1;
}

function escapeSuspicious(text: string): string {
  return text.replace(SUSPICIOUS, escapeCharacter);
}

function withoutGaps(text: string): string {
  return text.replace(LONG_GAP, (gap) => `\\u{20}×${gap.length}`);
}

/** Something made fit to be shown. */
interface Shown {
  readonly text: string;
  /** Whether a part was left out; the text says how much. */
  readonly isCut: boolean;
}

/** Longer lines are cut. */
const MAX_LINE = 400;

/** Both ends of a text, on one line: what follows a line break could be taken for a line of ours. */
export function cutMiddle(text: string, length: number): string {
  return truncateMiddle(text, length, (left) => ` … (${left} characters are not shown) … `);
}

/** Lines with a mark before each, so that none can be taken for one of ours; long ones are cut. */
export function showLines(text: string): Shown {
  let isCut = false;
  const lines = visibleLines(text.replaceAll("\r\n", "\n"))
    .split("\n")
    .map((line) => {
      isCut ||= line.length > MAX_LINE;
      return `  | ${cutMiddle(line, MAX_LINE)}`;
    });
  return { text: lines.join("\n"), isCut };
}

const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;
const MAX_CHARACTERS = 8000;
const MAX_ITEMS = 50;

/** Every argument, quoted where its ends or characters could be mistaken. */
export function showCommand(command: readonly string[]): Shown {
  return bounded(command.map(showText).join(" "));
}

export function showInput(input: JsonValue): Shown {
  return bounded(visibleLine(canonicalJson(input)));
}

export function showList(values: readonly string[]): Shown {
  const shown = values.slice(0, MAX_ITEMS).map(showText);
  const left = values.length - shown.length;
  if (left > 0) shown.push(`… and ${left} more`);
  const { text, isCut } = bounded(shown.join(", "));
  return { text, isCut: isCut || left > 0 };
}

/** A name or path; quoted when it is not plain. */
export function showText(text: string): string {
  return PLAIN.test(text) ? text : visibleLine(JSON.stringify(text));
}

function bounded(text: string): Shown {
  return { text: cutMiddle(text, MAX_CHARACTERS), isCut: text.length > MAX_CHARACTERS };
}
