import type { Failure } from "@skillwright/core";
import {
  CREATE_FLAGS,
  defined,
  makeFolder,
  promptText,
  type ScriptResult,
  type ToolFailure,
} from "@skillwright/core/internal";
import { randomUUID } from "node:crypto";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { ApprovedSkill } from "../approvals/approval.ts";
import { createStreamRedactor } from "../audit/redaction/stream-redactor.ts";
import type { Change } from "../changes/change.ts";
import type { RunChanges, ScriptChanges } from "../changes/run-changes.ts";
import {
  type ExecutionContext,
  type ExecutionLimits,
  type ExecutionReceipt,
  type ExecutionRequest,
  type Executor,
  refusedReceipt,
} from "../execution/executor.ts";
import type { NetworkUse } from "../execution/network/domain-rule.ts";
import type { Secrets } from "../secrets/secrets.ts";
import {
  type FinishedCall,
  type Gate,
  type GateFailure,
  type OpenCall,
  removeOpenCall,
  type RepeatableCall,
  writeOpenCall,
} from "./gate.ts";
import { keepChanges, withChanges } from "./keep-changes.ts";

const KEPT: ReadonlySet<string> = new Set(["image", "request"]);

/**
 * A result as a model may see it: exact, but for the values of known secrets. Every text in it counts,
 * since hosts pass results on as JSON; the bytes of an image are none.
 */
export function forModel<Value>(value: Value, secrets: Secrets): Value {
  if (typeof value === "string") return secrets.hide(value) as Value & string;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => forModel(item, secrets)) as Value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      // A changed request would not be the signed one; no model is shown it.
      KEPT.has(name) ? (item as unknown) : forModel(item as unknown, secrets),
    ]),
  ) as Value;
}

interface Restored<Value> {
  readonly value: Value;
  /** The secrets that were put in, each once. */
  readonly names: readonly string[];
  /** Why the value must not be used. */
  readonly problem?: Failure<"secret-unread">;
}

/** What a model gave, as it is carried out: `work` puts the secrets that it read back into texts. */
export function restoreSecrets<Value>(
  { restore }: Secrets,
  work: (restored: (text: string) => string) => Value,
): Restored<Value> {
  const names = new Set<string>();
  const unread: string[] = [];
  const value = work((given) => {
    const restored = restore(given);
    restored.names.forEach((name) => names.add(name));
    unread.push(...restored.unread);
    return restored.text;
  });
  const [first] = unread;
  if (first === undefined) return { value, names: [...names] };
  // A placeholder that stays would replace the value that it stands for, as in a file that is rewritten.
  const message = `the value of the secret ${first} was not read in this run`;
  const hint = "Read the file that has it again, then repeat the call.";
  const problem = { ok: false, code: "secret-unread", message, hint } as const;
  return { value, names: [...names], problem };
}

export function failed(failure: ToolFailure): ScriptResult {
  return { ok: false, text: promptText(failureText(failure)), failure };
}

/** The hint too, unless the message has it. */
export function failureText({ message, hint = "" }: Failure): string {
  return message.includes(hint) ? message : `${message}\n${hint}`;
}

export interface ScriptExecutorOptions {
  readonly gate: Gate;
  readonly executor: Executor;
  /** Shown in approvals: `bubblewrap`, or `none` where nothing holds the process. */
  readonly sandbox: string;
  readonly cwd: string;
  readonly limits?: ExecutionLimits;
  readonly network?: ExecutionRequest["network"];
  readonly writable?: readonly string[];
  /** Gets the output as it comes, without secrets, mostly line by line. Must not throw. */
  readonly onOutput?: NonNullable<ExecutionContext["onOutput"]>;
  /**
   * Where the complete output goes, without secrets and within a second cap, when it is too long for the
   * result. Each run makes a folder in it.
   */
  readonly spillDirectory?: string;
  /** Holds what scripts change until it is kept; without it only changes in writable places are. */
  readonly changes?: RunChanges;
  /** The Python that scripts get, where it is not that of the system, to tell a model its libraries. */
  readonly python?: string;
}

interface RecordedRun extends Pick<
  ScriptExecutorOptions,
  "gate" | "executor" | "onOutput" | "spillDirectory" | "changes"
