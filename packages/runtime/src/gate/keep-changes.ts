import { plural, quoteName, quoteNames, unifiedDiff } from "@skillwright/core/internal";
import { isUtf8 } from "node:buffer";
import type { ApprovedSkill, ChangesOverview } from "../approvals/approval.ts";
import type { Applied } from "../changes/apply.ts";
import { type Change, countedChanges, outputFiles } from "../changes/change.ts";
import type { RunChanges } from "../changes/run-changes.ts";
import type { ChangedFile, FinishedCall, Gate, GateFailure } from "./gate.ts";

interface KeepOptions {
  readonly gate: Gate;
  readonly changes?: RunChanges | undefined;
  /** The script or program that made them. */
  readonly by: string;
  readonly skill?: ApprovedSkill;
  readonly signal?: AbortSignal | undefined;
  /** It ran in an earlier call: some of its changes may be decided on already. */
  readonly ranBefore: boolean;
}

interface KeptChanges {
  /** What the model is to know of the changes, or an empty text. */
  readonly text: string;
  /** The question that nobody answered. */
  readonly unanswered?: GateFailure;
}

const CUT = "it did not come to its end";
const MAX_RECORDED = 1000;
const MAX_TEXT_BYTES = 256 * 1024;
const MAX_DIFF_LINES = 400;

/**
 * Decides on what a script changed, by the policy of `write_file`: kept, discarded, or held until a
 * person decides.
 */
export async function keepChanges(
  { changes: found, receipt }: FinishedCall,
  options: KeepOptions,
): Promise<KeptChanges> {
  const { gate, changes, ranBefore } = options;
  const { stderr, stdout, canceled, timedOut, durationMs } = receipt;
  const began = ranBefore ? 0 : Date.now() - durationMs - CLOCK_MS;
  const advice = [
    adviceOn(`${stdout}\n${stderr}`, found?.readOnly, changes),
    lostText(found?.lost),
  ];
  const output = changes === undefined ? "" : outputText(changes, began);
  if (found === undefined || found.changes.length === 0) {
    // A script may have removed what earlier ones left.
    const nothing = { kept: [], conflicts: [], held: [], refused: [], dropped: [], why: "" };
    const left = changes?.waiting();
    if (changes !== undefined && left !== (leftBefore.get(changes) ?? 0)) {
      recordEnd(gate, changes, nothing);
    }
    return { text: joined([...advice, stillHeld(changes, []), output]) };
  }
  const refused = withoutInner(found.changes.filter((change) => change.refused !== undefined));
  const kept = [...(found.applied?.applied ?? [])];
  const conflicts = [...(found.applied?.conflicts ?? [])];
  const isDone = new Set([...kept, ...conflicts].map(({ path }) => path));
  const undecided = found.changes.filter(
    ({ path, refused: no }) => no === undefined && !isDone.has(path),
  );
  const open = changes && ranBefore ? await changes.held(undecided) : undecided;
  const isOpen = new Set(open.map(({ path }) => path));
  let unanswered: GateFailure | undefined;
  let held: readonly Change[] = [];
  let dropped: readonly Change[] = changes === undefined ? open : [];
  let why = "not approved";
  const isCut = canceled || timedOut;
  if (changes !== undefined && isCut) {
    await changes.discard(isOneOf(open));
    dropped = open;
  } else if (changes !== undefined && open.length > 0) {
    const decided = await decideOn(open, changes, found.writable ?? [], options);
    const { yes, no, later } = decided;
    why = decided.why ?? why;
    held = later;
    dropped = no;
    unanswered = decided.unanswered;
    // First: a file brings the folders along that it needs.
    if (yes.length > 0) {
      await gate.record({
        event: "changes-apply",
        data: { paths: pathsOf(yes), count: yes.length },
      });
      const applied = await changes.apply(isOneOf(yes));
      kept.push(...applied.applied);
      conflicts.push(...applied.conflicts);
      const isKept = isOneOf(applied.applied);
      dropped = no.filter((change) => !isKept(change));
    }
    if (dropped.length > 0) await changes.discard(isOneOf(dropped));
  }
  if (changes !== undefined) {
    const discarded = isCut ? { dropped, why: CUT } : { dropped, why };
    recordEnd(gate, changes, { kept, conflicts, held, refused, ...discarded });
  }
  const text = joined([
    ...advice,
    ...changesText([
      { title: "Changed in the working directory:", changes: kept },
      { title: `${heldTitle(changes)}:`, changes: held },
      {
        title: isCut ? `Not kept, as ${CUT}:` : `Not kept (${why}):`,
        changes: dropped,
      },
      {
        title: "Kept, discarded or changed again meanwhile:",
        changes: undecided.filter(({ path }) => !isOpen.has(path)),
      },
    ]),
    bulleted("Not kept, as scripts may not change it:", refused.map(refusal)),
    bulleted("Not kept, as the real file is another one by now:", conflicts.map(conflictText)),
    stillHeld(changes, [...held, ...conflicts]),
    output,
  ]);
  return { text, ...(unanswered && { unanswered }) };
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n");
}

