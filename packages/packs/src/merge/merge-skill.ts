import { SkillwrightError } from "@skillwright/core";
import { unifiedDiff } from "@skillwright/core/internal";
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { foldName } from "../archive/entries/fold-name.ts";
import { byteOrder } from "../byte-order.ts";
import { type FolderFile, readFolder } from "../lock/read-folder.ts";
import { relativePathProblem } from "../lock/relative-path-problem.ts";
import type { PackFailure } from "../pack-failure.ts";
import { mergeText, textOf } from "./merge-text.ts";

const MAX_DIFF_LINES = 200;
const MAX_LINE_LENGTH = 400;

interface MergeInput {
  /** What was installed, as `readPristine` gives it. */
  readonly base: readonly FolderFile[];
  /** Of the lock: tells of files that the pristine copy does not hold whether they were changed. */
  readonly baseDigests?: Readonly<Record<string, string>>;
  /** The folder with local edits. */
  readonly local: string;
  /** The folder of the new version. */
  readonly incoming: string;
}

export interface MergedSkill {
  readonly ok: true;
  /** By path, in byte order. To be used only when there is no conflict. */
  readonly files: ReadonlyMap<string, FolderFile>;
  /** Both sides changed these, and both changes are in. */
  readonly merged: readonly string[];
  /** Local edits, additions and deletions that stay. */
  readonly kept: readonly string[];
  readonly conflicts: readonly MergeConflict[];
}

export interface MergeConflict {
  readonly path: string;
  readonly reason:
    /** Both changed the same lines. */
    | "same-lines"
    /** Both changed a file that cannot be merged by lines. */
    | "binary"
    | "too-large"
    | "both-added"
    | "deleted-locally"
    | "deleted-upstream"
    /** Two names that cannot stand beside each other on every system. */
    | "name-collision";
  /** From the local file to the incoming one, for reading; empty where there is no text. */
  readonly diff: string;
}

/** One file on one side. For a base of which only the digest is known there are no bytes. */
interface Version {
  readonly sha256: string;
  readonly bytes?: Uint8Array;
  readonly executable?: boolean;
}

type Outcome =
  | { readonly take: FolderFile | undefined; readonly how?: "merged" | "kept" }
  | { readonly conflict: MergeConflict };

/**
 * Brings local edits and a new version together, file by file. Nothing is written, and no file ever
 * gets conflict markers: when there is a conflict the update has to be refused with its diff.
 */
export async function mergeSkill(input: MergeInput): Promise<MergedSkill | PackFailure> {
  let local: Map<string, Version>;
  let incoming: Map<string, Version>;
  try {
    local = versions(await readFolder(input.local));
    incoming = versions(await readFolder(input.incoming));
  } catch (error) {
    if (!SkillwrightError.isInstance(error)) throw error;
    return { ok: false, code: "skill-invalid", message: `cannot merge: ${error.message}` };
  }
  const base = versions(input.base);
  for (const [path, sha256] of Object.entries(input.baseDigests ?? {})) {
    if (!base.has(path)) base.set(path, { sha256 });
  }
  const files = new Map<string, FolderFile>();
  const merged: string[] = [];
  const kept: string[] = [];
  const conflicts: MergeConflict[] = [];
  const paths = new Set([...base.keys(), ...local.keys(), ...incoming.keys()]);
  for (const path of [...paths].sort(byteOrder)) {
    const outcome = await mergeFile(path, base.get(path), local.get(path), incoming.get(path));
    if ("conflict" in outcome) {
      conflicts.push(outcome.conflict);
      continue;
    }
    if (outcome.take !== undefined) files.set(path, outcome.take);
    if (outcome.how === "merged") merged.push(path);
    if (outcome.how === "kept") kept.push(path);
  }
  for (const path of nameCollisions(files.keys(), incoming)) {
    conflicts.push({ path, reason: "name-collision", diff: "" });
  }
  return { ok: true, files, merged, kept, conflicts };
}

