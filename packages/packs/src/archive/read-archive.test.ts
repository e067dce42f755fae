import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { ArchiveArena, treeOf } from "../../../../test/support/archive-arena.ts";
import { hostileTar } from "../../../../test/support/hostile-tar.ts";
import { hostileZip } from "../../../../test/support/hostile-zip.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import type { PackProgress } from "../index.ts";
import { readArchive } from "./index.ts";

const PARTS = [{ name: "good/SKILL.md", content: "good" }];

describe("readArchive", () => {
  it("K-01 tells the format by the bytes, not by the name", async () => {
    const formats = [hostileZip(PARTS), gzipSync(hostileTar(PARTS)), hostileTar(PARTS)].map(
      async (bytes) => (await new ArchiveArena().accepted(bytes)).result.format,
    );
    expect(await Promise.all(formats)).toEqual(["zip", "tar.gz", "tar"]);
  });

  it("K-05 says what a file is that it cannot read", async () => {
    const arena = new ArchiveArena();
    const messages: string[] = [];
    for (const text of ["", "hello", "BZh91AY", "\xfd7zXZ\0", "Rar!\x1a\x07", "7z\xbc\xaf\x27"]) {
      messages.push((await arena.refused(Buffer.from(text, "latin1"))).message);
    }
    expect(messages).toEqual([
      "the file is neither a zip nor a tar",
      "the file is neither a zip nor a tar",
      "the file is packed with bzip2",
      "the file is packed with xz",
      "the file is a RAR archive",
      "the file is a 7-Zip archive",
    ]);
  });

  it("K-05 gives a failure for what is not there or no file", async () => {
    const folder = temporaryFolder();
    const destination = join(folder, "destination");
    mkdirSync(destination);
    const read = async (file: string) => {
      const result = await readArchive(join(folder, file), { destination });
      return result.ok ? "ok" : result.code;
    };
    execFileSync("mkfifo", [join(folder, "fifo")]);
    expect(await read("nothing.zip")).toBe("source-missing");
    expect(await read("destination")).toBe("source-invalid");
    expect(await read("fifo")).toBe("source-invalid");
  });

  it("K-02 writes only into an empty folder, and removes nothing that it did not make", async () => {
    const folder = temporaryFolder({ "full/mine.txt": "mine", "a.zip": "", "elsewhere/x": "x" });
    writeFileSync(join(folder, "a.zip"), hostileZip(PARTS));
    mkdirSync(join(folder, "empty"));
    symlinkSync("empty", join(folder, "link"));
    for (const name of ["full", "missing", "link", "a.zip"]) {
      const result = await readArchive(join(folder, "a.zip"), { destination: join(folder, name) });
      expect(result).toMatchObject({ ok: false, code: "root-unwritable" });
    }
    expect(readFileSync(join(folder, "full/mine.txt"), "utf8")).toBe("mine");
    expect(readdirSync(join(folder, "empty"))).toEqual([]);
  });

  it("K-02 leaves nothing when it is canceled beforehand or a listener throws", async () => {
    const arena = new ArchiveArena();
    const signal = AbortSignal.abort();
    expect((await arena.refused(hostileZip(PARTS), { signal })).code).toBe("canceled");
    const onProgress = () => {
      throw new Error("a bug of the caller");
    };
    for (const bytes of [hostileZip(PARTS), hostileTar(PARTS), gzipSync(hostileTar(PARTS))]) {
      await expect(arena.read(bytes, { onProgress })).rejects.toThrow("a bug");
      expect(readdirSync(arena.destination)).toEqual([]);
    }
  });

  it("K-01 reports progress up to the end and the digest of the archive", async () => {
    for (const bytes of [hostileZip(PARTS), hostileTar(PARTS), gzipSync(hostileTar(PARTS))]) {
      const seen: PackProgress[] = [];
      const { result } = await new ArchiveArena().accepted(bytes, {
        onProgress: (one) => seen.push(one),
      });
      expect(seen.at(-1)?.phase).toBe("unpack");
      expect(result.integrity).toBe(`sha256:${createHash("sha256").update(bytes).digest("hex")}`);
      expect(result).toMatchObject({ files: 1, bytes: 4 });
    }
  });

  it.each([
    ["zip", "zip", ["-q", "-r", "../archive.bin", "."]],
    ["tar", "tar.gz", ["-c", "-z", "-f", "../archive.bin", "."]],
    ["tar", "tar", ["-c", "--format=gnu", "-f", "../archive.bin", "."]],
    ["tar", "tar.gz", ["-c", "-z", "--format=pax", "-f", "../archive.bin", "good"]],
    ["git", "tar.gz", ["archive", "--format=tar.gz", "-o", "../archive.bin", "HEAD"]],
    ["git", "zip", ["archive", "--format=zip", "-o", "../archive.bin", "HEAD"]],
  ])("K-01 reads what %s writes as %s", async (program, format, args) => {
    const folder = temporaryFolder({
      "pack/good/SKILL.md": "---\nname: good\n---\n",
      "pack/good/scripts/run.sh": "#!/bin/sh\n",
      [`pack/good/${"a-long-name/".repeat(12)}grün.md`]: "long",
      [`pack/good/${"ü".repeat(70)}.md`]: "umlauts",
      "pack/good/empty": "",
    });
    const pack = join(folder, "pack");
    chmodSync(join(pack, "good/scripts/run.sh"), 0o755);
    const expected = treeOf(pack);
    const run = (name: string, given: readonly string[]) =>
      execFileSync(name, given, { cwd: pack });
    if (program === "git") {
      const author = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
      run("git", ["init", "-q"]);
      run("git", ["add", "."]);
      run("git", [...author, "commit", "-q", "-m", "x"]);
    }
    run(program, args);
    const destination = join(folder, "destination");
    mkdirSync(destination);
    const result = await readArchive(join(folder, "archive.bin"), { destination });
    expect(result).toMatchObject({ ok: true, format, notes: [] });
    expect(treeOf(destination)).toEqual(expected);
  });
});
