import type { Failure } from "@skillwright/core";
import type { Attachment } from "../events/run-event.ts";
import { shareOf } from "../context/fit-entries.ts";
import { recordedBytes } from "./require-room.ts";

export type BoundAttachments =
  | { readonly ok: true; readonly attachments: readonly Attachment[] }
  | Failure<"attachments-too-many">;

const MAX_FILES = 100;
/** In the record, and so in the prompt. */
const MAX_BYTES = 100_000;
/** For the names and sizes of all files. */
const MAX_NAME_BYTES = 60_000;

/** Attachments as a record has room for them: of long texts the beginnings, as much of each. */
export function boundAttachments(attachments: readonly Attachment[]): BoundAttachments {
  const bare = attachments.map(({ text, ...attachment }): Attachment =>
    text === undefined ? attachment : { ...attachment, truncated: true },
  );
  const names = recordedBytes(bare);
  if (attachments.length > MAX_FILES || names > MAX_NAME_BYTES) {
    const message = `${attachments.length} files are too many to be given with a request`;
    const hint = `Give at most ${MAX_FILES}, or name the folder that they are in.`;
    return { ok: false, code: "attachments-too-many", message, hint };
  }
  const sizes = attachments.map(({ text = "" }) => recordedBytes(text));
  const share = shareOf(sizes, MAX_BYTES - names);
  const bound = attachments.map((attachment, i) => {
    const { text } = attachment;
    if (text === undefined || (sizes[i] ?? 0) <= share) return attachment;
    return { ...attachment, text: beginning(text, share), truncated: true as const };
  });
  return { ok: true, attachments: bound };
}

function beginning(text: string, bytes: number): string {
  // No character takes less than one byte.
  let cut = text.slice(0, bytes);
  for (let size = recordedBytes(cut); size > bytes; size = recordedBytes(cut)) {
    cut = cut.slice(0, Math.min(cut.length - 1, Math.floor((cut.length * bytes) / size)));
  }
  const whole = cut.replace(/[\uD800-\uDBFF]$/, "");
  const line = whole.lastIndexOf("\n");
  return line > whole.length / 2 ? whole.slice(0, line + 1) : whole;
}
