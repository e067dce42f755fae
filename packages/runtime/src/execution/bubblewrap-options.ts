import type { ExecutorOptions } from "./executor.ts";
import type { AdmissionOptions } from "./network/domain-rule.ts";

export interface BubblewrapOptions extends ExecutorOptions {
  /** Files such as `.env` directly in the working directory are hidden unless this is `visible`. */
  readonly secretFiles?: "hidden" | "visible";
  /** How names of allowed domains are looked up, and which addresses may be connected to. */
  readonly admission?: AdmissionOptions;
}
