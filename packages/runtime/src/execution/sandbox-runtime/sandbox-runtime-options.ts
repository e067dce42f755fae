import type { ExecutorOptions } from "../executor.ts";
import type { AdmissionOptions } from "../network/admit-target.ts";
import type { LoadSandboxRuntime } from "./sandbox-runtime-module.ts";

export interface SandboxRuntimeOptions extends ExecutorOptions {
  /** How names of allowed domains are looked up, and which addresses may be connected to. */
  readonly admission?: AdmissionOptions;
  /** Imports the package. */
  readonly loadSandboxRuntime?: LoadSandboxRuntime;
}
