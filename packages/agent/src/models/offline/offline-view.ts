import type { ModelView } from "../model.ts";

/** What is decided on, with what was found out about the request. */
export interface OfflineView extends ModelView {
  /** The request is in German, or was before it was put into English. */
  readonly isGerman?: boolean;
}
