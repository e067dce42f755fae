import type { RunEvent } from "@skillwright/agent";
import { type FileStore, isPart } from "@skillwright/agent/internal";
import { closeSync, constants, fstatSync, openSync, readSync, watch } from "node:fs";
import { join } from "node:path";
import { isBeingWritten } from "@skillwright/runtime/internal";
import type { RunAbandoned, RunUpdate } from "../api.ts";
import { AppFailure } from "../failure.ts";
import { readRecords } from "./find-run.ts";

type Recorded = Extract<RunEvent, { readonly sequence: number }>;
type Listener = (update: RunUpdate) => void;

const RECORD_FILE = "events.jsonl";
/** A consumer that is this far behind gets no deltas: what is recorded has all of it. */
const MAX_QUEUED = 5000;
const POLL_MS = 200;
const CHUNK_BYTES = 1024 * 1024;
/** After these nothing follows, unless somebody resumes the run. */
const ENDS: ReadonlySet<string> = new Set(["run-end", "changes-settle"]);

/** The runs that this process works on, and who follows them. */
export class LiveRuns {
  readonly #listeners = new Map<string, Set<Listener>>();
  /** Root runs, with how many of their steps are under way: one, but for a moment when one is resumed. */
  readonly #active = new Map<string, () => void>();

  /** Until the function that it gives is called. */
  begin(runId: string, cancel: () => void): () => void {
    this.#active.set(runId, cancel);
    return () => {
      this.#active.delete(runId);
      for (const [id, listeners] of this.#listeners) {
        if (id === runId || isPart(id, runId)) for (const wake of listeners) wake(OVER);
      }
    };
  }

