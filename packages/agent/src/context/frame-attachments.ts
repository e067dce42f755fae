import { frameParts, promptText } from "@skillwright/core/internal";
import type { Attachment } from "../events/run-event.ts";

const IMAGE = "[This image is attached.]";
const NO_TEXT = "[This file is not text.]";
const NO_ROOM = "[Its text does not fit here. Read it in parts, or give its path to a script.]";
const MORE = "[Only the beginning is shown.]";

/** The files that a person gave with a request, each in a frame that its text cannot leave. */
export function frameAttachments(attachments: readonly Attachment[]): string {
  return attachments.map(frameAttachment).join("\n\n");
}

/** The same without their texts. */
export function listAttachments(attachments: readonly Attachment[]): string {
  return frameAttachments(
    attachments.map(({ text, ...attachment }) =>
      text === undefined ? attachment : { ...attachment, truncated: true },
    ),
  );
}

function frameAttachment({ path, bytes, text, truncated, image }: Attachment): string {
  const parts =
    text === undefined
      ? [image === undefined ? (truncated === true ? NO_ROOM : NO_TEXT) : IMAGE]
      : [promptText(text), ...(truncated === true ? [MORE] : [])];
  return frameParts("attached_file", { path, bytes }, parts);
}
