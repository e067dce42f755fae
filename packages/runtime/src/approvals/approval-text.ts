import { plural, truncateMiddle } from "@skillwright/core/internal";
import {
  type ApprovalDecision,
  type ApprovalRequest,
  type JsonValue,
  showCommand,
  showInput,
  showLines,
  showList,
  showText,
  visibleLine,
  visibleLines,
} from "./approval.ts";
import { matchingFile, SECRET_FILES } from "../workspace/confinement/protected-files.ts";
import { isWhollyShown, offersOf } from "./request.ts";

/**
 * What a person sees before deciding. Hidden characters appear as `\u{…}`, and the text says what it
 * leaves out.
 */
export function approvalText(request: ApprovalRequest): string {
  const { cautions } = request;
  const lines = factsOf(request).flatMap(({ name, full }) =>
    full === undefined ? [] : [`${name.padEnd(10)} ${full}`],
  );
  lines.push(...previewLines(request));
  if (cautions.length > 0) {
    lines.push("Look closely:", ...cautions.map((caution) => `  ! ${visibleLine(caution)}`));
    lines.push("  So this can be approved only once, not remembered.");
  }
  return lines.join("\n");
}

/** Facts and every line of the script that `AskContext.source` gave, none of them shortened. */
export function approvalSource(request: ApprovalRequest, source: string): string {
  const text = visibleLines(source.replaceAll("\r\n", "\n").replace(/\n$/, ""));
  const lines = text.split("\n").map((line) => `  | ${line}`);
  const title = `All of ${showText(request.script?.path ?? "")}:`;
  return [approvalText({ ...request, preview: {} }), title, ...lines].join("\n");
}

export interface ApprovalFacts {
  /** At most nine lines, which leaves one for the question. */
  readonly text: string;
  /** Something was left out; `approvalText` has it. */
  readonly isCut: boolean;
}

const FACT_LINES = 9;
const LABEL = 10;

/** The same in short, for a terminal of so many columns: what happens, where, and within which limits. */
export function approvalFacts(request: ApprovalRequest, columns = 80): ApprovalFacts {
  const rows = factsOf(request).filter(({ brief }) => brief !== undefined);
  const width = Math.max(20, Math.min(80, columns) - LABEL);
  let spare = FACT_LINES - rows.length;
  let isCut = false;
  const lines = rows.flatMap(({ name, brief = "", isShort = false }) => {
    const shown = fitted(brief, width, 1 + spare);
    spare -= shown.lines.length - 1;
    isCut ||= shown.isCut || isShort;
    return shown.lines.map((line, i) => (i === 0 ? name : "").padEnd(LABEL) + line);
  });
  return { text: lines.join("\n"), isCut };
}

/** In so many lines of a width; what does not fit is cut in the middle, which the text says. */
function fitted(value: string, width: number, maxLines: number) {
  const lines = wrapped(value, width);
  if (lines.length <= maxLines) return { lines, isCut: false };
  for (let kept = width * maxLines; kept > 0; kept -= 4) {
    const cut = wrapped(withoutMiddle(value, kept), width);
    if (cut.length <= maxLines) return { lines: cut, isCut: true };
  }
  return { lines: lines.slice(0, maxLines), isCut: true };
}

/** Both ends of a value that is one line, cut between words unless they are long. */
function withoutMiddle(value: string, length: number): string {
  const [start = "", end] = truncateMiddle(value, length, () => "\n").split("\n");
  if (end === undefined) return value;
  const head = start.replace(/ [^ ]{0,60}$/, "");
  const tail = end.replace(/^[^ ]{0,60} /, "");
  return `${head} …(+${value.length - head.length - tail.length})… ${tail}`;
}

/** Breaks between words. Only a word that is wider than a line is broken. */
function wrapped(value: string, width: number): readonly string[] {
  const lines: string[] = [""];
  let used = 0;
  const add = (part: string) => {
    lines[lines.length - 1] += part;
    used += columnsOf(part);
  };
  const breakLine = () => {
    lines.push("");
    used = 0;
  };
  for (const [, word = "", blank = ""] of value.matchAll(/([^ ]+|)( |$)/g)) {
    const columns = columnsOf(word);
    if (used > 0 && used + columns > width && columns <= width) breakLine();
    for (const character of word) {
      if (used + columnsOf(character) > width) breakLine();
      add(character);
    }
    if (used < width) add(blank);
  }
  return lines;
}

/** Terminals differ in what is wide: none may be wider than this. */
function columnsOf(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + (character <= "~" ? 1 : 2), 0);
}

/** A row of the text: what the short one says and what the full one does. */
interface Fact {
  readonly name: string;
  readonly brief?: string | undefined;
  readonly full?: string | undefined;
  /** The short one leaves something out. */
  readonly isShort?: boolean;
}

const NO_NETWORK = "no network";

