import type { Attachment } from "../runs/attachment.ts";
import { escapeFrames, withoutHidden } from "./escape-frames.ts";

const MAX_PATH = 500;
const NO_TEXT = "[This file is no text.]";
const NO_ROOM = "[There is no room for its text here; it can still be read or given to a script.]";
const MORE = "[This is only its beginning.]";

/** The files that a person gave with a request, each in a frame that its text cannot leave. */
export function frameAttachments(attachments: readonly Attachment[]): string {
  return attachments.map(frame).join("\n\n");
}

/** The same without their texts. */
export function listAttachments(attachments: readonly Attachment[]): string {
  return frameAttachments(
    attachments.map(({ text, ...attachment }) =>
      text === undefined ? attachment : { ...attachment, truncated: true },
    ),
  );
}

function frame({ path, bytes, text, truncated }: Attachment): string {
  const shown =
    text === undefined
      ? [truncated === true ? NO_ROOM : NO_TEXT]
      : [escapeFrames(text), ...(truncated === true ? [MORE] : [])];
  const head = `<attached_file path="${attribute(path)}" bytes="${bytes}">`;
  return [head, ...shown, "</attached_file>"].join("\n");
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
]);

function attribute(path: string): string {
  const line = withoutHidden(path.slice(0, MAX_PATH)).replaceAll(/\s+/g, " ");
  return line.replaceAll(/[&<>"]/g, (character) => ENTITIES.get(character) ?? character);
}
