export type EntryName =
  | {
      readonly ok: true;
      /** Relative, with `/`; empty for the folder that holds everything. */
      readonly path: string;
      readonly segments: readonly string[];
      /** The name ends in a slash. */
      readonly isFolder: boolean;
    }
  | { readonly ok: false; readonly problem: string };

const MAX_PATH_BYTES = 1024;
const MAX_SEGMENT_BYTES = 255;
const MAX_DEPTH = 32;

/** Names that cannot be wrong, which are nearly all. */
const PLAIN = /^(?:[\w-]{5,40}\/){0,3}[\w-]{5,40}(?:\.[a-z]{1,5})?$/;
/**
 * Refused in any name: what moves or reorders the text around it. Other invisible characters are
 * part of some languages and emoji; where they make two names look alike, that is a collision.
 */
const REFUSED = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u{e0000}-\u{e007f}]/u;
/** What Windows takes for a device. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(?:\.|$)/i;

/**
 * The name of an entry, made a path, or what is wrong with it. Nothing is decoded, resolved or
 * mended, apart from the `./` that tar puts before every name. The rules are the same on every
 * system, so that a pack that installs here installs there.
 */
export function parseEntryName(name: string): EntryName {
  const bare = name.startsWith("./") ? name.slice(2) : name;
  const isFolder = name.endsWith("/") || name === ".";
  const path = bare.endsWith("/") ? bare.slice(0, -1) : bare === "." ? "" : bare;
  const problem = PLAIN.test(name) ? undefined : problemOf(name, path);
  if (problem !== undefined) return { ok: false, problem };
  return { ok: true, path, segments: path === "" ? [] : path.split("/"), isFolder };
}

function problemOf(name: string, path: string): string | undefined {
  if (name === "") return "has no name";
  if (name.startsWith("/")) return "has an absolute path";
  if (name.includes("\0")) return "has a NUL character in its name";
  if (name.includes("\\")) return "has a backslash in its name";
  if (/^[a-z]:/i.test(path)) return "has a drive letter";
  if (path === "") return name === "./" || name === "." ? undefined : "has no name";
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return "has a name that is too long";
  if (REFUSED.test(path)) return "has control or invisible characters in its name";
  const segments = path.split("/");
  if (segments.length > MAX_DEPTH) return `lies more than ${MAX_DEPTH} folders deep`;
  if (segments[0] === "~") return "has a path that starts at a home folder";
  return segments.map(segmentProblem).find((problem) => problem !== undefined);
}

function segmentProblem(segment: string): string | undefined {
  if (segment === "") return "has an empty part in its path";
  if (segment === "..") return 'has ".." in its path';
  if (segment === ".") return 'has "." in its path';
  if (segment.includes(":")) return "has a colon in its name";
  if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) return "has a name that is too long";
  if (/[. ]$/.test(segment)) return "has a name that ends in a dot or space";
  if (DEVICE.test(segment)) return "has a name that is a device on Windows";
  const compatible = segment.normalize("NFKC");
  if (/^\.\.?$|[/\\]/.test(compatible)) return "has a name that other systems take for a path";
  return undefined;
}
