import { type Dirent, existsSync, lstatSync, readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, relative, sep } from "node:path";

/**
 * Folders that tell programs on this machine what to do, or hold keys. One list for scripts and for
 * the tools that write.
 */
const CONTROL_FOLDERS: readonly string[] = [
  ".git .hg .svn .jj .githooks .husky",
  // Skills, policies, records, servers to start.
  ".agent .agents .claude .botsharp .codex .cursor .gemini .windsurf .continue",
  // They start tasks when a folder is opened.
  ".vscode .idea .devcontainer",
  ".ssh .gnupg .aws .azure .kube .gcloud",
].flatMap((names) => names.split(" "));

/** Files that do the same. */
const CONTROL_FILES: readonly string[] = [
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
const SKILL_FILE = "SKILL.md";

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

const MAX_SKILL_DEPTH = 4;
const MAX_SKILL_FOLDERS = 500;

/** What makes a working directory one in which nothing is changed. */
export function controlPlaceOf(root: string): string | undefined {
  const isThere = (name: string) =>
    lstatSync(join(root, name), { throwIfNoEntry: false }) !== undefined;
  const isRepository = [REPOSITORY_HEAD, "objects", "refs"].every(isThere);
  return controlFolderOf(root) ?? (isRepository ? "a repository" : undefined);
}

/** The pattern that covers a path in a project's own skills, which are trusted with it. */
export function skillPattern(
  segments: readonly string[],
  hasSkills: () => boolean,
): string | undefined {
  if (foldName(segments[0] ?? "") !== SKILL_ROOT) return undefined;
  return isSkillFile(segments.at(-1) ?? "") || hasSkills() ? `/${SKILL_ROOT}/` : undefined;
}

function isSkillFile(name: string): boolean {
  return foldName(name) === foldName(SKILL_FILE);
}

/** Whether a folder holds a file that makes a skill of the folder it lies in, or a link to such a folder. */
export function holdsSkills(root: string): boolean {
  const open = [{ path: root, depth: 0 }];
  for (let seen = 0; seen < MAX_SKILL_FOLDERS; seen++) {
    const folder = open.shift();
    if (folder === undefined) return false;
    for (const entry of entriesOf(folder.path)) {
      const path = join(folder.path, entry.name);
      const isLinked = entry.isSymbolicLink() && existsSync(join(path, SKILL_FILE));
      if (isLinked || isSkillFile(entry.name)) return true;
      const isOpened = entry.isDirectory() && folder.depth < MAX_SKILL_DEPTH;
      if (isOpened) open.push({ path, depth: folder.depth + 1 });
    }
  }
  return false;
}

/** Empty when it cannot be read or is not a folder. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Other names of what the table has, and what git reads in a repository without a `.git`. */
const MORE_NAMES = "git~* *.git/config *.git/hooks .bash_* *profile.ps1";

const CREDENTIALS: readonly string[] = [
  ".env* .ssh .gnupg .aws .azure .kube .gcloud .config/gcloud .config/gh .oci .password-store",
  ".netrc _netrc .authinfo* .git-credentials .docker/config.json .dockercfg .htpasswd",
  ".pgpass pgpass.conf .my.cnf .mylogin.cnf .s3cfg .boto .rclone.conf .vault-token",
  ".cargo/credentials .cargo/credentials.toml .gem/credentials .databrickscfg",
  ".credentials.json .codex/auth.json .gemini/oauth_creds.json",
  "id_rsa id_dsa id_ecdsa id_ecdsa_sk id_ed25519 id_ed25519_sk id_xmss",
].flatMap((names) => names.split(" "));

/**
 * Files that are never written or deleted by a tool: they change what programs do on this machine,
 * or hold credentials. A name covers a file, or a folder and all that is in it, at any depth; `*`
 * matches any part of a name, and `/` at the beginning for the working directory. Upper and lower
 * case are one.
 */
export const PROTECTED_FILES: readonly string[] = [
  ...CONTROL_FOLDERS,
  ...CONTROL_FILES,
  ...MORE_NAMES.split(" "),
  ...CREDENTIALS,
  "authorized_keys",
  "known_hosts",
];

/**
 * Files whose content is a secret, for tools and for the sandbox: a search skips them, a read has
 * to name them, and a script finds them empty.
 */
export const SECRET_FILES: readonly string[] = [
  ...CREDENTIALS,
  ...[
    ".npmrc .pypirc *.env .*_history",
    "*.pem *.key *.p8 *.p12 *.pfx *.ppk *.jks *.keystore *.kdbx",
    "secrets.json secrets.toml secrets.yaml secrets.yml credentials.json client_secret*.json",
    "*.tfstate",
  ].flatMap((names) => names.split(" ")),
];

/** Templates that are meant to be shared: no pattern with a star covers them. */
const SHARED_TEMPLATE = String.raw`\.env(?:\.[^/]+)?\.(?:example|sample|template|dist|defaults)|(?:example|sample|template)\.env`;

/** The pattern that covers a path, given in parts from the working directory. */
export function matchingFile(
  segments: readonly string[],
  patterns: readonly string[],
): string | undefined {
  const path = segments.map(foldName).join("/");
  let anyOf = expressions.get(patterns);
  if (anyOf === undefined) {
    anyOf = new RegExp(patterns.map(sourceOf).join("|") || "(?!)");
    expressions.set(patterns, anyOf);
  }
  if (!anyOf.test(path)) return undefined;
  return patterns.find((pattern) => new RegExp(sourceOf(pattern)).test(path));
}

const expressions = new WeakMap<readonly string[], RegExp>();

function sourceOf(pattern: string): string {
  const names = pattern.toLowerCase().split("/");
  const sources = names.filter((name) => name !== "").map(nameSource);
  return `${pattern.startsWith("/") ? "^" : "(?:^|/)"}${sources.join("/")}(?:/|$)`;
}

function nameSource(name: string): string {
  const parts = name.split("*").map((part) => part.replaceAll(/[\\^$.+?()[\]{}|]/g, "\\$&"));
  const source = parts.join("[^/]*");
  return parts.length === 1 ? source : `(?!(?:${SHARED_TEMPLATE})(?:/|$))${source}`;
}

export interface SecretFiles {
  /** Real paths of files and folders below the root. */
  readonly paths: readonly string[];
  /** False when the root holds more than is searched. */
  readonly isComplete: boolean;
}

const MAX_DEPTH = 12;
const MAX_FOLDERS = 2000;
/** A sandbox covers each with a mount. */
const MAX_PATHS = 200;
/** Published packages, which hold test keys and root certificates, and the objects of git. */
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(["node_modules", "site-packages", ".git"]);

/**
 * Secret files below a real path. A link counts by its own name and by the real path it leads to,
 * and is reported as that path.
 */
export function secretFilesIn(root: string): SecretFiles {
  const paths = new Set<string>();
  const open: (readonly string[])[] = [[]];
  let isComplete = true;
  for (let next = 0; next < open.length; next++) {
    if (next === MAX_FOLDERS || paths.size > MAX_PATHS) {
      isComplete = false;
      break;
    }
    const folder = open[next] ?? [];
    for (const entry of entriesOf(join(root, ...folder))) {
      const segments = [...folder, entry.name];
      if (entry.isSymbolicLink()) {
        const secret = secretBehind(root, segments);
        if (secret !== undefined) paths.add(secret);
      } else if (isSecretFile(segments)) {
        paths.add(join(root, ...segments));
      } else if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) {
        if (segments.length > MAX_DEPTH) isComplete = false;
        else open.push(segments);
      }
    }
  }
  return { paths: [...paths].slice(0, MAX_PATHS), isComplete };
}

/** Where a link leads, when its name or its target is secret. */
function secretBehind(root: string, segments: readonly string[]): string | undefined {
  try {
    const path = realpathSync.native(join(root, ...segments));
    const real = relative(root, path).split(sep);
    // The root itself cannot be covered, and what lies outside is not visible in a sandbox.
    if (real[0] === "" || real[0] === "..") return undefined;
    return isSecretFile(segments) || matchingFile(real, SECRET_FILES) !== undefined
      ? path
      : undefined;
  } catch {
    return undefined;
  }
}

/** What a secret path ends with. Unlike `matchingFile`, most names fail it at their first letter. */
const SECRET_NAME = new RegExp(
  `^(?:${SECRET_FILES.map((pattern) => nameSource(pattern.toLowerCase().split("/").at(-1) ?? "")).join("|")})$`,
);

/** For a path whose folders are known not to be secret: no pattern has more than two parts. */
export function isSecretFile(segments: readonly string[]): boolean {
  const isNamed = SECRET_NAME.test(foldName(segments.at(-1) ?? ""));
  return isNamed && matchingFile(segments.slice(-2), SECRET_FILES) !== undefined;
}
