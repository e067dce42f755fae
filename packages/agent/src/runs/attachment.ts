import type { RecordedImage } from "../events/run-event.ts";

/** A file that a person gives with a request, read by whoever starts the run. */
export interface Attachment {
  /** From the working directory on, with `/`. */
  readonly path: string;
  readonly bytes: number;
  /** `sha256:…` of the whole file; `[redacted]` in the record when the text holds a secret. */
  readonly digest: string;
  /** Its beginning, when it is text. */
  readonly text?: string;
  /** The text is not all of it. */
  readonly truncated?: true;
  /** When it is an image that the model may look at. */
  readonly image?: RecordedImage;
}
