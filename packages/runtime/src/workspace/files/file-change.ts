import { isUtf8 } from "node:buffer";
import type { Workspace } from "../workspace.ts";
import type { PreviousFile } from "./previous-file.ts";
import { unifiedDiff } from "./unified-diff.ts";

/** What a write does to a file. */
export interface FileChange {
  readonly path: string;
  readonly created: boolean;
  /** Of the new file. */
  readonly bytes: number;
  /** Unified; empty when nothing changes. */
  readonly diff: string;
  /** The diff is longer than may be shown. */
  readonly diffTruncated: boolean;
}

export function changeOf(
  path: string,
  previous: PreviousFile | undefined,
  content: string,
  { maxOutputBytes }: Workspace,
): FileChange {
  const diff = diffOf(path, previous, content);
  const isLong = Buffer.byteLength(diff) > maxOutputBytes;
  return {
    path,
    created: previous === undefined,
    bytes: Buffer.byteLength(content),
    diff: isLong ? cut(diff, maxOutputBytes) : diff,
    diffTruncated: isLong,
  };
}

function diffOf(path: string, previous: PreviousFile | undefined, content: string): string {
  if (previous === undefined) return unifiedDiff(path, undefined, content);
  const { bytes, size } = previous;
  if (bytes === undefined) return `The previous file had ${size} bytes, too many to compare.\n`;
  if (bytes.includes(0) || !isUtf8(bytes)) {
    const isSame = bytes.equals(Buffer.from(content));
    return isSame ? "" : `The previous file was binary and had ${size} bytes.\n`;
  }
  return unifiedDiff(path, bytes.toString("utf8"), content);
}

function cut(diff: string, maxBytes: number): string {
  const kept = Buffer.from(diff).subarray(0, maxBytes).toString("utf8");
  return `${kept.slice(0, kept.lastIndexOf("\n") + 1)}[The diff is longer than ${maxBytes} bytes.]\n`;
}