/** In brief, what is longest comes last and no more than nine rows do. */
function factsOf(request: ApprovalRequest): readonly Fact[] {
  const { tool, calledAs = tool, skill, sandbox, writable, preview, input } = request;
  const { made_by: madeBy } = Object(input) as { readonly made_by?: unknown };
  const name = showText(calledAs);
  const path = request.script && showText(request.script.path);
  const source = skill && `${showText(skill.name)} from ${showText(skill.source)}`;
  const command = request.command && showCommand(request.command).text;
  const hosts = request.network === "none" ? [] : request.network;
  const reach = hosts.length === 0 ? undefined : showList(hosts).text;
  // Where there are views, what a process changes is a copy until its changes are decided on.
  const unasked = sandbox === "bubblewrap" ? "a copy of the folder" : "nothing";
  const writes = writable.length === 0 ? unasked : showList(writable).text;
  // Nothing enforces the lists without a sandbox, so showing them would be a false promise.
  const isFree = sandbox === "none";
  const free = isFree ? "NONE: it can read, write and reach whatever you can" : undefined;
  const held = sandbox && !isFree ? showText(sandbox) : undefined;
  const reaches = reach === undefined ? NO_NETWORK : `reaches ${reach}`;
  const limits = [...(held ? [`in ${held}`] : []), `writes ${writes}`, reaches].join("; ");
  // Path and changes say all that the input of such a call does.
  const isChange = tool === "write_file" && preview.diff !== undefined && writable.length > 0;
  const overview = isChange ? preview.overview?.files : undefined;
  const files = isChange ? (overview ?? filesByKind(input) ?? writes) : undefined;
  const given = isChange || command !== undefined ? undefined : showInput(input).text;
  const args = scriptArguments(request);
  const folder = showText(request.cwd);
  const note = noteOf(request);
  return [
    { name: "Tool", brief: path === undefined ? name : `${name} ${path}`, full: name },
    { name: "Skill", brief: skill && `${source}, ${shortDigest(skill.digest)}`, full: source },
    { name: "Digest", full: skill && showText(skill.digest) },
    { name: "Made by", brief: typeof madeBy === "string" ? showText(madeBy) : undefined },
    { name: "Script", full: path },
    { name: "Command", brief: command, full: command },
    { name: "Files", brief: files, full: overview, isShort: overview !== undefined },
    { name: "Arguments", brief: args },
    { name: "Input", brief: args === undefined ? given : undefined, full: inputLeft(request) },
    { name: "Folder", brief: folder, full: folder },
    { name: "Sandbox", brief: free, full: free ?? held },
    { name: "May write", full: isFree ? undefined : writes },
    { name: "May reach", full: isFree ? undefined : (reach ?? NO_NETWORK) },
    { name: "Limits", brief: isFree || isChange ? undefined : limits },
    { name: "Note", brief: note, full: note },
    previewFact(request),
    scopeFact(request),
  ];
}

/** Where the input names nothing but script, skill and arguments, the arguments as one types them. */
function scriptArguments({ script, skill, input }: ApprovalRequest): string | undefined {
  if (script === undefined || typeof input !== "object" || input === null) return undefined;
  const { args, ...rest } = input as { readonly [key: string]: JsonValue };
  const isKnown = Object.values(rest).every((one) => one === script.path || one === skill?.name);
  const isList =
    Array.isArray(args) && args.length > 0 && args.every((one) => typeof one === "string");
  return isKnown && isList ? showCommand(args).text : undefined;
}

function shortDigest(digest: string): string {
  return visibleLine(digest.length > 24 ? `${digest.slice(0, 19)}…` : digest);
}

/** Changes that a script made, the deleted files first; undefined for other calls. */
function filesByKind(input: JsonValue): string | undefined {
  const { changes } = Object(input) as { readonly changes?: unknown };
  if (!Array.isArray(changes)) return undefined;
  const list = changes as readonly { readonly path: string; readonly kind: string }[];
  const groups = ["deleted", "modified", "mode", "created"].flatMap((kind) => {
    const paths = list.filter((change) => change.kind === kind).map(({ path }) => path);
    const word = kind === "mode" ? "other mode" : kind;
    return paths.length === 0 ? [] : [`${word} ${showList(paths).text}`];
  });
  return groups.join("; ");
}

const FILE_TEXTS: ReadonlySet<string> = new Set(["content", "old_text", "new_text"]);
const MAX_REPEATED = 60;

/** The input without what the command or the diff already shows in full; undefined if nothing is left. */
function inputLeft({ input, command, script, preview }: ApprovalRequest): string | undefined {
  const { diff } = preview;
  const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
  const entries = isObject && script === undefined ? Object.entries(input) : undefined;
  if (entries !== undefined && command !== undefined) {
    const rest = entries.filter(([key]) => key !== "command" && key !== "argv");
    return rest.length === 0 ? undefined : showInput(Object.fromEntries(rest)).text;
  }
  const isDiffShown = diff !== undefined && !showLines(diff).isCut;
  if (entries === undefined || !isDiffShown) return showInput(input).text;
  const rest = entries.map(([key, value]) => {
    const isShown = typeof value === "string" && FILE_TEXTS.has(key) && value.length > MAX_REPEATED;
    return [key, isShown ? `(${value.length} characters, see the changes)` : value] as const;
  });
  return showInput(Object.fromEntries(rest)).text;
}

