import { isBeforeOutput } from "./find-paths.ts";
import { readRequest } from "./read-request.ts";
import { splitRequest } from "./split-request.ts";

/** Words that stand for a file that an earlier part named. */
const REFERS = /\b(?:it|its|them|this|that|these|those)\b|它|其|这个|这些|该文件/iu;

/**
 * The parts of a request. One that speaks of "it", or only says where to write, says with it which
 * files were named before.
 */
export function requestParts(request: string): string[] {
  let before: readonly string[] = [];
  return splitRequest(request).map((part) => {
    const { files, outputs } = readRequest(part);
    // In a part of a request, where something goes may be its first path.
    const isOutput = (path: string) =>
      isBeforeOutput(part.slice(0, Math.max(0, part.indexOf(path))));
    const own = [...files, ...outputs].filter((path) => !isOutput(path));
    const isOpen = files.length + outputs.length > 0 || REFERS.test(part);
    if (own.length === 0 && before.length > 0 && isOpen) {
      return `${part} ${before.map(quoted).join(" ")}`;
    }
    if (own.length > 0) before = own;
    return part;
  });
}

function quoted(path: string): string {
  return /\s/.test(path) ? `"${path}"` : path;
}
