import { errorCode } from "@skillwright/core/internal";
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import type { AuditEvent, AuditRecord } from "./audit.ts";
import { auditPlace, realFolder } from "./audit-place.ts";
import {
  appendToRegister,
  headOf,
  isUnused,
  markOf,
  registerPlace,
  type RegisterOptions,
  replaceRegister,
} from "./register.ts";
import { finishRemovals, removeAudit } from "./remove-audit.ts";
import { readAudit, verifyAudit } from "./verify-audit.ts";

interface MissingAudit {
  readonly file: string;
  /** How many records it held, when its head is still there. */
  readonly records?: number;
}

export interface AuditList {
  /** Deleted, but not by `removeAudit`. */
  readonly missing: readonly MissingAudit[];
  /** How many were removed by `removeAudit` or `forgetAudit`. */
  readonly pruned: number;
  /** What is wrong with the register: records may be missing that it does not name. */
  readonly problems: readonly string[];
}

/** Compares the records below a folder with those that began there. */
export async function listAudits(
  directory: string,
  { stateDirectory }: RegisterOptions,
): Promise<AuditList> {
  const place = registerPlace(stateDirectory);
  if (isUnused(place)) return { missing: [], pruned: 0, problems: [] };
  if (!existsSync(place.file) && !existsSync(place.head)) {
    const problems = existsSync(place.key) ? [`${place.file} is missing`] : [];
    return { missing: [], pruned: 0, problems };
  }
  const prefix = `${realFolder(resolve(directory))}${sep}`;
  const last = new Map<string, AuditRecord>();
  let restarted: string | undefined;
  const verification = await readAudit(place, (record) => {
    const { file, reason } = (record.data ?? {}) as { file?: unknown; reason?: unknown };
    if (record.event === "register-restarted") restarted = `on ${record.time}: ${String(reason)}`;
    if (record.event === "register-accepted") restarted = undefined;
    if (typeof file === "string" && file.startsWith(prefix)) last.set(file, record);
  });
  const problems = verification.ok
    ? []
    : verification.problems
        // Another process may be writing.
        .filter(({ kind }) => kind !== "torn")
        .map(({ line, message }) => `${place.file}, line ${line}: ${message}`);
  if (restarted !== undefined) problems.push(`${place.file} was rebuilt ${restarted}`);
  const records = [...last.values()];
  const missing = records
    .filter(({ event }) => event === "record-created")
    .flatMap(({ data }) => missingAt((data as MissingAudit).file, stateDirectory));
  const pruned = records.filter(({ event }) => event === "record-pruned").length;
  return { missing, pruned, problems };
}

function missingAt(file: string, stateDirectory: string): MissingAudit[] {
  const { head } = auditPlace(file, stateDirectory);
  const size = sizeOf(file);
  // Without head and content it looks like a record that never began.
  if (size !== undefined && (size > 0 || existsSync(head))) return [];
  const records = headOf(head)?.sequence;
  return [records === undefined ? { file } : { file, records }];
}

function sizeOf(file: string): number | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.size;
  } catch (error) {
    if (errorCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

/**
 * Takes the records below a folder as they are: what is missing is not reported again. For people to
 * decide, never for a program.
 */
export async function acceptAudits(
  directory: string,
  { stateDirectory }: RegisterOptions,
): Promise<AuditList> {
  const list = await listAudits(directory, { stateDirectory });
  const place = registerPlace(stateDirectory);
  const isSound = (await readAudit(place)).ok;
  if (list.problems.length > 0 && !isSound) replaceRegister(stateDirectory);
  const marks = list.missing.map(({ file }) =>
    markOf("record-accepted", auditPlace(file, stateDirectory)),
  );
  const accepted: AuditEvent[] =
    list.problems.length > 0 ? [{ event: "register-accepted", data: { ...list } }] : [];
  if (marks.length + accepted.length > 0) appendToRegister(stateDirectory, [...marks, ...accepted]);
  return list;
}

interface PruneAuditsOptions extends RegisterOptions {
  /** Name of the record in its folder. */
  readonly record: string;
  /** How many of the newest stay in any case. Default: none. */
  readonly keep?: number | undefined;
  /** Only those written last before this, in milliseconds since 1970. Default: of any age. */
  readonly olderThan?: number | undefined;
  /** Whether something in this folder waits for a person. */
  readonly isWaiting?: (folder: string) => boolean;
}

/**
 * - `new`: among the newest, or not old enough.
 * - `waiting`: for a person.
 * - `running`: a process writes it.
 * - `damaged`: it is not as it was written. It may be evidence, so a person has to remove it.
 */
type KeepReason = "new" | "waiting" | "running" | "damaged";

interface PrunedAudits {
  readonly removed: readonly string[];
  readonly kept: readonly { readonly name: string; readonly reason: KeepReason }[];
}

/** Removes old records of a folder that has one folder for each, named so that the newest is last. */
export async function pruneAudits(
  directory: string,
  { stateDirectory, record, keep = 0, olderThan = Infinity, isWaiting }: PruneAuditsOptions,
): Promise<PrunedAudits> {
  const removed: string[] = [];
  const kept: { name: string; reason: KeepReason }[] = [];
  if (!existsSync(directory)) return { removed, kept };
  finishRemovals(directory, (folder) => join(folder, record), { stateDirectory });
  const names = readdirSync(directory).sort().reverse();
  for (const [index, name] of names.entries()) {
    const file = join(directory, name, record);
    const stats = lstatSync(file, { throwIfNoEntry: false });
    let reason: KeepReason | undefined;
    if (index < keep || !((stats?.mtimeMs ?? 0) < olderThan)) reason = "new";
    else if (isWaiting?.(join(directory, name)) === true) reason = "waiting";
    else if (stats !== undefined && !(await isSound(file, stateDirectory))) reason = "damaged";
    else if (!removeAudit(file, { stateDirectory })) reason = "running";
    if (reason === undefined) removed.push(name);
    else kept.push({ name, reason });
  }
  return { removed, kept };
}

async function isSound(file: string, stateDirectory: string): Promise<boolean> {
  const verification = await verifyAudit(file, { stateDirectory }).catch(() => undefined);
  if (verification === undefined) return false;
  return verification.ok || verification.problems.every(({ kind }) => kind === "torn");
}
