import { plural, truncateMiddle } from "@skillwright/core/internal";
import type { ApprovalDecision, ApprovalPreview, ApprovalRequest, JsonValue } from "./approval.ts";
import { isWhollyShown, openSubject } from "./request.ts";
import {
  showCommand,
  showInput,
  showLines,
  showList,
  showText,
  visibleLine,
  visibleLines,
} from "./shown-values.ts";

/**
 * What a person sees before deciding. Hidden characters appear as `\u{…}`, and the text says what it
 * leaves out.
 */
export function approvalText(request: ApprovalRequest): string {
  const lines = factsOf(request, false).map(([name, value]) => `${name.padEnd(10)} ${value}`);
  lines.push(...previewLines(request));
  if (request.cautions.length > 0) {
    lines.push(
      "Look closely:",
      ...request.cautions.map((caution) => `  ! ${visibleLine(caution)}`),
    );
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
  const rows = factsOf(request, true);
  const width = Math.max(20, Math.min(80, columns) - LABEL);
  let spare = FACT_LINES - rows.length;
  let isCut = false;
  const lines = rows.flatMap(([name, value]) => {
    const shown = wrapped(value, width, 1 + spare);
    spare -= shown.lines.length - 1;
    isCut ||= shown.isCut;
    return shown.lines.map((line, i) => (i === 0 ? name : "").padEnd(LABEL) + line);
  });
  return { text: lines.join("\n"), isCut };
}

/** Changes that a script made, the deleted files first; undefined for other calls. */
function filesByKind(changes: unknown): string | undefined {
  if (!Array.isArray(changes)) return undefined;
  const list = changes as readonly { readonly path: string; readonly kind: string }[];
  const groups = ["deleted", "modified", "mode", "created"].flatMap((kind) => {
    const paths = list.filter((change) => change.kind === kind).map(({ path }) => path);
    const word = kind === "mode" ? "other mode" : kind;
    return paths.length === 0 ? [] : [`${word} ${showList(paths).text}`];
  });
  return groups.join("; ");
}

/** Where there are views, what a process changes is a copy until its changes are decided on. */
function writesUnasked(sandbox: string | undefined): string {
  return sandbox === "bubblewrap" ? "a copy of the folder" : "nothing";
}

/** One row for each fact. In brief, what is longest comes last and no more than nine rows do. */
function factsOf(request: ApprovalRequest, isBrief: boolean): [string, string][] {
  const { tool, skill, script, command, input, cwd, sandbox, writable, network } = request;
  const { secretNames = [], unlistedBy = [], calledAs = tool, cautions, preview, kind } = request;
  const facts: [string, string][] = [];
  const add = (name: string, value: string) => facts.push([name, value]);
  const path = script === undefined ? "" : showText(script.path);
  add("Tool", [showText(calledAs), ...(isBrief && path !== "" ? [path] : [])].join(" "));
  if (skill !== undefined) {
    const { name, source, digest } = skill;
    const short = digest.length > 24 ? `${digest.slice(0, 19)}…` : digest;
    const from = `${showText(name)} from ${showText(source)}`;
    add("Skill", isBrief ? `${from}, ${visibleLine(short)}` : from);
    if (!isBrief) add("Digest", showText(digest));
  }
  const { made_by: madeBy, changes } = Object(input) as Readonly<Record<string, unknown>>;
  if (isBrief && typeof madeBy === "string") add("Made by", showText(madeBy));
  if (!isBrief && path !== "") add("Script", path);
  if (command !== undefined) add("Command", showCommand(command).text);
  // In brief, path and changes say all that the input does.
  const isChange =
    isBrief && tool === "write_file" && preview.diff !== undefined && writable.length > 0;
  const rest = isBrief ? (command === undefined ? input : undefined) : restOfInput(request);
  if (isChange) add("Files", filesByKind(changes) ?? showList(writable).text);
  else if (rest !== undefined) add("Input", showInput(rest).text);
  add("Folder", showText(cwd));
  const reach = network === "none" || network.length === 0 ? undefined : showList(network).text;
  const writes = writable.length === 0 ? writesUnasked(sandbox) : showList(writable).text;
  if (sandbox === "none") {
    // Nothing enforces the lists then, so showing them would be a false promise.
    add("Sandbox", "NONE: it can read, write and reach whatever you can");
  } else if (!isBrief) {
    if (sandbox !== undefined) add("Sandbox", showText(sandbox));
    add("May write", writes);
    add("May reach", reach ?? "no network");
  } else if (!isChange) {
    const held = sandbox === undefined ? [] : [`in ${showText(sandbox)}`];
    const reaches = reach === undefined ? "no network" : `reaches ${reach}`;
    add("Limits", [...held, `writes ${writes}`, reaches].join("; "));
  }
  const verb = unlistedBy.length === 1 ? "does" : "do";
  const notes = [
    ...(secretNames.length > 0 ? [`puts in the secrets ${showList(secretNames).text}`] : []),
    ...(unlistedBy.length > 0
      ? [`${showList(unlistedBy).text} ${verb} not list it in allowed-tools`]
      : []),
  ];
  if (notes.length > 0) add("Note", notes.join("; "));
  if (!isBrief) return facts;
  const source = previewFact(request);
  if (source !== undefined) facts.push(source);
  if (cautions.length > 0) {
    add("Careful", `${cautions.map(visibleLine).join("; ")}. Can be approved only once.`);
  } else if (kind !== undefined) {
    add("Together", `${kind}, for the rest of this run`);
  }
  return facts;
}

function previewFact({ preview, script }: ApprovalRequest): [string, string] | undefined {
  const { diff, firstLines, moreLines = 0, since } = preview;
  const counted = (mark: string) =>
    (diff ?? "")
      .split("\n")
      .filter((line) => line.startsWith(mark) && !line.startsWith(mark.repeat(3))).length;
  if (diff !== undefined) {
    const label = script === undefined ? "Changes" : "Source";
    const changed = `${plural(counted("+"), "line")} added, ${plural(counted("-"), "line")} removed`;
    return [label, script === undefined ? changed : `changed since the last approval: ${changed}`];
  }
  if (firstLines === undefined) return undefined;
  const lines = plural(firstLines.split("\n").length + moreLines, "line");
  return ["Source", since === undefined ? lines : `${lines}, unchanged since the last approval`];
}

/** What a note about what was left out takes. */
const NOTE_COLUMNS = 20;

/** In lines of a width; what does not fit is cut in the middle, which the text says. */
function wrapped(value: string, width: number, maxLines: number) {
  const room = width * maxLines;
  // Terminals differ in what is wide: none may be wider than this.
  const columnsOf = (character: string) => (character <= "~" ? 1 : 2);
  const columns = Array.from(value, columnsOf).reduce((sum, one) => sum + one, 0);
  const isCut = columns > room;
  const kept = Math.max(8, (columns === value.length ? room : room / 2) - NOTE_COLUMNS);
  const lines: string[] = [""];
  let used = 0;
  const note = (left: number) => ` …(+${left})… `;
  for (const character of isCut ? truncateMiddle(value, kept, note) : value) {
    if (used + columnsOf(character) > width) {
      lines.push("");
      used = 0;
    }
    lines[lines.length - 1] += character;
    used += columnsOf(character);
  }
  return { lines: lines.slice(0, maxLines), isCut };
}

/** The input without what the command or the diff already shows in full; undefined if nothing is left. */
function restOfInput({ input, command, script, preview }: ApprovalRequest): JsonValue | undefined {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const entries = Object.entries(input);
  if (command !== undefined && script === undefined) {
    const rest = entries.filter(([key]) => key !== "command" && key !== "argv");
    if (rest.length === 0) return undefined;
    return rest.length === entries.length ? input : Object.fromEntries(rest);
  }
  const { diff, moreLines = 0 } = preview;
  if (script !== undefined || diff === undefined || moreLines > 0 || showLines(diff).isCut)
    return input;
  return Object.fromEntries(
    entries.map(([key, value]) =>
      typeof value === "string" && FILE_TEXTS.has(key) && value.length > MAX_REPEATED
        ? [key, `(${value.length} characters, see the changes)`]
        : [key, value],
    ),
  );
}

const FILE_TEXTS = new Set(["content", "old_text", "new_text"]);
const MAX_REPEATED = 60;

function previewLines({ preview, script, skill, writable }: ApprovalRequest): string[] {
  const files = writable.length > 1 ? "the files" : "the file";
  const name = script === undefined ? files : showText(script.path);
  const lines: string[] = [];
  if (preview.diff !== undefined) {
    const since = preview.since === undefined ? "" : `, approved as ${showText(preview.since)}`;
    lines.push(`Changes to ${name}${since}:`, showLines(preview.diff).text);
    const { moreLines = 0 } = preview;
    if (moreLines > 0)
      lines.push(`${plural(moreLines, "unchanged line is", "unchanged lines are")} not shown.`);
  }
  if (preview.firstLines !== undefined) {
    lines.push(`${firstLinesTitle(name, preview)}:`, showLines(preview.firstLines).text);
  }
  if (preview.since !== undefined && preview.since !== skill?.digest) {
    lines.push("Other files of the skill may have changed since that approval.");
  }
  return lines;
}

function firstLinesTitle(name: string, { firstLines = "", moreLines = 0, since }: ApprovalPreview) {
  const unchanged = since === undefined ? "" : `, unchanged since approved as ${showText(since)}`;
  if (moreLines === 0) return `All of ${name}${unchanged}`;
  const shown = firstLines.split("\n").length;
  return `First ${shown} of ${shown + moreLines} lines of ${name}${unchanged}`;
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
  const { scopes, skill, kind } = request;
  const name = skill === undefined ? "" : showText(skill.name);
  const digest = skill === undefined ? "" : showText(skill.digest.slice(0, 19));
  const always = `whenever ${name} has the digest ${digest}…`;
  const hasOpenArguments = isShown && openSubject(request) !== undefined;
  const choices: ApprovalChoice[] = [
    { id: "deny", label: "No", decision: { approved: false, scope: "once", by: "person" } },
  ];
  const add = (id: ApprovalChoice["id"], label: string, decision: Partial<ApprovalDecision>) =>
    choices.push({
      id,
      label,
      decision: { approved: true, scope: "once", by: "person", ...decision },
    });
  if (scopes.includes("once")) add("once", "Yes, this once", {});
  if (scopes.includes("run")) {
    add("run", "Yes, exactly this call, for the rest of this run", { scope: "run" });
    if (hasOpenArguments) {
      const label = "Yes, this script with any arguments, for the rest of this run";
      add("run-any", label, { scope: "run", anyArguments: true });
    }
  }
  if (scopes.includes("run") && kind !== undefined && (isShown || request.script === undefined)) {
    add("kind", `Yes, ${kind}, for the rest of this run`, { scope: "run", allOfKind: true });
  }
  if (scopes.includes("skill")) {
    add("skill", `Yes, exactly this call, ${always}`, { scope: "skill" });
    if (hasOpenArguments) {
      const label = `Yes, this script with any arguments, ${always}`;
      add("skill-any", label, { scope: "skill", anyArguments: true });
    }
  }
  return choices;
}
