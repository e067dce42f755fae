import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkOptions, type OptionKinds } from "@skillwright/core/internal";
import { type PrunedBackups, pruneBackups } from "../change/history/prune-backups.ts";
import { undoChange, type UndoOptions, type UndoneChange } from "../change/history/undo-change.ts";
import { readLock } from "../lock/read-lock.ts";
import { pristineName } from "../merge/pristine.ts";
import type { PackFailure } from "../pack-failure.ts";
import { withRoot } from "./open-session.ts";
import { type PackSession, SESSION } from "./pack-session.ts";

export interface Undone extends UndoneChange {
  readonly notes: readonly string[];
}

const UNDO: OptionKinds<PackSession & UndoOptions> = {
  ...SESSION,
  force: "boolean",
  redo: "boolean",
};

export async function undoLast(session: PackSession & UndoOptions): Promise<Undone | PackFailure> {
  checkOptions("undoLast", session, UNDO, ["scope", "cwd"]);
  return withRoot(session, async (root) => {
    const undone = await undoChange(root, {
      force: session.force === true,
      redo: session.redo === true,
    });
    return undone.ok ? { ...undone, notes: root.notes } : undone;
  });
}

const PRUNE: OptionKinds<PackSession & { readonly keep?: number }> = { ...SESSION, keep: "number" };

export async function pruneRoot(
  session: PackSession & { readonly keep?: number },
): Promise<PrunedBackups | PackFailure> {
  checkOptions("pruneRoot", session, PRUNE, ["scope", "cwd"]);
  return withRoot(session, async (root) => {
    // Not before the root is open: what was interrupted is finished then, and nobody else installs.
    const read = readLock(session.scope);
    if (!read.ok) return read;
    const locked = Object.values(read.lock.skills).map(({ digest }) => pristineName(digest));
    let named: ReadonlySet<string> | undefined;
    return pruneBackups(root, {
      isPristineNamed(name) {
        // What an undo brings back may be updated, too. Backups that go have gone by now.
        named ??= new Set([...locked, ...digestsInBackups(root.context.state.backups)]);
        return named.has(name);
      },
      ...(session.keep !== undefined && { keep: session.keep }),
    });
  });
}

/** Digests in the locks that backups keep; whatever else looks like one only keeps a copy longer. */
function digestsInBackups(backups: string): string[] {
  return readdirSync(backups).flatMap((id) =>
    readdirSync(join(backups, id), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .flatMap(({ name }) => {
        const text = readFileSync(join(backups, id, name), "utf8");
        return Array.from(text.matchAll(/"sha256:([0-9a-f]{64})"/g), ([, hex = ""]) => hex);
      }),
  );
}
