/** The durable steps of a change, in their order. Those of a folder come once for each move. */
export const CHANGE_STEPS = [
  /** Everything staged reaches the disk. */
  "sync-staged",
  /** From its end on the change will happen; before its rename nothing has. */
  "write-journal",
  /** What stands at the place of a skill goes to the backup. */
  "back-up",
  /** What is staged comes in its place. */
  "place",
  /** The names that were changed reach the disk. */
  "sync-folders",
  /** The old text of a lock file is kept. */
  "keep-lock",
  /** The new text of a lock file appears, or the file goes. */
  "write-lock",
  "write-history",
  "remove-journal",
] as const;

export interface ChangeStep {
  readonly step: (typeof CHANGE_STEPS)[number];
  /** `between`: a file is written under another name and not yet in its place. */
  readonly when: "before" | "between" | "after";
  /** The skill's folder, for `back-up` and `place`; the lock file, for those of locks. */
  readonly subject?: string;
}

/** Must not change the root. What it throws counts as a failure of the step. Made for fault tests. */
export type OnStep = (step: ChangeStep) => void | Promise<void>;
