import { hasHiddenCharacters } from "../../hidden-characters.ts";

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** A command that does not look like what it does is not understood by who has to approve it. */
export function addUnclearCharacters(text: string, unclear: Set<string>): void {
  const plain = text.replaceAll(CONTROL, " ");
  if (plain !== text) unclear.add("a control character");
  if (hasHiddenCharacters(plain.replaceAll(/[\t\n]/g, " "))) {
    unclear.add("a character that cannot be seen");
  }
}
