import { plural } from "@skillwright/core/internal";
import { join } from "node:path";
import { hasHiddenCharacters } from "../hidden-characters.ts";
import {
  controlPlaceOf,
  holdsSkills,
  matchingFile,
  PROTECTED_FILES,
  SECRET_FILES,
  SKILL_ROOT,
  skillPattern,
} from "../workspace/confinement/protected-files.ts";
import { type Change, parentsOf } from "./change.ts";
import type { Collected } from "./collect.ts";

export interface KeepLimits {
  readonly files: number;
  readonly bytes: number;
}

const KEEP_LIMITS: KeepLimits = { files: 10_000, bytes: 256 * 1024 * 1024 };

/**
 * What tools may write when a person saw the text, and scripts may not: it runs on other machines,
 * or when somebody opens the folder.
 */
const REFUSED_TO_SCRIPTS: readonly string[] = [
  // They run with the secrets of the project.
  ".github/workflows .github/actions .github/dependabot.yml .gitlab-ci.yml .gitlab .circleci",
  ".travis.yml .drone.yml .cirrus.yml .cirrus.star .woodpecker .woodpecker.yml .buildkite .forgejo",
  ".gitea azure-pipelines.yml bitbucket-pipelines.yml jenkinsfile appveyor.yml .appveyor.yml",
  ".semaphore codefresh.yml .teamcity buildspec.yml cloudbuild.yaml wercker.yml",
  // Agents obey them.
  ".github/copilot-instructions.md .github/instructions .github/prompts .github/agents",
  ".github/chatmodes .github/hooks .github/skills copilot-instructions.md agent.md agents.*.md",
  "claude.*.md gemini.*.md qwen.md crush.md warp.md .rules .cursorrules .cursorignore",
  ".windsurfrules .codeiumignore .clinerules .roorules .roorules-* .roomodes .roo .kilocode",
  ".kilocodemodes .continuerules .goosehints .goose .aider* .amazonq .kiro .augment",
  ".augment-guidelines .junie .trae .qwen .opencode opencode.json opencode.jsonc .crush crush.json",
  ".crush.json .factory .warp .zencoder .openhands .openhands_instructions .copilot .mcp mcp.*.json",
  ".claude-plugin .cursor-plugin .gemini-extension gemini-extension.json .antigravity .jules",
  // Editors and shells run them when a folder is opened or entered.
  ".zed .fleet .vs .theia .nova .idx *.code-workspace .gitpod.yml .gitpod .replit",
  ".dir-locals.el .dir-locals-2.el .emacs .emacs.d .lvimrc .nvimrc _vimrc .vim .kakrc .helix",
  ".mise mise.toml mise.*.toml .mise.*.toml .config/mise .rtx.toml .asdfrc .autoenv .autoenv.zsh",
  ".in .out .lando.yml devbox.json .devbox .devenv .hermit .flox .tmux.conf .screenrc .nix-shell",
  // Programs load them from where they are started.
  ".yarn .pnp.cjs .pnp.loader.mjs bunfig.toml .bunfig.toml .cargo rust-toolchain rust-toolchain.toml",
  ".mvn .bazelrc .bazeliskrc .buckconfig .bundle ansible.cfg .ansible.cfg .gdbinit .lldbinit",
  ".pdbrc .pdbrc.py .irbrc .pryrc .byebugrc .rspec .psqlrc .sqliterc .rprofile",
  ".renviron .octaverc .ghci .lein .sbtopts .jvmopts .terraformrc terraform.rc",
  "lefthook.yml .lefthook.yml lefthook-local.yml .lefthook .overcommit.yml .githooks",
  ".pre-commit-hooks.yaml .git-hooks .bzr _darcs .pijul .fslckout _fossil_ .fossil-settings .repo",
  ".netlify .vercel .wrangler .direnv .env-cmdrc .zsh_* .config/fish .config/git .xinitrc",
  // What is being applied.
  ".skillwright-apply-*",
].flatMap((names) => names.split(" "));

const FOR_SCRIPTS: readonly string[] = [...PROTECTED_FILES, ...REFUSED_TO_SCRIPTS];

