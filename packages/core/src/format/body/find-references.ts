import { withoutCode } from "./without-code.ts";

/** A place in the body that names a file of the skill. */
export interface FileReference {
  /** As a path relative to the skill's folder, decoded and without fragment. */
  readonly path: string;
  readonly kind: "link" | "mention";
  /** Offsets into the body. */
  readonly start: number;
  readonly end: number;
}

/** The bounded repetitions keep hostile Markdown linear. */
const LINK =
  /\]\([ \t]{0,8}(?:<([^<>\n]{1,1024})>|((?:[^()\s<>]|\([^()\s<>]{0,200}\)){1,1024}))(?:[ \t]{1,8}["'(][^)\n]{0,200})?[ \t]{0,8}\)/g;
const DEFINITION =
  /^ {0,3}\[(?!\^)[^\]\n]{1,200}\]:[ \t]{0,8}(?:<([^<>\n]{1,1024})>|([^\s<>]{1,1024}))[ \t]*(?:["'(].{0,200})?$/gm;
const MENTION =
  /(?<![\p{L}\p{N}_./\\:@%}>*-])(?:\.\/|\$\{?(?:CLAUDE_)?SKILL_DIR\}?\/|\{baseDir\}\/)?((?:scripts|references?|assets)\/(?:[\p{L}\p{N}_.+-]{1,255}\/){0,8}[\p{L}\p{N}_.+-]{0,255}?[\p{L}\p{N}_]\.[A-Za-z0-9]{1,10})(?![\p{L}\p{N}_/*{<[-]|\.[A-Za-z0-9])/gu;
const ELSEWHERE = /^(?:[A-Za-z][A-Za-z0-9+.-]*:|\/|#|\?|~|\\|[{$<])|[*{}$]/;

/** More than any skill has; a body of a million links must not keep the linter busy. */
const MAX_REFERENCES = 2000;

/** Links to files, and bare mentions such as `scripts/run.py`, in the order of the text. */
export function findReferences(body: string): FileReference[] {
  const prose = withoutCode(body);
  const references: FileReference[] = [];
  for (const pattern of [LINK, DEFINITION]) {
    for (const match of prose.matchAll(pattern)) {
      if (references.length >= MAX_REFERENCES) break;
      add(match, "link", references);
    }
  }
  const linked = references.toSorted((a, b) => a.start - b.start);
  let next = 0;
  for (const match of body.matchAll(MENTION)) {
    if (references.length >= MAX_REFERENCES) break;
    // Both run in order, so that one look at the next link is enough.
    while ((linked[next]?.end ?? Number.POSITIVE_INFINITY) <= match.index) next++;
    if (match.index < (linked[next]?.start ?? Number.POSITIVE_INFINITY))
      add(match, "mention", references);
  }
  return references.sort((a, b) => a.start - b.start);
}

function add(
  match: RegExpExecArray,
  kind: FileReference["kind"],
  references: FileReference[],
): void {
  const target = match[1] ?? match[2] ?? "";
  if (ELSEWHERE.test(target)) return;
  const path = decode(target.replace(/[#?].*$/s, "")).replace(/^(?:\.\/)+/, "");
  const start = match.index + match[0].lastIndexOf(target);
  if (path !== "") references.push({ path, kind, start, end: start + target.length });
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
