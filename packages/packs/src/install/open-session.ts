import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Change } from "../change/change.ts";
import { listChanges } from "../change/history/list-changes.ts";
import { type OpenRoot, openRoot, type OpenRootOptions } from "../change/open-root.ts";
import { rootFailure } from "../change/root-refusal.ts";
import type { PackFailure } from "../pack-failure.ts";
import type { PackSession } from "./pack-session.ts";

/** A root that is open for a change, or a place to try one without changing anything. */
export interface Workplace {
  /** A fresh folder for what is fetched and staged. */
  folder(): string;
  /** Undefined id when nothing is really done. */
  apply(change: Change): Promise<{ readonly ok: true; readonly id?: string } | PackFailure>;
  readonly stateFolder: string | undefined;
  readonly notes: readonly string[];
}

/** Opens the root of a session, works, and closes it whatever happens. */
export async function inWorkplace<Result>(
  session: PackSession,
  work: (place: Workplace) => Promise<Result | PackFailure>,
): Promise<Result | PackFailure> {
  return session.dryRun === true ? inTrial(session, work) : inRoot(session, work);
}

function inRoot<Result>(
  session: PackSession,
  work: (place: Workplace) => Promise<Result | PackFailure>,
): Promise<Result | PackFailure> {
  return withRoot(session, (root) =>
    work({
      folder: () => root.stagingFolder(),
      apply: (change) => root.apply(change),
      stateFolder: root.context.state.folder,
      notes: root.notes,
    }),
  );
}

/** Opens the root of a session and closes it whatever happens. */
export async function withRoot<Result>(
  session: PackSession,
  work: (root: OpenRoot) => Promise<Result | PackFailure>,
): Promise<Result | PackFailure> {
  const opened = await openRoot(session.scope, openingOf(session));
  if (!opened.ok) return opened;
  try {
    return await work(opened.root);
  } catch (error) {
    return workFailure(error, session);
  } finally {
    opened.root.close();
  }
}

/** What a root is opened with. */
export function openingOf(session: PackSession): OpenRootOptions {
  const { clock = Date.now, ids = randomUUID, signal, stateDirectory, onStep, onWait } = session;
  return {
    clock,
    ids,
    signal,
    ...(stateDirectory !== undefined && { stateDirectory }),
    ...(onStep !== undefined && { onStep }),
    ...(onWait !== undefined && { onWait }),
  };
}

/** A change that is decided answers for itself: what is thrown was thrown before. */
function workFailure(error: unknown, { scope, signal }: PackSession): PackFailure {
  if (signal?.aborted === true) {
    return { ok: false, code: "canceled", message: "canceled; nothing was changed" };
  }
  return rootFailure(error, `cannot change ${scope.root}`);
}

async function inTrial<Result>(
  session: PackSession,
  work: (place: Workplace) => Promise<Result | PackFailure>,
): Promise<Result | PackFailure> {
  const { scope, stateDirectory } = session;
  // Also refuses a root that leads out of the base, as the real change would.
  const listed = listChanges(scope, stateDirectory === undefined ? {} : { stateDirectory });
  if (!listed.ok) return listed;
  const folder = mkdtempSync(join(tmpdir(), "skillwright-trial-"));
  let count = 0;
  try {
    return await work({
      folder: () => mkdtempSync(join(folder, `${++count}-`)),
      apply: () => Promise.resolve({ ok: true }),
      stateFolder: undefined,
      notes: listed.isInterrupted ? ["a change was interrupted, and is finished first"] : [],
    });
  } catch (error) {
    return workFailure(error, session);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