> {
  readonly kind: "script" | "command";
  /** What both records have. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** What only the first one has. */
  readonly start: Readonly<Record<string, unknown>>;
  readonly request: ExecutionRequest;
  /** The script or program, as people know it. */
  readonly by: string;
  readonly skill?: ApprovedSkill;
  readonly signal?: AbortSignal | undefined;
  /** Where the same call may be made again with the answer about its changes. */
  readonly repeats?: RepeatableCall | undefined;
  /** What a model reads of a receipt. */
  readonly toText: (receipt: ExecutionReceipt) => string;
  /** Looked at between the first record and the run: more facts, and why nothing runs. */
  readonly check?: () => Promise<RunCheck>;
}

export interface RunCheck {
  readonly facts: Readonly<Record<string, unknown>>;
  readonly failure?: ExecutionReceipt["failure"] | undefined;
}

interface RecordedResult {
  /** Without secrets. */
  readonly receipt: ExecutionReceipt;
  /** What a model reads of it and its changes, without secrets. */
  readonly text: string;
  /** It ran, and the call has to be made again with the answer about its changes. */
  readonly unanswered?: GateFailure;
}

/**
 * Runs something with its start and end in the record, and decides on what it changed. While nobody
 * decides, what it gave is kept, and the same call goes on from there instead of running it again.
 */
export async function runRecorded(run: RecordedRun): Promise<RecordedResult> {
  const { gate, changes, repeats } = run;
  const open = repeats?.open;
  const wasApproved = open?.wasApproved === true || repeats?.wasAsked !== true;
  const finished: OpenCall = { ...(open ?? (await runNow(run))), wasApproved };
  const store = (call: OpenCall) =>
    changes !== undefined && repeats !== undefined && writeOpenCall(changes, repeats.id, call);
  const isChange = ({ refused }: Change) => refused === undefined;
  const isNew = open === undefined && finished.changes?.changes.some(isChange) === true;
  const isOther = open !== undefined && open.wasApproved !== wasApproved;
  // Before anything is asked: the approver may throw, and the process may be killed.
  const isStored = isNew || isOther ? store(finished) : open !== undefined;
  const ranBefore = open !== undefined;
  const { text: kept, unanswered } = await keepChanges(finished, { ...run, ranBefore });
  const { receipt, changes: found } = finished;
  const result = {
    receipt: { ...receipt, ...(found && { changes: hidden(found, receipt.ok, gate.secrets) }) },
    text: withChanges(finished.text, gate.secrets.hideOutput(kept)),
  };
  if (!isStored) return result;
  // Only a person at a terminal may answer, who does it later and without this call.
  const isLater = unanswered?.request?.terminalOnly === true;
  if (unanswered === undefined || isLater) {
    if (changes && repeats) removeOpenCall(changes, repeats.id);
    return result;
  }
  if (unanswered.code === "approval-needed" && !finished.wasApproved) {
    store({ ...finished, wasApproved: true });
  }
  const text = `${WAITING}\n\n${result.text}`;
  return { ...result, text, unanswered };
}

const WAITING = "It ran, and waits for an approval of its changes. It does not run again.";

async function runNow(run: RecordedRun): Promise<FinishedCall> {
  const { gate, executor, kind, request, signal, changes } = run;
  const facts = { id: randomUUID(), ...run.facts };
  await gate.record({ event: `${kind}-start`, data: { ...facts, ...run.start } });
  const end = (more: object) =>
    gate.audit.append({ event: `${kind}-end`, data: { ...facts, ...more } });
  const checked = await run.check?.();
  if (checked?.failure !== undefined) {
    end({ ok: false, exitCode: null, code: checked.failure.code, ...checked.facts });
    return finishedCall(refusedReceipt("process", checked.failure), run);
  }
  const folder = run.spillDirectory === undefined ? undefined : join(run.spillDirectory, facts.id);
  const output = followOutput(run, folder);
  const receipt = await executor.run(request, {
    ...defined({ signal, changes, onOutput: output?.write }),
  });
  const spilled = output?.end(receipt.truncated);
  end({ ...factsOf(receipt), ...checked?.facts, ...defined({ output: spilled }) });
  return finishedCall(receipt, run);
}

function finishedCall(given: ExecutionReceipt, { gate, toText }: RecordedRun): FinishedCall {
  const { changes, ...rest } = given;
  const { secrets } = gate;
  const text = secrets.hideOutput(toText(given));
  return { receipt: hidden(rest, given.ok, secrets), text, ...defined({ changes }) };
}

/** Of a success a model need not see all, so what is in it does not count as read. */
function hidden<Value>(value: Value, ok: boolean, secrets: Secrets): Value {
  return forModel(value, ok ? { ...secrets, hide: secrets.mask } : secrets);
}

