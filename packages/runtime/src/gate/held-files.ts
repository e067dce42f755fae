import type { Change } from "../changes/change.ts";
import type { RunChanges } from "../changes/run-changes.ts";
import type { ChangedFile, Gate } from "./gate.ts";
import { changedFile, changesDiff } from "./keep-changes.ts";

/** What became of held files. */
export interface SettledFiles {
  readonly paths: readonly string[];
  /** What is not as the script saw it, or what the system refused. It stays held. */
  readonly conflicts: readonly { readonly path: string; readonly reason: string }[];
}

/** Files that scripts changed, kept apart from the real ones until somebody decides. */
export interface HeldFiles {
  list(): readonly ChangedFile[];
  /** For a person to read, without values of secrets. */
  diff(paths?: readonly string[]): Promise<string>;
  /** Carries them out in the real working directory. Default: all. */
  keep(paths?: readonly string[]): Promise<SettledFiles>;
  /** Default: all. */
  discard(paths?: readonly string[]): Promise<SettledFiles>;
}

/** What a host decides is in the record before it happens. */
export function heldFiles(gate: Gate, changes: RunChanges | undefined): HeldFiles {
  const among = (paths: readonly string[] | undefined): readonly Change[] => {
    const wanted = paths === undefined ? undefined : new Set(paths);
    return changes?.pending().filter(({ path }) => wanted?.has(path) ?? true) ?? [];
  };
  const settle = async (
    decision: "changes-apply" | "changes-discard",
    paths: readonly string[] | undefined,
    work: (isWanted: (change: Change) => boolean, held: RunChanges) => Promise<SettledFiles>,
  ): Promise<SettledFiles> => {
    const wanted = new Set(among(paths).map(({ path }) => path));
    if (changes === undefined || wanted.size === 0) return { paths: [], conflicts: [] };
    await gate.record({ event: decision, data: { paths: [...wanted], by: "host" } });
    const settled = await work(({ path }) => wanted.has(path), changes);
    const left = changes.pending().length;
    gate.audit.append({ event: "changes-end", data: { ...settled, left } });
    return settled;
  };
  const pathsOf = (list: readonly Change[]) => list.map(({ path }) => path);
  return {
    list: () => among(undefined).map(changedFile),
    diff: async (paths) =>
      changes === undefined ? "" : gate.secrets.mask(await changesDiff(among(paths), changes)),
    keep: (paths) =>
      settle("changes-apply", paths, async (isWanted, held) => {
        const { applied, conflicts } = await held.apply(isWanted);
        return { paths: pathsOf(applied), conflicts };
      }),
    discard: (paths) =>
      settle("changes-discard", paths, async (isWanted, held) => {
        return { paths: pathsOf(await held.discard(isWanted)), conflicts: [] };
      }),
  };
}
