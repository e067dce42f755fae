import { closeSync, readSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { openConfined, openConfinedSync } from "../internal/confined.ts";

export const SKILL_FILE = "SKILL.md";
const MAX_SKILL_FILE_BYTES = 1024 * 1024;

export interface SkillFileText {
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly encoding: "utf-8" | "utf-8-invalid" | "utf-16";
}

export interface SkillFileTooLarge {
  readonly size: number;
}

/** Reads SKILL.md, at most `MAX_SKILL_FILE_BYTES`. Throws as `openConfined` does. */
export async function readSkillFile(
  realDirectory: string,
): Promise<SkillFileText | SkillFileTooLarge> {
  const opened = openConfinedSync(realDirectory, [SKILL_FILE]);
  // The slow way says exactly what is wrong, and waits for what is being swapped.
  if (!opened.ok) return readThroughHandle(realDirectory);
  const { descriptor, stats } = opened;
  try {
    if (stats.size > MAX_SKILL_FILE_BYTES) return { size: stats.size };
    const bytes = Buffer.allocUnsafe(stats.size + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(descriptor, bytes, length, bytes.length - length, length);
    }
    // It has grown since it was measured.
    if (length > stats.size) return await readThroughHandle(realDirectory);
    return decodeSkillFile(bytes.subarray(0, length));
  } finally {
    closeSync(descriptor);
  }
}

async function readThroughHandle(
  realDirectory: string,
): Promise<SkillFileText | SkillFileTooLarge> {
  const handle = await openConfined(realDirectory, SKILL_FILE);
  try {
    const { size } = await handle.stat();
    if (size > MAX_SKILL_FILE_BYTES) return { size };
    const bytes = await readAtMost(handle, MAX_SKILL_FILE_BYTES + 1);
    return bytes.length > MAX_SKILL_FILE_BYTES ? { size: bytes.length } : decodeSkillFile(bytes);
  } finally {
    await handle.close();
  }
}

/** A file may grow while it is read; the limit holds all the same. */
async function readAtMost(handle: FileHandle, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  while (total < limit) {
    const { bytesRead, buffer } = await handle.read(
      Buffer.allocUnsafe(Math.min(64 * 1024, limit - total)),
    );
    if (bytesRead === 0) break;
    chunks.push(buffer.subarray(0, bytesRead));
    total += bytesRead;
  }
  return Buffer.concat(chunks, total);
}

/** The same for bytes that were read elsewhere. */
export function skillFileOf(content: Uint8Array): SkillFileText | SkillFileTooLarge {
  const { buffer, byteOffset, length } = content;
  if (length > MAX_SKILL_FILE_BYTES) return { size: length };
  return decodeSkillFile(Buffer.from(buffer, byteOffset, length));
}

function decodeSkillFile(bytes: Buffer): SkillFileText {
  const mark = bytes.length >= 2 ? bytes.readUInt16BE(0) : 0;
  if (mark === 0xfffe) {
    return { text: new TextDecoder("utf-16le").decode(bytes), bytes, encoding: "utf-16" };
  }
  if (mark === 0xfeff) {
    const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
    return { text: Buffer.from(even).swap16().toString("utf16le"), bytes, encoding: "utf-16" };
  }
  const text = bytes.toString("utf8");
  const valid = !text.includes("\uFFFD") || Buffer.from(text).equals(bytes);
  return { text, bytes, encoding: valid ? "utf-8" : "utf-8-invalid" };
}
