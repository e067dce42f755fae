/** One way in which a command line could go on. */
export interface Candidate {
  readonly value: string;
  readonly description?: string;
}

/** Answers that leave the word to the shell's own completion. */
export const FILES: Candidate = { value: ":files" };
export const FOLDERS: Candidate = { value: ":folders" };
