import { closeSync, lstatSync, realpathSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import { errorCode, openConfinedSync, readUpTo } from "@skillwright/core/internal";

export type InsideText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly isMissing: boolean; readonly reason: string };

/**
 * The text of a file that must lie below `base`. A link on the way is followed as long as it stays
 * there. What is no regular file, or larger than `maxBytes`, is not read.
 */
export function readInside(base: string, file: string, maxBytes: number): InsideText {
  let segments: string[];
  let realBase: string;
  try {
    realBase = realpathSync.native(base);
    const path = relative(realBase, realpathSync.native(file));
    segments = path.split(sep);
    if (path === "" || isAbsolute(path) || segments[0] === "..") {
      return refused("a link on the way to it leads elsewhere");
    }
  } catch (error) {
    const code = errorCode(error) ?? "unknown reason";
    const isMissing = (code === "ENOENT" || code === "ENOTDIR") && !isLink(file);
    return { ok: false, isMissing, reason: isMissing ? "there is no such file" : code };
  }
  const opened = openConfinedSync(realBase, segments);
  if (!opened.ok) return refused(REASONS[opened.reason] ?? opened.errorCode ?? opened.reason);
  try {
    const { descriptor, stats } = opened;
    const bytes = readUpTo(descriptor, maxBytes + 1, stats.size);
    if (bytes.length > maxBytes) return refused(`it is larger than ${maxBytes} bytes`);
    return { ok: true, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch (error) {
    const code = errorCode(error) ?? "unknown reason";
    return refused(code === "ERR_ENCODING_INVALID_ENCODED_DATA" ? "it is not UTF-8" : code);
  } finally {
    closeSync(opened.descriptor);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  changing: "it is being replaced; try again",
  denied: "permission denied",
  link: "a link on the way to it leads elsewhere",
  "not-a-file": "it is not a regular file",
};

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function refused(reason: string): InsideText {
  return { ok: false, isMissing: false, reason };
}
