import { indexOfHidden } from "@skillwright/core/internal";

const SUFFIX = "/SKILL.md";
const MAX_PATH = 512;
const MAX_DEPTH = 16;
// Without a known look, or for some system a way to another folder. Hidden characters are besides.
const UNSAFE = /[\t\n\p{Co}\p{Cn}\uFFFD/\\]|^\.\.?$/u;
// A folder of a skill is part of how it is called.
const NO_FOLDER = /[:*?"<>|]|[. ]$|^~/;

export interface SkillRoot {
  /** Without a slash at the end. */
  readonly uri: string;
  /** Decoded, the authority first. */
  readonly segments: readonly string[];
}

/** The folder of a skill, from the URI of its SKILL.md. Undefined for whatever is none. */
export function skillRoot(uri: string): SkillRoot | undefined {
  if (!URL.canParse(uri) || /[?#\\]/.test(uri)) return undefined;
  const { href, host, pathname, username, password, port } = new URL(uri);
  // What a reader resolves it to must be what is written.
  if (
    !pathname.endsWith(SUFFIX) ||
    href !== uri ||
    username !== "" ||
    password !== "" ||
    port !== ""
  )
    return undefined;
  const encoded = [...(host === "" ? [] : [host]), ...pathname.split("/").slice(1, -1)];
  const segments = decodeAll(encoded);
  if (segments === undefined || segments.length === 0) return undefined;
  if (segments.some((segment) => NO_FOLDER.test(segment))) return undefined;
  return { uri: uri.slice(0, -SUFFIX.length), segments };
}

/**
 * The path of a file in its skill's folder. Undefined for one that lies elsewhere or could. Some that
 * are fine here have no place on Windows: see `windowsNameProblem`.
 */
export function pathBelow(root: string, uri: string): string | undefined {
  if (!uri.startsWith(`${root}/`) || !URL.canParse(uri) || /[?#\\]/.test(uri)) return undefined;
  if (new URL(uri).href !== uri) return undefined;
  const segments = decodeAll(uri.slice(root.length + 1).split("/"));
  if (segments === undefined || segments.length > MAX_DEPTH) return undefined;
  const path = segments.join("/");
  return path.length > MAX_PATH ? undefined : path;
}

function decodeAll(encoded: readonly string[]): readonly string[] | undefined {
  try {
    const segments = encoded.map((segment) => decodeURIComponent(segment));
    return segments.every(isSafe) ? segments : undefined;
  } catch {
    return undefined;
  }
}

function isSafe(segment: string): boolean {
  return segment !== "" && indexOfHidden(segment) === -1 && !UNSAFE.test(segment);
}
