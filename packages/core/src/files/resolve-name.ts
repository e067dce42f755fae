import { parseSkillPath } from "./skill-path.ts";

/** The one file that a name means, or the files that fit it equally well. */
export type ResolvedName =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly candidates: readonly string[] };

const SCRIPTS = "scripts/";
const MAX_CANDIDATES = 5;
/** Folders by convention, which models mix up or leave out. */
const CONVENTIONAL = /^(?:references?|assets?|scripts?)\//;

/**
 * The file of a skill that a slightly wrong name means: other case, no extension, or another folder
 * (`forms.md` for `references/FORMS.md`). Closer spellings win; several equally close ones are
 * candidates. The answer is always one of `paths`, so nothing outside the skill can be named.
 */
export function resolveFileName(paths: readonly string[], asked: string): ResolvedName {
  const parsed = parseSkillPath(asked);
  if (!parsed.ok || parsed.path === "" || asked.endsWith("/")) return { ok: false, candidates: [] };
  if (paths.includes(parsed.path)) return { ok: true, path: parsed.path };
  const wanted = fold(parsed.path);
  const name = CONVENTIONAL.test(wanted) ? wanted.slice(wanted.indexOf("/") + 1) : wanted;
  const visible = paths.filter((path) => isDotName(path) === isDotName(wanted));
  return closest(
    visible.map((path) => ({ path, folded: fold(path) })),
    [
      ({ folded }) => folded === wanted,
      ({ folded }) => stem(folded) === wanted,
      ({ folded }) => `/${folded}`.endsWith(`/${name}`),
      ({ folded }) => stem(`/${folded}`).endsWith(`/${name}`),
    ],
  );
}

/**
 * The script that a name means, by the same rules, among the files below `scripts/`. The folder may be
 * left out. Gives the path with `scripts/`.
 */
export function resolveScriptName(files: readonly string[], asked: string): ResolvedName {
  const scripts = files.filter((path) => path.startsWith(SCRIPTS));
  const parsed = parseSkillPath(asked);
  if (!parsed.ok || parsed.path === "") return { ok: false, candidates: [] };
  const { path } = parsed;
  const below = /^scripts?\//i.test(path) ? path.slice(path.indexOf("/") + 1) : path;
  if (scripts.includes(SCRIPTS + below)) return { ok: true, path: SCRIPTS + below };
  if (CONVENTIONAL.test(fold(below)) && below === path) return { ok: false, candidates: [] };
  return resolveFileName(scripts, SCRIPTS + below);
}

interface FoldedPath {
  readonly path: string;
  readonly folded: string;
}

function closest(
  paths: readonly FoldedPath[],
  rules: readonly ((path: FoldedPath) => boolean)[],
): ResolvedName {
  for (const rule of rules) {
    const [first, ...others] = paths.filter(rule).map(({ path }) => path);
    if (first === undefined) continue;
    if (others.length === 0) return { ok: true, path: first };
    return { ok: false, candidates: [first, ...others].slice(0, MAX_CANDIDATES) };
  }
  return { ok: false, candidates: [] };
}

/** Case does not count, nor does the spelling of the folder for references. */
function fold(path: string): string {
  return path.toLowerCase().replace(/^reference\//, "references/");
}

function stem(path: string): string {
  return path.replace(/(?<=[^/])\.[^./]+$/, "");
}

/** Hidden files, such as `.env`, are only found by a name that begins with a dot as well. */
function isDotName(path: string): boolean {
  return /(?:^|\/)\.[^/]*$/.test(path);
}
