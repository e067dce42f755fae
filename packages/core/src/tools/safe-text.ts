import { escapeFrame } from "../activation/clean-body.ts";
import { SMUGGLING } from "../format/text/invisible-characters.ts";

const HIDDEN = new RegExp(SMUGGLING, "gu");

/**
 * Text of a file or of a script on its way into a conversation: nothing in it is hidden from people,
 * and nothing in it can be taken for the frame of a skill, which hosts keep when they compact.
 */
export function safeText(text: string): string {
  return escapeFrame(text.replace(HIDDEN, ""));
}
