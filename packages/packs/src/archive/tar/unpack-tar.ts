import { TimeSlice } from "@skillwright/core/internal";
import type { PackFailure } from "../../pack-failure.ts";
import { canceled, refuse } from "../refuse.ts";
import { isBomb, type UnpackOptions } from "../unpack-options.ts";
import { gunzip } from "./gunzip.ts";
import { TarUnpacker } from "./tar-unpacker.ts";

const PART_BYTES = 256 * 1024;

/** Unpacks a tar that is in memory. */
export async function unpackTar(
  bytes: Buffer,
  options: UnpackOptions,
): Promise<PackFailure | undefined> {
  const { signal, onProgress } = options;
  const unpacker = new TarUnpacker(options);
  const slice = new TimeSlice();
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    if (signal?.aborted === true) return canceled();
    const problem = unpacker.push(bytes.subarray(at, at + PART_BYTES));
    if (problem !== undefined) return problem;
    const done = Math.min(at + PART_BYTES, bytes.length);
    if (!slice.isOver && done < bytes.length) continue;
    onProgress?.({ phase: "unpack", done, total: bytes.length, unit: "bytes" });
    await slice.rest();
  }
  return unpacker.end();
}

/** Unpacks a gzipped tar that is in memory; what it unpacks to never is. */
export async function unpackTarGz(
  bytes: Buffer,
  options: UnpackOptions,
): Promise<PackFailure | undefined> {
  const { signal, onProgress, limits } = options;
  const unpacker = new TarUnpacker(options);
  const problem = await gunzip(bytes, (part, { packed, unpacked }) => {
    if (signal?.aborted === true) return canceled();
    if (isBomb(unpacked, packed, limits.ratio)) {
      const message = `the archive unpacks to more than ${limits.ratio} times its size`;
      return refuse("limit-exceeded", message);
    }
    onProgress?.({ phase: "unpack", done: packed, total: bytes.length, unit: "bytes" });
    return unpacker.push(part);
  });
  return problem ?? unpacker.end();
}