/** What earlier scripts left: this one may have found a file and report it as done. */
function stillHeld(
  changes: RunChanges | undefined,
  named: readonly Pick<Change, "path">[],
): string {
  const isNamed = new Set(named.map(({ path }) => path));
  const rest = changes?.pending().filter(({ path }) => !isNamed.has(path)) ?? [];
  if (rest.length === 0) return "";
  const names = quoteNames(rest.map(({ path }) => path));
  return `Still held from before, so not in the working directory yet: ${names}.`;
}

/** A result with what is to be known of changes. */
export function withChanges(text: string, kept: string): string {
  return kept === "" ? text : `${text.trimEnd()}\n\n${kept}`.trimStart();
}

/** Of a refused folder and what is in it, only the folder. */
function withoutInner(changes: readonly Change[]): readonly Change[] {
  const paths = new Set(changes.map(({ path }) => path));
  return changes.filter(({ path }) => {
    const segments = path.split("/");
    return !segments.slice(1).some((_, i) => paths.has(segments.slice(0, i + 1).join("/")));
  });
}

function heldTitle(changes: RunChanges | undefined): string {
  const how = changes?.command === undefined ? "" : ` with "${changes.command}"`;
  return `Held until a person approves${how}; until you answer, scripts and tools find these files as changed`;
}

interface Decided {
  readonly yes: readonly Change[];
  readonly no: readonly Change[];
  readonly later: readonly Change[];
  /** What a person gave as the reason. */
  readonly why?: string;
  readonly unanswered?: GateFailure;
}

async function decideOn(
  open: readonly Change[],
  changes: RunChanges,
  writable: readonly string[],
  { gate, by, skill, signal }: KeepOptions,
): Promise<Decided> {
  const among = (paths: readonly string[]) => {
    const wanted = new Set(paths);
    return open.filter(({ path }) => wanted.has(path));
  };
  const { keep, denied, held } = await gate.admitChanges(
    {
      cwd: changes.root,
      madeBy: by,
      changes: open.map(changedFile),
      writable,
      diff: (files) => changesDiff(among(files.map(({ path }) => path)), changes),
      overview: (files) => changesOverview(among(files.map(({ path }) => path)), changes),
      ...(skill && { skill }),
    },
    signal ? { signal } : {},
  );
  const isRefused = held?.failure.code === "approval-refused";
  const refused = isRefused ? held.paths : [];
  const unanswered = isRefused ? undefined : held?.failure;
  return {
    yes: among(keep),
    no: among([...denied.map(({ path }) => path), ...refused]),
    later: held === undefined || isRefused ? [] : among(held.paths),
    ...(isRefused && { why: held.failure.message }),
    ...(unanswered && { unanswered }),
  };
}

/** How many changes waited when that was last recorded. */
const leftBefore = new WeakMap<RunChanges, number>();

function recordEnd(gate: Gate, changes: RunChanges, outcome: Outcome): void {
  const { conflicts, refused, why } = outcome;
  const [kept, held, dropped] = [outcome.kept, outcome.held, outcome.dropped].map(
    countedChanges,
  ) as [Outcome["kept"], Outcome["held"], Outcome["dropped"]];
  const isMore = [kept, held, dropped].some(({ length }) => length > MAX_RECORDED);
  const left = changes.waiting();
  leftBefore.set(changes, left);
  gate.audit.append({
    event: "changes-end",
    data: {
      kept: pathsOf(kept),
      conflicts,
      held: pathsOf(held),
      ...(refused.length > 0 && { refused: pathsOf(refused) }),
      ...(dropped.length > 0 && { discarded: pathsOf(dropped), why }),
      // Where the lists are not all of it.
      ...(isMore && {
        counts: { kept: kept.length, held: held.length, discarded: dropped.length },
      }),
      left,
    },
  });
}

interface Outcome {
  readonly kept: readonly Change[];
  readonly conflicts: Applied["conflicts"];
  readonly held: readonly Change[];
  readonly refused: readonly Change[];
  readonly dropped: readonly Change[];
  /** Why they were not kept. */
  readonly why: string;
}

/** A change as approvals and hosts see it. */
export function changedFile({ path, kind, after }: Change): ChangedFile {
  const { size, digest } = after?.type === "file" ? after : {};
  return {
    path,
    kind,
    ...(size !== undefined && { bytes: size }),
    ...(digest !== undefined && { digest: `sha256:${digest}` }),
  };
}

