// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
/** Characters that change what a person sees of a command, and halves of characters. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}\p{Cs}]/u;

/** A command that does not look like what it does is not understood by who has to approve it. */
export function addUnclearCharacters(text: string, unclear: Set<string>): void {
  if (CONTROL.test(text)) unclear.add("a control character");
  if (INVISIBLE.test(text)) unclear.add("a character that cannot be seen");
}
