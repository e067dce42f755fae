const MAX_LENGTH = 160;
const BEFORE = 40;

const UNSAFE =
  // oxlint-disable-next-line no-control-regex -- control characters are what it shows
  /[\u0000-\u001f\u007f-\u009f\u00ad\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\ufe00-\ufe0f]|\p{Cs}|[\u{e0000}-\u{e01ef}]/gu;

const SECRETS: readonly RegExp[] = [
  /\b(?:sk|pk|rk)[-_][\w-]{16,}/g,
  /\b(?:gh[pousr]|github_pat|glpat|xox[abprs]|npm|hf)[-_][\w-]{16,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[\w-]{30,}/g,
  /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}/g,
  /\b\d{8,10}:[\w-]{30,}/g,
  /(?<=(?:password|passwd|secret|token|api_?key)["']?\s{0,2}[:=]\s{0,2}["']?)[^\s"'$<{(]{8,}/gi,
  /(?<=:\/\/[^\s/:@]{1,64}:)[^\s/@]{3,}(?=@)/g,
];

/** A line for people: at most 160 characters around the place, nothing unseen, no secrets. */
export function showEvidence(line: string, around = 0): string {
  const start = around > MAX_LENGTH - BEFORE ? around - BEFORE : 0;
  let text = line.slice(start, start + 4 * MAX_LENGTH).trim();
  for (const secret of SECRETS) text = text.replace(secret, "[redacted]");
  const shown = text.replace(UNSAFE, visible);
  const head = start > 0 ? "…" : "";
  const limit = MAX_LENGTH - head.length;
  return head + (shown.length > limit ? `${cut(shown, limit - 1)}…` : shown);
}

/** Never half a character. */
function cut(text: string, length: number): string {
  const end = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(end) ? end.slice(0, -1) : end;
}

function visible(character: string): string {
  if (character === "\t") return " ";
  const code = character.codePointAt(0) ?? 0;
  return `\\u{${code.toString(16)}}`;
}