function pathsOf(changes: readonly Change[]): readonly string[] {
  return changes.slice(0, MAX_RECORDED).map(({ path }) => path);
}

/** With the same content: another script may have changed the file while a person decided. */
function isOneOf(list: readonly Change[]): (change: Change) => boolean {
  const key = ({ path, kind, after }: Change) => `${kind} ${after?.digest ?? ""} ${path}`;
  const keys = new Set(list.map(key));
  return (change) => keys.has(key(change));
}

/** What changes, file by file, with the difference of texts. */
export async function changesDiff(list: readonly Change[], changes: RunChanges): Promise<string> {
  const parts: string[] = [];
  let lines = 0;
  for (const change of list) {
    if (lines > MAX_DIFF_LINES) {
      parts.push(`… and ${plural(list.length - parts.length, "more change")}\n`);
      break;
    }
    const part = await changeDiff(change, changes);
    lines += part.split("\n").length;
    parts.push(part);
  }
  return parts.join("");
}

async function changeDiff(
  change: Change,
  changes: RunChanges,
  maxLines = MAX_DIFF_LINES,
): Promise<string> {
  const head = `${changeLine(change)}\n`;
  if (change.kind === "mode" || change.after?.type === "folder") return head;
  const [before, after] = [
    textOf(changes.realContent(change, MAX_TEXT_BYTES)),
    textOf(changes.contentOf(change, MAX_TEXT_BYTES)),
  ];
  if (change.kind !== "created" && before === undefined) return head;
  if (change.kind !== "deleted" && after === undefined) return head;
  const { text } = await unifiedDiff(change.path, before, after, { maxLines });
  return head + text;
}

/** As many as a person reads one by one, and as many as are looked into for their lines. */
const FEW = 12;
const MAX_COUNTED = 2000;
const MAX_GROUPS = 3;

async function changesOverview(
  list: readonly Change[],
  changes: RunChanges,
): Promise<ChangesOverview | undefined> {
  if (list.length <= FEW) return undefined;
  let [added, removed] = [0, 0];
  for (const change of list.slice(0, MAX_COUNTED)) {
    const lines = (await changeDiff(change, changes, Infinity)).split("\n").slice(3);
    added += lines.filter((line) => line.startsWith("+")).length;
    removed += lines.filter((line) => line.startsWith("-")).length;
  }
  const least = list.length > MAX_COUNTED ? "at least " : "";
  return {
    files: changeGroups(list, MAX_GROUPS).join("; "),
    lines: `${least}${plural(added, "line")} added, ${plural(removed, "line")} removed`,
  };
}

function textOf(bytes: Buffer | undefined): string | undefined {
  return bytes === undefined || bytes.includes(0) || !isUtf8(bytes) ? undefined : bytes.toString();
}

function refusal({ path, refused = "" }: Change): string {
  return `${quoteName(path)}: ${refused}`;
}

function conflictText({ path, reason }: Applied["conflicts"][number]): string {
  return `${quoteName(path)}: ${reason}`;
}

/** What the script left for the user, by the path that the user finds it under. */
function outputText({ output }: RunChanges, since: number): string {
  const files = outputFiles(output, since);
  const lines = files.map(({ path, bytes }) => `${quoteName(path, 400)}, ${sizeText(bytes)}`);
  return bulleted("For the user, who finds it there:", lines);
}

/** The clock of files may be a little behind. */
const CLOCK_MS = 20;

function lostText(names: readonly string[] = []): string {
  if (names.length === 0) return "";
  return `Gone with the private /tmp: ${quoteNames(names)}. What is to stay belongs in the working directory or in "$SKILLWRIGHT_OUTPUT".`;
}

const READ_ONLY = /Read-only file system|\bEROFS\b/;
const OTHER_OWNER = /Value too large for defined data type|\bEOVERFLOW\b/;
const FULL = /No space left on device|\bENOSPC\b/;

/** What a person can change about a failure that the script itself cannot explain. */
function adviceOn(
  text: string,
  readOnly: string | undefined,
  changes: RunChanges | undefined,
): string {
  const output = changes === undefined ? "" : ' Files written to "$SKILLWRIGHT_OUTPUT" are kept.';
  if (readOnly !== undefined && READ_ONLY.test(text)) {
    return `Scripts cannot write to the working directory here: ${readOnly}.${output}`;
  }
  if (OTHER_OWNER.test(text)) {
    return `A file belongs to another user or group, so a script cannot change it. Change its owner (chown), or write a new file.${output}`;
  }
  return FULL.test(text) && changes !== undefined
    ? "The memory for changed files is full. Write less at once, or in several scripts."
    : "";
}

/** Changes with a common fate, under a title. */
interface ChangeList {
  readonly title: string;
  readonly changes: readonly Change[];
}

