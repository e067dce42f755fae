import { renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { syncFolder } from "./sync-folder.ts";

export interface ReplaceFileOptions {
  /** On the same file system. The same in every attempt, so that the next one clears it away. */
  readonly temporary: string;
  readonly mode?: number;
  /** Called when the text is on the disk and not yet in its place. */
  readonly onWritten?: () => void | Promise<void>;
}

/** The file has the new text wholly or not at all, and has it after a power cut. */
export async function replaceFile(
  file: string,
  text: string,
  { temporary, mode = 0o600, onWritten }: ReplaceFileOptions,
): Promise<void> {
  try {
    // Removed first, so that a link with this name is never written through.
    rmSync(temporary, { force: true });
    writeFileSync(temporary, text, { mode, flag: "wx", flush: true });
    await onWritten?.();
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(dirname(file));
}
