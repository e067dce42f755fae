/** The scheme of resources that are files of skills. */
const SKILL_SCHEME = "skill://";

const MAX_LENGTH = 4096;
/** What a segment of a path may hold as it is; the rest is percent-encoded. */
const ENCODED = /[^\w!$&'()*+,.:;=@[\]|~-]/gu;

/** A URI from its segments, the first of which is the authority. Throws for lone surrogates. */
export function skillUri([authority = "", ...path]: readonly string[]): string {
  return [SKILL_SCHEME + encodeURIComponent(authority), ...path.map(encodeSegment)].join("/");
}

/**
 * The segments of a skill URI, decoded. Undefined for whatever is none: another scheme, a query, a
 * fragment, a segment that is empty, leads elsewhere or hides a separator.
 */
export function skillUriSegments(uri: string): readonly string[] | undefined {
  if (uri.length > MAX_LENGTH || !uri.startsWith(SKILL_SCHEME)) return undefined;
  if (/[?#\\]/.test(uri)) return undefined;
  const segments: string[] = [];
  for (const encoded of uri.slice(SKILL_SCHEME.length).split("/")) {
    const segment = decoded(encoded);
    if (segment === undefined || !isPlain(segment)) return undefined;
    segments.push(segment);
  }
  return segments;
}

function encodeSegment(segment: string): string {
  return segment.replaceAll(ENCODED, (character) => encodeURIComponent(character));
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function isPlain(segment: string): boolean {
  if (segment === "" || segment === "." || segment === "..") return false;
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  return !/[/\\\u0000-\u001f\u007f-\u009f]/.test(segment);
}