/** How many changes are named one by one, and how many lines there are when they are not. */
const MAX_LINES = 8;
const MAX_FULL_NAME = 200;
const MAX_NAME = 80;

/** What a model reads about changes: file by file while they are few, then by folder. */
function changesText(lists: readonly ChangeList[]): readonly string[] {
  const shown = lists.filter(({ changes }) => changes.length > 0);
  const count = shown.reduce((sum, { changes }) => sum + changes.length, 0);
  const maxLines =
    count <= MAX_LINES ? MAX_LINES : Math.max(2, Math.floor(MAX_LINES / shown.length));
  return shown.map(({ title, changes }) => bulleted(title, changeGroups(changes, maxLines)));
}

/** A title and a list, cut after some lines. Empty without lines. */
function bulleted(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return "";
  const left = lines.length - MAX_LINES;
  const shown = left > 0 ? [...lines.slice(0, MAX_LINES), `and ${left} more`] : lines;
  return [title, ...shown.map((line) => `- ${line}`)].join("\n");
}

/** One change, for models and people. */
function changeLine(
  { path, kind, before, after }: Change,
  maxName: number = MAX_FULL_NAME,
): string {
  const name = quoteName(path, maxName);
  const size = after?.type === "file" ? `, ${sizeText(after.size)}` : "";
  if (kind === "mode") return `${name} has the mode ${after?.mode.toString(8)}`;
  const folder = (after ?? before)?.type === "folder" ? "folder " : "";
  return `${folder}${name} ${kind}${kind === "deleted" ? "" : size}`;
}

interface Group {
  /** Of a file, or of a folder that all changes of the group lie in or are. */
  readonly path: string;
  readonly changes: readonly Change[];
}

/** A folder that was itself made or deleted is one line; others are opened while there is room. */
function changeGroups(changes: readonly Change[], maxLines: number): readonly string[] {
  if (changes.length <= maxLines) return changes.map((change) => changeLine(change, MAX_NAME));
  let groups = groupsIn({ path: "", changes });
  const hasRoom = (group: Group) =>
    !group.changes.some(({ path }) => path === group.path) &&
    groups.length - 1 + groupsIn(group).length <= maxLines;
  for (let open = groups.find(hasRoom); open !== undefined; open = groups.find(hasRoom)) {
    const opened = open;
    groups = groups.flatMap((group) => (group === opened ? groupsIn(group) : [group]));
  }
  if (groups.length <= maxLines) return groups.map(groupLine);
  const rest = groups.slice(maxLines - 1).flatMap((group) => group.changes);
  return [
    ...groups.slice(0, maxLines - 1).map(groupLine),
    `and ${plural(countedChanges(rest).length, "more file")}`,
  ];
}

function groupsIn({ path, changes }: Group): readonly Group[] {
  const start = path === "" ? 0 : path.length + 1;
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    const end = change.path.indexOf("/", start);
    const key = end === -1 ? change.path : change.path.slice(0, end);
    const group = groups.get(key) ?? [];
    group.push(change);
    groups.set(key, group);
  }
  return [...groups].map(([key, inside]) => ({ path: key, changes: inside }));
}

function groupLine({ path, changes }: Group): string {
  const [first, ...others] = changes;
  if (first !== undefined && others.length === 0) return changeLine(first, MAX_NAME);
  const name = quoteName(`${path}/`, MAX_NAME);
  const counted = countedChanges(changes);
  const kinds = new Map<string, number>();
  for (const { kind } of counted) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const [[kind = ""] = [], ...otherKinds] = kinds;
  if (otherKinds.length === 0) return `${name} (${countText(changes)}) ${KIND_TEXTS[kind]}`;
  const parts = [...kinds].map(([each, count]) => `${count} ${KIND_TEXTS[each]}`);
  return `${name} (${countText(changes)}): ${parts.join(", ")}`;
}

const KIND_TEXTS: Readonly<Record<string, string>> = {
  created: "created",
  modified: "modified",
  mode: "with another mode",
  deleted: "deleted",
};

function countText(changes: readonly Change[]): string {
  const counted = countedChanges(changes);
  const isFolder = (counted[0]?.after ?? counted[0]?.before)?.type === "folder";
  const bytes = counted.reduce((sum, { after }) => sum + (after?.size ?? 0), 0);
  const count = plural(counted.length, isFolder ? "folder" : "file");
  return bytes === 0 ? count : `${count}, ${sizeText(bytes)}`;
}

function sizeText(bytes: number): string {
  if (bytes < 1024) return plural(bytes, "byte");
  const kib = bytes / 1024;
  return kib < 1024 ? `${Math.ceil(kib)} KB` : `${(kib / 1024).toFixed(1)} MB`;
}
