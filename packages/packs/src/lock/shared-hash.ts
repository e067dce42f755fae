import { createHash } from "node:crypto";
import { byteOrder } from "../byte-order.ts";
import { readFolder } from "./read-folder.ts";

export interface HashedFile {
  /** Relative to the skill, with `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

type Order = (a: string, b: string) => number;

const SKIPPED: ReadonlySet<string> = new Set([".git", "node_modules"]);

/**
 * The `computedHash` of the shared lock: over path and bytes of each file, in the order of this
 * machine's language. That order and the missing separator are the format's, not ours: it tells
 * other clients whether there is something new, and nothing is trusted because of it.
 */
export function sharedHash(
  files: Iterable<HashedFile>,
  order: Order = (a, b) => a.localeCompare(b),
): string {
  const hash = createHash("sha256");
  const counted = [...files].filter(({ path }) => !isSkipped(path));
  for (const { path, bytes } of counted.sort((a, b) => order(a.path, b.path))) {
    hash.update(path).update(bytes);
  }
  return hash.digest("hex");
}

/** Whether files have a `computedHash` that was made on any machine. */
export function hasSharedHash(files: readonly HashedFile[], expected: string): boolean {
  const orders: (Order | undefined)[] = [undefined, new Intl.Collator("en").compare, byteOrder];
  return orders.some((order) => sharedHash(files, order) === expected);
}

/** The files of a folder as `sharedHash` takes them. Throws as `readFolder` does. */
export function sharedFiles(directory: string): Promise<readonly HashedFile[]> {
  return readFolder(directory, { skip: SKIPPED });
}

function isSkipped(path: string): boolean {
  return path
    .split("/")
    .slice(0, -1)
    .some((segment) => SKIPPED.has(segment));
}