async function mergeFile(
  path: string,
  base: Version | undefined,
  local: Version | undefined,
  incoming: Version | undefined,
): Promise<Outcome> {
  const executable = mergedBit(base, local, incoming);
  const isSame = (a: Version | undefined, b: Version | undefined) => a?.sha256 === b?.sha256;
  const take = (version: Version | undefined): FolderFile | undefined =>
    version?.bytes === undefined ? undefined : { path, bytes: version.bytes, executable };
  const bitIsKept = local !== undefined && incoming?.executable !== executable;
  if (isSame(local, incoming) || isSame(local, base)) {
    return { take: take(incoming), ...(incoming !== undefined && bitIsKept && { how: "kept" }) };
  }
  if (isSame(incoming, base)) return { take: take(local), how: "kept" };
  const conflict = async (reason: MergeConflict["reason"]): Promise<Outcome> => ({
    conflict: { path, reason, diff: await diffOf(path, local, incoming) },
  });
  if (local === undefined) return conflict("deleted-locally");
  if (incoming === undefined) return conflict("deleted-upstream");
  if (base === undefined) return conflict("both-added");
  const [before, mine, theirs] = [base, local, incoming].map(({ bytes }) =>
    bytes === undefined ? undefined : textOf(bytes),
  );
  if (before === undefined || mine === undefined || theirs === undefined) return conflict("binary");
  const merged = mergeText(before, mine, theirs);
  if (!merged.ok) return conflict(merged.reason);
  return { take: { path, bytes: Buffer.from(merged.text), executable }, how: "merged" };
}

/** Whether a file may be executed is merged on its own; a base that does not tell takes no side. */
function mergedBit(
  base: Version | undefined,
  local: Version | undefined,
  incoming: Version | undefined,
): boolean {
  const [was, mine, theirs] = [base, local, incoming].map((version) => version?.executable);
  if (mine === undefined || theirs === undefined) return mine ?? theirs ?? false;
  return was !== undefined && mine !== was ? mine : theirs;
}

function versions(files: readonly FolderFile[]): Map<string, Version> {
  return new Map(
    files.map(({ path, bytes, executable }) => {
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      return [path, { sha256, bytes, executable }];
    }),
  );
}

async function diffOf(
  path: string,
  local: Version | undefined,
  incoming: Version | undefined,
): Promise<string> {
  const texts = [local, incoming].map((version) =>
    version?.bytes === undefined ? "" : textOf(version.bytes),
  );
  const [mine, theirs] = texts;
  if (mine === undefined || theirs === undefined) return "";
  const diff = await unifiedDiff(
    path,
    local === undefined ? undefined : mine,
    incoming === undefined ? undefined : theirs,
    {
      labels: { before: "yours", after: "update" },
      maxLines: MAX_DIFF_LINES,
      maxLineLength: MAX_LINE_LENGTH,
    },
  );
  return diff.text;
}

/** Writes files into a folder that must not exist yet. Neither is synced: staging does that. */
export function writeFolder(files: Iterable<FolderFile>, destination: string): void {
  mkdirSync(destination);
  for (const { path, bytes, executable } of files) {
    const problem = relativePathProblem(path);
    if (problem !== undefined) throw new Error(`the path ${JSON.stringify(path)} ${problem}`);
    const file = join(destination, ...path.split("/"));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes, { flag: "wx", mode: executable ? 0o755 : 0o644 });
  }
}

/**
 * Paths that cannot stand beside another one everywhere: the same but for case or Unicode form, or a
 * file where the other has a folder. What the new version itself brings is not judged here.
 */
function nameCollisions(
  paths: Iterable<string>,
  incoming: { has(path: string): boolean },
): string[] {
  const all = [...paths];
  const spellings = new Map<string, string>();
  const folders = new Set<string>();
  for (const path of all) {
    const segments = foldName(path).split("/");
    for (let count = 1; count < segments.length; count++) {
      folders.add(segments.slice(0, count).join("/"));
    }
    // The path of the new version stands for both, so that the local one is named.
    const key = segments.join("/");
    if (!spellings.has(key) || incoming.has(path)) spellings.set(key, path);
  }
  return all.filter((path) => {
    const key = foldName(path);
    return folders.has(key) || (spellings.get(key) !== path && !incoming.has(path));
  });
}
