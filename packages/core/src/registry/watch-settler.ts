import { lstatSync } from "node:fs";

export interface Settler {
  /** Certain changes count even if the path itself looks as old as before. */
  notice(path: string, options?: { readonly isCertain: boolean }): void;
  stop(): void;
}

/** Longer than an editor's save by rename takes, shorter than a person notices. */
const SETTLE_MILLISECONDS = 150;

/** Collects paths and tells of them, once nothing has happened for a moment. */
export function createSettler(onSettled: (paths: readonly string[]) => Promise<void>): Settler {
  const paths = new Map<string, boolean>();
  let timer: NodeJS.Timeout | undefined;
  let looked = Date.now();
  let running: Promise<void> = Promise.resolve();
  const settle = () => {
    const settled = [...paths]
      .filter(([path, isCertain]) => isCertain || changedSince(path, looked))
      .map(([path]) => path);
    paths.clear();
    if (settled.length === 0) return;
    looked = Date.now();
    // One after the other: the next look must see what this one saw.
    running = running.then(() => onSettled(settled)).catch(() => undefined);
  };
  return {
    notice(path, { isCertain } = { isCertain: false }) {
      paths.set(path, isCertain || paths.get(path) === true);
      clearTimeout(timer);
      timer = setTimeout(settle, SETTLE_MILLISECONDS);
    },
    stop() {
      clearTimeout(timer);
    },
  };
}

/** Late events tell of what was seen already; a path that is gone has always changed. */
function changedSince(path: string, time: number): boolean {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats === undefined || stats.ctimeMs >= time - SETTLE_MILLISECONDS;
  } catch {
    return true;
  }
}
