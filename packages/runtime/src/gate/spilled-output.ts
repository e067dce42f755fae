import { rmSync } from "node:fs";
import type { ExecutionContext } from "../execution/executor.ts";
import { SpillFile } from "../execution/output.ts";

type OnOutput = NonNullable<ExecutionContext["onOutput"]>;

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
