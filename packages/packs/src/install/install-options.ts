import type { Acceptance, PackSession } from "./pack-session.ts";
import type { Selection } from "./select-candidates.ts";

export interface InstallOptions extends PackSession, Acceptance, Selection {
  /** Puts other content that stands there into the backup. */
  readonly force?: boolean;
  /** A link to the local source instead of a copy, for development. */
  readonly link?: boolean;
  /** Nothing may come in that the lock does not name with this content, and the lock stays. */
  readonly frozen?: boolean;
}
