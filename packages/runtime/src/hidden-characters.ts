import { visibleLine } from "@skillwright/core/internal";

/** Joiners are seen in some scripts and in emoji, but some file systems and programs leave them out. */
const JOINERS = /[\u200c\u200d]/;

/** Whether a path or a command holds characters that a person does not see, or a tab or line break. */
export function hasHiddenCharacters(text: string): boolean {
  return JOINERS.test(text) || visibleLine(text) !== text;
}
