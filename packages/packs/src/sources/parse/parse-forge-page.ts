import type { PackFailure } from "../../pack-failure.ts";
import { foreignText } from "../foreign-text.ts";
import { sourceFailure } from "../source-failure.ts";
import { parseGitUrl } from "./parse-git-source.ts";
import type { GitSource } from "./parsed-source.ts";
import { isRef, parseFolder, type SourceSuffix } from "./source-suffix.ts";

/** Forges whose pages at `/owner/repo` are repositories. */
const FORGES = /^(?:www\.)?(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org)$/;
const GITHUB = /^(?:www\.)?github\.com$/;
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** The repository behind a page that a person copied from the browser; undefined for other pages. */
export function parseForgePage(
  url: URL,
  suffix: SourceSuffix,
): GitSource | PackFailure | undefined {
  if (url.protocol !== "https:") return undefined;
  const parts = url.pathname.split("/").filter((part) => part !== "");
  const dash = parts.indexOf("-");
  if (dash >= 2 && /^(?:tree|blob)$/.test(parts[dash + 1] ?? "")) {
    return pageOf(url, parts.slice(0, dash), parts.slice(dash + 2), suffix);
  }
  if (!FORGES.test(url.hostname)) return undefined;
  if (GITHUB.test(url.hostname) && /^(?:tree|blob)$/.test(parts[2] ?? "")) {
    return pageOf(url, parts.slice(0, 2), parts.slice(3), suffix);
  }
  const isRepository =
    parts.length === 2 || (url.hostname === "gitlab.com" && parts.length > 2 && dash < 0);
  const isFile = /\.(?:zip|skill|tgz|tar\.gz|md)$/i.test(url.pathname);
  return isRepository && !isFile ? pageOf(url, parts, [], suffix) : undefined;
}

function pageOf(
  url: URL,
  repository: readonly string[],
  tree: readonly string[],
  suffix: SourceSuffix,
): GitSource | PackFailure {
  const base = new URL(url);
  base.search = "";
  base.pathname = `/${repository.join("/").replace(/\.git$/i, "")}.git`;
  const found = parseGitUrl(base.href);
  if (!found.ok || tree.length === 0) return found.ok ? { ...found, ...suffix } : found;
  const file = /^skill\.md$/i.test(tree.at(-1) ?? "");
  const folder = parseFolder((file ? tree.slice(0, -1) : tree).join("/"));
  if ("ok" in folder) return folder;
  const [ref = "", ...path] = folder.path.split("/");
  if (suffix.ref !== undefined || !isRef(ref)) {
    return sourceFailure("source-invalid", `${foreignText(url.href)} names no branch or tag`);
  }
  if (path.length === 0) return { ...found, ...suffix, ref };
  if (COMMIT.test(ref)) return { ...found, ...suffix, ref, path: path.join("/") };
  return { ...found, ...suffix, tree: folder.path };
}
