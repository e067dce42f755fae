import type { ScanLine, SecretRead, NetworkSend } from "../../context/scan-line.ts";
import { assignedAddress } from "../../context/spelled-commands.ts";
import { isPrivateHost, targetsOf } from "../../facts/hosts.ts";

interface Tool {
  readonly file: RegExp;
  /** Variables that say where the tool's service is. */
  readonly address: RegExp;
  readonly home: RegExp;
}

const WHERE = "(?:addr|address|url|uri|host|endpoint|server|registry|api|base|domain)";

/** Tools whose token is read from their own file by anybody who calls their service by hand. */
const TOOLS: readonly Tool[] = [
  tool(/\.vault-token/, "vault|bao", /vault|openbao/),
  tool(/\.config\/gh\b|gh\/hosts\.ya?ml|\.config\/hub\b/, "github|gh|ghe", /github|ghe\b/),
  tool(/\.git-credentials/, "git|github|gitlab|gitea|bitbucket", /git|bitbucket/),
  tool(/\.docker\/config/, "docker|registry", /docker|registry|ghcr|gcr\.io|quay|\becr\b/),
  tool(/\.npmrc/, "npm|npm_config|registry|node", /npm|registry/),
  tool(/\.pypirc/, "pypi|twine|pip", /pypi/),
  tool(/\.cargo\/credentials/, "cargo|crates", /crates/),
  tool(/\.gem\/credentials/, "gem|rubygems", /rubygems/),
  tool(/\.kube\/config/, "kube|kubernetes|k8s|apiserver|cluster", /kube|k8s|cluster/),
  tool(/\.terraform\.d/, "terraform|tf|tfe", /terraform/),
  tool(/\.aws\b/, "aws|s3", /amazonaws\.com|aws\.amazon\.com/),
  tool(/gcloud|application_default/, "gcp|google|gcloud", /googleapis\.com|google\.com/),
  tool(/\.azure\//, "azure|arm", /azure\.com|microsoft/),
];
const ASKED = /[$]\(\s*(?:npm|pnpm|yarn)\s+config\s+get\s+registry\s*\)/;
const VARIABLES = /[$]\{?(\w{1,60})/g;

/**
 * A tool's token that goes to the tool's own service: as a header, to the address that its user
 * configured or to the vendor. As a body, or to an address that the skill itself sets elsewhere, it is none.
 */
export function isOwnService(secret: SecretRead, { line, hosts }: NetworkSend): boolean {
  const used = TOOLS.find(({ file }) => file.test(secret.line.text));
  if (used === undefined) return false;
  if (isElsewhere(secret, line)) return true;
  if (hosts.length > 0 && hosts.every((host) => used.home.test(host) || isPrivateHost(host)))
    return true;
  if (!isHeader(line.text, secret)) return false;
  const own = targetsOf(line.text).filter(({ host }) => !/[$<{]/.test(host));
  if (own.some(({ host }) => !used.home.test(host) && !isPrivateHost(host))) return false;
  if (own.length > 0 || ASKED.test(line.text)) return true;
  const names = [...line.raw.matchAll(VARIABLES)].map(([, name = ""]) => name);
  const addresses = names.filter((name) => used.address.test(name.toLowerCase()));
  if (addresses.length === 0) return false;
  // A script that fixes the address decides where the token goes; instructions show an example.
  return (
    line.zone !== "code" ||
    addresses.every((name) => {
      const [set] = targetsOf(assignedAddress(line.file.lines, line.index, name).toLowerCase());
      return set === undefined || used.home.test(set.host) || isPrivateHost(set.host);
    })
  );
}

/** Instructions keep the token in a variable that this request does not use. */
function isElsewhere({ line }: SecretRead, use: ScanLine): boolean {
  const name = /^\s*(?:export\s+)?(\w{2,40})=["']?[$]\(/.exec(line.text)?.[1];
  return (
    name !== undefined &&
    line.zone === "fence" &&
    use !== line &&
    use.index !== line.index &&
    !new RegExp(`[$]\\{?${name}\\b`).test(use.text)
  );
}

/** Nothing of the request but its headers may carry the token. */
function isHeader(text: string, secret: SecretRead): boolean {
  const bare = text.replaceAll(
    /(?:\s-h|\s--header|\s-u|\s--user)[\s=]{0,2}(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'|\S{1,300})/g,
    " ",
  );
  if (bare === text) return false;
  const name = /(?:^|[\s;])(\w{2,40})=/.exec(secret.line.text)?.[1];
  if (name !== undefined && new RegExp(`[$]\\{?${name}\\b`).test(bare)) return false;
  return text !== secret.line.text || !TOOLS.some(({ file }) => file.test(bare));
}

function tool(file: RegExp, prefix: string, home: RegExp): Tool {
  return { file, home, address: new RegExp(`^(?:\\w*_)?(?:${prefix})_?(?:\\w*_)?${WHERE}\\b`) };
}
