import { foldText } from "../text/fold-character.ts";

/** What a skill says it is for. It is a claim: it explains some behaviour and excuses none in scripts. */
export interface SkillProfile {
  readonly name: string;
  /** Name and description, folded. */
  readonly claim: string;
  /** It teaches or tests security: its texts quote attacks. */
  readonly aboutAttacks: boolean;
  /** It says that it stays on this machine. */
  readonly claimsOffline: boolean;
  readonly frontmatter: string;
}

const ABOUT_ATTACKS =
  /\b(?:pen-?test\w*|penetration|red[- ]?team\w*|purple[- ]?team\w*|exploit\w*|ctf|malware|threat|prompt[- ]injection|injection|jailbreak\w*|attack\w*|vulnerab\w*|adversar\w*|forensic\w*|incident[- ]response|owasp|mitre|cwe|cve|hardening|yara|sigma|siem|soc|reverse[- ]engineer\w*|hack\w*|bug[- ]bount\w*|offensive|evasion|exfiltrat\w*|backdoors?|security[- ](?:review|audit|scan|test|research|train|analy|check|guard|assess|best|finding|expert|engineer|tool)\w*|(?:secret|skill|code|vulnerability)s?[- ](?:scan|vet|audit|guard)\w*|privilege[- ]escalation|persistence|lateral|ransomware|phishing|credential access|guardrails?|safety|sast|dast|secure coding|insecure|devsecops|appsec|blue[- ]?team\w*|recon\w*|osint|c2)\b/;
const OFFLINE =
  /\b(?:offline|no network|without (?:any )?(?:network|internet)|never leaves|stays? (?:local|on (?:your|this|the) (?:machine|device|computer))|(?:fully|purely|100%|runs?|entirely|completely) local(?:ly)?|no (?:data|files?) (?:is |are )?(?:ever )?(?:sent|uploaded|leaves)|read-only|no external (?:calls|requests|services))\b/;

export function profileOf(skillFile: string): SkillProfile {
  const frontmatter = frontmatterOf(skillFile);
  const name = /^name:[ \t]*["']?([^\n"']{1,200})/m.exec(frontmatter)?.[1]?.trim() ?? "";
  const claim = foldText(`${name} ${descriptionOf(frontmatter)}`)
    .slice(0, 4000)
    .replaceAll(/https?:\/\/\S{1,300}/g, " ");
  const title =
    /^# ([^\n]{1,200})/m.exec(
      skillFile.slice(frontmatter.length, frontmatter.length + 2000),
    )?.[1] ?? "";
  return {
    name,
    claim,
    frontmatter,
    aboutAttacks:
      ABOUT_ATTACKS.test(claim.replaceAll("_", " ")) || ABOUT_ATTACKS.test(foldText(title)),
    get claimsOffline() {
      return OFFLINE.test(claim) || OFFLINE.test(foldText(skillFile.slice(0, 3000)));
    },
  };
}

function frontmatterOf(text: string): string {
  if (!/^\uFEFF?---\s*\n/.test(text)) return "";
  const end = text.indexOf("\n---", 3);
  return end === -1 ? "" : text.slice(0, end + 4);
}

function descriptionOf(frontmatter: string): string {
  const start = frontmatter.search(/^description:/m);
  if (start === -1) return "";
  const rest = frontmatter.slice(start + "description:".length);
  const end = rest.search(/\n[\w-]{1,64}:|\n---/);
  return (end === -1 ? rest : rest.slice(0, end)).replaceAll(/\s+/g, " ");
}
