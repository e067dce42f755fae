import type { Skill } from "@modelcontextprotocol/client/ext/skills";
import { combineDigests, isNestedDeeper, stripHidden } from "@skillwright/core/internal";
import { createHash } from "node:crypto";
import type { HostLimits } from "../host-limits.ts";

/** A skill as a server lists it. Nothing of it has been read. */
export interface ListedSkill {
  readonly entry: Skill;
  readonly name: string;
  /** What stands for its URI in an id: its segments, as a path. */
  readonly relativePath: string;
  readonly files: readonly ListedFile[];
  /** Of all files, as for a folder that holds them: known before any of them is read. */
  readonly digest: string;
}

export interface ListedFile {
  readonly path: string;
  readonly uri: string;
  readonly sha256: string;
  readonly size: number;
}

export const SKILL_FILE = "SKILL.md";
const NAME = /^[\da-z]+(?:-[\da-z]+)*$/;
const MAX_NAME = 64;
const MAX_URI = 2048;
const MAX_DEPTH = 64;
const MAX_RELATIVE_PATH = 200;
const DIGEST = /^sha256:([\da-f]{64})$/;

/** Holds one entry of a list to the rules of the extension and to ours; a text says what is wrong. */
export function readListedSkill(value: unknown, limits: HostLimits): ListedSkill | string {
  if (!isObject(value)) return "it is not an object";
  const { uri, frontmatter, resources } = value;
  if (typeof uri !== "string" || uri.length > MAX_URI) return "its uri is not text, or is too long";
  const root = skillRoot(uri);
  if (root === undefined) return "its uri does not name a SKILL.md in a folder";
  if (!isObject(frontmatter)) return "it has no frontmatter";
  if (isNestedDeeper(JSON.stringify(frontmatter), MAX_DEPTH)) {
    return "its frontmatter is nested too deeply";
  }
  const { name, description } = frontmatter;
  if (typeof name !== "string" || name.length > MAX_NAME || !NAME.test(name)) {
    return "its name is none";
  }
  if (typeof description !== "string") return "it has no description";
  if (root.segments.at(-1) !== name) return "its name is not that of its folder";
  if (resources === "dynamic") return "its files have no digests, so that none could be verified";
  if (!Array.isArray(resources)) return "it has no list of files";
  const files = readFiles(resources, root.uri, limits);
  if (typeof files === "string") return files;
  const entry = { uri, frontmatter, resources } as unknown as Skill;
  const relativePath = relativePathOf(uri, root.segments);
  return { entry, name, relativePath, files, digest: combineDigests([...files].sort(byPath)) };
}

function readFiles(
  resources: readonly unknown[],
  root: string,
  limits: HostLimits,
): readonly ListedFile[] | string {
  const { skillFiles, skillBytes, skillFileBytes } = limits;
  if (resources.length > skillFiles) return `it has more than ${skillFiles} files`;
  const files = new Map<string, ListedFile>();
  let total = 0;
  for (const resource of resources) {
    const { uri, digest, size } = isObject(resource) ? resource : {};
    const path =
      typeof uri === "string" && uri.length <= MAX_URI ? pathBelow(root, uri) : undefined;
    if (path === undefined) return `it lists a file that is not below its folder${shownUri(uri)}`;
    const sha256 = typeof digest === "string" ? DIGEST.exec(digest)?.[1] : undefined;
    if (sha256 === undefined) return "it lists a file without a SHA-256 digest";
    if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 0) {
      return "it lists a file without a size";
    }
    total += size;
    if (total > skillBytes) return `it has more than ${skillBytes} bytes`;
    // Two names that a file system may take for one.
    const key = path.normalize("NFC").toLowerCase();
    if (files.has(key)) return "it lists two files of one name";
    files.set(key, { path, uri: String(uri), sha256, size });
  }
  if ([...files.keys()].some((key) => foldersOf(key).some((folder) => files.has(folder)))) {
    return "it lists a file that is also a folder";
  }
  const own = [...files.values()].find(({ path }) => path === SKILL_FILE);
  if (own === undefined) return "it does not list its SKILL.md";
  if (own.size > skillFileBytes) return `its SKILL.md has more than ${skillFileBytes} bytes`;
  return [...files.values()];
}

/** Cut when it is shown: secrets are hidden in it before that. */
function shownUri(uri: unknown): string {
  return typeof uri === "string" ? `, or has hidden characters: ${uri.slice(0, MAX_URI)}` : "";
}

/** `a/b/c` is in `a` and `a/b`. */
function foldersOf(path: string): string[] {
  const segments = path.split("/");
  return segments.slice(1).map((_, i) => segments.slice(0, i + 1).join("/"));
}

/**
 * No two URIs have the same: of another scheme, written in another way, or too long, the URI's digest
 * stands for it, behind a colon, which no segment has.
 */
function relativePathOf(uri: string, segments: readonly string[]): string {
  const path = segments.join("/");
  if (uri === `skill://${path}/${SKILL_FILE}` && path.length <= MAX_RELATIVE_PATH) return path;
  const digest = createHash("sha256").update(uri).digest("hex").slice(0, 32);
  return `uri:${digest}/${segments.at(-1)}`;
}

function byPath(a: ListedFile, b: ListedFile): number {
  return Buffer.compare(Buffer.from(a.path), Buffer.from(b.path));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const SUFFIX = "/SKILL.md";
const MAX_PATH = 512;
const MAX_SEGMENTS = 16;
// Without a known look, or for some system a way to another folder. Hidden characters are besides.
const UNSAFE = /[\t\n\p{Co}\p{Cn}\uFFFD/\\]|^\.\.?$/u;
// A folder of a skill is part of how it is called.
const NO_FOLDER = /[:*?"<>|]|[. ]$|^~/;

interface SkillRoot {
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
  if (segments === undefined || segments.length > MAX_SEGMENTS) return undefined;
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
  return segment !== "" && stripHidden(segment) === segment && !UNSAFE.test(segment);
}
