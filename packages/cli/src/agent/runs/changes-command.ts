import { plural, visibleLine, visibleLines } from "@skillwright/core/internal";
import { type Change, changesDiff } from "@skillwright/runtime/internal";
import type { Console } from "../../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../../exit-code.ts";
import {
  type Conflict,
  type Decision,
  HeldChanges,
  type IsNamed,
  type Settled,
} from "@skillwright/app/internal";

export interface ChangesOptions {
  readonly apply?: boolean;
  readonly discard?: boolean;
  readonly undo?: boolean;
}

const DECISIONS = { apply: "kept", discard: "discarded", undo: "undone" } as const;

/** Shows what scripts of a run changed and what waits for a person; keeps, discards or undoes it, or a part. */
export async function changesCommand(
  given: string | undefined,
  paths: readonly string[],
  options: ChangesOptions,
  console: Console,
): Promise<ExitCode> {
  const flags = (["apply", "discard", "undo"] as const).filter((flag) => options[flag] === true);
  if (flags.length > 1) {
    throw new CommandFailure(EXIT.usage, "--apply, --discard and --undo exclude each other");
  }
  const decision = flags[0] && DECISIONS[flags[0]];
  const held = await HeldChanges.open(given, console);
  const isNamed = ({ path }: Change) =>
    paths.length === 0 || paths.some((one) => isBelowOrSame(path, one));
  const meant = (decision === "undone" ? held.undoing() : held.pending()).filter(isNamed);
  const missing = paths.find((one) => !meant.some((change) => isBelowOrSame(change.path, one)));
  if (missing !== undefined) {
    const what =
      decision === "undone" ? "of this run was kept and can be undone" : "waits in this run";
    const message = `no change of ${JSON.stringify(missing)} ${what}`;
    throw new CommandFailure(EXIT.no, message, { hint: `skillwright runs changes ${held.id}` });
  }
  if (decision === undefined) return shown(held, isNamed, console);
  return decideAndReport(held, decision, isNamed, console);
}

/** Carries out a decision, and says so first where it takes a while. */
export async function decideAndReport(
  held: HeldChanges,
  decision: Decision,
  isNamed: IsNamed,
  console: Console,
): Promise<ExitCode> {
  const changes = decision === "undone" ? held.undoing() : held.pending();
  const { length } = changes.filter(isNamed);
  if (length > MANY && !console.json) {
    console.note(`${DOING[decision]} ${plural(length, "change")} …`);
  }
  return reported(decision, await held.settle(decision, isNamed), held, console);
}

function isBelowOrSame(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

async function shown(held: HeldChanges, isNamed: IsNamed, console: Console): Promise<ExitCode> {
  const runId = held.id;
  const changes = held.all.flatMap((one) => one.all()).filter(isNamed);
  const kept = [...new Set(held.undoing().map(({ path }) => path))];
  if (console.json) {
    console.printJson({ runId, changes: changes.map(jsonOf), kept });
    return EXIT.done;
  }
  const pending = changes.filter(({ refused }) => refused === undefined);
  await printPending(held, isNamed, (text) => console.print(text));
  for (const { path, refused } of changes) {
    if (refused !== undefined) console.note(visibleLine(`Never kept: ${path}: ${refused}`));
  }
  const meant = new Set(pending.map(({ path }) => path));
  const stale = held.stale().filter(({ path }) => meant.has(path));
  for (const { path, copy } of stale) {
    const made = copy === undefined ? "" : `. What the script made of it: ${copy}`;
    console.note(visibleLine(`Cannot be kept: ${path}: the file changed meanwhile${made}`));
  }
  if (stale.length > 0) console.note("Copy what you want of these by hand, then discard them.");
  if (pending.length === 0) console.note("No change of this run waits for you.");
  else {
    const waiting = plural(pending.length, "change is", "changes are");
    console.note(`${waiting} held. Keep with --apply, or discard with --discard:`);
    console.note(`  skillwright runs changes ${runId} --apply`);
  }
  if (kept.length > 0) noteUndo(kept.length, runId, console);
  return EXIT.done;
}

const MAX_TOGETHER = 20;
const LABEL = 8;

/** What waits, file by file, with the difference of texts. */
export async function printPending(
  held: HeldChanges,
  isNamed: IsNamed,
  print: (text: string) => void,
): Promise<void> {
  const pending = held.pending().filter(isNamed);
  // One decides by the list; the differences of so many files would push it away.
  if (pending.length > MAX_TOGETHER) {
    const lines = pending.map(({ path, kind }) => `${kind.padEnd(LABEL)} ${visibleLine(path)}`);
    print(`${lines.join("\n")}\n`);
  }
  for (const one of held.all) {
    const text = await changesDiff(one.pending().filter(isNamed), one);
    if (text !== "") print(visibleLines(text.trimEnd()));
  }
}

function reported(
  decision: Decision,
  { applied, conflicts }: Settled,
  { id: runId }: HeldChanges,
  console: Console,
): ExitCode {
  const count = applied.length;
  if (console.json) {
    const outcome = {
      kept: { applied: applied.map(jsonOf), conflicts },
      undone: { undone: applied.map(jsonOf), conflicts },
      discarded: { discarded: count },
    };
    console.printJson({ runId, ...outcome[decision] });
  } else {
    if (decision === "discarded") console.note(`Discarded ${plural(count, "change")}.`);
    if (decision === "undone") console.note(`Undid ${plural(count, "change")}.`);
    noteConflicts(decision === "undone" ? "Not undone" : "Not kept", conflicts, console);
    if (decision === "kept" && count > 0) noteUndo(count, runId, console);
    if (decision === "kept" && count === 0) console.note("Kept nothing.");
  }
  return conflicts.length === 0 ? EXIT.done : EXIT.no;
}

/** More take longer than a second, and thousands a minute. */
const MANY = 200;
const DOING = { kept: "Keeping", discarded: "Discarding", undone: "Undoing" } as const;

function noteUndo(kept: number, runId: string, console: Console): void {
  console.note(`${plural(kept, "change was", "changes were")} kept. Undo with:`);
  console.note(`  skillwright runs changes ${runId} --undo`);
}

function noteConflicts(title: string, conflicts: readonly Conflict[], console: Console): void {
  for (const { path, reason } of conflicts) {
    console.note(visibleLine(`${title}: ${path}: ${reason}`));
  }
}

function jsonOf({ path, kind, before, after, refused, conflict }: Change) {
  return {
    path,
    kind,
    ...(before?.type === "file" && {
      bytesBefore: before.size,
      digestBefore: named(before.digest),
    }),
    ...(after?.type === "file" && { bytes: after.size, digest: named(after.digest) }),
    ...(conflict && { conflict }),
    ...(refused !== undefined && { refused }),
  };
}

function named(digest: string | undefined): string | undefined {
  return digest === undefined ? undefined : `sha256:${digest}`;
}
