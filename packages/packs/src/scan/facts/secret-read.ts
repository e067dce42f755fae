import { isMessage, isPattern, isTaught } from "../context/teaching-context.ts";
import type { ScanFile } from "../context/scan-file.ts";
import type { ScanLine } from "../context/scan-line.ts";
import type { FactCollector } from "../scan-check.ts";

/** A line that names a secret so that it would be read. */
export interface SecretRead {
  readonly line: ScanLine;
  /** For people: "SSH private keys". */
  readonly what: string;
  /** `weak` ones are read by many honest programs. */
  readonly strength: "weak" | "strong";
  /** Hosts that it belongs to. */
  readonly home: RegExp;
}

interface SecretPlace {
  readonly what: string;
  readonly at: RegExp;
  readonly home?: RegExp;
  readonly strength?: "weak";
}

const NOWHERE = /^(?!)/;

/** Each names one kind; the first that fits a line is taken. */
const SECRET_PLACES: readonly SecretPlace[] = [
  {
    what: "SSH private keys",
    at: /\bid_(?:rsa|ed25519|ecdsa|dsa)\b(?!\.pub)|[~}\w"'/)]\/?\.ssh(?:\/(?!config\b|known_hosts\b|authorized_keys\b|[\w*.-]{0,40}\.pub\b)[\w*.-]|\/?["'`*\s),]|\/?$)|["']\.ssh["']/,
  },
  {
    what: "AWS credentials",
    at: /\.aws[/\\]{1,2}credentials|["']\.aws["']|\.aws\/?["'\s),*]/,
    home: /amazonaws\.com|aws\.amazon\.com/,
  },
  {
    what: "cloud credentials",
    at: /application_default_credentials|\.azure\/(?:accesstokens|msal_token|azureprofile)|\.config\/gcloud|\.oci\/config|\.config\/doctl/,
    home: /googleapis\.com|google\.com|azure\.com|microsoft/,
  },
  { what: "Kubernetes credentials", at: /\.kube\/config/, home: /kubernetes|k8s|cluster/ },
  {
    what: "browser passwords or cookies",
    at: /login data\b|cookies\.sqlite|key4\.db|logins\.json|chrome\/user data|google[/\\]{1,2}chrome[/\\]{1,2}(?:default|user data|profile)|firefox\/profiles|brave-browser|network\/cookies|(?:chrome|chromium|edge)[^\n]{0,60}(?:cookies|local state|web data)\b/,
  },
  {
    what: "the keychain",
    at: /security\s+(?:find-(?:generic|internet)-password|dump-keychain|export)|keychain-db|login\.keychain|secret-tool\s+(?:lookup|search)|cmdkey\s+\/list|vaultcmd|dpapi|cryptunprotectdata|keyrings?\/(?:login|default)/,
  },
  {
    what: "wallets or seed phrases",
    at: /wallet\.dat|\.ethereum\/keystore|solana\/id\.json|exodus\.wallet|electrum\/wallets|\.electrum\b|nkbihfbeogaeaoehlefnkodbefgpgknn|(?:phantom|metamask|exodus|ledger live|trezor|atomic|coinomi|keplr)[^\n]{0,40}(?:wallet|vault|extension|storage|leveldb|local extension)|(?:seed|recovery|mnemonic)[ _-]phrases?|\.bitcoin\/|keystore\/utc--|local extension settings/,
  },
  {
    what: "tokens of other tools",
    at: /\.git-credentials|\.netrc\b|\.pgpass|\.pypirc|\.npmrc|\.docker\/config\.json|\.vault-token|gh\/hosts\.ya?ml|\.config\/gh\b|\.gem\/credentials|\.terraform\.d\/credentials|\.config\/hub\b|\.cargo\/credentials|\.gnupg|\.password-store|1password|\.config\/op\b|\.boto\b|\.s3cfg|rclone\.conf/,
    home: /github|gitlab|npmjs|pypi|docker|vault|postgres|terraform/,
  },
  {
    what: "tokens of the agent",
    at: /\.claude\/\.credentials|\.claude\.json|\.codex\/auth|\.cursor\/mcp\.json|\.openclaw\/(?:openclaw\.json|credentials|\.env|config|agents|secrets)|\.clawdbot\/|\.moltbot\/|claude_desktop_config|\.config\/(?:openai|anthropic)|\.gemini\/oauth/,
    home: /anthropic|claude\.ai|openai|chatgpt|googleapis|openclaw|cursor/,
  },
  {
    what: "system passwords",
    at: /\/etc\/(?:shadow|gshadow|master\.passwd)|\bsam\b[^\n]{0,30}\bhive|reg\s+save\s+hklm\\(?:sam|security)|ntds\.dit|\blsass\b/,
  },
  {
    what: "shell history",
    at: /\.(?:bash|zsh|python|psql|mysql)_history|consolehost_history|\.node_repl_history/,
  },
  {
    what: "conversations or memory of the agent",
    at: /\.claude\/(?:projects|history|todos|transcripts)|history\.jsonl|\.openclaw\/(?:memory|workspace|sessions)|\b(?:soul|memory|heartbeat|identity)\.md\b|\.codex\/sessions/,
  },
  { what: "the whole environment", at: environmentDump() },
  {
    what: ".env files",
    at: /(?:^|[\s"'`/@(=])\.env(?:\.(?:local|production|prod|development))?(?=["'`\s);,&|]|$)/,
    strength: "weak",
  },
  {
    what: "instance credentials",
    at: /169\.254\.169\.254|metadata\.google\.internal|169\.254\.170\.2/,
    home: /169\.254|metadata/,
  },
];

const ENVIRONMENT: SecretPlace = { what: "the whole environment", at: environmentDump() };
const HELD =
  /\b(\w{1,40})\s*(?::\s*[\w<>, ]{1,40})?=\s*(?:\{\s*\.\.\.|object\.assign\(\{\},\s*)?(?:process\.env|os\.environ|import\.meta\.env)\b(?![.[\w])/;

/** A variable that holds all of it and is later made a text. */
function isWholeEnvironment(line: ScanLine): boolean {
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

const environments = new WeakMap<ScanFile, Map<string, boolean>>();
const MAX_NAMES = 20;
const MAX_SEARCHED = 100_000;

function environmentDump(): RegExp {
  return new RegExp(
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
}

/** Somebody looks at variables on the screen. */
const LOCAL_LIST =
  /\b(?:env|printenv)\s*\|\s*(?:sort|grep|head|tail|less|wc|awk|sed|cut|more|jq|fzf)\b(?!.*\b(?:curl|wget|nc|base64|post|socat)\b)|\benv\s*\|?[^|]*>{1,2}\s*["']?[\w./~$-]+\s*$/;

export const secretReads: FactCollector = {
  words: [
    ".ssh",
    "id_rsa",
    "id_ed25519",
    "id_ecdsa",
    ".aws",
    "_default_credentials",
    ".azure/",
    ".config/gcloud",
    ".kube/config",
    "login data",
    "cookies.sqlite",
    "key4.db",
    "logins.json",
    "user data",
    "chrome",
    "firefox",
    "brave-browser",
    "local state",
    "keychain",
    "security find-",
    "secret-tool",
    "vaultcmd",
    "dpapi",
    "cryptunprotect",
    "keyring",
    "wallet",
    ".ethereum",
    "solana/id",
    "exodus",
    "electrum",
    "nkbihfbeo",
    "metamask",
    "phantom",
    "seed phrase",
    "recovery phrase",
    "mnemonic",
    "keystore",
    "extension settings",
    ".git-credentials",
    ".netrc",
    ".pgpass",
    ".pypirc",
    ".npmrc",
    ".docker/config",
    ".vault-token",
    "gh/hosts",
    ".config/gh",
    ".gnupg",
    ".password-store",
    "1password",
    "rclone.conf",
    ".cargo/credentials",
    ".claude/",
    ".claude.json",
    ".codex/",
    ".cursor/mcp",
    ".openclaw",
    ".clawdbot",
    ".moltbot",
    "claude_desktop",
    "/etc/shadow",
    "lsass",
    "ntds",
    "_history",
    "history.jsonl",
    "soul.md",
    "memory.md",
    "identity.md",
    "heartbeat.md",
    "os.environ",
    "process.env",
    "printenv",
    "env |",
    "(env)",
    "env >",
    "`env`",
    "export -p",
    "env.to_h",
    "env.map",
    "env.each",
    "env.inspect",
    "%env",
    "env:",
    "getenvironmentvariables",
    "/environ",
    ".env",
    "169.254.",
    "metadata.google",
    ".boto",
    ".s3cfg",
  ],
  collect: (line) => {
    const found = secretOf(line.text) ?? (isWholeEnvironment(line) ? ENVIRONMENT : undefined);
    if (found === undefined || (line.zone === "comment" && line.file.kind === "script")) return;
    if (
      AT_WORK.test(line.text) &&
      !/curl|wget|base64|\bnc\b|cat\s|\bcp\s|\btar\s|\bzip\s/.test(line.text)
    )
      return;
    if (OWN_OPTION.test(line.text)) return;
    const at = Math.max(0, line.text.search(found.at));
    if (line.file.kind === "script" && (isPattern(line) || isMessage(line, at))) return;
    if (line.file.kind === "prose" && isTaught(line)) return;
    if (LOCAL_LIST.test(line.text)) return;
    if (
      found.what === "the whole environment" &&
      /\benv\s*[=:]|subprocess|popen|spawn|exec(?:file|a)?\(|\brun\(/.test(line.text) &&
      !/post|send|curl|upload/.test(line.text)
    )
      return;
    line.file.skill.noteSecret({
      line,
      what: found.what,
      strength: found.strength ?? "strong",
      home: found.home ?? NOWHERE,
    });
  },
};

const ANY_SECRET = new RegExp(SECRET_PLACES.map(({ at }) => at.source).join("|"));

/** A key that is made, guarded or used where it belongs is not read. */
const AT_WORK =
  /\bssh-(?:keygen|add|copy-id|agent)\b|\bchmod\b|\b(?:ssh|scp|sftp|rsync|mosh|autossh)\b[^\n]{0,80}\s-i\s|identityfile|key_filename|private_key_file|ansible_ssh|git_ssh_command|\[\s+!?\s*-[fed]\s|\btest\s+-[fed]\s|^\s*(?:ls|mkdir|touch)\s/;

/** The tool is told where its own file is. */
const OWN_OPTION =
  /--netrc-file[\s=]|--kubeconfig[\s=]|\bkubeconfig\s*=\s*["']?[~$/][^\s;|&]{0,80}["']?\s*(?:$|;|&&|kubectl|helm)|\b(?:aws_shared_credentials_file|aws_config_file|npm_config_userconfig|docker_config|google_application_credentials|pgpassfile|cloudsdk_config)\s*=|--userconfig[\s=]|\bdocker\s+--config\s/;

/** All kinds that a text names. */
export function secretsIn(text: string): Set<string> {
  return new Set(SECRET_PLACES.filter(({ at }) => at.test(text)).map(({ what }) => what));
}

export function secretOf(text: string): SecretPlace | undefined {
  if (!ANY_SECRET.test(text)) return undefined;
  return SECRET_PLACES.find(({ at }) => at.test(text));
}
