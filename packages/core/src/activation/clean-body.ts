import { CONTROL, SMUGGLING, ZERO_WIDTH } from "../format/text/invisible-characters.ts";

/** Blanks that are no blanks, and selectors that select no emoji: they carry nothing but what is hidden. */
const UNUSED =
  /[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2065\u206a-\u206f\u3164\uffa0]|(?<!\p{Emoji})[\ufe00-\ufe0f]/u;
const INVISIBLE = new RegExp(
  [CONTROL, SMUGGLING, ZERO_WIDTH, UNUSED].map(({ source }) => source).join("|"),
  "gu",
);
/** Nobody sees these, so that they tell no tag from another. */
const UNSEEN = String.raw`\p{Default_Ignorable_Code_Point}`;
const NAMES = ["skill_content", "skill_files", "available_skills"].map((name) =>
  Array.from(name).join(`${UNSEEN}*`),
);
/** The marks that tell a host where a skill's text starts and ends. */
const FRAME = new RegExp(
  String.raw`<(?=[\s/${UNSEEN}]*(?:${NAMES.join("|")})(?!${UNSEEN}*\w))`,
  "giu",
);

/** A body as a model gets it: nothing in it is hidden, and nothing in it can end its frame. */
export function cleanBody(body: string): string {
  return escapeFrame(body.replace(/\r\n?/g, "\n").replace(INVISIBLE, ""));
}

/** Text that goes into the frame of a skill must not look like that frame. */
export function escapeFrame(text: string): string {
  return text.replace(FRAME, "&lt;");
}