/** Marks what is not kept, each with the reason. */
export function refuseChanges(
  { root, changes, repositories, isTruncated }: Collected,
  protectedFiles: readonly string[] = [],
  limits: KeepLimits = KEEP_LIMITS,
): readonly Change[] {
  const place = controlPlaceOf(root);
  const patterns = protectedFiles.length === 0 ? FOR_SCRIPTS : [...FOR_SCRIPTS, ...protectedFiles];
  const hasSkills = holdsSkills(join(root, SKILL_ROOT));
  let files = 0;
  let bytes = 0;
  const reasonOf = (change: Change): string | undefined => {
    const segments = change.path.split("/");
    if (change.refused !== undefined) return change.refused;
    if (place !== undefined) return `the working directory lies in ${place}`;
    const repository = repositories.find((folder) => isInside(folder, change.path));
    if (repository !== undefined) return "it lies in a repository, which can make git run programs";
    const secret = matchingFile(segments, SECRET_FILES);
    if (secret !== undefined) return `it is kept secret from scripts (${secret})`;
    const control = matchingFile(segments, patterns) ?? skillPattern(segments, () => hasSkills);
    if (control !== undefined) return `it tells other programs what to do (${control})`;
    return kindReason(change);
  };
  const limitReason = ({ after }: Change): string | undefined => {
    const size = after?.size ?? 0;
    if (files === limits.files) return `more than ${plural(limits.files, "change")}`;
    if (bytes + size > limits.bytes) return `more than ${plural(limits.bytes, "byte")} in all`;
    files++;
    bytes += size;
    return undefined;
  };
  const marked = changes.map((change) => {
    const refused = reasonOf(change) ?? limitReason(change);
    return refused === undefined ? change : { ...change, refused };
  });
  if (isTruncated) marked.push(truncation(marked.length));
  return withoutEmptied(withDependents(marked));
}

function kindReason({ path, kind, before, after }: Change): string | undefined {
  if (kind === "deleted") return before?.type === "special" ? "it is a special file" : undefined;
  if (after?.type === "link") return "it is a link";
  if (after?.type === "special") return "it is a special file";
  return hasHiddenCharacters(path) ? "its name has characters that are not shown" : undefined;
}

function truncation(count: number): Change {
  const after = { type: "special", size: 0, mode: 0 } as const;
  return { path: "…", kind: "created", after, refused: `only ${count} changes are looked at` };
}

/**
 * A folder that keeps something stays. What takes the place of something that stays is not made, nor
 * is what lies in it; and what would be replaced by something refused stays.
 */
function withDependents(changes: readonly Change[]): readonly Change[] {
  const kept = new Set<string>();
  const blocked = new Set<string>();
  const created = new Map(
    changes.filter(({ kind }) => kind === "created").map((change) => [change.path, change]),
  );
  const stays = (path: string) =>
    [...parentsOf(path), path].some((one) => created.get(one)?.refused !== undefined);
  // Deletions come from the inside out, what is made from the outside in.
  return changes.map((change) => {
    const { path, kind } = change;
    let { refused } = change;
    if (kind === "deleted") {
      if (stays(path)) refused ??= "what would replace it is refused";
      refused ??= kept.has(path) ? "it holds something that stays" : undefined;
      if (refused !== undefined) {
        for (const parent of parentsOf(path)) kept.add(parent);
        if (created.has(path)) blocked.add(path);
      }
    } else if (kind === "created") {
      if (blocked.has(path)) refused ??= "what it would replace stays";
      if (parentsOf(path).some((parent) => blocked.has(parent)))
        refused ??= "its folder is not made";
      if (refused !== undefined && change.after?.type === "folder") blocked.add(path);
    }
    return refused === undefined ? change : { ...change, refused };
  });
}

/** A folder that was made for what is refused is not made either. */
function withoutEmptied(changes: readonly Change[]): readonly Change[] {
  const kept = new Set<string>();
  const emptied = new Set<string>();
  for (const { path, refused } of changes.toReversed()) {
    const isKept = kept.has(path) || (refused === undefined && !emptied.has(path));
    for (const parent of parentsOf(path)) (isKept ? kept : emptied).add(parent);
  }
  return changes.map((change) => {
    const { path, kind, after, refused } = change;
    const isFolder = kind === "created" && after?.type === "folder" && refused === undefined;
    if (!isFolder || !emptied.has(path) || kept.has(path)) return change;
    return { ...change, refused: "nothing in it is kept" };
  });
}

function isInside(folder: string, path: string): boolean {
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}
