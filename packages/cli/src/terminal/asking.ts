import type { ScreenSize } from "./changing-lines.ts";
import type { Question } from "./choose.ts";
import type { Colors } from "./colors.ts";

/** The part of a console through which a person is asked. */
export interface Asking {
  readonly screenSize: ScreenSize;
  readonly noteColors: Colors;
  readonly streams: { readonly stderr: { readonly isTTY?: boolean } };
  note(text: string): void;
  /**
   * What a person chooses, on stderr; undefined when they walk away, or the signal comes. Only where
   * `canAsk`.
   */
  choose<Value extends string>(
    question: Question<Value>,
    signal?: AbortSignal,
  ): Promise<Value | undefined>;
  /** What a person types in answer to a question, under the same conditions. */
  askText(message: string, signal?: AbortSignal): Promise<string | undefined>;
}
