import type { Acceptance, PackSession } from "./pack-session.ts";

export interface RestoreOptions extends PackSession, Acceptance {
  /** Only what is missing may be put in place; every other difference refuses all of it. */
  readonly frozen?: boolean;
  /** Local edits go to the backup. */
  readonly force?: boolean;
}
