import { CONTROL_FILES, CONTROL_FOLDERS, foldName } from "./control-names.ts";

/** Other names of what the table has, and what git reads in a repository without a `.git`. */
const MORE_NAMES = "git~* *.git/config *.git/hooks .bash_* *profile.ps1";
const CREDENTIALS =
  ".env* .ssh .gnupg .aws .azure .kube .docker/config.json .gcloud .netrc _netrc .git-credentials .pgpass .my.cnf .dockercfg .htpasswd id_rsa id_dsa id_ecdsa id_ed25519";

/**
 * Files that are never written or deleted by a tool: they change what programs do on this machine,
 * or hold credentials. A name covers a file, or a folder and all that is in it, at any depth; `*`
 * stands for any part of a name, and `/` at the beginning for the working directory. Upper and lower
 * case are one.
 */
export const PROTECTED_FILES: readonly string[] = [
  ...CONTROL_FOLDERS,
  ...CONTROL_FILES,
  MORE_NAMES,
  CREDENTIALS,
  "authorized_keys known_hosts",
].flatMap((names) => names.split(" "));

/** Files whose content is a secret: a search passes them over, a read must name them. */
export const SECRET_FILES: readonly string[] = [
  CREDENTIALS,
  ".npmrc .pypirc *.pem *.p12 *.pfx *.key",
].flatMap((names) => names.split(" "));

/** Templates that are meant to be shared. */
const SHARED_TEMPLATES: ReadonlySet<string> = new Set([
  ".env.example",
  ".env.sample",
  ".env.template",
  ".env.dist",
]);

/** The pattern that covers a path, given in parts from the working directory. */
export function matchingFile(
  segments: readonly string[],
  patterns: readonly string[],
): string | undefined {
  const names = segments.map(foldName);
  return patterns.find((pattern) => covers(pattern.toLowerCase(), names));
}

function covers(pattern: string, names: readonly string[]): boolean {
  const parts = pattern.split("/").filter((part) => part !== "");
  const lastStart = pattern.startsWith("/") ? 0 : names.length - parts.length;
  for (let start = 0; start <= lastStart; start++) {
    if (parts.every((part, i) => matchesName(part, names[start + i] ?? ""))) return true;
  }
  return false;
}

function matchesName(pattern: string, name: string): boolean {
  const star = pattern.indexOf("*");
  if (star === -1) return pattern === name;
  if (SHARED_TEMPLATES.has(name)) return false;
  const [head, tail] = [pattern.slice(0, star), pattern.slice(star + 1)];
  const isLongEnough = name.length >= head.length + tail.length;
  return isLongEnough && name.startsWith(head) && name.endsWith(tail);
}
