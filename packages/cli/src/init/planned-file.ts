/** One file of `init`, and what is done about it. */
export interface PlannedFile {
  /** Relative to the project, with `/`. */
  readonly path: string;
  /** For `append` one character per byte, so that a file in any encoding stays as it was. */
  readonly text: string;
  /** `append` replaces a file by one that has more at its end. */
  readonly step: "create" | "append" | "keep";
  /** Why it is kept, when that is not simply because it is there. */
  readonly reason?: string;
}
