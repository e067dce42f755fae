/** Nobody sees these, so that they tell no tag from another. */
const UNSEEN = String.raw`\p{Default_Ignorable_Code_Point}`;
const NAMES = ["skill_content", "skill_files", "available_skills", "attached_file"].map((name) =>
  Array.from(name).join(`${UNSEEN}*`),
);
/** The marks that tell a model where the text of a skill or of a file starts and ends. */
const FRAMES = new RegExp(
  String.raw`<(?=[\s/${UNSEEN}]*(?:${NAMES.join("|")})(?!${UNSEEN}*\w))`,
  "giu",
);

/** The selector and the joiner that emoji are made with, and the joiners of real writing. */
const SEEN = [
  String.raw`(?<=\p{Emoji})[\ufe0e\ufe0f]`,
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=[\p{L}\p{M}])(?<!\p{Script=Latin})[\u200c\u200d](?=\p{L})(?!\p{Script=Latin})`,
].join("|");
/** What nobody sees and models read, and what a terminal obeys. Tabs and line breaks stay. */
const HIDDEN = new RegExp(
  String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Cs}|(?!${SEEN})(?:${UNSEEN}|\p{Bidi_Control})`,
  "gu",
);

/** Text of others as it may stand in a prompt: nothing in it is hidden, and nothing ends its frame. */
export function escapeFrames(text: string): string {
  return withoutHidden(text.replaceAll(/\r\n?/g, "\n")).replaceAll(FRAMES, "&lt;");
}

export function withoutHidden(text: string): string {
  return text.replaceAll(HIDDEN, "");
}
