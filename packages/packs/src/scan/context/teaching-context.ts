import { foldText } from "../text/fold-character.ts";
import type { ScanLine } from "./scan-line.ts";

/** Words by which a text speaks about attacks instead of making one. */
const ABOUT =
  /\b(?:malicious|attack(?!er-controlled\.)\w*|adversar\w*|inject(?:ion|ions|ed)\b|jailbreak\w*|phish\w*|suspicious|detect\w*|red flags?|vulnerab\w*|exploit\w*|anti-?patterns?|forbidden|prohibited|untrusted|saniti[sz]\w*|blocklist\w*|flagged|(?:refuse|reject|block|flag)(?:s|ed)? (?:any|it|them|such|these|this|skills?|requests?|anything|content|if|a skill)|flags? (?:any|as|if|when|files|text|skills|phrases)|threats?|indicators?|dangerous|unsafe|insecure|bad example|vulnerable|attempts? to|tries to|trying to|would (?:try|attempt)|watch (?:out )?for|look (?:out )?for|search(?:es|ing)? for|grep\w*|regex\w*|prompt injection|treat (?:it|them|this|that|these|any|such) (?:\w+ ){0,2}as (?:data|an attack|untrusted)|phrases? like|text like|examples? of|poison\w*|smuggl\w*|spoof\w*|hijack\w*|exfiltration)\b|❌|🚫|✗|⛔/;
