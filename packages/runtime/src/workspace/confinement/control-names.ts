import { homedir } from "node:os";
import { isAbsolute, relative, sep } from "node:path";

/**
 * Folders that tell programs on this machine what to do, or hold keys. One list for scripts and for
 * the tools that write.
 */
export const CONTROL_FOLDERS: readonly string[] = [
  ".git .hg .svn .jj .githooks .husky",
  // Skills, policies, records, servers to start.
  ".agent .agents .claude .botsharp .codex .cursor .gemini .windsurf .continue",
  // They start tasks when a folder is opened.
  ".vscode .idea .devcontainer",
  ".ssh .gnupg .aws .azure .kube .gcloud",
].flatMap((names) => names.split(" "));

/** Files that do the same. */
export const CONTROL_FILES: readonly string[] = [
  ".gitconfig .gitmodules .gitattributes .pre-commit-config.yaml",
  "AGENTS.md CLAUDE.md GEMINI.md .claude.json .mcp.json mcp.json appsettings.json",
  "skills.lock.json skills-lock.json",
  ".devcontainer.json .nvim.lua .exrc .vimrc",
  ".profile .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .envrc",
  ".zshrc .zprofile .zshenv .zlogin .zlogout .kshrc .cshrc .tcshrc .login .logout .inputrc",
  "config.fish .xprofile .xinitrc .xsessionrc .pam_environment",
  // They run, or fetch from, what their configuration says.
  ".npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnpmfile.mjs .ripgreprc pip.conf .pypirc .gemrc",
  ".curlrc .wgetrc .tool-versions .mise.toml sitecustomize.py usercustomize.py",
].flatMap((names) => names.split(" "));

/** With `objects` and `refs` beside it, this file makes any folder a repository. */
export const REPOSITORY_HEAD = "HEAD";

/** Of a project, read without being named; the others lie in control folders. */
export const SKILL_ROOT = "skills";
export const SKILL_FILE = "SKILL.md";

const FOLDERS: ReadonlySet<string> = new Set(CONTROL_FOLDERS);

export function isControlFolder(name: string): boolean {
  return FOLDERS.has(foldName(name));
}

/**
 * The control folder that a real path lies in or is. What a home folder itself lies in is the
 * system's affair.
 */
export function controlFolderOf(path: string, home: string = homedir()): string | undefined {
  const way = relative(home, path);
  const isOutside = way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);
  return (isOutside ? path : way).split(sep).find(isControlFolder);
}

/** Nothing to fold but case. */
const PLAIN_NAME = /^[!-~]*[!-\-/-~]$/;

/** As file systems that know no case, or leave characters out, compare names. */
export function foldName(name: string): string {
  if (PLAIN_NAME.test(name)) return name.toLowerCase();
  return name
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase()
    .replace(/(?<![. ])[. ]+$/, "");
}
