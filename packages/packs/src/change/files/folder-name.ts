import { foldName } from "../../archive/entries/fold-name.ts";

const MAX_SEGMENT_BYTES = 255;
const MAX_SEGMENTS = 8;

/**
 * Why a move may not name this folder; undefined when it may. Names that start with a dot are not
 * skills, and among them is the state folder itself.
 */
export function folderNameProblem(folder: string): string | undefined {
  const segments = folder.split("/");
  if (segments.length > MAX_SEGMENTS) return "it has too many segments";
  for (const segment of segments) {
    if (segment === "") return "a segment is empty";
    if (segment.startsWith(".")) return "a segment starts with a dot";
    if (/[. ]$/.test(segment)) return "a segment ends with a dot or blank";
    // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
    if (/[\u0000-\u001f\u007f-\u009f\\:\uFFFD]/.test(segment)) return "a character is not allowed";
    if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) return "a segment is too long";
  }
  return undefined;
}

/** Two folders of which one is the other or holds it, on any file system; undefined when none are. */
export function overlap(folders: readonly string[]): readonly [string, string] | undefined {
  const seen = new Map<string, string>();
  for (const folder of folders) {
    const other = seen.get(foldName(folder));
    if (other !== undefined) return [other, folder];
    seen.set(foldName(folder), folder);
  }
  for (const folder of folders) {
    const segments = folder.split("/");
    for (let count = 1; count < segments.length; count++) {
      const other = seen.get(foldName(segments.slice(0, count).join("/")));
      if (other !== undefined) return [other, folder];
    }
  }
  return undefined;
}
