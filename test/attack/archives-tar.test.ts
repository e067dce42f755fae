import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { ArchiveArena } from "../support/archive-arena.ts";
import { gnuLongName, hostileTar, pax, paxRecord, type TarPart } from "../support/hostile-tar.ts";

const GOOD: TarPart = { name: "good/SKILL.md", content: "good" };
const FILE: TarPart = { name: "good/file.md", content: "content ".repeat(100) };

async function refusedAs(bytes: Buffer): Promise<string> {
  const { code, message } = await new ArchiveArena().refused(bytes);
  return `${code}: ${message}`;
}

describe("kinds of entries in tar", () => {
  it.each([
    [42, "1", "is a hard link"],
    [41, "2", "is a symbolic link"],
    [42, "3", "is a device"],
    [42, "4", "is a device"],
    [42, "6", "is a FIFO"],
    [42, "7", "not allowed"],
    [42, "S", "is a sparse file"],
    [42, "M", "not allowed"],
    [42, "V", "not allowed"],
    [42, "D", "not allowed"],
    [42, "K", "is a link"],
    [42, "\u001b", "not allowed"],
  ])("K-05 %i an entry of type %j is refused: %s", async (_case, type, reason) => {
    const part = { name: "good/thing", type, link: "../../../victim.txt" };
    const failure = await refusedAs(hostileTar([GOOD, part]));
    expect(failure).toContain(`archive-unsafe: the entry "good/thing" `);
    expect(failure).toContain(reason);
  });

  it("K-05 41 a link and then a file through it is refused", async () => {
    const parts = [
      { name: "link", type: "2", link: "../.." },
      { name: "link/victim.txt", content: "evil" },
    ];
    expect(await refusedAs(hostileTar(parts))).toContain("symbolic link");
  });

  it("K-05 42 a hard link to a secret, then a write to it, is refused", async () => {
    const parts = [
      { name: "x", type: "1", link: "../../../victim.txt" },
      { name: "x", content: "evil" },
    ];
    expect(await refusedAs(hostileTar(parts))).toContain("hard link");
  });

  it("K-05 a folder that has content is refused", async () => {
    const parts = [{ name: "good/", type: "5", content: "x" }];
    expect(await refusedAs(hostileTar(parts))).toContain("folder that has content");
    expect(await refusedAs(hostileTar([{ name: "good/", content: "x" }]))).toContain("folder that");
  });
});

