import type { Failure } from "@skillwright/core";
import { type Change, changesDiff } from "@skillwright/runtime/internal";
import type { AppChanges, ChangeEntry, ChangesSettled } from "../api.ts";
import { asValue } from "../failure.ts";
import type { AppHost } from "../host.ts";
import { type Decision, HeldChanges } from "./held-changes.ts";

export function createChanges(host: AppHost): AppChanges {
  const settle = (
    decision: Decision,
    runId: string,
    paths?: readonly string[],
  ): Promise<ChangesSettled | Failure> =>
    asValue(async () => {
      const held = await HeldChanges.open(runId, host);
      const { applied, conflicts } = await held.settle(decision, isNamed(paths));
      return { ok: true, applied: applied.map(entryOf), conflicts };
    });
  return {
    list: (runId) =>
      asValue(async () => {
        const held = await HeldChanges.open(runId, host);
        const kept = [...new Set(held.undoing().map(({ path }) => path))];
        return { ok: true, runId: held.id, pending: held.pending().map(entryOf), kept };
      }),
    diff: (runId, paths) =>
      asValue(async () => {
        const held = await HeldChanges.open(runId, host);
        const texts = held.all.map((one) => changesDiff(one.pending().filter(isNamed(paths)), one));
        return { ok: true, text: (await Promise.all(texts)).join("") };
      }),
    keep: (runId, paths) => settle("kept", runId, paths),
    discard: (runId, paths) => settle("discarded", runId, paths),
    undo: (runId, paths) => settle("undone", runId, paths),
  };
}

/** These paths and what lies below them; without any, all. */
function isNamed(paths: readonly string[] = []) {
  return ({ path }: Change) =>
    paths.length === 0 || paths.some((one) => path === one || path.startsWith(`${one}/`));
}

function entryOf({ path, kind, before, after, refused, conflict }: Change): ChangeEntry {
  return {
    path,
    kind,
    ...(before?.type === "file" && { bytesBefore: before.size }),
    ...(after?.type === "file" && { bytes: after.size }),
    ...(conflict && { conflict }),
    ...(refused !== undefined && { refused }),
  };
}
