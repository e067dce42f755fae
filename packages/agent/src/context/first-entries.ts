import { frameParts, promptText } from "@skillwright/core/internal";
import type {
  Attachment,
  ContextEntry,
  ConversationStart,
  RecordedImage,
  RunStart,
} from "../events/run-event.ts";
import type { ModelImage, ModelMessage } from "../models/model.ts";

const IMAGE = "[This image is attached.]";
const NO_TEXT = "[This file is not text.]";
const NO_ROOM = "[Its text does not fit here. Read it in parts, or give its path to a script.]";
const MORE = "[Only the beginning is shown.]";

/** The files that a person gave with a request, each in a frame that its text cannot leave. */
function frameAttachments(attachments: readonly Attachment[]): string {
  return attachments.map(frameAttachment).join("\n\n");
}

/** The same without their texts. */
function listAttachments(attachments: readonly Attachment[]): string {
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

type Asked = Pick<RunStart, "request" | "attachments" | "conversation">;

/** The first messages of a run: the conversation so far, the request, and the files given with it. */
export function firstEntries({ request, attachments = [], conversation }: Asked): ContextEntry[] {
  const text = promptText(request);
  const images = attachments.flatMap(({ image }) => (isWhole(image) ? [image] : []));
  const message = user(withFiles(text, frameAttachments(attachments)), images);
  const isLong = images.length > 0 || attachments.some((one) => one.text !== undefined);
  const brief = isLong ? user(withFiles(text, listAttachments(attachments))) : undefined;
  const before =
    conversation === undefined || conversation.hasMessages ? [] : history(conversation);
  return [...before, { message, kind: "request", ...(brief && { brief }) }];
}

function isWhole(image: RecordedImage | undefined): image is RecordedImage & ModelImage {
  return image?.data !== undefined;
}

/** Two messages for each exchange, where nothing else is known of it. */
function history({ exchanges, omitted = 0 }: ConversationStart): ContextEntry[] {
  return exchanges.flatMap(({ request, answer }, i): ContextEntry[] => {
    const isFirst = i === 0 && omitted > 0;
    const note = isFirst ? `[${omitted} earlier exchanges are left out here.]\n\n` : "";
    const said = answer.trim() === "" ? "(no answer)" : promptText(answer);
    return [
      { message: user(`${note}${promptText(request)}`), kind: "history" },
      { message: { role: "assistant", content: said }, kind: "history" },
    ];
  });
}

function withFiles(request: string, files: string): string {
  return files === "" ? request : `${request}\n\n${files}`;
}

function user(content: string, images: readonly ModelImage[] = []): ModelMessage {
  const sent = images.map(({ mediaType, data }) => ({ mediaType, data }));
  return { role: "user", content, ...(sent.length > 0 && { images: sent }) };
}