describe("headers of tar", () => {
  it.each<[string, TarPart, string]>([
    ["a wrong checksum", { ...FILE, checksum: 1 }, "checksum"],
    ["a size of 8 GB", { ...FILE, size: 0o77777777777 }, "limit-exceeded"],
    ["a size beyond the end", { ...FILE, size: 5000 }, "cut off"],
    ["a size below the content", { ...FILE, size: 100 }, "checksum"],
    ["a size that is no number", { ...FILE, rawSize: Buffer.from("12x45678901\0") }, "size"],
    ["a size that is empty", { ...FILE, rawSize: Buffer.alloc(12) }, "size"],
    [
      "a size in base 256",
      { ...FILE, rawSize: Buffer.from("800000000000000000000003", "hex") },
      "size",
    ],
    ["a size below zero", { ...FILE, rawSize: Buffer.alloc(12, 0xff) }, "size"],
  ])("K-05 46 %s is refused", async (_title, part, reason) => {
    const failure = await refusedAs(hostileTar([GOOD, part]));
    expect(failure).toMatch(/^(?:archive-invalid|limit-exceeded)/);
    expect(failure).toContain(reason);
  });

  it.each<[string, readonly TarPart[], string]>([
    ["another size in pax", [pax([["size", "1"]]), FILE], "two sizes"],
    ["a size in pax that hides an entry", [pax([["size", "0"]]), FILE], "two sizes"],
    ["no number as size in pax", [pax([["size", "0x10"]]), FILE], "no number"],
    [
      "a path twice in pax",
      [
        pax([
          ["path", "a"],
          ["path", "b"],
        ]),
        FILE,
      ],
      "more than one",
    ],
    ["a path for all entries", [pax([["path", "a"]], "g"), FILE], "more than one"],
    ["a size for all entries", [pax([["size", "1"]], "g"), FILE], "more than one"],
    ["two extended headers", [pax([["path", "a"]]), pax([["path", "b"]]), FILE], "second"],
    ["a long name and pax", [gnuLongName("a"), pax([["path", "b"]]), FILE], "second"],
    [
      "a record that is too long",
      [{ name: "x", type: "x", content: "99 path=a\n" }, FILE],
      "damaged",
    ],
    [
      "a record that is too short",
      [{ name: "x", type: "x", content: "3 path=a\n" }, FILE],
      "damaged",
    ],
    ["a record of length 0", [{ name: "x", type: "x", content: "0 path=a\n" }, FILE], "damaged"],
    ["a record without a key", [{ name: "x", type: "x", content: "5 =a\n" }, FILE], "damaged"],
    [
      "text behind the records",
      [{ name: "x", type: "x", content: `${paxRecord("a", "b")}?` }, FILE],
      "damaged",
    ],
    ["an extended header at the end", [GOOD, pax([["path", "a"]])], "announced"],
    ["an extended header of 70 KB", [pax([["comment", "x".repeat(70_000)]]), FILE], "too large"],
    [
      "an extended header of 8 GB",
      [{ name: "x", type: "x", size: 0o77777777777 }, FILE],
      "too large",
    ],
    ["a long name of 8 GB", [{ name: "x", type: "L", size: 0o77777777777 }, FILE], "too large"],
  ])("K-05 47 %s is refused", async (_title, parts, reason) => {
    const failure = await refusedAs(hostileTar(parts));
    expect(failure).toMatch(/^archive-invalid/);
    expect(failure).toContain(reason);
  });

  it.each(["GNU.sparse.major", "GNU.sparse.name", "GNU.sparse.realsize", "GNU.sparse.map"])(
    "K-05 47 a sparse file by %s is refused",
    async (key) => {
      const failure = await refusedAs(hostileTar([pax([[key, "../evil"]]), FILE]));
      expect(failure).toBe("archive-unsafe: the archive has a sparse file");
    },
  );

  it("K-05 45 extended headers without end are refused", async () => {
    const many = Array.from({ length: 10_000 }, () => pax([["comment", "x"]], "g"));
    expect(await refusedAs(gzipSync(hostileTar([...many, GOOD])))).toMatch(/^limit-exceeded/);
  });
});

describe("the end of a tar", () => {
  it.each([
    ["missing", Buffer.alloc(0), "cut off"],
    ["one block", Buffer.alloc(512), "cut off"],
    [
      "followed by an entry",
      Buffer.concat([Buffer.alloc(512), hostileTar([FILE])]),
      "after its end",
    ],
    [
      "followed by a hidden archive",
      Buffer.concat([Buffer.alloc(1024), hostileTar([FILE])]),
      "after its end",
    ],
  ])("K-05 51 an end that is %s is refused", async (_title, end, reason) => {
    for (const bytes of [hostileTar([GOOD], end), gzipSync(hostileTar([GOOD], end))]) {
      const failure = await refusedAs(bytes);
      expect(failure).toMatch(/^archive-/);
      expect(failure).toContain(reason);
    }
  });

  it("K-05 51 an end that goes on for 2 MB of zeros is refused", async () => {
    const bytes = hostileTar([GOOD], Buffer.alloc(2_000_000));
    expect(await refusedAs(bytes)).toContain("after its end");
    expect(await refusedAs(gzipSync(bytes))).toMatch(/^limit-exceeded/);
  });

  it("K-05 51 several gzip members, also empty ones, are refused", async () => {
    const whole = hostileTar([GOOD, FILE]);
    const split = [whole.subarray(0, 700), whole.subarray(700)].map((part) => gzipSync(part));
    expect(gunzipSync(Buffer.concat(split))).toEqual(whole);
    expect(await refusedAs(Buffer.concat(split))).toMatch(/^archive-/);
    const two = Buffer.concat([gzipSync(whole), gzipSync(hostileTar([FILE]))]);
    expect(await refusedAs(two)).toContain("after its end");
    const empty = Buffer.concat([gzipSync(whole), gzipSync("")]);
    expect(await refusedAs(empty)).toContain("after its end");
  });

  it("K-05 46 a wrong checksum, size or header of gzip is refused", async () => {
    const good = gzipSync(hostileTar([GOOD, FILE]));
    for (const at of [2, 3, good.length - 8, good.length - 1]) {
      const bytes = Buffer.from(good);
      bytes[at]! ^= 0xe0;
      expect(await refusedAs(bytes)).toMatch(/^archive-invalid/);
    }
  });

  it("K-05 gzip that holds no tar is refused", async () => {
    for (const text of ["", "hello", "x".repeat(5000)]) {
      expect(await refusedAs(gzipSync(text))).toMatch(/^archive-invalid/);
    }
  });
});

