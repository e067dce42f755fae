const MAX_LENGTH = 300;
// Also what turns the direction of a line, and what nobody sees.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** Text of a server in a message of ours: one line, nothing unseen, bounded. */
export function shownText(text: string, maxLength = MAX_LENGTH): string {
  // Cut first: what is thrown away need not be looked at.
  const line = text
    .slice(0, maxLength * 4)
    .replaceAll(UNSEEN, " ")
    .trim();
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1)}…`;
}
