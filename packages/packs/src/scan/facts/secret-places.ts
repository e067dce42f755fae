import { ENVIRONMENT_DUMP } from "./whole-environment.ts";

export interface SecretPlace {
  readonly what: string;
  readonly at: RegExp;
  readonly home?: RegExp;
  readonly strength?: "weak";
}

export const ENVIRONMENT: SecretPlace = { what: "the whole environment", at: ENVIRONMENT_DUMP };

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
    what: "settings of the agent",
    at: /\.openclaw\/(?:openclaw\.json|credentials|\.env|config|agents|secrets)|\.clawdbot\/|\.moltbot\//,
    home: /openclaw|clawd|molt/,
    strength: "weak",
  },
  {
    what: "tokens of the agent",
    at: /\.claude\/\.credentials|\.claude\.json|\.codex\/auth|\.cursor\/mcp\.json|claude_desktop_config|\.config\/(?:openai|anthropic)|\.gemini\/oauth/,
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
  ENVIRONMENT,
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

const ANY_SECRET = new RegExp(SECRET_PLACES.map(({ at }) => at.source).join("|"));

/** All kinds that a text names. */
export function secretsIn(text: string): Set<string> {
  return new Set(SECRET_PLACES.filter(({ at }) => at.test(text)).map(({ what }) => what));
}

export function secretOf(text: string): SecretPlace | undefined {
  if (!ANY_SECRET.test(text)) return undefined;
  return SECRET_PLACES.find(({ at }) => at.test(text));
}
