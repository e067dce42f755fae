import { readIfPresent, removeQuietly, writeAtomic } from "@skillwright/core/internal";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { RunChanges, ScriptChanges } from "./run-changes.ts";
import type { ExecutionReceipt } from "../execution/executor.ts";

/** What a script or command gave, before its changes are decided on. */
export interface FinishedCall {
  /** Without secrets, and without what it changed. */
  readonly receipt: ExecutionReceipt;
  /** What a model reads of it, without secrets. */
  readonly text: string;
  readonly changes?: ScriptChanges;
}

/** One whose changes wait for an answer, which comes when the same call is made again. */
export interface OpenCall extends FinishedCall {
  /**
   * The call itself need not be approved again. False where an approver answered and then threw: it
   * replays its answers, so that each call must ask the same questions in the same order.
   */
  readonly wasApproved: boolean;
}

const VERSION = 1;
const MAX_BYTES = 64 * 1024 * 1024;
/** What is dropped is only forgotten: its changes stay held, and its call runs anew. */
const MAX_CALLS = 100;

/** A call that goes on where it stopped when it is made again. */
export interface RepeatableCall {
  /** Of the principal and everything else that makes it this call, keyed. */
  readonly id: string;
  /** What it gave the first time, where that is not decided on. */
  readonly open?: OpenCall;
  /** The approver was asked about the call when it was made this time. */
  readonly wasAsked?: boolean | undefined;
}

/** Undefined where the call is not open. What is damaged is not, either. */
export function readOpenCall(changes: RunChanges, id: string): OpenCall | undefined {
  try {
    const bytes = readIfPresent(fileOf(changes, id), { maxBytes: MAX_BYTES });
    const stored = JSON.parse(bytes?.toString("utf8") ?? "{}") as Partial<StoredCall>;
    const { version, call, receipt, text } = stored;
    const isComplete = version === VERSION && call === id && typeof text === "string";
    return isComplete && receipt !== undefined ? (stored as StoredCall) : undefined;
  } catch {
    return undefined;
  }
}

/** Beside the held changes. False when it cannot be written, so that the call is not open. */
export function writeOpenCall(changes: RunChanges, id: string, call: OpenCall): boolean {
  try {
    const stored: StoredCall = { ...call, version: VERSION, call: id };
    writeAtomic(fileOf(changes, id), JSON.stringify(stored), { flush: true });
    dropOldest(folderOf(changes));
    return true;
  } catch {
    return false;
  }
}

export function removeOpenCall(changes: RunChanges, id: string): void {
  removeQuietly(fileOf(changes, id));
}

interface StoredCall extends OpenCall {
  readonly version: typeof VERSION;
  readonly call: string;
}

function folderOf({ folder }: RunChanges): string {
  return join(folder, "open");
}

function fileOf(changes: RunChanges, id: string): string {
  return join(folderOf(changes), `${id}.json`);
}

function dropOldest(folder: string): void {
  const files = readdirSync(folder).map((name) => join(folder, name));
  if (files.length <= MAX_CALLS) return;
  const timeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const byAge = files.map((file) => ({ file, time: timeOf(file) })).sort((a, b) => b.time - a.time);
  for (const { file } of byAge.slice(MAX_CALLS)) removeQuietly(file);
}