describe("bombs in gzip", () => {
  it("K-05 45 a tar of zeros is refused by its ratio", async () => {
    const bytes = gzipSync(
      hostileTar([GOOD, { name: "zeros", content: Buffer.alloc(30_000_000) }]),
    );
    expect(await refusedAs(bytes)).toMatch(/^limit-exceeded: the archive unpacks to more than 100/);
  });

  it("K-05 45 what is left out counts as well", async () => {
    const parts = [GOOD, { name: "good/.git/pack", content: Buffer.alloc(1000) }];
    const failure = await new ArchiveArena().refused(gzipSync(hostileTar(parts)), {
      limits: { bytes: 900 },
    });
    expect(failure.code).toBe("limit-exceeded");
  });
});

describe("tar as others write it", () => {
  it("K-01 a short form of a long name may be cut inside a character", async () => {
    const long = `good/${"ü".repeat(60)}.md`;
    const cut = Buffer.from(long).subarray(0, 100);
    for (const part of [gnuLongName(long), pax([["path", long]])]) {
      const bytes = hostileTar([part, { name: cut, content: "x" }]);
      expect((await new ArchiveArena().accepted(bytes)).files).toEqual({ [long]: "x" });
    }
    expect(await refusedAs(hostileTar([{ name: cut, content: "x" }]))).toContain("UTF-8");
  });

  it("K-01 long names, global headers, old folders and filled records are read", async () => {
    const long = `good/${"long-name/".repeat(15)}file.md`;
    const parts: TarPart[] = [
      pax([["comment", "0123456789abcdef"]], "g"),
      { name: "./", type: "5" },
      { name: "./good/" },
      GOOD,
      gnuLongName(long),
      { name: long.slice(0, 100), content: "GNU" },
      pax([
        ["path", "good/pax-ä.md"],
        ["mtime", "1.5"],
        ["size", "3"],
      ]),
      { name: "good/pax", content: "pax" },
      { name: "with-prefix.md", prefix: "good", content: "prefix", type: "\0" },
      { name: "good/empty.md" },
    ];
    const bytes = hostileTar(parts, Buffer.alloc(10_240));
    const expected = {
      "good/SKILL.md": "good",
      [long]: "GNU",
      "good/pax-ä.md": "pax",
      "good/with-prefix.md": "prefix",
      "good/empty.md": "",
    };
    const plain = await new ArchiveArena().accepted(bytes);
    expect(plain.files).toEqual(expected);
    expect(plain.result.format).toBe("tar");
    const packed = await new ArchiveArena().accepted(gzipSync(bytes));
    expect(packed.files).toEqual(expected);
    expect(packed.result).toMatchObject({ format: "tar.gz", files: 5 });
  });
});