/** They introduce examples; alone they say nothing, so the example must be set off by quotes or as code. */
const EXAMPLE =
  /\b(?:e\.g\.|for example|such as|something like|patterns?|test cases?|like)(?=[\s:]).{0,40}["'“`|]/;
const ABOUT_HEADING =
  /\b(?:attack\w*|malicious|threat\w*|red flags?|anti-?patterns?|don'?ts?|do not|never|bad|avoid\w*|forbidden|prohibited|vulnerab\w*|injection\w*|exploit\w*|detect\w*|indicators?|warning signs?|dangerous|unsafe|insecure|blocked|deny|denied|disallowed|refus\w*|jailbreak\w*|what not to|pitfalls?|mistakes|risks?|scan\w*|patterns?|signatures?|payloads?|checks? for|look for|security (?:review|checklist|considerations?|concerns?|rules|checks?|model|notes?|warnings?|guidelines|policy|polic\w+)|test cases?|examples? of|iocs?|ttps?|techniques?|guardrails?|hardening|trust boundar\w+|untrusted|defen[cs]e|boundaries|safety)\b|❌|🚫/;
const NEGATION =
  /\b(?:never|do not|don'?t|does not|doesn'?t|avoid|must not|mustn'?t|should not|shouldn'?t|cannot|can'?t|not allowed|without|instead of|rather than|refuse|no longer|stop|prevents?|protects? (?:against|from)|block\w*|den(?:y|ies|ied)|forbid\w*|disallow\w*|not to)\b|❌|🚫|✗|⛔/;
const CODE_NOTE =
  /(?:#|\/\/|--|<!--|\*)\s{0,3}[^#\n]{0,40}(?:bad\b|wrong|never|(?:don'?t|do not) (?:use|do|run|copy|write|ever|try|call|put)|dangerous|unsafe|insecure|vulnerable|malicious|attack|avoid|not recommended|❌|exploit|will be blocked|blocked|denied|deny)/;

/**
 * True when a place of a Markdown text shows an attack so that a reader knows it: under a heading
 * about attacks, after a sentence that introduces examples, in a table of patterns.
 */
export function isTaught(line: ScanLine): boolean {
  if (line.file.kind !== "prose")
    return line.zone !== "code" ? ABOUT.test(line.text) : isPattern(line);
  const { headings, blockStart, zone } = line.place;
  if (zone === "comment") return false;
  if (ABOUT_HEADING.test(headings) || ABOUT.test(withoutUrls(line.text)) || EXAMPLE.test(line.text))
    return true;
  if (line.lead >= 0 && introduces(line, line.lead)) return true;
  if (zone === "fence") return hasNote(line, blockStart);
  return line.raw.trimStart().startsWith("|") && isAboutTable(line);
}

/** True when the words before a place in the same sentence forbid it. */
export function isForbidden(line: ScanLine, at: number, text = line.text): boolean {
  const before = text.slice(Math.max(0, at - 120), at);
  const sentence = before.slice(
    Math.max(...[". ", "; ", "! ", "? "].map((end) => before.lastIndexOf(end)), -1) + 1,
  );
  if (NEGATION.test(sentence)) return true;
  const { zone, headings } = line.place;
  const { lead } = line;
  if (line.file.kind !== "prose" || zone === "comment") return false;
  return (
    /\b(?:never|do not|don'?ts?|avoid|forbidden|prohibited|not allowed|must not)\b/.test(
      headings,
    ) ||
    (lead >= 0 &&
      lead < line.index &&
      /\b(?:never|do not|don'?t|avoid|must not|forbidden|prohibited|not allowed|refuse)\b|❌|🚫/.test(
        fold(line, lead),
      ))
  );
}

const REGEX =
  /\br["'][^"'\n]{0,200}\||\bre\.(?:compile|search|match|findall|finditer|fullmatch)\(|\bnew RegExp\(|\(\?i\)|\\[sbwdS][*+)?\\{]|\\\.|\.\*|\[\^|(?:^|[\s|;(])(?:grep|egrep|rg|ag)\s|=~/;
const EXPECTS = /\b(?:expect|assert[\w.]*|toBe|toContain|toEqual)\s*\(/;
const RULE_WORDS =
  /pattern|regex|\bioc|\brules?\b|signature|severity|"description"|forbidden|block_?list|deny_?list|dangerous|suspicious|malicious/i;
const CALL =
  /\b(?:open|read\w*|post|put|get|exec|eval|system|run|popen|spawn|call|send\w*|fetch|urlopen|connect)\s*\(|\b(?:curl|wget|nc|cat|base64)\s+\S/i;

/** True where a skill says what must be done before it works: no lesson excuses what stands there. */
export function isSetup(line: ScanLine): boolean {
  return /\b(?:prerequisites?|set ?up|install\w*|requirements?|required|getting started|quick ?start|before you)\b/.test(
    line.place.headings,
  );
}

/** True in scripts for what a test or a guard is about, and for strings in a list that nothing here could run. */
export function isExample(line: ScanLine): boolean {
  return EXPECTS.test(line.raw) || isListed(line);
}

/** A string in a list of a script that starts no program: an example for a test or a guard. */
function isListed(line: ScanLine): boolean {
  if (line.zone !== "code" || line.language === "shell") return false;
  if (!/^\s*[[({]?\s*(["'`]).{1,400}\1\s*[\])},]{0,4}\s*$/.test(line.raw)) return false;
  return !/os\.system|os\.popen|subprocess|execSync|child_process|\bspawn|\beval\(|\bexec\(/.test(
    line.file.text,
  );
}

/** True in scripts for a line that is a pattern to look for, not a command: a regular expression or its description. */
export function isPattern(line: ScanLine): boolean {
  return (
    isExample(line) || REGEX.test(line.raw) || (RULE_WORDS.test(line.raw) && !CALL.test(line.raw))
  );
}

/** True for a line that only tells a person something. */
export function isMessage(line: ScanLine, at: number): boolean {
  if (
    !/^\s*(?:echo|printf|print|puts|say|log\w*|warn\w*|error|info|die|fail|usage|console\.\w+|logger\.\w+|logging\.\w+|sys\.(?:stdout|stderr)\.write|write-(?:host|output|error|warning)|throw|raise|return|help\s*=|description\s*=|hint\s*[:=]|message\s*[:=]|fmt\.\w+|>&2)\b/i.test(
      line.text,
    )
  ) {
    return false;
  }
  return isQuoted(line.text, at) && !/["']\s*(?:\||>>?)/.test(line.text.slice(at));
}

/** True when a place lies between quotes of its line. */
function isQuoted(text: string, at: number): boolean {
  let open = "";
  for (let index = 0; index < at; index++) {
    const character = text.charAt(index);
    if (character === "\\") index++;
    else if (
      open === "" &&
      (character === '"' ||
        character === "`" ||
        (character === "'" && !/\w/.test(text.charAt(index - 1))))
    )
      open = character;
    else if (character === open) open = "";
  }
  return open !== "";
}

function introduces(line: ScanLine, lead: number): boolean {
  if (line.index - lead > 60) return false;
  const text = fold(line, lead);
  return (
    ABOUT.test(withoutUrls(text)) || /\b(?:never|avoid|bad|don'?t)\b.{0,200}:\s*$|❌|🚫/.test(text)
  );
}

function hasNote(line: ScanLine, blockStart: number): boolean {
  if (CODE_NOTE.test(withoutUrls(line.text))) return true;
  for (let index = line.index - 1; index >= Math.max(blockStart, line.index - 4); index--) {
    if (CODE_NOTE.test(withoutUrls(fold(line, index)))) return true;
  }
  return false;
}

function isAboutTable(line: ScanLine): boolean {
  const head = tableHead(line);
  return (
    ABOUT.test(head) ||
    ABOUT_HEADING.test(head) ||
    /\b(?:rule|category|type|check|finding)\b/.test(head)
  );
}

function tableHead(line: ScanLine): string {
  let index = line.index;
  while (
    index > 0 &&
    line.index - index < 60 &&
    line.file
      .rawLine(index - 1)
      .trimStart()
      .startsWith("|")
  )
    index--;
  return fold(line, index);
}

function fold(line: ScanLine, index: number): string {
  return foldText(line.file.rawLine(index).slice(0, 500));
}

/** A host may be named after what it does. */
function withoutUrls(text: string): string {
  return text.replaceAll(
    /\b[a-z+]{2,12}:\/\/\S{1,300}|(?<![\w.])(?:[\w-]{1,63}\.){1,6}[a-z]{2,12}\b/g,
    "",
  );
}
