import type { ModelError } from "./model.ts";

/** The one who asked does not want the answer any more. */
export const CANCELED: ModelError = {
  code: "canceled",
  message: "the request was canceled",
  retryable: false,
};
