import { settleChanges } from "@skillwright/agent";
import {
  type ChangesSettled as SettledEvent,
  type FileStore,
  isPart,
} from "@skillwright/agent/internal";
import type { Failure } from "@skillwright/core";
import { type Change, changesDiff, RunChanges } from "@skillwright/runtime/internal";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { AppChanges, ChangeEntry, ChangesSettled } from "../api.ts";
import { asAppFailure, asValue } from "../failure.ts";
import type { AppHost } from "../host.ts";
import { openPlace, type SessionPlace } from "../session/session.ts";
import { openRunStore } from "./agent-session.ts";
import { findRun, latestRun, listRuns, summaryOf } from "./find-run.ts";

export type Decision = SettledEvent["decision"];
export interface Conflict {
  readonly path: string;
  readonly reason: string;
}
export interface Settled {
  readonly applied: readonly Change[];
  readonly conflicts: readonly Conflict[];
}
export type IsNamed = (change: Change) => boolean;

/** The run that waits: that of a child is its parent. A call has no record to go on with. */
interface DecisionRecord {
  readonly store: FileStore;
  readonly runId: string;
  /** Of the run and its children. */
  readonly folders: readonly string[];
}

/** What scripts of a run and of its children changed, or of a call of a tool by hand. */
export class HeldChanges {
  readonly id: string;
  readonly all: readonly RunChanges[];
  readonly #record: DecisionRecord | undefined;

  private constructor(id: string, all: readonly RunChanges[], record?: DecisionRecord) {
    this.id = id;
    this.all = all;
    this.#record = record;
  }

  /** Without a name: of the latest run with changes that wait, else of the latest, which is named. */
  static async open(given: string | undefined, host: AppHost): Promise<HeldChanges> {
    const place = await openPlace(host);
    const call = join(place.stateDirectory, "calls", basename(given ?? ""));
    // A call of a tool by hand, or a client of `mcp`, has a folder as well.
    if (given !== undefined && given === basename(given) && given !== "" && existsSync(call)) {
      return new HeldChanges(given, await inFolders([call]));
    }
    const store = openRunStore(place, host);
    const runId =
      given === undefined
        ? await latestWithChanges(store, place, host)
        : await findRun(store, given);
    return HeldChanges.ofRun(runId, store, place);
  }

  static async ofRun(
    runId: string,
    store: FileStore,
    { stateDirectory }: SessionPlace,
  ): Promise<HeldChanges> {
    const runs = await listRuns(store);
    const foldersOf = (id: string) =>
      runs
        .filter((one) => one === id || isPart(one, id))
        .map((one) => join(stateDirectory, "runs", one));
    const root = runs.findLast((one) => isPart(runId, one)) ?? runId;
    const record = { store, runId: root, folders: foldersOf(root) };
    return new HeldChanges(runId, await inFolders(foldersOf(runId)), record);
  }

  pending(): readonly Change[] {
    return this.all.flatMap((held) => held.pending());
  }

  /** What would take back what was kept. */
  undoing(): readonly Change[] {
    return this.all.flatMap((held) => held.undoing());
  }

  /** Says so in its record, though a process that was killed may have decided already. */
  async #waits({ store, runId }: DecisionRecord): Promise<boolean> {
    return ((await summaryOf(store, runId))?.heldChanges ?? 0) > 0;
  }

  /** What could not be kept now, with the copy of what the script made, where there is one. */
  stale(): readonly { readonly path: string; readonly copy?: string }[] {
    return this.all.flatMap((held) =>
      held
        .pending()
        .filter((change) => isStale(held, change))
        .map(({ path }) => {
          const seen = held.seen(path.split("/"));
          return { path, ...(seen?.type === "file" && { copy: seen.copy }) };
        }),
    );
  }

  /** Carries out a decision of the person, which the record of a run says before and after. */
  async settle(decision: Decision, isNamed: IsNamed): Promise<Settled> {
    let settled: Settled = { applied: [], conflicts: [] };
    const work = async () => {
      settled = await this.#carryOut(decision, isNamed);
      const { applied, conflicts } = settled;
      return {
        paths: pathsOf(applied),
        conflicts: pathsOf(conflicts),
        left: this.#left(),
      };
    };
    const changes = decision === "undone" ? this.undoing() : this.pending();
    const paths = pathsOf(changes.filter(isNamed));
    const record = this.#record;
    if (record === undefined || (paths.length === 0 && !(await this.#waits(record)))) await work();
    else {
      const { store, runId } = record;
      await settleChanges({ store, runId, decision, paths }, work).catch((error: unknown) => {
        throw asAppFailure(error);
      });
    }
    return settled;
  }

  #left(): number {
    const { folders = [] } = this.#record ?? {};
    return folders.reduce((sum, folder) => sum + RunChanges.pendingIn(folder), 0);
  }

  async #carryOut(decision: Decision, isNamed: IsNamed): Promise<Settled> {
    if (decision === "undone") return RunChanges.undo(this.all, isNamed);
    const applied: Change[] = [];
    const conflicts: Conflict[] = [];
    for (const held of this.all) {
      if (decision === "discarded") {
        const discarded = await held.discard(isNamed);
        applied.push(...discarded.filter(({ refused }) => refused === undefined));
      } else {
        const result = await held.apply(isNamed);
        applied.push(...result.applied);
        conflicts.push(...result.conflicts);
      }
    }
    return { applied, conflicts };
  }
}

const MAX_COMPARED = 64 * 1024 * 1024;

/** The real file is not the one that the script saw. Larger files are compared when they are kept. */
function isStale(held: RunChanges, change: Change): boolean {
  const { before, conflict } = change;
  if (conflict === true) return true;
  const real = held.realContent(change, MAX_COMPARED);
  if (before === undefined) return change.after?.type === "file" && real !== undefined;
  if (before.type !== "file" || before.digest === undefined || before.size > MAX_COMPARED)
    return false;
  return real === undefined || createHash("sha256").update(real).digest("hex") !== before.digest;
}

function pathsOf(list: readonly { readonly path: string }[]): readonly string[] {
  return list.map(({ path }) => path);
}

async function inFolders(folders: readonly string[]): Promise<readonly RunChanges[]> {
  const found: RunChanges[] = [];
  for (const folder of folders) {
    const held = await RunChanges.inFolder(folder);
    if (held !== undefined) found.push(held);
  }
  return found;
}

async function latestWithChanges(
  store: FileStore,
  { stateDirectory }: SessionPlace,
  host: AppHost,
): Promise<string> {
  const all = await listRuns(store);
  const waiting = all.find((one) => RunChanges.pendingIn(join(stateDirectory, "runs", one)) > 0);
  if (waiting === undefined) return latestRun(store, host);
  const runId = all.findLast((one) => isPart(waiting, one)) ?? waiting;
  host.note(`Changes of ${runId}, the latest run with changes that wait.`);
  return runId;
}

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
