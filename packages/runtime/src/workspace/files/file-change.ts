import { plural, unifiedDiff } from "@skillwright/core/internal";
import type { Workspace } from "../workspace.ts";
import { type PreviousFile, textOf } from "./previous-file.ts";

/** What a write does to a file. */
export interface FileChange {
  readonly path: string;
  readonly created: boolean;
  /** Of the new file. */
  readonly bytes: number;
  /** Of the new file; a last line without a newline counts. */
  readonly lines: number;
  /** Unified; empty when nothing changes. */
  readonly diff: string;
  /** The diff is longer than may be shown. */
  readonly diffTruncated: boolean;
}

export async function changeOf(
  path: string,
  previous: PreviousFile | undefined,
  content: string,
  { maxOutputBytes }: Workspace,
): Promise<FileChange> {
  const diff = await diffOf(path, previous, content);
  const isLong = Buffer.byteLength(diff) > maxOutputBytes;
  return {
    path,
    created: previous === undefined,
    bytes: Buffer.byteLength(content),
    lines: content === "" ? 0 : content.replace(/\n$/, "").split("\n").length,
    diff: isLong ? cut(diff, maxOutputBytes) : diff,
    diffTruncated: isLong,
  };
}

async function diffOf(
  path: string,
  previous: PreviousFile | undefined,
  content: string,
): Promise<string> {
  if (previous === undefined) return (await unifiedDiff(path, undefined, content)).text;
  const { bytes, size } = previous;
  if (bytes === undefined)
    return `The previous file had ${plural(size, "byte")}, too many to compare.\n`;
  const text = textOf(previous);
  if (text !== undefined) return (await unifiedDiff(path, text, content)).text;
  const isSame = bytes.equals(Buffer.from(content));
  return isSame ? "" : `The previous file was binary and had ${plural(size, "byte")}.\n`;
}

function cut(diff: string, maxBytes: number): string {
  const kept = Buffer.from(diff).subarray(0, maxBytes).toString("utf8");
  return `${kept.slice(0, kept.lastIndexOf("\n") + 1)}[The diff is longer than ${maxBytes} bytes.]\n`;
}
