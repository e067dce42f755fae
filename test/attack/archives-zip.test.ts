import { crc32, deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { ArchiveArena } from "../support/archive-arena.ts";
import { descriptor, extraField, hostileZip, type ZipPart } from "../support/hostile-zip.ts";

const GOOD: ZipPart = { name: "good/SKILL.md", content: "good" };
const FILE: ZipPart = { name: "good/file.md", content: "content ".repeat(50) };

async function refusedAs(bytes: Buffer): Promise<string> {
  const { code, message } = await new ArchiveArena().refused(bytes);
  return `${code}: ${message}`;
}

describe("kinds of entries in zip", () => {
  it.each([
    [41, 0o120777, "is a symbolic link"],
    [42, 0o010644, "is a FIFO"],
    [42, 0o020644, "is a device"],
    [42, 0o060644, "is a device"],
    [42, 0o140644, "is a socket"],
    [42, 0o170644, "is of an unknown kind"],
  ])("K-05 %i an entry of mode %o is refused: %s", async (_case, mode, reason) => {
    const parts = [GOOD, { name: "good/link", content: "/etc", mode }];
    expect(await refusedAs(hostileZip(parts))).toContain(
      `archive-unsafe: the entry "good/link" ${reason}`,
    );
  });

  it("K-05 41 a link and then a file through it is refused", async () => {
    const parts = [
      { name: "link", content: "../..", mode: 0o120777 },
      { name: "link/victim.txt", content: "evil" },
    ];
    expect(await refusedAs(hostileZip(parts))).toContain("symbolic link");
  });

  it("K-05 41 a link of a writer that is no Unix is refused all the same", async () => {
    const bytes = hostileZip([{ name: "link", content: "/etc", mode: 0o120777 }]);
    bytes[bytes.lastIndexOf("PK\x01\x02", undefined, "latin1") + 5] = 0;
    expect(await refusedAs(bytes)).toContain("symbolic link");
  });

  it.each([
    [0x0001, "is encrypted"],
    [0x0041, "strong encryption"],
    [0x2001, "is encrypted"],
    [0x0020, "only some readers"],
  ])("K-05 50 flags %i are refused: %s", async (flags, reason) => {
    expect(await refusedAs(hostileZip([GOOD, { ...FILE, flags }]))).toContain(reason);
  });

  it.each([1, 9, 12, 14, 93, 95, 99])("K-05 50 method %i is refused", async (method) => {
    const bytes = hostileZip([GOOD, { ...FILE, method }]);
    expect(await refusedAs(bytes)).toMatch(/^archive-invalid/);
  });

  it("K-05 a folder that has content, or no slash, is refused", async () => {
    const folder = { name: "good/", content: "hidden" };
    expect(await refusedAs(hostileZip([folder]))).toContain("folder that has content");
    expect(await refusedAs(hostileZip([{ ...FILE, mode: 0o040755 }]))).toContain("folder named");
  });
});

describe("sizes in zip", () => {
  const zeros = Buffer.alloc(3_000_000);

  it.each<[string, ZipPart, string]>([
    ["too small", { ...FILE, size: 10 }, "another size"],
    ["too large", { ...FILE, size: 4000 }, "another size"],
    ["none", { ...FILE, size: 0 }, "another size"],
    ["too small, stored", { ...FILE, method: 0, size: 10 }, "size"],
    [
      "too large in parts",
      { name: "x", content: randomText(2_000_000), size: 2_500_000 },
      "another size",
    ],
    [
      "too small in parts",
      { name: "x", content: randomText(3_000_000), size: 2_500_000 },
      "another size",
    ],
  ])("K-05 46 a size that is %s is refused", async (_title, part, reason) => {
    const failure = await refusedAs(hostileZip([GOOD, part]));
    expect(failure).toMatch(/^archive-invalid/);
    expect(failure).toContain(reason);
  });

  it("K-05 46 more compressed data than the content needs is refused", async () => {
    const packed = Buffer.concat([deflateRawSync(FILE.content!), Buffer.from("hidden")]);
    expect(await refusedAs(hostileZip([GOOD, { ...FILE, packed }]))).toContain("data behind");
    const content = randomText(2_000_000);
    const large = { name: "x", content, packed: Buffer.concat([deflateRawSync(content), packed]) };
    expect(await refusedAs(hostileZip([large]))).toContain("data behind");
  });

  it("K-05 46 a wrong checksum and damaged content are refused", async () => {
    const content = randomText(2_000_000);
    const packed = Buffer.from(deflateRawSync(FILE.content!).fill(0xff, 4, 8));
    const wrong = [
      { ...FILE, crc: 1 },
      { ...FILE, method: 0, crc: 1 },
      { name: "x", content, crc: 1 },
    ];
    for (const part of wrong) {
      expect(await refusedAs(hostileZip([GOOD, part]))).toContain("checksum");
    }
    expect(await refusedAs(hostileZip([GOOD, { ...FILE, packed }]))).toMatch(/^archive-invalid/);
  });

  it("K-05 45 an entry that unpacks to far more than its size is refused", async () => {
    const bytes = hostileZip([GOOD, { name: "zeros", content: zeros }]);
    expect(await refusedAs(bytes)).toMatch(
      /^limit-exceeded: the entry "zeros" unpacks to more than 100/,
    );
    const few = hostileZip([GOOD, { name: "zeros", content: Buffer.alloc(500_000) }]);
    expect((await new ArchiveArena().accepted(few)).result.bytes).toBe(500_004);
  });

  it("K-05 45 many entries that each stay below the ratio are refused together", async () => {
    const parts = Array.from({ length: 8 }, (_, i) => ({
      name: `zeros-${i}`,
      content: Buffer.alloc(900_000),
    }));
    expect(await refusedAs(hostileZip(parts))).toMatch(/^limit-exceeded: the archive unpacks/);
  });
});

describe("two truths in one zip", () => {
  it.each<[string, ZipPart["local"], string]>([
    ["name", { name: "evil/file.md" }, "another name"],
    ["method", { method: 0 }, "another compression method"],
    ["size", { size: 1 }, "other sizes"],
    ["compressed size", { packedSize: 1 }, "other sizes"],
    ["checksum", { crc: 1 }, "another checksum"],
    ["encryption", { flags: 1 }, "other flags"],
    ["descriptor", { flags: 8 }, "other flags"],
    ["zip64 size", { size: 0xffff_ffff, extra: wideSizes(1, 1) }, "other sizes"],
    ["zip64 size without a field", { size: 0xffff_ffff }, "damaged sizes"],
    ["second name", { extra: unicodeName("good/file.md", "evil") }, "another name"],
    ["damaged fields", { extra: Buffer.from([1, 0, 99, 0]) }, "damaged fields"],
  ])("K-05 47 another %s in an entry's own header is refused", async (_title, local, reason) => {
    const failure = await refusedAs(hostileZip([GOOD, { ...FILE, local: local! }]));
    expect(failure).toMatch(/^archive-invalid/);
    expect(failure).toContain(reason);
  });

  it("K-05 47 a second name that only some readers know is refused", async () => {
    const extra = unicodeName("good/file.md", "evil.md");
    expect(await refusedAs(hostileZip([{ ...FILE, extra }]))).toContain("two names");
    const stale = { ...FILE, name: Buffer.from("g\x84", "latin1"), extra };
    expect(await refusedAs(hostileZip([stale]))).toContain("two names");
  });

  it("K-05 47 entries that share or overlap their data are refused", async () => {
    const shared = [FILE, { ...FILE, name: "good/other.md", isListedOnly: true, offset: 0 }];
    expect(await refusedAs(hostileZip(shared))).toMatch(/^archive-invalid/);
    const inside = [FILE, { ...GOOD, isListedOnly: true, offset: 20 }];
    expect(await refusedAs(hostileZip(inside))).toMatch(/^archive-invalid/);
    const beyond = [FILE, { ...GOOD, isListedOnly: true, offset: 4_000_000_000 }];
    expect(await refusedAs(hostileZip(beyond))).toMatch(/^archive-/);
  });

  it("K-05 47 an entry quoted in the data of another (a bomb without ratio) is refused", async () => {
    const kernel = hostileZip([{ name: "b", content: "x".repeat(1000) }]);
    const inner = kernel.subarray(0, kernel.indexOf("PK\x01\x02", 0, "latin1"));
    const outer = { name: "a", content: inner, method: 0 };
    const quoted = { name: "b", content: "x".repeat(1000), isListedOnly: true, offset: 31 };
    expect(await refusedAs(hostileZip([outer, quoted]))).toMatch(/^archive-invalid/);
  });

  it.each([
    ["before the first entry", { before: Buffer.from("#!/bin/sh\n") }],
    ["before the list", { beforeList: Buffer.from("hidden") }],
  ])("K-05 51 data %s is refused", async (_title, shape) => {
    const bytes = hostileZip([GOOD, FILE], shape);
    expect(await refusedAs(bytes)).toMatch(/^archive-unsafe/);
  });

  it("K-05 51 data between entries is refused", async () => {
    const bytes = hostileZip([{ ...GOOD, behind: Buffer.from("hidden") }, FILE]);
    expect(await refusedAs(bytes)).toContain("belongs to no entry");
  });

  it("K-05 51 a header that the list does not have is refused", async () => {
    const own = hostileZip([{ name: "secret", content: "x" }]);
    const header = own.subarray(0, own.indexOf("PK\x01\x02", 0, "latin1"));
    expect(await refusedAs(hostileZip([GOOD], { beforeList: header }))).toMatch(/^archive-unsafe/);
  });

  it("K-05 51 a second archive behind the first is refused", async () => {
    const two = Buffer.concat([hostileZip([GOOD]), hostileZip([FILE])]);
    expect(await refusedAs(two)).toMatch(/^archive-unsafe/);
  });

  it("K-05 51 an end record in the comment is refused", async () => {
    const comment = hostileZip([]);
    const bytes = hostileZip([GOOD], { comment: Buffer.concat([comment, Buffer.from("x")]) });
    expect(await refusedAs(bytes)).toMatch(/^archive-unsafe/);
    expect(await refusedAs(hostileZip([GOOD], { comment }))).toMatch(/^archive-unsafe/);
  });

  it.each([
    ["too few", { entries: 1 }],
    ["too many", { entries: 3 }],
    ["none", { entries: 0 }],
    ["different here and in all", { entriesHere: 1, entries: 2 }],
    ["of a list with another size", { listSize: 10 }],
    ["of a list elsewhere", { listStart: 10 }],
    ["on another disk", { disk: 1 }],
    ["of a zip64 record that counts others", { wide: { entries: 1 } }],
    ["of a zip64 record with another list", { wide: { start: 0 } }],
    ["of a zip64 record without end", { wide: { size: 2 ** 50 } }],
    ["of a zip64 record of another size", { wide: { recordSize: 400 } }],
    ["for zip64 without a record", { entries: 0xffff, listStart: 0xffff_ffff }],
  ])("K-05 47 a count of entries that is %s is refused", async (_title, shape) => {
    expect(await refusedAs(hostileZip([GOOD, FILE], shape))).toMatch(/^(archive-|limit-)/);
  });

  it("K-05 47 sizes of zip64 that lie or are given twice are refused", async () => {
    const lying = { ...FILE, size: 0xffff_ffff, extra: wideSizes(2 ** 45) };
    expect(await refusedAs(hostileZip([lying]))).toMatch(/^limit-exceeded/);
    const twice = Buffer.concat([wideSizes(400), wideSizes(10)]);
    expect(await refusedAs(hostileZip([{ ...FILE, extra: twice }]))).toContain("sizes twice");
    const missing = { ...FILE, size: 0xffff_ffff, extra: extraField(1, Buffer.alloc(2)) };
    expect(await refusedAs(hostileZip([missing]))).toMatch(/^archive-invalid/);
  });

  it("K-05 47 an entry without a name is refused and not waited for", async () => {
    expect(await refusedAs(hostileZip([{ name: "", content: "x" }]))).toContain("no name");
  });

  it("K-05 47 a descriptor that differs from the list is refused", async () => {
    const content = "content";
    const packed = deflateRawSync(content);
    const part = (behind: Buffer) => ({
      name: "good/x",
      content,
      flags: 8,
      local: { crc: 0, size: 0, packedSize: 0 },
      behind,
    });
    for (const behind of [
      descriptor("other", 1),
      Buffer.alloc(16),
      Buffer.alloc(13),
      Buffer.alloc(0),
    ]) {
      expect(await refusedAs(hostileZip([part(behind), GOOD]))).toMatch(/^archive-invalid/);
    }
    const right = [
      descriptor(content, packed.length),
      descriptor(content, packed.length).subarray(4),
    ];
    for (const behind of right) {
      const { files } = await new ArchiveArena().accepted(hostileZip([part(behind), GOOD]));
      expect(files["good/x"]).toBe(content);
    }
  });
});

describe("zip as others write it", () => {
  it("K-01 a comment, zip64 records, a stored entry and a folder with empty data are read", async () => {
    const parts = [
      { name: "./good/", content: "", mode: 0o040755 },
      GOOD,
      { ...FILE, method: 0 },
      { name: "good/leer.md", content: "", extra: wideSizes(0, 2) },
      { name: "good/ä.md", content: "ä" },
    ];
    const shape = { comment: Buffer.from("0123456789abcdef"), wide: {} };
    const { files, result } = await new ArchiveArena().accepted(hostileZip(parts, shape));
    expect(Object.keys(files).sort()).toEqual([GOOD.name, FILE.name, "good/leer.md", "good/ä.md"]);
    expect(result).toMatchObject({ format: "zip", files: 4, notes: [] });
    expect(result.integrity).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it("K-01 a name in an old encoding is read where its Unicode form stands beside it", async () => {
    const raw = Buffer.from("gr\x81n.md", "latin1");
    const part = { name: raw, content: "x", extra: unicodeName(raw, "grün.md") };
    const { files } = await new ArchiveArena().accepted(hostileZip([part]));
    expect(files).toEqual({ "grün.md": "x" });
  });
});

function wideSizes(...sizes: readonly number[]): Buffer {
  const data = Buffer.alloc(sizes.length * 8);
  for (const [i, size] of sizes.entries()) data.writeBigUInt64LE(BigInt(size), i * 8);
  return extraField(1, data);
}

function unicodeName(raw: string | Buffer, name: string): Buffer {
  const head = Buffer.alloc(5, 1);
  head.writeUInt32LE(crc32(raw), 1);
  return extraField(0x7075, Buffer.concat([head, Buffer.from(name)]));
}

/** Text that does not compress so well that it would be a bomb. */
function randomText(bytes: number): Buffer {
  const text = Buffer.alloc(bytes);
  for (let i = 0, seed = 1; i < bytes; i++) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    text[i] = 97 + ((seed >> 16) & 15);
  }
  return text;
}
