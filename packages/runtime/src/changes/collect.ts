import { plural, TimeSlice } from "@skillwright/core/internal";
import { type BigIntStats, closeSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { hasHiddenCharacters } from "../hidden-characters.ts";
import type { OpenFolder } from "../workspace/confinement/open-folder.ts";
import {
  controlPlaceOf,
  foldName,
  holdsSkills,
  matchingFile,
  PROTECTED_FILES,
  SECRET_FILES,
  SKILL_ROOT,
  skillPattern,
} from "../workspace/confinement/protected-files.ts";
import {
  type Change,
  digestOf,
  entryOf,
  identityOf,
  type Manifest,
  modeOf,
  parentsOf,
  type RealEntry,
  realEntryOf,
  typeOf,
} from "./change.ts";

interface CollectOptions {
  /** The view as scripts see it. */
  readonly merged: OpenFolder;
  /** Its upper layer: where to look. */
  readonly upper: OpenFolder;
  /** The real working directory: what was. */
  readonly real: OpenFolder;
  /** Real path of it. */
  readonly root: string;
  /** Time of the file system at the start, in nanoseconds. */
  readonly since: bigint;
  /** Paths that the view does not show. */
  readonly masked: ReadonlySet<string>;
  /** What was collected before in this run: a script saw the real files as they were then. */
  readonly previous?: Manifest | undefined;
  /** Digests of the last time, by path: reading each copy again for every script would take most of the time. */
  readonly digests: Map<string, { readonly identity: string; readonly digest: string }>;
}

export interface Collected extends Manifest {
  /** Folders that git takes for a repository. */
  readonly repositories: readonly string[];
  /** There are more changes than are looked at. */
  readonly isTruncated: boolean;
  /** Files that were written again since the last time, with the same content. */
  readonly rewritten: ReadonlySet<string>;
}

/** A folder in each of the three trees, as far as it is there. */
interface Level {
  readonly path: string;
  readonly depth: number;
  readonly merged: OpenFolder | undefined;
  readonly upper: OpenFolder | undefined;
  readonly real: OpenFolder | undefined;
}

/** What has a name in one of them. */
interface Named {
  readonly name: string;
  readonly path: string;
  readonly stats: BigIntStats;
  readonly folder: OpenFolder;
}

const MAX_CHANGES = 20_000;
/** A descriptor in each of three trees is open on every level. */
const MAX_DEPTH = 64;
/** A real file above this has no digest: whether it was touched shows in its times. */
const MAX_DIGEST_BYTES = 64n * 1024n * 1024n;

class TooManyError extends Error {}

/**
 * Compares the view with the real working directory. The upper layer only says where to look, so
 * nothing depends on how the kernel writes down what is gone. Links are never followed.
 */
export async function collect(options: CollectOptions): Promise<Collected> {
  const { root, since, masked, previous, digests } = options;
  const deleted: Change[] = [];
  const rest: Change[] = [];
  const repositories: string[] = [];
  const rewritten = new Set<string>();
  const earlier = new Map(previous?.changes.map((change) => [keyOf(change), change]));
  const slice = new TimeSlice();
  let isTruncated = false;
  try {
    await compareFolder({ ...options, path: "", depth: 0 });
  } catch (error) {
    if (!(error instanceof TooManyError)) throw error;
    isTruncated = true;
  }
  return { root, changes: [...deleted, ...rest], repositories, isTruncated, rewritten };

  function add(change: Change): void {
    if (deleted.length + rest.length >= MAX_CHANGES) throw new TooManyError();
    // The script based its version on the file that was there when it first changed it.
    const { before = change.before, conflict = change.conflict } = earlier.get(keyOf(change)) ?? {};
    const list = change.kind === "deleted" ? deleted : rest;
    list.push({ ...change, ...(before && { before }), ...(conflict && { conflict }) });
  }

  function addInvalid(folder: string, kind: Change["kind"], shown: string): void {
    const after = { type: "special", size: 0, mode: 0 } as const;
    add({
      path: folder === "" ? shown : `${folder}/${shown}`,
      kind,
      after,
      refused: "its name is not valid text",
    });
  }

  async function compareFolder({ path, merged, upper, real, depth }: Level): Promise<void> {
    const shown = new Set(merged?.names());
    if (isRepository(shown)) repositories.push(path);
    const inUpper = new Set(upper?.names((name) => addInvalid(path, "created", name)));
    const addGone = (name: string) => addInvalid(path, "deleted", name);
    const names = real?.names(merged === undefined ? addGone : undefined) ?? [];
    const hidden = names.filter((name) => !shown.has(name));
    for (const name of [...new Set([...inUpper, ...hidden])].toSorted()) {
      if (slice.isOver) await slice.rest();
      const level = { path: path === "" ? name : `${path}/${name}`, merged, upper, real, depth };
      await compareEntry(name, level, inUpper.has(name));
    }
  }

  /** The path of the level is that of the entry. */
  async function compareEntry(name: string, level: Level, isInUpper: boolean): Promise<void> {
    const { path } = level;
    const after = named(name, path, level.merged);
    const before = named(name, path, level.real);
    // Hidden by us, or made by someone else in a folder that a script replaced.
    const mayBeHidden = after === undefined && level.merged !== undefined && !isInUpper;
    if (mayBeHidden && (masked.has(path) || isRecent(before))) return;
    const type = after && typeOf(after.stats);
    if (after !== undefined && before !== undefined && type === typeOf(before.stats)) {
      if (type === "link" && targetOf(after) === targetOf(before)) return;
      if (type === "file") return isInUpper ? changedFile(after, before) : undefined;
      if (type === "folder") {
        if (modeOf(after.stats) !== modeOf(before.stats)) {
          add({ path, kind: "mode", before: realOf(before), after: entryOf(after.stats) });
        }
        return isInUpper ? enter(level, after, before) : undefined;
      }
    }
    if (before !== undefined) await removed(before, level);
    if (after !== undefined) await created(after, level);
  }

  async function changedFile(after: Named, before: Named): Promise<void> {
    const { path, stats } = after;
    // Made by the script, and now there as well, or touched while it ran.
    const wasTouched = earlier.get(`+${path}`)?.kind === "created" || isRecent(before);
    const digest = await copyDigest(after);
    const old = realOf(before);
    const isSame = old.digest === digest;
    if (isSame && modeOf(stats) === old.mode) return;
    add({
      path,
      kind: isSame ? "mode" : "modified",
      before: old,
      after: entryOf(stats, digest),
      ...(wasTouched && { conflict: true }),
    });
  }

  async function created(entry: Named, level: Level): Promise<void> {
    const { path, stats } = entry;
    const type = typeOf(stats);
    const digest = type === "file" ? await copyDigest(entry) : undefined;
    const target = type === "link" && { target: targetOf(entry) };
    const after = { ...entryOf(stats, digest), ...target };
    add({ path, kind: "created", after, ...tooDeep(stats, level) });
    if (type === "folder") await enter(level, entry, undefined);
  }

  async function removed(entry: Named, level: Level): Promise<void> {
    const { path, stats } = entry;
    const isFolder = stats.isDirectory();
    if (isFolder) await enter(level, undefined, entry);
    const target = stats.isSymbolicLink() && { target: targetOf(entry) };
    add({
      path,
      kind: "deleted",
      before: { ...realOf(entry), ...target },
      ...tooDeep(stats, level),
      // Changes inside a folder change its times too.
      ...(!isFolder && isRecent(entry) && { conflict: true as const }),
    });
  }

  /** A folder in the view, in the real working directory, or in both. */
  async function enter(
    { path, depth, upper }: Level,
    after: Named | undefined,
    before: Named | undefined,
  ): Promise<void> {
    if (depth >= MAX_DEPTH) return;
    const opened: OpenFolder[] = [];
    const open = (parent: OpenFolder | undefined, name: string) => {
      const folder = parent?.folder(name);
      if (folder !== undefined) opened.push(folder);
      return folder;
    };
    const compare = (merged?: OpenFolder, layer?: OpenFolder) =>
      compareFolder({ path, depth: depth + 1, merged, upper: layer, real });
    let real: OpenFolder | undefined;
    try {
      real = before && quietly(() => open(before.folder, before.name));
      if (after === undefined) return await compare();
      const { folder, name, stats } = after;
      // A script may have made it unreadable for itself.
      await folder.readable(name, stats, () => compare(open(folder, name), open(upper, name)));
    } finally {
      for (const folder of opened) folder.close();
    }
  }

  function isRecent(real: Named | undefined): boolean {
    return real !== undefined && real.stats.ctimeNs > since;
  }

  function realOf(entry: Named): RealEntry {
    const { path, stats } = entry;
    const isRead = stats.isFile() && stats.size <= MAX_DIGEST_BYTES && !masked.has(path);
    return realEntryOf(stats, isRead ? quietly(() => fileDigest(entry)) : undefined);
  }

  async function copyDigest(entry: Named): Promise<string> {
    const { name, path, stats, folder } = entry;
    const identity = identityOf(stats);
    const known = digests.get(path);
    if (known?.identity === identity) return known.digest;
    const digest = await folder.readable(name, stats, () => fileDigest(entry));
    if (known?.digest === digest) rewritten.add(path);
    // To be read, it may have been given another mode for a moment.
    digests.set(path, { identity: identityOf(folder.stats(name) ?? stats), digest });
    return digest;
  }
}

function named(name: string, path: string, folder: OpenFolder | undefined): Named | undefined {
  const stats = folder?.stats(name);
  return folder && stats && { name, path, stats, folder };
}

function fileDigest({ folder, name }: Named): string {
  const descriptor = folder.open(name);
  try {
    return digestOf(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function targetOf({ folder, name }: Named): string {
  return readlinkSync(folder.child(name));
}

/** Undefined where the system refuses. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function tooDeep(stats: BigIntStats, { depth }: Level): { readonly refused?: string } {
  const isTooDeep = stats.isDirectory() && depth >= MAX_DEPTH;
  return isTooDeep ? { refused: `it lies below ${MAX_DEPTH} folders` } : {};
}

function keyOf({ path, kind }: Change): string {
  return `${kind === "deleted" ? "-" : "+"}${path}`;
}

/** As git decides: `commondir` says that objects and refs are elsewhere. */
function isRepository(names: ReadonlySet<string>): boolean {
  const folded = new Set([...names].map(foldName));
  if (!folded.has("head")) return false;
  return folded.has("commondir") || (folded.has("objects") && folded.has("refs"));
}

interface KeepLimits {
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
