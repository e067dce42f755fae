const VERSION_CONTROL =
  ".git git~* .hg .svn .jj .gitconfig .gitmodules .githooks .husky .pre-commit-config.yaml";
/** Skills, policies, records, servers to start. */
const AGENTS =
  ".agent .agents .claude .claude.json .codex .cursor .gemini .windsurf .continue .mcp.json mcp.json skills.lock.json skills-lock.json";
/** They start tasks when a folder is opened. */
const EDITORS = ".vscode .idea .devcontainer .devcontainer.json .nvim.lua .exrc .vimrc";
const SHELLS =
  ".profile .bashrc .bash_* .zshrc .zprofile .zshenv .zlogin .zlogout .kshrc .cshrc .tcshrc .login .logout .inputrc config.fish *profile.ps1 .xprofile .xinitrc .xsessionrc .pam_environment";
/** They run, or fetch from, what their configuration says. */
const TOOLS =
  ".npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnpmfile.mjs .ripgreprc pip.conf .pypirc .gemrc .curlrc .wgetrc .tool-versions .mise.toml";
const CREDENTIALS =
  ".env* .ssh .gnupg .aws .azure .kube .docker/config.json .gcloud .netrc _netrc .git-credentials .pgpass .my.cnf .dockercfg .htpasswd id_rsa id_dsa id_ecdsa id_ed25519";

/**
 * Files that are never written or deleted by a tool: they change what programs do on this machine,
 * or hold credentials. A name covers a file, or a folder and all that is in it, at any depth; `*`
 * stands for any part of a name, and `/` at the beginning for the working directory. Upper and lower
 * case are one.
 */
export const PROTECTED_FILES: readonly string[] = [
  VERSION_CONTROL,
  AGENTS,
  EDITORS,
  SHELLS,
  TOOLS,
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
  const names = segments.map(fold);
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

/** As file systems that know no case, or leave characters out, compare names. */
function fold(name: string): string {
  return name
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase()
    .replace(/[. ]+$/, "");
}
