import { rmSync } from "node:fs";
import { createStreamRedactor } from "../audit/redaction/create-stream-redactor.ts";
import type { Redactor } from "../audit/redaction/redactor.ts";
import type { ExecutionContext } from "../execution/executor.ts";
import type { NetworkUse } from "../execution/network/domain-rule.ts";
import { SpillFile } from "../execution/output.ts";

type OnOutput = NonNullable<ExecutionContext["onOutput"]>;

/** Each stream by itself: what is between two parts of a secret belongs to the other one. */
export function redactedOutput(onOutput: OnOutput, redactor: Redactor) {
  const streams = {
    stdout: createStreamRedactor(redactor),
    stderr: createStreamRedactor(redactor),
  };
  const pass = (text: string, stream: keyof typeof streams) => {
    if (text !== "") onOutput(text, stream);
  };
  return {
    write: (text: string, stream: keyof typeof streams) =>
      pass(streams[stream].write(text), stream),
    end() {
      pass(streams.stdout.end(), "stdout");
      pass(streams.stderr.end(), "stderr");
    },
  };
}

/**
 * Writes output to `stdout.txt` and `stderr.txt` of a folder as it comes, and hands it on. It takes
 * what has passed the redactor: no secret is to reach the disk. Undefined when there is no disk for it.
 */
export function spilledOutput(folder: string, onOutput: OnOutput = () => {}) {
  const files = spillFiles(folder);
  if (files === undefined) return undefined;
  const isOpen = { stdout: true, stderr: true };
  return {
    write: (text: string, stream: keyof typeof isOpen) => {
      if (isOpen[stream]) isOpen[stream] = files[stream].write(text);
      onOutput(text, stream);
    },
    /** The folder, when it is worth keeping: what is whole in the result need not be there twice. */
    end(isWanted: boolean): string | undefined {
      files.stdout.close();
      files.stderr.close();
      if (isWanted) return folder;
      rmSync(folder, { recursive: true, force: true });
      return undefined;
    },
  };
}

function spillFiles(folder: string) {
  try {
    return {
      stdout: new SpillFile(folder, "stdout.txt"),
      stderr: new SpillFile(folder, "stderr.txt"),
    };
  } catch {
    return undefined;
  }
}

interface NetworkFacts {
  /** Where it went and where it was not let. */
  readonly network?: readonly NetworkUse[];
  /** How many more there were. */
  readonly networkLeftOut?: number;
}

/** Whatever an executor counts, one line of the record has room for these. */
const MAX_TARGETS = 200;
const MAX_HOST_LENGTH = 253;

/** What the record keeps of the network that a run used; nothing when it had none. */
export function networkFacts(uses: readonly NetworkUse[] | undefined): NetworkFacts {
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
