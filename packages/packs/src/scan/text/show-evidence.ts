import { truncate, visibleLine } from "@skillwright/core/internal";

const MAX_LENGTH = 160;
const BEFORE = 40;

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
  const shown = visibleLine(text.replaceAll("\t", " "));
  return truncate(start > 0 ? `…${shown}` : shown, MAX_LENGTH);
}
