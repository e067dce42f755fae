import type { NetworkSend } from "../../context/scan-line.ts";
import { isPrivateHost } from "../../facts/hosts.ts";

/** Names of variables that hold keys of well-known services, and the hosts these belong to. */
const VENDORS: readonly { readonly name: RegExp; readonly home: RegExp }[] = [
  {
    name: /\b(?:openai|azure_openai)_\w*(?:key|token)\b/,
    home: /openai|azure|openrouter|proxy|llm/,
  },
  {
    name: /\b(?:anthropic|claude)_\w*(?:key|token)\b/,
    home: /anthropic|claude|openrouter|proxy|llm/,
  },
  { name: /\baws_(?:secret|session|access)_\w+/, home: /amazonaws|aws|s3/ },
  { name: /\b(?:github|gh)_(?:\w+_)?(?:token|pat)\b/, home: /github|ghe/ },
  { name: /\bgitlab_\w*token\b/, home: /gitlab/ },
  { name: /\b(?:stripe)_\w*key\b/, home: /stripe/ },
  { name: /\b(?:google|gemini)_\w*(?:key|credentials)\b/, home: /google|gemini/ },
  { name: /\b(?:hf|huggingface)_\w*token\b/, home: /huggingface|hf\.co/ },
  { name: /\b(?:npm|node_auth)_token\b/, home: /npm/ },
  { name: /\bdatabase_url\b|\bdb_password\b/, home: /^(?!)/ },
  { name: /\bslack_\w*token\b/, home: /slack/ },
];
const FROM_ENVIRONMENT = /environ|getenv|process\.env|[$]\{?[A-Za-z_]|\benv[[.(]/;

/** How many services' keys a request carries in its body or address to a host that is not theirs. */
export function foreignKeys(use: NetworkSend): number {
  const { line, hosts } = use;
  const outside = hosts.filter((host) => !isPrivateHost(host) && !/[$<{]/.test(host));
  if (outside.length === 0 || line.zone !== "code") return 0;
  const near = line.around(3, 4);
  if (!FROM_ENVIRONMENT.test(near)) return 0;
  const foreign = VENDORS.filter(
    ({ name, home }) => name.test(near) && !outside.some((host) => home.test(host)),
  );
  const isHeader = /authorization|x-api-key|bearer|\bauth\s*=|private-token/.test(near);
  return isHeader && foreign.length < 2 ? 0 : foreign.length;
}
