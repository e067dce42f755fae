import { foldName } from "./fold-name.ts";

const ARCHIVE = /\.(?:zip|skill|jar|tar|tgz|tbz2?|txz|gz|bz2|xz|zst|7z|rar)$/i;

/**
 * Why an entry is no part of any skill: what macOS adds to archives, a repository, and our own state. It is named
 * as people know it. Undefined for everything else.
 */
export function leftOutAs(segments: readonly string[]): string | undefined {
  if (!segments.some((segment) => /^[._]|[^ -~]/.test(segment))) return undefined;
  const folded = segments.map(foldName);
  const own = folded.find((segment) => segment === ".git" || segment === ".skillwright");
  if (own !== undefined) return own;
  if (folded[0] === "__macosx") return "__MACOSX";
  if (folded.at(-1) === ".ds_store") return ".DS_Store";
  return folded.some((segment) => segment.startsWith("._")) ? "._*" : undefined;
}

/** Whether a file is an archive by its name. It is never opened. */
export function isArchiveName(path: string): boolean {
  return ARCHIVE.test(path);
}
