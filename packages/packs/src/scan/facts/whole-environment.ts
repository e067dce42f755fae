import type { ScanFile, ScanLine } from "../context/scan-line.ts";

/** All variables at once, as a text or on their way somewhere. */
export const ENVIRONMENT_DUMP = new RegExp(
  [
    String.raw`(?:dumps|str|repr|urlencode|b64encode|items|list|sorted|post|send\w*|encode)\([^\n]{0,40}\bos\.environ\b(?!\.get|\[|\.copy\(\)\s*,?\s*\*\*|\.setdefault|\.pop|\.update)`,
    String.raw`\bos\.environ\.(?:items|values)\(\)`,
    String.raw`(?:json|data|params|body|payload|content|files)\s*[=:]\s*(?:dict\()?\{?\**\s*os\.environ\b(?!\.get|\[)`,
    String.raw`["']\w{1,20}["']\s*:\s*(?:dict\(|str\(|\{\s*\*\*\s*)?os\.environ\b(?!\.get|\[)`,
    String.raw`(?:stringify|entries|values|assign|from|body|data)\s*[(:=][^\n]{0,30}\bprocess\.env\b(?![.[\w])`,
    String.raw`\bdict\(os\.environ\)`,
    String.raw`[$]\((?:env|printenv|set|export -p)(?:\s*\||\s*\))`,
    String.raw`(?:^|[\s;&|(\x60!])(?:env|printenv|export -p|declare -x)\s*(?:2>\S+\s*)?(?:\||>{1,2}\s*["']?[/$~\w])`,
    String.raw`\x60(?:env|printenv)\x60`,
    String.raw`\benv\.to_h\b|\benv\.(?:map|each|inspect)\b.{0,30}`,
    String.raw`%env\b|(?:get-childitem|gci|dir|ls)\s+env:|\[environment\]::getenvironmentvariables`,
    String.raw`/proc/(?:self|\d+|\*|1|[$]\w+)/environ`,
  ].join("|"),
);

const HELD =
  /\b(\w{1,40})\s*(?::\s*[\w<>, ]{1,40})?=\s*(?:\{\s*\.\.\.|object\.assign\(\{\},\s*)?(?:process\.env|os\.environ|import\.meta\.env)\b(?![.[\w])/;
const environments = new WeakMap<ScanFile, Map<string, boolean>>();
const MAX_NAMES = 20;
const MAX_SEARCHED = 100_000;

/** A variable that holds the whole environment and is later made a text. */
export function isWholeEnvironment(line: ScanLine): boolean {
  const name = line.zone === "code" ? HELD.exec(line.text)?.[1] : undefined;
  if (name === undefined) return false;
  let known = environments.get(line.file);
  if (known === undefined) environments.set(line.file, (known = new Map()));
  const isText = known.get(name) ?? (known.size < MAX_NAMES && isMadeText(line.file.text, name));
  if (known.size < MAX_NAMES) known.set(name, isText);
  return isText;
}

function isMadeText(text: string, name: string): boolean {
  return new RegExp(
    `(?:stringify|dumps|encode|b64encode|write|send|post)\\(\\s*(?:\\{[^}\\n]{0,200}?)?(?<![.\\w])${name}(?![.[\\w(])`,
    "i",
  ).test(text.slice(0, MAX_SEARCHED));
}
