export interface AttachmentPlace {
  /** The working directory, which no file may lie outside of. */
  readonly root: string;
  readonly maxBytes: number;
}