  isActive(runId: string): boolean {
    return [...this.#active.keys()].some((one) => one === runId || isPart(runId, one));
  }

  cancelAll(): void {
    for (const cancel of this.#active.values()) cancel();
  }

  /** An event of this run, or of a child when it is a delta. */
  publish(update: RunUpdate, runId: string): void {
    for (const [id, listeners] of this.#listeners) {
      const isMeant = id === runId || (!isRecorded(update) && isPart(runId, id));
      if (isMeant) for (const listen of listeners) listen(update);
    }
  }

  /** See `App.subscribe`. */
  async *subscribe(
    store: FileStore,
    runId: string,
    fromSequence: number,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<RunUpdate, void, undefined> {
    let last = fromSequence;
    const file = recordOf(store, runId);
    for (;;) {
      const isLive = this.isActive(runId);
      const followed = isLive
        ? this.#follow(store, runId, last, signal)
        : followFile(file, last, {
            signal,
            runId,
            isOurs: () => this.isActive(runId),
            isWritten: () => isBeingWritten(file, store.stateDirectory),
          });
      for await (const update of followed) {
        if (isRecorded(update)) last = update.sequence;
        yield update;
      }
      if (signal?.aborted === true || isLive || !this.isActive(runId)) return;
    }
  }

  async *#follow(
    store: FileStore,
    runId: string,
    from: number,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<RunUpdate, void, undefined> {
    const queue: RunUpdate[] = [];
    let isOver = false;
    let wake = () => {};
    const listen: Listener = (update) => {
      if (update === OVER) isOver = true;
      else if (isRecorded(update) || queue.length < MAX_QUEUED) queue.push(update);
      wake();
    };
    const stop = () => listen(OVER);
    const listeners = this.#listeners.get(runId) ?? new Set();
    this.#listeners.set(runId, listeners.add(listen));
    signal?.addEventListener("abort", stop, { once: true });
    try {
      if (!this.isActive(runId)) isOver = true;
      // Listens first and reads then: what comes meanwhile is in both, and nothing is in neither.
      let last = from;
      for (const record of await readRecords(store, runId)) {
        if (record.sequence <= last) continue;
        last = record.sequence;
        yield record as Recorded;
      }
      const known = queue.findLastIndex((one) => isRecorded(one) && one.sequence <= last);
      queue.splice(0, known + 1);
      for (;;) {
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
          if (isRecorded(next)) last = next.sequence;
          yield next;
        }
        if (isOver || signal?.aborted === true) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      signal?.removeEventListener("abort", stop);
      listeners.delete(listen);
      if (listeners.size === 0) this.#listeners.delete(runId);
    }
  }
}

/** Wakes who waits: nothing more comes. */
const OVER = { event: "script-output", data: { runId: "", stream: "stdout", text: "" } } as const;

function isRecorded(update: RunUpdate): update is Recorded {
  return "sequence" in update;
}

function recordOf(store: FileStore, runId: string): string {
  const folder = store.folderOf(runId);
  if (folder !== undefined) return join(folder, RECORD_FILE);
  throw new AppFailure("no", `there is no run ${JSON.stringify(runId)}`, { code: "run-missing" });
}

interface FollowOptions {
  readonly signal: AbortSignal | undefined;
  /** Whether this process has begun to work on the run, and knows what happens in it. */
  readonly isOurs: () => boolean;
  /** Whether a process that may be running has it open. */
  readonly isWritten: () => boolean;
  readonly runId: string;
}

/**
 * The record that another process writes, as far as whole lines are there. Each line has to follow from the
 * one before by its hash; `readRun` verifies signatures as well.
 */
async function* followFile(
  file: string,
  from: number,
  { signal, runId, isOurs, isWritten }: FollowOptions,
): AsyncGenerator<Recorded | RunAbandoned, void, undefined> {
  let offset = 0;
  let hasWriter = true;
  let last: Recorded | undefined;
  const changes = new FileChanges(file, signal);
  try {
    for (;;) {
      const lines = readLines(file, offset);
      offset += lines.bytes;
      for (const line of lines.texts) {
        const record = JSON.parse(line) as Recorded;
        const isNext =
          record.sequence === (last?.sequence ?? 0) + 1 &&
          (last === undefined || record.previous === last.hash);
        if (!isNext) {
          throw new AppFailure("no", `the record ${file} is not as it was written`, {
            code: "audit-damaged",
          });
        }
        last = record;
        if (record.sequence > from) yield record;
      }
      if (lines.isPart) continue;
      if (signal?.aborted === true || isOurs() || (last && ENDS.has(last.event))) return;
      // Twice, because a writer makes the folder first and writes its last lines before it lets go.
      if (!hasWriter && lines.texts.length === 0 && !isWritten()) {
        yield { event: "run-abandoned", data: { runId } };
        return;
      }
      hasWriter = isWritten();
      await changes.next();
    }
  } finally {
    changes.close();
  }
}

interface Lines {
  readonly texts: readonly string[];
  readonly bytes: number;
  /** More can be read at once. */
  readonly isPart: boolean;
}

/** Whole lines from an offset on; what follows the last newline is not written yet. */
function readLines(file: string, offset: number): Lines {
  let handle: number;
  try {
    handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT")
      return { texts: [], bytes: 0, isPart: false };
    throw error;
  }
  try {
    const { size } = fstatSync(handle);
    let length = Math.min(Math.max(0, size - offset), CHUNK_BYTES);
    for (;;) {
      const buffer = Buffer.alloc(length);
      const read = readSync(handle, buffer, 0, length, offset);
      const end = buffer.subarray(0, read).lastIndexOf("\n") + 1;
      // One line may be longer than a chunk.
      if (end === 0 && offset + read < size) {
        length = Math.min(size - offset, 2 * length);
        continue;
      }
      const texts = buffer.subarray(0, end).toString("utf8").split("\n").slice(0, -1);
      return { texts, bytes: end, isPart: end > 0 && offset + end < size };
    }
  } finally {
    closeSync(handle);
  }
}

/** Waits for a file to change: watched where that works, and looked at now and then in any case. */
class FileChanges {
  readonly #signal: AbortSignal | undefined;
  readonly #watcher: ReturnType<typeof watch> | undefined;
  #wake = () => {};

  constructor(file: string, signal: AbortSignal | undefined) {
    this.#signal = signal;
    const wake = () => this.#wake();
    signal?.addEventListener("abort", wake);
    try {
      this.#watcher = watch(file, { persistent: false }, wake).on("error", () => {});
    } catch {
      this.#watcher = undefined;
    }
  }

  async next(): Promise<void> {
    if (this.#signal?.aborted === true) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, POLL_MS);
    });
    clearTimeout(timer);
  }

  close(): void {
    this.#watcher?.close();
    this.#wake();
  }
}
