import { closeSync } from "node:fs";
import { openConfined } from "../internal/confined.ts";
import { readDescriptor } from "../internal/files.ts";

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
  const { descriptor, stats } = await openConfined(realDirectory, SKILL_FILE);
  try {
    if (stats.size > MAX_SKILL_FILE_BYTES) return { size: stats.size };
    return skillFileOf(readDescriptor(descriptor, MAX_SKILL_FILE_BYTES + 1, stats.size));
  } finally {
    closeSync(descriptor);
  }
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
