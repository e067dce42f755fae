import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync, gzipSync } from "node:zlib";
import { installSkills, type PackFailure, updateSkills } from "@skillwright/packs";
import { describe, expect, it } from "vitest";
import { gnuLongName, hostileTar, pax, type TarPart } from "../support/hostile-tar.ts";
import { hostileZip, type ZipPart, type ZipShape } from "../support/hostile-zip.ts";
import { done, PackWorld, refused, treeOf } from "../support/pack-world.ts";
import { skillText } from "../support/skill-tree.ts";
import { webSite } from "../support/web-site.ts";

const GOOD = { name: "good/SKILL.md", content: skillText("good") };
const FILE = { name: "good/file.md", content: "content ".repeat(50) };
const OUT = "../".repeat(6);

/** Entries that are the same in both formats. */
const NAMES: readonly (readonly [string, readonly string[]])[] = [
  ["a way up", [`${OUT}outside/secret.txt`]],
  ["a way up in the middle", [`good/${OUT}outside/secret.txt`]],
  ["an absolute path", ["/etc/cron.d/evil"]],
  ["a home", ["~/.bashrc"]],
  ["a backslash", ["..\\..\\evil"]],
  ["a drive", ["C:/evil"]],
  ["a stream", ["good/a.txt:stream"]],
  ["a device of Windows", ["good/NUL.md"]],
  ["a dot at the end", ["good/name."]],
  ["an escape sequence", ["good/a\u001b[2Jb"]],
  ["a turned direction", ["good/a\u202egpj.exe"]],
  ["a name of 300 bytes", [`good/${"x".repeat(300)}`]],
  ["a depth of 60", [`${"a/".repeat(60)}x`]],
  ["one name twice", ["good/x.md", "good/x.md"]],
  ["one name in two cases", ["good/x.md", "good/X.md"]],
  ["two Unicode forms", ["good/\u00e4.md", "good/a\u0308.md"]],
  ["a file that is a folder", ["good/x", "good/x/y"]],
];

const ZIPS: readonly (readonly [string, readonly ZipPart[], ZipShape?])[] = [
  ["a link", [GOOD, { name: "good/link", content: "/etc/passwd", mode: 0o120777 }]],
  [
    "a file through a link",
    [GOOD, { name: "l", content: OUT, mode: 0o120777 }, { name: "l/secret.txt", content: "evil" }],
  ],
  ["a FIFO", [GOOD, { name: "good/pipe", mode: 0o010644 }]],
  ["a device", [GOOD, { name: "good/null", mode: 0o020644 }]],
  ["encryption", [GOOD, { ...FILE, flags: 1 }]],
  ["an unknown method", [GOOD, { ...FILE, method: 99 }]],
  ["a lying size", [GOOD, { ...FILE, size: 10 }]],
  ["a wrong checksum", [GOOD, { ...FILE, crc: 1 }]],
  ["another name in the header", [GOOD, { ...FILE, local: { name: "good/other.md" } }]],
  ["shared data", [GOOD, { ...FILE, name: "good/b.md", isListedOnly: true, offset: 0 }]],
  [
    "data behind the content",
    [GOOD, { ...FILE, packed: Buffer.concat([deflateRawSync(FILE.content), Buffer.from("x")]) }],
  ],
  ["data before it", [GOOD], { before: Buffer.from("#!/bin/sh\n") }],
  ["data after it", [GOOD], { after: Buffer.from("more") }],
  ["too few entries counted", [GOOD, FILE], { entries: 1 }],
  ["a bomb", [GOOD, { name: "good/zeros", content: Buffer.alloc(3_000_000) }]],
];

const TARS: readonly (readonly [string, readonly TarPart[], Buffer<ArrayBuffer>?])[] = [
  ["a link", [GOOD, { name: "good/link", type: "2", link: "/etc/passwd" }]],
  ["a hard link", [GOOD, { name: "good/link", type: "1", link: `${OUT}outside/secret.txt` }]],
  ["a FIFO", [GOOD, { name: "good/pipe", type: "6" }]],
  ["a device", [GOOD, { name: "good/null", type: "3" }]],
  ["a sparse file", [GOOD, pax([["GNU.sparse.name", "x"]]), FILE]],
  ["a way up by pax", [pax([["path", `${OUT}outside/secret.txt`]]), GOOD]],
  ["a way up by GNU", [gnuLongName(`${OUT}outside/secret.txt`), GOOD]],
  ["a way up by its prefix", [{ ...GOOD, prefix: "../../.." }]],
  ["two sizes", [GOOD, pax([["size", "1"]]), FILE]],
  ["a wrong checksum", [GOOD, { ...FILE, checksum: 1 }]],
  ["a size of 8 GB", [GOOD, { ...FILE, size: 0o77777777777 }]],
  ["no end", [GOOD], Buffer.alloc(0)],
  ["an entry after its end", [GOOD], Buffer.concat([Buffer.alloc(1024), hostileTar([FILE])])],
  ["a bomb", [GOOD, { name: "good/zeros", content: Buffer.alloc(30_000_000) }]],
];

