import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { constants, deflateRawSync, gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ArchiveArena } from "../support/archive-arena.ts";
import { bundleReader, readInChild } from "../support/archive-child.ts";
import { hostileTar } from "../support/hostile-tar.ts";
import { hostileZip } from "../support/hostile-zip.ts";

const MOST_GROWTH = 64 * 1024 * 1024;
const PACKED_BYTES = 1_500_000;
/** About what that is unpacked. */
const BOMB_BYTES = 1_500_000_000;

let folder: string;
let bundle: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "skillwright-test-"));
  bundle = await bundleReader(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Deflated: a start, and then zeros without end. A block that ends on a byte can be repeated. */
function deflatedBomb(start: Buffer): Buffer {
  const open = { level: 9, finishFlush: constants.Z_FULL_FLUSH };
  const block = deflateRawSync(Buffer.alloc(1024 * 1024), open);
  const blocks = Array.from({ length: Math.ceil(PACKED_BYTES / block.length) }, () => block);
  return Buffer.concat([deflateRawSync(start, open), ...blocks, deflateRawSync("")]);
}

/** The same as one gzip member, whose checksum nobody should get to. */
function gzipBomb(start: Buffer): Buffer {
  const empty = gzipSync("");
  return Buffer.concat([empty.subarray(0, 10), deflatedBomb(start), empty.subarray(-8)]);
}

async function readBomb(bytes: Buffer): Promise<string> {
  const arena = new ArchiveArena();
  writeFileSync(arena.archive, bytes);
  const { code, growth } = await readInChild(bundle, arena.archive, arena.destination);
  expect(readdirSync(arena.destination)).toEqual([]);
  expect(growth).toBeLessThan(MOST_GROWTH);
  return code;
}

it("K-05 45 the bombs are bombs", () => {
  const bomb = gzipBomb(Buffer.alloc(0));
  expect(bomb.length).toBeGreaterThan(PACKED_BYTES);
  expect(() => gunzipSync(bomb, { maxOutputLength: 200_000_000 })).toThrow(/larger than/);
});

it("K-05 45 a gzip bomb of 1.5 MB grows memory by at most 64 MiB", async () => {
  const header = (size: number) => hostileTar([{ name: "zeros", size }], Buffer.alloc(0));
  expect(await readBomb(gzipBomb(header(BOMB_BYTES)))).toBe("limit-exceeded");
  expect(await readBomb(gzipBomb(header(40_000_000)))).toBe("limit-exceeded");
  // Zeros are also what an archive ends with.
  expect(await readBomb(gzipBomb(Buffer.alloc(0)))).toMatch(/^(?:archive-unsafe|limit-exceeded)$/);
});

it("K-05 45 a zip bomb of 1.5 MB grows memory by at most 64 MiB, whatever size it says", async () => {
  const packed = deflatedBomb(Buffer.alloc(0));
  for (const size of [1000, 1_000_000, 40_000_000, BOMB_BYTES]) {
    const bytes = hostileZip([{ name: "zeros", packed, size, crc: 1 }]);
    expect(await readBomb(bytes)).toMatch(/^(?:archive-invalid|limit-exceeded)$/);
  }
});

it("K-05 45 a bomb of bombs is a file of that size", async () => {
  const packed = deflatedBomb(Buffer.alloc(0));
  const inner = hostileZip([{ name: "zeros", packed, size: BOMB_BYTES }]);
  const arena = new ArchiveArena();
  writeFileSync(arena.archive, hostileZip([{ name: "inner.zip", content: inner, method: 0 }]));
  const { code, growth } = await readInChild(bundle, arena.archive, arena.destination);
  expect(code).toBe("ok");
  expect(growth).toBeLessThan(MOST_GROWTH);
});

it("K-05 a file of 45 MB is unpacked in parts", async () => {
  const content = Buffer.alloc(45_000_000);
  for (let i = 0; i < content.length; i += 40)
    content.writeUInt32LE(Math.imul(i, 2654435761) >>> 0, i);
  const arenas = [new ArchiveArena(), new ArchiveArena()] as const;
  writeFileSync(arenas[0].archive, hostileZip([{ name: "large", content }]));
  writeFileSync(arenas[1].archive, gzipSync(hostileTar([{ name: "large", content }])));
  for (const arena of arenas) {
    const { code, growth } = await readInChild(bundle, arena.archive, arena.destination);
    expect(code).toBe("ok");
    expect(growth).toBeLessThan(MOST_GROWTH);
  }
});
