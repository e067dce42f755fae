import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { RuleSettings } from "../format/rules/rule.ts";
import { decodeIndex } from "../registry/encode-index.ts";
import type { IndexedSkill } from "./skill-source.ts";

export interface ThreadTask {
  readonly root: string;
  readonly prefix: string;
  readonly names: readonly string[];
  readonly rules: RuleSettings | undefined;
  readonly now: bigint;
  /** Shared: for each portion of the names, whether somebody has taken it. */
  readonly claims: Int32Array;
}

/** Folders that are claimed at a time. */
export const WORKER_FOLDERS = 256;

/**
 * A second thread that reads skills of a large folder from its end, while its owner reads from the
 * beginning. One that is slow to start takes nothing from anybody.
 */
export class ScanThread {
  readonly #names: readonly string[];
  readonly #claims: Int32Array;
  readonly #worker: Worker;
  readonly #read: Promise<ReadonlyMap<string, IndexedSkill> | undefined>;

  /** Undefined where there is no second processor, or no file to start. */
  static start(task: Omit<ThreadTask, "claims">): ScanThread | undefined {
    const file = availableParallelism() < 2 ? undefined : workerFile();
    return file === undefined ? undefined : new ScanThread(file, task);
  }

  private constructor(file: string, task: Omit<ThreadTask, "claims">) {
    const portions = Math.ceil(task.names.length / WORKER_FOLDERS);
    this.#names = task.names;
    this.#claims = new Int32Array(new SharedArrayBuffer(4 * portions));
    const workerData: ThreadTask = { ...task, claims: this.#claims };
    this.#worker = new Worker(file, { workerData, execArgv: [], name: "skillwright-scan" });
    this.#read = new Promise((resolve) => {
      this.#worker.once("message", ({ buffer, byteOffset, length }: Uint8Array) => {
        resolve(decodeIndex(task.root, Buffer.from(buffer, byteOffset, length))?.skills);
      });
      this.#worker.once("error", () => resolve(undefined));
      this.#worker.once("exit", () => resolve(undefined));
    });
  }

  /** The names of one portion after the other, until the thread has claimed the next. */
  *ownNames(): Generator<readonly string[], void> {
    for (let i = 0; i < this.#claims.length && Atomics.exchange(this.#claims, i, 1) === 0; i++) {
      yield this.#names.slice(i * WORKER_FOLDERS, (i + 1) * WORKER_FOLDERS);
    }
  }

  /** What the thread has read; undefined when it failed. */
  async finish(isNeeded: boolean): Promise<ReadonlyMap<string, IndexedSkill> | undefined> {
    const read = isNeeded ? await this.#read : undefined;
    void this.#worker.terminate();
    return read;
  }
}

/** Beside this file where it is built; tests run from source and have none. */
function workerFile(): string | undefined {
  return ["./scan-worker.js", "./scan-worker.cjs"]
    .map((name) => fileURLToPath(new URL(name, import.meta.url)))
    .find((file) => existsSync(file));
}
