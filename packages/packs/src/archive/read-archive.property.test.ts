import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { packTar } from "modern-tar";
import { expect, it } from "vitest";
import { ZipFile } from "yazl";
import { treeOf } from "../../../../test/support/archive-arena.ts";
import { headersOf, sealHeader } from "../../../../test/support/hostile-tar.ts";
import { numRuns } from "../../../../test/support/suite.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { readArchive } from "./index.ts";

interface GeneratedFile {
  readonly path: string;
  readonly content: { readonly bytes: Buffer };
  readonly isExecutable: boolean;
}

/** Shown by its length and seed when a test fails. */
class Content {
  readonly length: number;
  readonly seed: number;
  readonly #bytes: Buffer;

  constructor(length: number, seed: number) {
    this.length = length;
    this.seed = seed;
    this.#bytes = Buffer.alloc(length);
    for (let i = 0, state = seed; i < length; i++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      this.#bytes[i] = (state >> 16) & (seed % 2 === 0 ? 0xff : 0x0f);
    }
  }

  get bytes(): Buffer {
    return this.#bytes;
  }
}

const character = fc.constantFrom(..."abcxyz019_-+ @#äß日本語é😀.");
const word = fc
  .array(character, { minLength: 1, maxLength: 20 })
  .map((characters) => `n${characters.join("")}n`);

const length = fc.oneof(
  { weight: 20, arbitrary: fc.nat(3000) },
  { weight: 19, arbitrary: fc.constantFrom(511, 512, 513, 1024) },
  // Unpacked in parts.
  { weight: 1, arbitrary: fc.constant(1_200_000) },
);

/** Folders and files have names that cannot meet: `d…` and `f…`. */
const file: fc.Arbitrary<GeneratedFile> = fc.record({
  path: fc
    .tuple(fc.array(fc.constantFrom("done", "do-two", "d日本", "d x"), { maxLength: 12 }), word)
    .map(([folders, name]) => [...folders, `f${name}`].join("/")),
  content: fc.tuple(length, fc.nat(9999)).map(([length, seed]) => new Content(length, seed)),
  isExecutable: fc.boolean(),
});

const files = fc.uniqueArray(file, {
  minLength: 1,
  maxLength: 12,
  selector: ({ path }) => path.normalize("NFKC").toLowerCase().replaceAll("ß", "ss"),
});

async function zipOf(generated: readonly GeneratedFile[], isWide: boolean): Promise<Buffer> {
  const archive = new ZipFile();
  for (const { path, content, isExecutable } of generated) {
    const mode = isExecutable ? 0o100755 : 0o100644;
    archive.addBuffer(content.bytes, path, { mode, forceZip64Format: isWide, compress: !isWide });
  }
  archive.end({ forceZip64Format: isWide, comment: "" });
  const parts: Buffer[] = [];
  for await (const part of archive.outputStream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

async function tarOf(generated: readonly GeneratedFile[]): Promise<Buffer> {
  const entries = generated.map(({ path: name, content, isExecutable }) => ({
    header: { name, size: content.bytes.length, mode: isExecutable ? 0o755 : 0o644 },
    body: content.bytes,
  }));
  return Buffer.from(await packTar(entries));
}

async function unpacked(folder: string, bytes: Buffer): Promise<Record<string, string>> {
  const destination = mkdtempSync(join(folder, "d-"));
  writeFileSync(join(folder, "archive"), bytes);
  const result = await readArchive(join(folder, "archive"), { destination });
  if (!result.ok) throw new Error(result.message);
  const tree = treeOf(destination);
  rmSync(destination, { recursive: true });
  return tree;
}

it("K-01 any set of files that was archived is what is read", async () => {
  const folder = temporaryFolder();
  await fc.assert(
    fc.asyncProperty(files, fc.boolean(), async (generated, isWide) => {
      const expected = Object.fromEntries(
        generated.map(({ path, content, isExecutable }) => [
          path,
          `${isExecutable ? "755 " : ""}${content.bytes.toString("latin1")}`,
        ]),
      );
      const tar = await tarOf(generated);
      expect(await unpacked(folder, await zipOf(generated, isWide))).toEqual(expected);
      expect(await unpacked(folder, tar)).toEqual(expected);
      expect(await unpacked(folder, gzipSync(tar))).toEqual(expected);
    }),
    { numRuns: 40 },
  );
});

const SAMPLE: readonly GeneratedFile[] = [
  {
    path: "good/SKILL.md",
    content: { bytes: Buffer.from("---\nname: good\n---\n") },
    isExecutable: false,
  },
  {
    path: "good/scripts/run.sh",
    content: { bytes: Buffer.from("#!/bin/sh\necho good\n") },
    isExecutable: true,
  },
  {
    path: `good/${"long/".repeat(21)}x.md`,
    content: { bytes: Buffer.alloc(700, "long ") },
    isExecutable: false,
  },
];

it.each(["zip", "tar", "tar with right checksums", "tar.gz"])(
  "K-05 damaged bytes of a %s never throw, never write elsewhere, and leave nothing when refused",
  async (format) => {
    const tar = await tarOf(SAMPLE);
    const whole =
      format === "zip" ? await zipOf(SAMPLE, false) : format === "tar.gz" ? gzipSync(tar) : tar;
    const headers = format === "tar with right checksums" ? headersOf(tar) : [];
    const folder = temporaryFolder({ "around/victim.txt": "untouched" });
    const destination = join(folder, "around/destination");
    const archive = join(folder, "archive");
    const damage = fc.record({
      at: fc.nat(whole.length - 1),
      value: fc.oneof(fc.nat(255), fc.constantFrom(0, 0x2f, 0x2e, 0x5c, 0xff)),
    });
    const cut = fc.record({ from: fc.nat(whole.length), length: fc.constantFrom(0, 0, 1, 512) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(damage, { minLength: 1, maxLength: 8 }),
        cut,
        async (damages, gap) => {
          const bytes = Buffer.from(whole);
          for (const { at, value } of damages) bytes[at] = value;
          for (const at of headers) sealHeader(bytes.subarray(at, at + 512));
          writeFileSync(
            archive,
            Buffer.concat([bytes.subarray(0, gap.from), bytes.subarray(gap.from + gap.length)]),
          );
          rmSync(destination, { recursive: true, force: true });
          mkdirSync(destination);
          const result = await readArchive(archive, { destination });
          const written = Object.values(treeOf(destination)).join("").length;
          expect(written).toBeLessThan(result.ok ? 2000 : 1);
          expect(result.ok || readdirSync(destination).length === 0).toBe(true);
          rmSync(destination, { recursive: true, force: true });
          expect(treeOf(join(folder, "around"))).toEqual({ "victim.txt": "untouched" });
        },
      ),
      { numRuns: numRuns(400) },
    );
  },
);
