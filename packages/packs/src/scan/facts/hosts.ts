/** Where a URL of a line leads. */
export interface Target {
  readonly url: string;
  readonly host: string;
  readonly isAddress: boolean;
  readonly isSecure: boolean;
}

const URLS = /\b(https?|ftp|wss?|tcp):\/\/([^\s/"'`<>()[\]{}|\\^:?#]{1,253})[^\s"'`<>|)\]]{0,300}/g;
const ADDRESS = /^(?:\d{1,3}\.){3}\d{1,3}$|^0x[\da-f]{8}$|^\d{8,10}$/;
const PRIVATE =
  /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.0\.0\.0|169\.254\.|localhost$|host\.docker\.internal$|.*\.(?:local|internal|localhost)$)/;

/** Services that keep what anybody sends, or show what anybody wrote. */
const CAPTURE =
  /(?:^|\.)(?:webhook\.site|webhook\.cool|requestbin\.\w+|pipedream\.net|requestcatcher\.com|beeceptor\.com|hookbin\.com|hookdeck\.com|postb\.in|ptsv\d?\.com|mockbin\.org|burpcollaborator\.net|oastify\.com|oast\.\w+|interact\.sh|interactsh\.com|canarytokens\.com|dnslog\.\w+|ceye\.io|ngrok\.io|ngrok-free\.(?:app|dev)|ngrok\.app|trycloudflare\.com|loca\.lt|localhost\.run|serveo\.net|transfer\.sh|file\.io|0x0\.st|temp\.sh|bashupload\.com|oshi\.at|gofile\.io|anonfiles\.com|catbox\.moe|tmpfiles\.org|uguu\.se|termbin\.com|ix\.io|sprunge\.us|dpaste\.\w+|paste\.rs|paste\.ee|hastebin\.com|ghostbin\.\w+|pastebin\.com|rentry\.(?:co|org)|glot\.io|controlc\.com|privatebin\.\w+|telegra\.ph)(?:\.|$)/;
const PASTE =
  /(?:^|\.)(?:pastebin\.com|rentry\.(?:co|org)|glot\.io|paste\.(?:rs|ee)|hastebin\.com|dpaste\.\w+|ghostbin\.\w+|controlc\.com|termbin\.com|ix\.io|sprunge\.us|0x0\.st|transfer\.sh|file\.io|temp\.sh|gofile\.io|catbox\.moe|anonfiles\.com|privatebin\.\w+|telegra\.ph|bit\.ly|tinyurl\.com|is\.gd|t\.ly|cutt\.ly|rb\.gy|shorturl\.at|tiny\.cc|rebrand\.ly|ngrok\.io|ngrok-free\.(?:app|dev)|trycloudflare\.com|loca\.lt|discordapp\.com|cdn\.discordapp\.com|mediafire\.com|mega\.nz|webhook\.site)(?:\.|$)/;
const OMINOUS =
  /(?:^|[.-])(?:evil\w*|attacker\w*|malicious\w*|malware\w*|hacker\w*|c2|cnc|exfil\w*|steal\w*|stealer|payload\w*|botnet|badguy\w*|phish\w*|rat|backdoor\w*|collector|skimmer|loot|pwn\w*|dropper|drop-zone|dropzone)(?:[.-]|$)/;

/** Where people are known to install from. */
const INSTALLERS =
  /^(?:sh\.rustup\.rs|rustup\.rs|astral\.sh|get\.docker\.com|bun\.(?:sh|com)|deno\.land|get\.pnpm\.io|install\.python-poetry\.org|fnm\.vercel\.app|get\.volta\.sh|volta\.sh|deb\.nodesource\.com|rpm\.nodesource\.com|fly\.io|get\.helm\.sh|get\.k3s\.io|sdk\.cloud\.google\.com|packages\.microsoft\.com|aka\.ms|cli\.github\.com|ollama\.com|claude\.ai|cursor\.com|opencode\.ai|install\.duckdb\.org|get\.sdkman\.io|nixos\.org|install\.determinate\.systems|foundry\.paradigm\.xyz|release\.solana\.com|release\.anza\.xyz|starship\.rs|mise\.run|mise\.jdx\.dev|get\.pulumi\.com|install\.meteor\.com|cli\.doppler\.com|raw\.githubusercontent\.com|github\.com|gitlab\.com|brew\.sh|dl\.k8s\.io|storage\.googleapis\.com|awscli\.amazonaws\.com|[\w.-]*\.amazonaws\.com|tailscale\.com|pkg\.cloudflare\.com|supabase\.com|railway\.(?:app|com)|vercel\.com|netlify\.com|convex\.dev|pixi\.sh|micro\.mamba\.pm|repo\.anaconda\.com|just\.systems|taskfile\.dev|getcomposer\.org|get\.modular\.com|modular\.com|dot\.net|get\.haskell\.org|get-ghcup\.haskell\.org|elixir-install\.org|zed\.dev|warp\.dev|apt\.llvm\.org|download\.docker\.com|go\.dev|dl\.google\.com|nodejs\.org|python\.org|www\.python\.org|bootstrap\.pypa\.io|huggingface\.co|gh\.io|app\.factory\.ai|x\.ai|cli\.inference\.sh)$/;

export function targetsOf(text: string): Target[] {
  const targets: Target[] = [];
  for (const [url, scheme, authority] of text.matchAll(URLS)) {
    const host = (authority ?? "").slice((authority ?? "").lastIndexOf("@") + 1).toLowerCase();
    targets.push({
      url,
      host,
      isAddress: ADDRESS.test(host),
      isSecure: scheme === "https" || scheme === "wss",
    });
  }
  return targets;
}

export const isPrivateHost = (host: string): boolean => PRIVATE.test(host);
export const isCaptureHost = (host: string): boolean => CAPTURE.test(host);
export const isPasteHost = (host: string): boolean => PASTE.test(host);
export const isOminousHost = (host: string): boolean => OMINOUS.test(host);
export const isInstallerHost = (host: string): boolean => INSTALLERS.test(host);

/** A bot or webhook address with its secret in it: anybody who writes there writes to its owner. */
export const BOT_ADDRESS =
  /api\.telegram\.org[\w.]{0,20}\/bot[^\s"'/]{1,80}\/send|discord(?:app)?\.com[\w.]{0,20}\/api\/(?:v\d+\/)?webhooks\/|hooks\.slack\.com[\w.]{0,20}\/services\//;

/** The service that a skill says it is for: the name that its owner had to register, not a part before it. */
export function isOwnHost(host: string, claim: string): boolean {
  const labels = host.split(".");
  const own = labels.at(-2) ?? "";
  return (
    own.length > 2 &&
    !GENERIC.test(own) &&
    (claim.includes(own) || claim.includes(own.replaceAll("-", " ")))
  );
}

const GENERIC = /^(?:com|co|org|net|example|cloud|api|app|dev|www|github|gitlab)$/;
