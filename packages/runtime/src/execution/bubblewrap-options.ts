import type { ExecutorOptions } from "./executor-options.ts";
import type { AdmissionOptions } from "./network/admit-target.ts";

export interface BubblewrapOptions extends ExecutorOptions {
  /** How names of allowed domains are looked up, and which addresses may be connected to. */
  readonly admission?: AdmissionOptions;
}
