import type { RuntimeOptions, SessionOptions } from "@skillwright/app/internal";

export interface ServeOptions extends SessionOptions, RuntimeOptions {
  readonly http?: boolean;
  readonly port?: string;
  readonly host?: string;
  readonly allowRemote?: boolean;
  readonly allowHost?: readonly string[];
  /** False for `--no-scripts`. */
  readonly scripts?: boolean;
}