function noteOf(request: ApprovalRequest): string | undefined {
  const { secretNames = [], unlistedBy = [] } = request;
  const verb = unlistedBy.length === 1 ? "does" : "do";
  const secrets = `puts in the secrets ${showList(secretNames).text}`;
  const unlisted = `${showList(unlistedBy).text} ${verb} not list it in allowed-tools`;
  const notes = [
    ...(readsSecrets(request) ? ["such files hold secrets; the model gets the text as it is"] : []),
    ...(secretNames.length > 0 ? [secrets] : []),
    ...(unlistedBy.length > 0 ? [unlisted] : []),
  ];
  return notes.length === 0 ? undefined : notes.join("; ");
}

/** Why a reading is asked about at all. */
function readsSecrets({ tool, input }: ApprovalRequest): boolean {
  const { path } = Object(input) as { readonly path?: unknown };
  const isRead = tool === "read_file" && typeof path === "string";
  return isRead && matchingFile(path.split("/"), SECRET_FILES) !== undefined;
}

function previewFact({ preview }: ApprovalRequest): Fact {
  const { diff, overview, firstLines, moreLines = 0 } = preview;
  if (overview !== undefined) {
    return { name: "Changes", brief: overview.lines, full: overview.lines };
  }
  if (diff !== undefined) {
    const counted = (mark: string) =>
      diff.split("\n").filter((line) => line.startsWith(mark) && !line.startsWith(mark.repeat(3)))
        .length;
    const changed = `${plural(counted("+"), "line")} added, ${plural(counted("-"), "line")} removed`;
    return { name: "Changes", brief: changed };
  }
  if (firstLines === undefined) return { name: "Source" };
  return { name: "Source", brief: plural(firstLines.split("\n").length + moreLines, "line") };
}

function scopeFact({ cautions, kind }: ApprovalRequest): Fact {
  if (cautions.length === 0) {
    return { name: "With a", brief: kind && `${kind}, for the rest of this run` };
  }
  const careful = cautions.map(visibleLine).join("; ");
  return { name: "Careful", brief: `${careful}. Can be approved only once.` };
}

function previewLines({ preview, script, writable }: ApprovalRequest): string[] {
  const { diff, firstLines, moreLines = 0 } = preview;
  const lines: string[] = [];
  if (diff !== undefined) {
    const files = writable.length > 1 ? "the files" : "the file";
    lines.push(`Changes to ${files}:`, showLines(diff).text);
  }
  if (firstLines !== undefined) {
    const shown = firstLines.split("\n").length;
    const part = moreLines === 0 ? "All" : `First ${shown} of ${shown + moreLines} lines`;
    lines.push(`${part} of ${showText(script?.path ?? "")}:`, showLines(firstLines).text);
  }
  return lines;
}

/** An answer that a person may give. */
export interface ApprovalChoice {
  readonly id: "deny" | "once" | "run" | "run-any" | "kind" | "skill" | "skill-any";
  readonly label: string;
  /** What the answer means, as if a person gave it. */
  readonly decision: ApprovalDecision;
}

/**
 * The answers to a request. The first one refuses, so that a hasty key approves nothing. What reaches
 * beyond this call of a script is offered when all of its source was shown.
 */
export function approvalChoices(
  request: ApprovalRequest,
  { isShown = isWhollyShown(request) }: { readonly isShown?: boolean } = {},
): ApprovalChoice[] {
  const { skill, kind } = request;
  const digest = showText(skill?.digest.slice(0, 19) ?? "");
  const ends = {
    run: "for the rest of this run",
    skill: `whenever ${showText(skill?.name ?? "")} has the digest ${digest}…`,
  };
  const calls = {
    these: "exactly this call",
    any: "this script with any arguments",
    kind: kind ?? "",
  };
  const choices = offersOf(request, isShown).map(({ scope, covers }): ApprovalChoice => {
    const [isAny, isKind] = [covers === "any", covers === "kind"];
    return {
      id: isKind ? "kind" : isAny && scope !== "once" ? `${scope}-any` : scope,
      label: scope === "once" ? "Yes, this once" : `Yes, ${calls[covers]}, ${ends[scope]}`,
      decision: {
        approved: true,
        scope,
        by: "person",
        ...(isAny && { anyArguments: true }),
        ...(isKind && { allOfKind: true }),
      },
    };
  });
  const no = { approved: false, scope: "once", by: "person" } as const;
  return [{ id: "deny", label: "No", decision: no }, ...choices];
}
