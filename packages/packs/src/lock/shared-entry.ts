import type { PackOrigin } from "../pack-origin.ts";
import type { LockedSkill } from "./lock-file.ts";
import { relativePathProblem } from "./relative-path-problem.ts";
import type { SharedEntry } from "./shared-lock.ts";

const SHORTHAND = /^(?!\.)[\w.-]+\/(?!\.)[\w.-]+$/;
const GITHUB_URL = /^https:\/\/github\.com\/([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/i;

/**
 * What other clients need to get the same skill; undefined for what they cannot restore. They know
 * no archives. An npm package they know only from `node_modules`: given such an entry without the
 * package in place, they delete the skill's folder (seen with 1.7.4), so none is written.
 */
export function sharedEntry(skill: LockedSkill, computedHash: string): SharedEntry | undefined {
  const { origin } = skill;
  const { ref, source } = origin;
  const skillPath = skillFile(skill);
  if (origin.type === "local")
    return { source: localSource(source), sourceType: "local", computedHash };
  if (origin.type === "well-known") {
    const digest = origin.integrity === undefined ? {} : { wellKnownDigest: origin.integrity };
    const host = hostOf(source);
    if (host === undefined) return undefined;
    return { source: host, sourceUrl: source, sourceType: "well-known", computedHash, ...digest };
  }
  if (origin.type !== "git") return undefined;
  const reference = ref === undefined ? {} : { ref };
  const github = SHORTHAND.test(source) ? source : GITHUB_URL.exec(source)?.[1];
  if (github !== undefined) {
    return { source: github, ...reference, sourceType: "github", skillPath, computedHash };
  }
  const sourceType = hostOf(source) === "gitlab.com" ? "gitlab" : "git";
  return { source, sourceUrl: source, ...reference, sourceType, skillPath, computedHash };
}

/** Of the SKILL.md from the root of the repository, whether or not the pack began below it. */
function skillFile({ origin, skillPath }: LockedSkill): string {
  const { path = "" } = origin;
  const isBelow = path === "" || skillPath === path || skillPath.startsWith(`${path}/`);
  const folder = isBelow ? skillPath : [path, skillPath].filter((part) => part !== "").join("/");
  return folder === "" ? "SKILL.md" : `${folder}/SKILL.md`;
}

function localSource(source: string): string {
  const isMarked = /^(?:\.{1,2}(?:\/|$)|\/|[a-z]:)/i.test(source);
  return source === "" ? "." : isMarked ? source : `./${source}`;
}

function hostOf(url: string): string | undefined {
  try {
    return new URL(url).hostname.replace(/^www\./, "") || undefined;
  } catch {
    return undefined;
  }
}

export interface SharedOrigin {
  readonly origin: PackOrigin;
  /** The folder of the skill within the repository or package; absent when the entry names none. */
  readonly skillPath?: string;
  /** To be checked with `hasSharedHash` after fetching: this lock pins nothing else. */
  readonly computedHash?: string;
}

/** Where a skill of the shared lock comes from; undefined when that cannot be told safely. */
export function originOfShared(entry: SharedEntry): SharedOrigin | undefined {
  const { source, sourceUrl, sourceType, ref, version, computedHash } = entry;
  const texts = [source, sourceUrl, ref, version, entry.skillPath].filter(
    (text) => text !== undefined,
  );
  if (!texts.every(isPlain)) return undefined;
  const origin = originOf();
  const skillPath = folderOf(entry.skillPath);
  if (origin === undefined || skillPath === null) return undefined;
  const isHash = typeof computedHash === "string" && /^[0-9a-f]{64}$/.test(computedHash);
  return {
    origin,
    ...(skillPath === undefined ? undefined : { skillPath }),
    ...(isHash ? { computedHash } : undefined),
  };

  function originOf(): PackOrigin | undefined {
    const reference = ref === undefined ? {} : { ref };
    const url = sourceUrl ?? source;
    if (sourceType === "local") return { type: "local", source };
    if (sourceType === "github") {
      const isKnown = SHORTHAND.test(source) || GITHUB_URL.test(source);
      return isKnown ? { type: "git", source, ...reference } : undefined;
    }
    if (sourceType === "git" || sourceType === "gitlab") {
      // Without its URL it would be taken for a repository of another host.
      const isUrl = /^(?:https?|ssh|git|file):\/\//.test(url) || /^[\w.-]+@[\w.-]+:/.test(url);
      return isUrl ? { type: "git", source: url, ...reference } : undefined;
    }
    if (sourceType === "well-known") {
      return /^https?:\/\//.test(url) ? { type: "well-known", source: url } : undefined;
    }
    if (sourceType !== "node_modules") return undefined;
    return {
      type: "npm",
      source,
      ...(version === undefined ? {} : { ref: version, resolved: version }),
    };
  }
}

/** null when it leads elsewhere. */
function folderOf(skillFile: string | undefined): string | null | undefined {
  if (skillFile === undefined) return undefined;
  const folder = skillFile.replace(/(?:^|\/)SKILL\.md$/i, "").replace(/\/$/, "");
  return folder === "" || relativePathProblem(folder) === undefined ? folder : null;
}

const PASSWORD = /^[a-z+]+:\/\/[^/@]*:[^/@]*@/i;

/** No option of a program, no control character, no password. */
function isPlain(text: unknown): boolean {
  if (typeof text !== "string" || PASSWORD.test(text)) return false;
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  return /^(?!-)[^\u0000-\u001f\u007f-\u009f]{1,4096}$/.test(text);
}
