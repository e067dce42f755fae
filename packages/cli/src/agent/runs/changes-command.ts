import { isPart } from "@skillwright/agent";
import { plural, visibleLine, visibleLines } from "@skillwright/core/internal";
import { type Change, changesDiff, RunChanges } from "@skillwright/runtime";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { Console } from "../../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../../exit-code.ts";
import { openPlace } from "../../session.ts";
import { findRun, listRuns, openRuns } from "./find-run.ts";

export interface ChangesOptions {
  readonly apply?: boolean;
  readonly discard?: boolean;
  readonly undo?: boolean;
}

type Conflict = { readonly path: string; readonly reason: string };

/** Shows what scripts of a run changed and what waits for a person; keeps, discards or undoes it, or a part. */
export async function changesCommand(
  given: string,
  paths: readonly string[],
  { apply = false, discard = false, undo = false }: ChangesOptions,
  console: Console,
): Promise<ExitCode> {
  if ([apply, discard, undo].filter(Boolean).length > 1) {
    throw new CommandFailure(EXIT.usage, "--apply, --discard and --undo exclude each other");
  }
  const { stateDirectory } = await openPlace(console);
  const call = join(stateDirectory, "calls", basename(given));
  // A call of a tool by hand, or a client of `mcp`, has a folder as well.
  const isCall = given !== "" && given === basename(given) && existsSync(call);
  const runId = isCall ? given : await findRun(await openRuns(console), given);
  const folders = isCall ? [call] : await foldersOf(runId, stateDirectory, console);
  const all = await heldIn(folders);
  const isNamed = ({ path }: Change) =>
    paths.length === 0 || paths.some((one) => isBelowOrSame(path, one));
  const meant = all.flatMap((held) => (undo ? held.undoing() : held.pending())).filter(isNamed);
  const missing = paths.find((one) => !meant.some((change) => isBelowOrSame(change.path, one)));
  if (missing !== undefined) {
    const what = undo ? "of this run was kept and can be undone" : "waits in this run";
    const message = `no change of ${JSON.stringify(missing)} ${what}`;
    throw new CommandFailure(EXIT.no, message, { hint: `skillwright runs changes ${runId}` });
  }
  if (apply) return applied(all, isNamed, { runId, console });
  if (undo) return undone(all, isNamed, { runId, console });
  if (discard) {
    let count = 0;
    for (const held of all) {
      const discarded = await held.discard(isNamed);
      count += discarded.filter(({ refused }) => refused === undefined).length;
    }
    if (console.json) console.printJson({ runId, discarded: count });
    else console.note(`Discarded ${plural(count, "change")}.`);
    return EXIT.done;
  }
  return shown(all, isNamed, { runId, console });
}

interface Place {
  readonly runId: string;
  readonly console: Console;
}

/** Of the run and of those it started for skills that work apart. */
async function foldersOf(
  runId: string,
  stateDirectory: string,
  console: Console,
): Promise<readonly string[]> {
  const all = await listRuns(await openRuns(console));
  const family = all.filter((one) => one === runId || isPart(one, runId));
  return family.map((one) => join(stateDirectory, "runs", one));
}

async function heldIn(folders: readonly string[]): Promise<readonly RunChanges[]> {
  const found: RunChanges[] = [];
  for (const folder of folders) {
    const held = await RunChanges.inFolder(folder);
    if (held !== undefined) found.push(held);
  }
  return found;
}

function isBelowOrSame(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

async function shown(
  all: readonly RunChanges[],
  isNamed: (change: Change) => boolean,
  { runId, console }: Place,
): Promise<ExitCode> {
  const changes = all.flatMap((held) => held.all()).filter(isNamed);
  const kept = [...new Set(all.flatMap((held) => held.undoing()).map(({ path }) => path))];
  if (console.json) {
    console.printJson({ runId, changes: changes.map(jsonOf), kept });
    return EXIT.done;
  }
  const pending = changes.filter(({ refused }) => refused === undefined);
  for (const held of all) {
    const text = await changesDiff(held.pending().filter(isNamed), held);
    if (text !== "") console.print(visibleLines(text.trimEnd()));
  }
  for (const { path, refused } of changes) {
    if (refused !== undefined) console.note(visibleLine(`Never kept: ${path}: ${refused}`));
  }
  if (pending.length === 0) console.note("No change of this run waits for you.");
  else {
    const held = plural(pending.length, "change is", "changes are");
    console.note(`${held} held. Keep with --apply, or discard with --discard:`);
    console.note(`  skillwright runs changes ${runId} --apply`);
  }
  if (kept.length > 0) noteUndo(kept.length, { runId, console });
  return EXIT.done;
}

async function applied(
  all: readonly RunChanges[],
  isNamed: (change: Change) => boolean,
  { runId, console }: Place,
): Promise<ExitCode> {
  const kept: Change[] = [];
  const conflicts: Conflict[] = [];
  for (const held of all) {
    const result = await held.apply(isNamed);
    kept.push(...result.applied);
    conflicts.push(...result.conflicts);
  }
  if (console.json) console.printJson({ runId, applied: kept.map(jsonOf), conflicts });
  else {
    noteConflicts("Not kept", conflicts, console);
    if (kept.length > 0) noteUndo(kept.length, { runId, console });
    else console.note("Kept nothing.");
  }
  return conflicts.length === 0 ? EXIT.done : EXIT.no;
}

async function undone(
  all: readonly RunChanges[],
  isNamed: (change: Change) => boolean,
  { runId, console }: Place,
): Promise<ExitCode> {
  const { applied: changes, conflicts } = await RunChanges.undo(all, isNamed);
  if (console.json) console.printJson({ runId, undone: changes.map(jsonOf), conflicts });
  else {
    console.note(`Undid ${plural(changes.length, "change")}.`);
    noteConflicts("Not undone", conflicts, console);
  }
  return conflicts.length === 0 ? EXIT.done : EXIT.no;
}

function noteUndo(kept: number, { runId, console }: Place): void {
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
    ...(before?.type === "file" && { bytesBefore: before.size, digestBefore: before.digest }),
    ...(after?.type === "file" && { bytes: after.size, digest: after.digest }),
    ...(conflict && { conflict }),
    ...(refused !== undefined && { refused }),
  };
}
