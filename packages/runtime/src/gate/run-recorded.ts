import { randomUUID } from "node:crypto";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { CREATE_FLAGS, makeFolder } from "@skillwright/core/internal";
import { createStreamRedactor } from "../audit/redaction/stream-redactor.ts";
import type { Redactor } from "../audit/redaction/redactor.ts";
import {
  type ExecutionContext,
  type ExecutionReceipt,
  type ExecutionRequest,
  type Executor,
  refusedReceipt,
} from "../execution/executor.ts";
import type { NetworkUse } from "../execution/network/domain-rule.ts";
import type { RunChanges, ScriptChanges } from "../changes/run-changes.ts";
import type { Gate } from "./gate.ts";

type OnOutput = NonNullable<ExecutionContext["onOutput"]>;
type Stream = Parameters<OnOutput>[1];

export interface RecordedRun {
  readonly gate: Gate;
  readonly executor: Executor;
  readonly kind: "script" | "command";
  /** What both records have. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** What only the first one has. */
  readonly start: Readonly<Record<string, unknown>>;
  readonly request: ExecutionRequest;
  readonly signal?: AbortSignal | undefined;
  readonly onOutput?: OnOutput | undefined;
  readonly spillDirectory?: string | undefined;
  /** Takes what it changes in the working directory. */
  readonly changes?: RunChanges | undefined;
  /** Looked at between the first record and the run: more facts, and why nothing runs. */
  readonly check?: () => Promise<RunCheck>;
}

interface RunCheck {
  readonly facts: Readonly<Record<string, unknown>>;
  readonly failure?: ExecutionReceipt["failure"] | undefined;
}

/** Runs something with its start and end in the record; what is shown meanwhile has no secrets. */
export async function runRecorded(run: RecordedRun): Promise<ExecutionReceipt> {
  const { gate, executor, kind, request, signal, check } = run;
  const facts = { id: randomUUID(), ...run.facts };
  await gate.record({ event: `${kind}-start`, data: { ...facts, ...run.start } });
  const end = (more: object) =>
    gate.audit.append({ event: `${kind}-end`, data: { ...facts, ...more } });
  const checked = await check?.();
  if (checked?.failure !== undefined) {
    end({ ok: false, exitCode: null, code: checked.failure.code, ...checked.facts });
    return refusedReceipt("process", checked.failure);
  }
  const spilled =
    run.spillDirectory && spilledOutput(join(run.spillDirectory, facts.id), run.onOutput);
  const sink = spilled ? spilled.write : run.onOutput;
  const output = sink && redactedOutput(sink, gate.audit.redactor);
  const receipt = await executor.run(request, {
    ...(signal && { signal }),
    ...(output && { onOutput: output.write }),
    ...(run.changes && { changes: run.changes }),
  });
  output?.end();
  const kept = spilled ? spilled.end(receipt.truncated) : undefined;
  end({ ...endOf(receipt), ...checked?.facts, ...(kept !== undefined && { output: kept }) });
  return receipt;
}

function endOf({
  ok,
  exitCode,
  timedOut,
  canceled,
  truncated,
  durationMs,
  unenforced,
  network,
  changes,
  failure,
}: ExecutionReceipt) {
  const code = failure?.code;
  const facts = { ok, exitCode, timedOut, canceled, truncated, durationMs, unenforced, code };
  return { ...facts, ...networkFacts(network), ...changeFacts(changes) };
}

/** Each stream by itself: what is between two parts of a secret belongs to the other one. */
function redactedOutput(onOutput: OnOutput, redactor: Redactor) {
  const streams = {
    stdout: createStreamRedactor(redactor),
    stderr: createStreamRedactor(redactor),
  };
  const pass = (text: string, stream: Stream) => {
    if (text !== "") onOutput(text, stream);
  };
  return {
    write: (text: string, stream: Stream) => pass(streams[stream].write(text), stream),
    end() {
      pass(streams.stdout.end(), "stdout");
      pass(streams.stderr.end(), "stderr");
    },
  };
}

/**
 * Writes redacted output to `stdout.txt` and `stderr.txt` of a folder as it comes, and hands it on.
 * Undefined when the folder cannot be made.
 */
function spilledOutput(folder: string, onOutput: OnOutput = () => {}) {
  try {
    makeFolder(folder);
  } catch {
    return undefined;
  }
  const files = {
    stdout: new SpillFile(join(folder, "stdout.txt")),
    stderr: new SpillFile(join(folder, "stderr.txt")),
  };
  return {
    write: (text: string, stream: Stream) => {
      files[stream].write(text);
      onOutput(text, stream);
    },
    /** The folder, when it is kept: what is complete in the result need not be there twice. */
    end(isWanted: boolean): string | undefined {
      files.stdout.close();
      files.stderr.close();
      if (isWanted) return folder;
      rmSync(folder, { recursive: true, force: true });
      return undefined;
    },
  };
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
    const bytes = Buffer.from(text);
    const part = bytes.subarray(0, this.#left);
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

interface NetworkFacts {
  /** What it reached and what it was refused. */
  readonly network?: readonly NetworkUse[];
  /** How many more there were. */
  readonly networkLeftOut?: number;
}

/** Whatever an executor counts, one line of the record has room for these. */
const MAX_TARGETS = 200;
const MAX_HOST_LENGTH = 253;

/** What the record keeps of the network that a run used; nothing when it had none. */
function networkFacts(uses: readonly NetworkUse[] | undefined): NetworkFacts {
  if (uses === undefined) return {};
  // What was reached matters more than what was not.
  const sorted = [...uses.filter((use) => use.allowed), ...uses.filter((use) => !use.allowed)];
  const network = sorted.slice(0, MAX_TARGETS).map(({ host, port, allowed }) => ({
    host: host.slice(0, MAX_HOST_LENGTH),
    port,
    allowed,
  }));
  const networkLeftOut = uses.length - network.length;
  return { network, ...(networkLeftOut > 0 && { networkLeftOut }) };
}

const MAX_RECORDED_CHANGES = 200;

/** What the record keeps of the changes; the rest is held beside it. */
function changeFacts(found: ScriptChanges | undefined) {
  if (found === undefined || found.changes.length === 0) return {};
  const changes = found.changes
    .slice(0, MAX_RECORDED_CHANGES)
    .map(({ path, kind, after, refused }) => ({
      path,
      kind,
      ...(after?.type === "file" && { bytes: after.size, digest: after.digest }),
      ...(refused !== undefined && { refused }),
    }));
  const changesLeftOut = found.changes.length - changes.length;
  return { changes, ...(changesLeftOut > 0 && { changesLeftOut }) };
}
