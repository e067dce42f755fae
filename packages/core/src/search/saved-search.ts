import type { SkillIndex } from "./create-skill-index.ts";
import { decodeSkillIndex, encodeSkillIndex } from "./encode-skill-index.ts";

export interface SavedSearch {
  readonly index: SkillIndex;
  readonly stamps: Map<string, string>;
}

/** An index together with the state of the files it was made of: a length, JSON, the index. */
export function encodeSavedSearch(
  index: SkillIndex,
  stamps: ReadonlyMap<string, string>,
): Uint8Array {
  const head = Buffer.from(JSON.stringify([...stamps]));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  return Buffer.concat([length, head, encodeSkillIndex(index)]);
}

/** Undefined for what is damaged or of another version. */
export function decodeSavedSearch(bytes: Uint8Array): SavedSearch | undefined {
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const end = 4 + buffer.readUInt32LE(0);
    const stamps: unknown = JSON.parse(buffer.toString("utf8", 4, end));
    const index = decodeSkillIndex(buffer.subarray(end));
    if (index === undefined || !Array.isArray(stamps) || !stamps.every(isPair)) return undefined;
    return { index, stamps: new Map(stamps) };
  } catch {
    return undefined;
  }
}

function isPair(value: unknown): value is [string, string] {
  return Array.isArray(value) && typeof value[0] === "string" && typeof value[1] === "string";
}