/**
 * Redacts output as it comes, hands it on, and writes it to a folder where one is given. Undefined where
 * it goes nowhere.
 */
function followOutput({ gate, onOutput }: RecordedRun, folder: string | undefined) {
  if (folder === undefined && onOutput === undefined) return undefined;
  const files = folder === undefined ? undefined : openSpillFiles(folder);
  // Each stream by itself: what is between two parts of a secret belongs to the other one.
  const streamOf = (stream: "stdout" | "stderr") => {
    const redactor = createStreamRedactor(gate.audit.redactor);
    const pass = (text: string) => {
      if (text === "") return;
      files?.[stream].write(text);
      onOutput?.(text, stream);
    };
    return {
      write: (text: string) => pass(redactor.write(text)),
      end() {
        pass(redactor.end());
        files?.[stream].close();
      },
    };
  };
  const streams = { stdout: streamOf("stdout"), stderr: streamOf("stderr") };
  return {
    write: (text: string, stream: "stdout" | "stderr") => streams[stream].write(text),
    /** The folder, when it is kept: what is complete in the result need not be there twice. */
    end(isWanted: boolean): string | undefined {
      streams.stdout.end();
      streams.stderr.end();
      if (files === undefined || folder === undefined || isWanted) return files && folder;
      rmSync(folder, { recursive: true, force: true });
      return undefined;
    },
  };
}

/** Undefined when the folder cannot be made. */
function openSpillFiles(folder: string) {
  try {
    makeFolder(folder);
  } catch {
    return undefined;
  }
  const file = (stream: string) => new SpillFile(join(folder, `${stream}.txt`));
  return { stdout: file("stdout"), stderr: file("stderr") };
}

/** Enough for every real script; a flood ends here. */
const MAX_SPILL_BYTES = 16 * 1024 * 1024;

/**
 * A file for the full output of one stream, made when there is some. Gives up at its cap, and when
 * the disk does: the output that is kept in memory does not depend on it.
 */
export class SpillFile {
  readonly #file: string;
  #descriptor: number | undefined;
  #left: number;

  constructor(file: string, cap = MAX_SPILL_BYTES) {
    this.#file = file;
    this.#left = cap;
  }

  write(text: string): void {
    if (this.#left === 0) return;
    const part = Buffer.from(text).subarray(0, this.#left);
    this.#left -= part.length;
    try {
      this.#descriptor ??= openSync(this.#file, CREATE_FLAGS, 0o600);
      for (let at = 0; at < part.length;) at += writeSync(this.#descriptor, part, at);
    } catch {
      this.#left = 0;
    }
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

/** What the record keeps of a run. */
function factsOf(receipt: ExecutionReceipt) {
  const { ok, exitCode, timedOut, canceled, truncated, durationMs, unenforced } = receipt;
  const code = receipt.failure?.code;
  const facts = { ok, exitCode, timedOut, canceled, truncated, durationMs, unenforced, code };
  return {
    ...facts,
    ...networkFacts(receipt.network),
    ...changeFacts(receipt.changes),
  };
}

/** Whatever an executor counts, one line of the record has room for these. */
const MAX_TARGETS = 200;
const MAX_HOST_LENGTH = 253;
const MAX_CHANGES = 200;

/** What it reached and what it was refused; nothing when it had no network. */
function networkFacts(uses: readonly NetworkUse[] | undefined) {
  if (uses === undefined) return {};
  // What was reached matters more than what was not.
  const sorted = [...uses.filter((use) => use.allowed), ...uses.filter((use) => !use.allowed)];
  const network = sorted
    .slice(0, MAX_TARGETS)
    .map(({ host, port, allowed }) => ({ host: host.slice(0, MAX_HOST_LENGTH), port, allowed }));
  const networkLeftOut = uses.length - network.length;
  return { network, ...(networkLeftOut > 0 && { networkLeftOut }) };
}

/** The rest is held beside the record. */
function changeFacts({ changes: all }: ScriptChanges = { changes: [] }) {
  if (all.length === 0) return {};
  const changes = all.slice(0, MAX_CHANGES).map(({ path, kind, after, refused }) => ({
    path,
    kind,
    ...(after?.type === "file" && { bytes: after.size, digest: after.digest }),
    ...defined({ refused }),
  }));
  const changesLeftOut = all.length - changes.length;
  return { changes, ...(changesLeftOut > 0 && { changesLeftOut }) };
}
