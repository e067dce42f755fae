import { createHash } from "node:crypto";
import { closeSync, readSync } from "node:fs";
import { SkillwrightError } from "@skillwright/core";
import { combineDigests, errorCode, openSettled, walkDirectory } from "@skillwright/core/internal";
import { byteOrder } from "../byte-order.ts";
import type { VerifiedFile, VerifyProblem } from "./verified-skill.ts";

export interface FolderComparison {
  readonly files: readonly VerifiedFile[];
  /** Undefined when not every file could be hashed. */
  readonly digest: string | undefined;
  readonly problems: readonly VerifyProblem[];
}

const MAX_ENTRIES = 20_000;

/** What an install takes no notice of in a folder that somebody works in. */
export interface CompareOptions {
  readonly skip?: ReadonlySet<string>;
  readonly isLeftOut?: (path: string) => boolean;
}

/** Compares each file below a folder with the lock. `directory` must be a real path. */
export async function compareFolder(
  directory: string,
  path: string,
  expected: Readonly<Record<string, string>>,
  signal?: AbortSignal,
  { skip, isLeftOut }: CompareOptions = {},
): Promise<FolderComparison> {
  const problems: VerifyProblem[] = [];
  const found = new Map<string, string | undefined>();
  for (const { path: file, kind } of await entriesOf()) {
    if (signal?.aborted === true) break;
    if (isLeftOut?.(file) === true) continue;
    const looked = kind === "file" ? await hashOf(directory, file) : { reason: kind };
    if ("sha256" in looked) {
      found.set(file, looked.sha256);
      continue;
    }
    if (looked.reason === "missing") continue;
    found.set(file, undefined);
    problems.push(fileProblem(`${path}/${file}`, looked.reason));
  }
  const paths = [...new Set([...found.keys(), ...Object.keys(expected)])].sort(byteOrder);
  const files = paths.map((file): VerifiedFile => {
    if (!Object.hasOwn(expected, file)) return { path: file, status: "extra" };
    if (!found.has(file)) return { path: file, status: "missing" };
    return { path: file, status: found.get(file) === expected[file] ? "ok" : "modified" };
  });
  return { files, digest: problems.length === 0 ? digestOf(found) : undefined, problems };

  async function entriesOf() {
    try {
      const { entries, truncated, unreadable } = await walkDirectory(directory, {
        maxEntries: MAX_ENTRIES,
        ...(skip !== undefined && { skip }),
      });
      for (const folder of unreadable) problems.push(fileProblem(`${path}/${folder}`, "denied"));
      if (truncated) problems.push(fileProblem(path, "too large"));
      return entries;
    } catch (error) {
      if (!SkillwrightError.isInstance(error)) throw error;
      problems.push(fileProblem(path, "denied"));
      return [];
    }
  }
}

async function hashOf(
  directory: string,
  path: string,
): Promise<{ readonly sha256: string } | { readonly reason: string }> {
  const opened = await openSettled(directory, path.split("/"));
  if (!opened.ok) return { reason: opened.reason };
  try {
    return { sha256: hashDescriptor(opened.descriptor) };
  } catch (error) {
    return { reason: errorCode(error) ?? "unreadable" };
  } finally {
    closeSync(opened.descriptor);
  }
}

function hashDescriptor(descriptor: number): string {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(256 * 1024);
  for (;;) {
    const read = readSync(descriptor, buffer, 0, buffer.length, null);
    if (read === 0) return hash.digest("hex");
    hash.update(buffer.subarray(0, read));
  }
}

function digestOf(found: ReadonlyMap<string, string | undefined>): string {
  const paths = [...found.keys()].sort(byteOrder);
  return combineDigests(paths.map((path) => ({ path, sha256: found.get(path) ?? "", size: 0 })));
}

function fileProblem(path: string, reason: string): VerifyProblem {
  if (reason === "link") {
    return { code: "link", path, message: `${path} is a link, which no skill may hold` };
  }
  if (reason === "special" || reason === "not-a-file") {
    return { code: "special-file", path, message: `${path} is not a regular file` };
  }
  if (reason === "too large") {
    return { code: "unreadable", path, message: `${path} holds more than can be looked at` };
  }
  const why = reason === "denied" ? "permission denied" : reason;
  return { code: "unreadable", path, message: `${path} cannot be read: ${why}` };
}
