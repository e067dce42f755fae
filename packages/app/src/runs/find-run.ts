import { summarizeRun } from "@skillwright/agent";
import { type FileStore, isPart, type ModelResponded } from "@skillwright/agent/internal";
import type { ApprovalRequest, AuditRecord } from "@skillwright/runtime";
import { join } from "node:path";
import { defined } from "@skillwright/core/internal";
import { RunChanges } from "@skillwright/runtime/internal";
import type { RecordedRun } from "../api.ts";
import { AppFailure, asAppFailure } from "../failure.ts";
import type { AppHost } from "../host.ts";
import { openPlace } from "../session/session.ts";
import { openRunStore } from "./agent-session.ts";

/** The runs of this project. Reads no configuration and no skill. */
export async function openRuns(host: AppHost): Promise<FileStore> {
  return openRunStore(await openPlace(host), host);
}

/** The one run that has this name, or begins with it. */
export async function findRun(store: FileStore, given: string): Promise<string> {
  const all = await listRuns(store);
  if (all.includes(given)) return given;
  const begun = given === "" ? [] : all.filter((runId) => runId.startsWith(given));
  const parents = begun.filter((runId) => !begun.some((one) => runId.startsWith(`${one}.`)));
  if (parents.length === 1 && parents[0] !== undefined) return parents[0];
  const hint =
    parents.length > 1
      ? `there are ${parents.slice(0, 5).join(", ")}`
      : "skillwright runs list shows all runs of this project";
  throw new AppFailure("no", `there is no run ${JSON.stringify(given)}`, { hint });
}

export async function listRuns(store: FileStore): Promise<readonly string[]> {
  try {
    return await store.list();
  } catch (error) {
    throw asAppFailure(error);
  }
}

/** Reads and verifies the record. A folder without one is not a run. */
export async function readRun(store: FileStore, runId: string): Promise<readonly AuditRecord[]> {
  const records = await readRecords(store, runId);
  if (records.length > 0) return records;
  throw new AppFailure("no", `there is no record in the folder of the run ${runId}`, {
    hint: "it was cut off before it began, or another program made the folder",
  });
}

/** All that is known of a run. */
export async function describeRun(store: FileStore, runId: string): Promise<RecordedRun> {
  const records = await readRun(store, runId);
  const summary = summarizeRun(records);
  const waiting = await waitingRequest(store, runId, summary.approval);
  const family = (await listRuns(store)).filter((one) => one === runId || isPart(one, runId));
  const outputFiles = family.flatMap((one) =>
    RunChanges.outputIn(join(store.stateDirectory, "runs", one)),
  );
  const folder = store.folderOf(runId) ?? "";
  return { ok: true, summary, records, folder, outputFiles, ...defined({ waiting }) };
}

/** The same, empty for a run that was cut off before it began. */
export async function readRecords(
  store: FileStore,
  runId: string,
): Promise<readonly AuditRecord[]> {
  try {
    return (await store.read(runId)) ?? [];
  } catch (error) {
    throw asAppFailure(error);
  }
}

/** In short; undefined when the record is damaged. */
export async function summaryOf(store: FileStore, runId: string) {
  try {
    return summarizeRun((await store.read(runId)) ?? []);
  } catch (error) {
    asAppFailure(error);
    return undefined;
  }
}

/** The latest run that is not a child of another. Prints its name. */
export async function latestRun(store: FileStore, host: AppHost): Promise<string> {
  for (const runId of await listRuns(store)) {
    const summary = await summaryOf(store, runId);
    if (summary === undefined || summary.runId === "" || summary.parent !== undefined) continue;
    host.note(`The latest run: ${runId}.`);
    return runId;
  }
  throw new AppFailure("no", "there is no run in this project", {
    hint: "skillwright run <request> makes one",
  });
}

/** What a model with a fixed sequence has said already, to this run and its children. */
export async function answersOf(store: FileStore, runId: string): Promise<number> {
  let answers = 0;
  for (const one of await store.list()) {
    if (one !== runId && !isPart(one, runId)) continue;
    const records = await readRecords(store, one);
    answers += records.filter(({ event, data }) => {
      if (event !== "model-response") return false;
      const { error, usage } = data as ModelResponded;
      // What a person called by name was decided without the model.
      return error === undefined && usage.calls > 0;
    }).length;
  }
  return answers;
}

/** The request of this id, from the record of the run or of one of its children. */
export async function waitingRequest(
  store: FileStore,
  runId: string,
  approval: string | undefined,
): Promise<ApprovalRequest | undefined> {
  if (approval === undefined) return undefined;
  const family = (await listRuns(store)).filter((one) => one === runId || isPart(one, runId));
  for (const one of family) {
    for (const { event, data } of await readRecords(store, one)) {
      // The record was verified, so it is what the gate wrote, without its secrets.
      const request = event === "approval-request" ? (data as ApprovalRequest) : undefined;
      if (request?.id === approval) return request;
    }
  }
  return undefined;
}

/** What a program has to know before it approves; the signature stays in the record. */
export function shownRequest(
  request: ApprovalRequest,
): Omit<ApprovalRequest, "signature" | "version"> {
  const { signature: _, version: __, ...shown } = request;
  return shown;
}

/** Why an approval that was asked for before does not do any more; undefined when it is the same call. */
export function changeSince(
  before: ApprovalRequest | undefined,
  after: ApprovalRequest | undefined,
): string | undefined {
  if (before === undefined || after === undefined || before.id === after.id) return undefined;
  const isSameScript =
    before.tool === after.tool &&
    before.skill?.name === after.skill?.name &&
    before.skill?.source === after.skill?.source &&
    before.script?.path === after.script?.path;
  if (!isSameScript || before.skill?.digest === after.skill?.digest) return undefined;
  const { name = "", digest = "" } = after.skill ?? {};
  return (
    `The content of the skill ${name} changed since ${before.id} was asked for ` +
    `(${before.skill?.digest ?? ""} is now ${digest}), so that approval does not count. ` +
    "This is the new request."
  );
}
