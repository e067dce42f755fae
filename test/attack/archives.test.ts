import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { ArchiveArena } from "../support/archive-arena.ts";
import { gnuLongName, hostileTar, pax, type TarPart } from "../support/hostile-tar.ts";
import { hostileZip } from "../support/hostile-zip.ts";

const GOOD = { name: "good/SKILL.md", content: "good" };

/** The same entries in every format that is read. */
const FORMATS = {
  zip: (parts: readonly TarPart[]) =>
    hostileZip(parts.map(({ name, content = "", mode = 0 }) => ({ name, content, mode }))),
  tar: (parts: readonly TarPart[]) => hostileTar(parts),
  "tar.gz": (parts: readonly TarPart[]) => gzipSync(hostileTar(parts)),
};
const EACH_FORMAT = Object.entries(FORMATS).map(([format, make]) => ({ format, make }));

const NAMES: readonly (readonly [number, string, string])[] = [
  [37, "../evil", '".."'],
  [37, "good/../../evil", '".."'],
  [37, "good/..", '".."'],
  [37, "./../evil", '".."'],
  [37, "good/./x", '"."'],
  [37, "././x", '"."'],
  [37, "．．/evil", "other systems"],
  [37, "good/℀", "other systems"],
  [38, "/etc/cron.d/evil", "absolute"],
  [38, "//host/share/evil", "absolute"],
  [38, "~/evil", "home folder"],
  [38, ".//etc/evil", "empty part"],
  [39, "..\\evil", "backslash"],
  [39, "good\\x", "backslash"],
  [39, "\\\\host\\share\\x", "backslash"],
  [40, "C:/evil", "drive letter"],
  [40, "c:evil", "drive letter"],
  [40, "good/file.txt:stream", "colon"],
  [44, "con", "Windows"],
  [44, "good/NUL.md", "Windows"],
  [44, "good/com1.txt", "Windows"],
  [44, "good/lpt¹", "Windows"],
  [44, "good/name.", "dot or space"],
  [44, "good/name ", "dot or space"],
  [49, "good/a\u001b[2Jb", "control"],
  [49, "good/a\nb", "control"],
  [49, "good/a\u202egpj.exe", "control"],
  [49, "good/a\u{e0041}", "control"],
  [49, "good//x", "empty part"],
  [49, "good/" + "x".repeat(256), "too long"],
  [49, "good/" + "ä".repeat(128), "too long"],
  [49, "a/".repeat(40) + "x", "deep"],
  [49, "long-name/".repeat(110) + "x", "too long"],
];

