import { CONTROL, SMUGGLING, ZERO_WIDTH } from "../format/text/invisible-characters.ts";

const INVISIBLE = new RegExp(`${CONTROL.source}|${SMUGGLING.source}|${ZERO_WIDTH.source}`, "gu");
/** The marks that tell a host where a skill's text starts and ends. */
const FRAME = /<(?=\s*\/?\s*(?:skill_content|skill_files|available_skills)\b)/gi;

/** A body as a model gets it: nothing in it is hidden, and nothing in it can end its frame. */
export function cleanBody(body: string): string {
  return escapeFrame(body.replace(/\r\n?/g, "\n").replace(INVISIBLE, ""));
}

/** Text that goes into the frame of a skill must not look like that frame. */
export function escapeFrame(text: string): string {
  return text.replace(FRAME, "&lt;");
}
