import type { ScanLine } from "../../context/scan-line.ts";
import { isForbidden, isTaught } from "../../context/teaching-context.ts";
import { secretsIn } from "../../facts/secret-places.ts";
import type { PlacedSuspicion, ScanCheck } from "../../scan-check.ts";

const READ =
  /\b(?:read|cat|open|collect|gather|harvest|extract|dump|grab|load|copy|print|show|view|list|scan|search|parse|include|check|validate|inspect|less|head|base64|encode|type|get-content|locate|find)\b/;
const FITTING: Readonly<Record<string, RegExp>> = {
  "SSH private keys":
    /\bssh|server|deploy|git|remote|key|host|vps|ansible|infra|sftp|droplet|ec2|tunnel|devops|cluster|hpc|slurm|login|linux|sysadmin|raspberry|homelab/,
  "AWS credentials":
    /\baws|amazon|s3\b|cloud|terraform|bedrock|lambda|credential|deploy|infra|dynamodb|cdk|ec2/,
  "cloud credentials":
    /cloud|gcp|google|azure|vertex|gemini|terraform|credential|bigquery|firebase|oracle/,
  "Kubernetes credentials": /kube|k8s|cluster|helm|deploy|cloud|infra|devops|container|argo|istio/,
  "browser passwords or cookies":
    /browser|chrome|firefox|cookie|login|session|scrap|bookmark|history|profile|playwright|puppeteer|web|auth|download|video|youtube|twitter|social/,
  "the keychain":
    /keychain|password|credential|secret|auth|token|mac|sign|notari|xcode|ios|api key|oauth|login/,
  "wallets or seed phrases":
    /wallet|crypto|solana|ethereum|bitcoin|blockchain|web3|defi|trad|token|nft|chain|dao|swap|agent pay|x402|mnemonic|seed/,
  "conversations or memory of the agent": /./,
  "the whole environment": /env|config|debug|diagnos|shell|deploy|secret|12-factor|setup|docker/,
  ".env files": /./,
  "instance credentials": /./,
  "tokens of other tools": /./,
  "tokens of the agent": /./,
  "settings of the agent": /./,
  "shell history": /history|shell|terminal|alias|command|habit|productiv|workflow|log|usage/,
};

export const secretRequest: ScanCheck = {
  id: "secret-request",
  severity: "high",
  category: "exfiltration",
  summary: "Secrets are read that have nothing to do with what the skill is for.",
  explanation:
    'A formatter does not need SSH keys "for validation", and a weather report no wallet "for diagnostics". Several kinds of secrets in one place, or one kind that the description does not explain, is how credential theft looks before anything is sent.',
  *conclude(skill): Iterable<PlacedSuspicion> {
    const { claim, aboutAttacks } = skill.profile;
    const wanted = skill.secrets.filter(
      ({ line, what }) =>
        READ.test(introduced(line)) && !(FITTING[what]?.test(claim) ?? false) && !isExcused(line),
    );
    const kinds = new Set(wanted.map(({ what }) => what));
    const first = wanted[0];
    if (first === undefined) return;
    const spread = new Set(
      skill.secrets
        .filter(
          ({ line, strength }) =>
            strength === "strong" &&
            !isExcused(line) &&
            wanted.some(
              (other) =>
                other.line.file === line.file && Math.abs(other.line.index - line.index) <= 15,
            ),
        )
        .map(({ what }) => what),
    );
    const several = Math.max(kinds.size, spread.size, countIn(first.line.around(3, 8))) >= 2;
    for (const { line, what } of wanted.slice(0, 5)) {
      const severity = several && !aboutAttacks && !/history/.test(what) ? "high" : "medium";
      yield {
        line,
        severity,
        message: `It reads ${several ? `${what} and other secrets` : what}; the description does not say why`,
      };
    }
  },
};

function isExcused(line: ScanLine): boolean {
  if (line.file.kind === "prose" && (isTaught(line) || isForbidden(line, line.text.length)))
    return true;
  return /\b(?:gitignore|never|exclude\w*|ignore\w*|redact\w*|permission|chmod|protect\w*|deny|block\w*|mask\w*|skip\w*|not read|do not|don'?t|denied|forbid\w*|restrict\w*|sensitive|warn\w*)\b/.test(
    line.around(1, 1),
  );
}

/** One list of paths may name several kinds. */
function countIn(text: string): number {
  return [...secretsIn(text)].filter((what) => !/memory|environment|\.env|instance/.test(what))
    .length;
}

/** The line, its neighbours, and the sentence that introduces its list. */
function introduced(line: ScanLine): string {
  const lead = line.lead >= 0 ? line.file.rawLine(line.lead).slice(0, 500).toLowerCase() : "";
  return `${lead} ${line.around(1, 1)}`;
}