describe("names", () => {
  describe.each(EACH_FORMAT)("in $format", ({ format, make }) => {
    it.each(NAMES)("K-05 %i the name %j is refused", async (_case, name, reason) => {
      const isLong = Buffer.byteLength(name) > 100;
      const parts = isLong && format !== "zip" ? [GOOD, gnuLongName(name), GOOD] : [GOOD, { name }];
      const failure = await new ArchiveArena().refused(make(parts));
      expect(failure.code).toBe("archive-unsafe");
      expect(failure.message).toContain(reason);
    });

    it("K-05 49 a NUL in a name is refused", async () => {
      const name = Buffer.from("good/a.md\0/../../evil");
      const failure = await new ArchiveArena().refused(make([GOOD, { name }]));
      expect(failure.code).toBe("archive-unsafe");
      expect(failure.message).toContain("NUL");
    });

    it("K-05 49 a name that is not UTF-8 is refused", async () => {
      const name = Buffer.from([0x67, 0xc0, 0xae, 0xc0, 0xae, 0x2f, 0x78]);
      const failure = await new ArchiveArena().refused(make([GOOD, { name }]));
      expect(failure.code).toMatch(/^archive-/);
    });

    it.each([
      ["twice", ["a/x.md", "a/x.md"], "twice"],
      ["twice, once with ./", ["a/x.md", "./a/x.md"], "twice"],
      ["in other case", ["a/SKILL.md", "a/skill.md"], "take for"],
      ["in a folder of other case", ["a/x.md", "A/y.md"], "take for"],
      ["in NFD and NFC", ["a/\u00e4.md", "a/a\u0308.md"], "take for"],
      ["in a compatible form", ["a/ﬁle.md", "a/file.md"], "take for"],
      ["as ß and ss", ["a/straße.md", "a/STRASSE.md"], "take for"],
      ["with an invisible character", ["a/SKILL.md", "a/SKI\u200dLL.md"], "take for"],
      ["as file, then folder", ["a/x", "a/x/y"], "file and a folder"],
      ["as folder, then file", ["a/x/y", "a/x"], "file and a folder"],
    ])("K-05 43 44 one name %s is refused", async (_title, names, reason) => {
      const parts = names.map((name, i) => ({ name, content: `${i}` }));
      const failure = await new ArchiveArena().refused(make(parts));
      expect(failure.code).toBe("archive-unsafe");
      expect(failure.message).toContain(reason);
    });

    it("K-05 48 special bits and missing modes are dropped", async () => {
      const parts = [0o104755, 0o106644, 0o101777, 0o100000, 0o100011].map((mode, i) => ({
        name: `good/${i}`,
        content: "x",
        mode: format === "zip" ? mode : mode & 0o7777,
      }));
      const { files } = await new ArchiveArena().accepted(make(parts));
      expect(files).toEqual({
        "good/0": "755 x",
        "good/1": "x",
        "good/2": "755 x",
        "good/3": "x",
        "good/4": "x",
      });
    });

    it("K-05 45 too many files, folders and bytes are refused", async () => {
      const arena = new ArchiveArena();
      const parts = [1, 2, 3, 4].map((i) => ({ name: `good/file-${i}`, content: "x".repeat(100) }));
      const deep = [{ name: "a/b/c/d/e/f/x", content: "x" }];
      const folders = Array.from({ length: 20 }, (_, i) => ({ name: `${i}/`, type: "5" }));
      const junk = Array.from({ length: 20 }, (_, i) => ({ name: `__MACOSX/${i}`, content: "x" }));
      const refused = [
        await arena.refused(make(parts), { limits: { files: 3 } }),
        await arena.refused(make(parts), { limits: { bytes: 399 } }),
        await arena.refused(make(parts), { limits: { archiveBytes: 100 } }),
        await arena.refused(make(deep), { limits: { files: 5 } }),
        await arena.refused(make(folders), { limits: { files: 4 } }),
        await arena.refused(make(junk), { limits: { files: 4 } }),
      ];
      expect(refused.map(({ code }) => code)).toEqual(refused.map(() => "limit-exceeded"));
      const limits = { files: 4, bytes: 400 };
      expect((await arena.accepted(make(parts), { limits })).result.files).toBe(4);
    });

    it("K-05 45 an archive in the archive stays a file, and a note names it", async () => {
      const inner = make([{ name: "../evil", content: "x" }]);
      const parts = [GOOD, { name: "good/inner.tar.gz", content: inner }];
      const { files, result } = await new ArchiveArena().accepted(make(parts));
      expect(files["good/inner.tar.gz"]).toBe(inner.toString("latin1"));
      expect(result.notes).toEqual(['kept as files and not opened: "good/inner.tar.gz"']);
    });

    it("K-05 what macOS and git add is left out with one note, and still checked", async () => {
      const junk = [
        "__MACOSX/good/._SKILL.md",
        "good/.DS_Store",
        "good/._x",
        "good/.GIT/config",
      ].concat("good/.skillwright/journal.json");
      const parts = [GOOD, ...junk.map((name) => ({ name, content: "junk" }))];
      const { files, result } = await new ArchiveArena().accepted(make(parts));
      expect(files).toEqual({ "good/SKILL.md": "good" });
      expect(result).toMatchObject({ files: 1, bytes: 4 });
      expect(result.notes).toEqual([
        "left out what is no part of a skill: .DS_Store, ._*, .git, .skillwright, __MACOSX",
      ]);
      const evil = make([GOOD, { name: "__MACOSX/../../evil" }]);
      expect((await new ArchiveArena().refused(evil)).code).toBe("archive-unsafe");
    });

    it("K-05 52 an archive that is cut off anywhere leaves nothing", async () => {
      const arena = new ArchiveArena();
      const whole = make([GOOD, { name: "good/second.md", content: "second".repeat(200) }]);
      for (let length = 0; length < whole.length; length += Math.ceil(whole.length / 150)) {
        await arena.refused(whole.subarray(0, length));
      }
      await arena.refused(whole.subarray(0, -1));
      expect((await arena.accepted(whole)).result.files).toBe(2);
    });

    it("K-05 52 a canceled unpacking leaves nothing", async () => {
      const parts = Array.from({ length: 1500 }, (_, i) => ({
        name: `good/file-${i}.md`,
        content: `${i}`.repeat(500),
      }));
      const control = new AbortController();
      const onProgress = () => control.abort();
      const { signal } = control;
      const failure = await new ArchiveArena().refused(make(parts), { signal, onProgress });
      expect(failure.code).toBe("canceled");
    });

    it("K-05 51 data after the end is refused", async () => {
      const arena = new ArchiveArena();
      for (const after of ["\n", "#!/bin/sh\n", "x".repeat(2000)]) {
        const failure = await arena.refused(Buffer.concat([make([GOOD]), Buffer.from(after)]));
        expect(failure.code).toMatch(/^archive-/);
      }
    });

    it("K-05 51 something before the archive is refused", async () => {
      const before = Buffer.from("#!/bin/sh\nexec evil\n");
      const failure = await new ArchiveArena().refused(Buffer.concat([before, make([GOOD])]));
      expect(failure.code).toBe(format === "zip" ? "archive-unsafe" : "archive-invalid");
    });
  });
});

describe("long names of tar", () => {
  it.each([
    ["pax", pax([["path", "../../evil"]])],
    ["GNU", gnuLongName("../../evil")],
  ])(
    "K-05 37 a path that leads out by an extended header of %s is refused",
    async (_kind, part) => {
      const failure = await new ArchiveArena().refused(hostileTar([GOOD, part, GOOD]));
      expect(failure.code).toBe("archive-unsafe");
      expect(failure.message).toContain('".."');
    },
  );

  it("K-05 37 a prefix that leads out is refused", async () => {
    const parts = [GOOD, { name: "evil", prefix: "../.." }];
    expect((await new ArchiveArena().refused(hostileTar(parts))).code).toBe("archive-unsafe");
  });
});
