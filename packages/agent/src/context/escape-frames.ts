/** The marks that tell a model where the text of a skill or of a file starts and ends. */
const FRAMES = /<(?=\s*\/?\s*(?:skill_content|skill_files|available_skills|attached_file)\b)/gi;
/** What nobody sees and models read, and what a terminal obeys. Tabs and line breaks stay. */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e01ef}]|\p{Cs}/gu;

/** Text of others as it may stand in a prompt: nothing in it is hidden, and nothing ends its frame. */
export function escapeFrames(text: string): string {
  return withoutHidden(text.replaceAll(/\r\n?/g, "\n")).replaceAll(FRAMES, "&lt;");
}

export function withoutHidden(text: string): string {
  return text.replaceAll(HIDDEN, "");
}