const ARCHIVES: readonly (readonly [string, string, Buffer])[] = [
  ...NAMES.map(([title, names]) => {
    const parts = [GOOD, ...names.map((name, i) => ({ name, content: `evil ${i}` }))];
    return [`zip with ${title}`, "hostile.zip", hostileZip(parts)] as const;
  }),
  ...NAMES.map(([title, names]) => {
    const parts = names.flatMap((name, i) => {
      const part = { name, content: `evil ${i}` };
      return Buffer.byteLength(name) > 100 ? [gnuLongName(name), { ...part, name: "x" }] : [part];
    });
    return [`tar with ${title}`, "hostile.tar.gz", gzipSync(hostileTar([GOOD, ...parts]))] as const;
  }),
  ...ZIPS.map(([title, parts, shape]) => {
    return [`zip with ${title}`, "hostile.zip", hostileZip(parts, shape)] as const;
  }),
  ...TARS.map(([title, parts, end]) => {
    return [`tar with ${title}`, "hostile.tar.gz", gzipSync(hostileTar(parts, end))] as const;
  }),
  ["zip without a SKILL.md", "hostile.zip", hostileZip([{ name: "x/README.md", content: "x" }])],
  ["zip that is empty", "hostile.zip", hostileZip([])],
  ["file that is no archive", "hostile.zip", Buffer.from("hello")],
  ["file without content", "hostile.zip", Buffer.alloc(0)],
  ["zip that is cut off", "hostile.zip", hostileZip([GOOD, FILE]).subarray(0, -30)],
  ["tar.gz that is cut off", "hostile.tar.gz", gzipSync(hostileTar([GOOD, FILE])).subarray(0, -9)],
  [
    "zip whose second skill cannot be used",
    "hostile.zip",
    hostileZip([GOOD, { name: "bad/SKILL.md", content: "no frontmatter" }]),
  ],
];

/** A project with a skill, and a neighbourhood to lose. */
async function arena(): Promise<PackWorld> {
  const world = new PackWorld();
  world.write({ "home/.bashrc": "mine", "project/src/index.ts": "mine" });
  world.skills("pack", { standing: { "a.md": "a" } });
  done(await installSkills("./pack", world.session));
  return world;
}

const CODES = /^(?:archive-invalid|archive-unsafe|limit-exceeded|skill-missing|skill-invalid)$/;

function expectReason({ code, message }: PackFailure): void {
  expect(code).toMatch(CODES);
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  expect(message).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
  expect(message.length).toBeLessThan(500);
}

describe("a hostile archive that is installed", () => {
  it.each(ARCHIVES)(
    "K-05 %s is refused with the reason, and changes nothing",
    async (_, file, bytes) => {
      const world = await arena();
      writeFileSync(world.path(file), bytes);
      const before = treeOf(world.folder);
      for (const options of [{ dryRun: true }, {}, { force: true, failOn: "never" as const }]) {
        const result = await installSkills(`./${file}`, {
          ...world.session,
          all: true,
          ...options,
        });
        expectReason(refused(result));
        expect(treeOf(world.folder)).toEqual(before);
      }
      expect(readdirSync(join(world.scope.root, ".skillwright/staging"))).toEqual([]);
    },
  );

  it("K-05 over the web, and as the new version of what is installed, it is refused too", async () => {
    const world = await arena();
    const site = await webSite({ "/good.zip": hostileZip([GOOD]) });
    done(await installSkills(`${site.origin}/good.zip`, world.session));
    const before = treeOf(world.folder);
    for (const [title, file, bytes] of ARCHIVES) {
      if (!file.endsWith(".zip") || title.includes("second skill")) continue;
      site.pages["/good.zip"] = bytes;
      const result = await updateSkills({ ...world.session, names: ["good"], force: true });
      expect(refused(result).code, title).toMatch(
        /^(?:archive-|limit-|skill-|source-unreachable$|source-invalid$)/,
      );
      expect(treeOf(world.folder), title).toEqual(before);
    }
  });
});
