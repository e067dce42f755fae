import type { OptionPlace } from "../option-path.ts";

/** From the weakest to the strongest; the two in the middle belong to the project. */
export const LAYERS = ["default", "user", "appsettings", "project", "environment", "flag"] as const;

export type Layer = (typeof LAYERS)[number];

/** Where a value came from. */
export interface Origin {
  readonly layer: Layer;
  readonly file?: string;
  /** The environment variable. */
  readonly variable?: string;
}

/** An option as some layer gives it, not yet checked. */
export interface GivenOption extends OptionPlace {
  readonly origin: Origin;
  readonly value: unknown;
  /** The path as it stands in the file, if it has another name there. */
  readonly written?: string;
  /** The value is a text that stands for one, as in the environment. */
  readonly isText?: boolean;
}

/** Something in the configuration that is not used, or that can hardly be meant. */
export interface ConfigurationProblem {
  readonly path: string;
  readonly reason: string;
  /** The value that holds instead. Undefined where there is none, or where it may be a secret. */
  readonly used: unknown;
  /** The path as it stands in the file, if it has another name there. */
  readonly written?: string;
  readonly layer: Layer;
  readonly file?: string;
  readonly variable?: string;
}

/**
 * An option that this version does not know, kept for the one that does. It was neither checked nor
 * narrowed: look at `origin` before you use it.
 */
export interface ExtraOption {
  readonly path: string;
  readonly value: unknown;
  readonly origin: Origin;
}

/** A problem before it is known which value holds in the end. */
export interface Rejection {
  readonly path: string;
  readonly reason: string;
  readonly written?: string;
  readonly origin: Origin;
}

/** What one layer says. */
export interface GivenLayer {
  readonly options: readonly GivenOption[];
  readonly extra: readonly ExtraOption[];
  readonly rejections: readonly Rejection[];
}

export function isProjectLayer({ layer }: Origin): boolean {
  return layer === "appsettings" || layer === "project";
}
