import type { ModelView } from "../model.ts";

type Given = Pick<ModelView, "attachments">;

/** What was piped in is attached under this name; there is no such file. */
const PIPED = "stdin";

/** Attachments that are files on disk. */
export function attachedFiles({ attachments = [] }: Given): string[] {
  return attachments.map(({ path }) => path).filter((path) => path !== PIPED);
}

/** Whether data came by standard input, where no script can read it. */
export function hasPipedData({ attachments = [] }: Given): boolean {
  return attachments.some(({ path }) => path === PIPED);
}
