import { parentPort, workerData } from "node:worker_threads";
import { encodeIndex } from "../registry/encode-index.ts";
import { readSkills } from "./scan-root.ts";
import { type ThreadTask, WORKER_FOLDERS } from "./scan-thread.ts";

/** The thread that helps to read a large folder. */
async function work({ root, prefix, names, rules, now, claims }: ThreadTask): Promise<void> {
  const claimed = function* () {
    // From the end, until it meets the one who comes from the beginning.
    for (let i = claims.length - 1; i >= 0 && Atomics.exchange(claims, i, 1) === 0; i--) {
      yield names.slice(i * WORKER_FOLDERS, (i + 1) * WORKER_FOLDERS);
    }
  };
  const skills = await readSkills(root, { rules, now }, prefix, claimed());
  const bytes = encodeIndex(root, { folders: new Map(), skills });
  parentPort?.postMessage(bytes, [bytes.buffer as ArrayBuffer]);
}

void work(workerData as ThreadTask);
