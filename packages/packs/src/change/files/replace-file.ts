import { replaceAtomic, writeNew } from "@skillwright/core/internal";

export interface ReplaceFileOptions {
  /** On the same file system. The same in every attempt, so that the next one clears it away. */
  readonly temporary: string;
  /** For its owner only unless given. */
  readonly mode?: "umask";
  /** Called when the text is on the disk and not yet in its place. */
  readonly onWritten?: () => void | Promise<void>;
}

/** The file has the new text wholly or not at all, and has it after a power cut. */
export async function replaceFile(
  file: string,
  text: string,
  { temporary, mode, onWritten }: ReplaceFileOptions,
): Promise<void> {
  const write = async () => {
    writeNew(temporary, text, { flush: true, ...(mode !== undefined && { mode }) });
    await onWritten?.();
  };
  await replaceAtomic(file, write, { temporary, flush: true });
}
