import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { skillDigest, SkillwrightError } from "../index.ts";
import { combineDigests, fileDigests } from "../internal/index.ts";

const FILES: Readonly<Record<string, string | Uint8Array>> = {
  "SKILL.md": "---\nname: dates\n---\n",
  "scripts/run.sh": "#!/bin/sh\n",
  "scripts-old.txt": "",
  "assets/\u{1F600}.bin": Uint8Array.from([0, 255, 13, 10]),
  "assets/\uFFEE.md": "x",
  "assets/É.md": "y",
  "assets/b.md": "z",
  "assets/B.md": "z",
  "a b\\c'\".md": "quotes",
};

let root = "";

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "skillwright-"));
});

afterEach(() => rm(root, { recursive: true, force: true }));

describe("skillDigest", () => {
  it("F-08 hashes path NUL sha256 LF for each file in byte order", async () => {
    await writeAll("a", Object.entries(FILES));
    const lines = Object.entries(FILES)
      .map(([path, content]) => ({ bytes: Buffer.from(path), hash: hashOf(content) }))
      .toSorted((a, b) => Buffer.compare(a.bytes, b.bytes))
      .map(({ bytes, hash }) => Buffer.concat([bytes, Buffer.from(`\0${hash}\n`)]));
    expect(await skillDigest(join(root, "a"))).toBe(`sha256:${hashOf(Buffer.concat(lines))}`);
  });

  it("F-08 is a fixed value for a fixed content", async () => {
    await writeAll("a", [["SKILL.md", "hello\n"]]);
    const inner = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";
    expect(hashOf("hello\n")).toBe(inner);
    expect(await skillDigest(join(root, "a"))).toBe(`sha256:${hashOf(`SKILL.md\0${inner}\n`)}`);
  });

  it("F-08 does not depend on the order in which files were made", async () => {
    await writeAll("a", Object.entries(FILES));
    await writeAll("b", Object.entries(FILES).toReversed());
    expect(await digest("b")).toBe(await digest("a"));
  });

  it("F-08 does not depend on times, modes, empty folders or the folder's own name", async () => {
    await writeAll("a", Object.entries(FILES));
    const before = await digest("a");
    for (const path of Object.keys(FILES)) {
      await chmod(join(root, "a", path), 0o755);
      await utimes(join(root, "a", path), 1, 1);
    }
    await mkdir(join(root, "a/empty/inner"), { recursive: true });
    await rename(join(root, "a"), join(root, "other"));
    expect(await digest("other")).toBe(before);
  });

  it("F-08 does not depend on the locale or time zone", async () => {
    await writeAll("a", Object.entries(FILES));
    const before = await digest("a");
    const { LC_ALL, TZ } = process.env;
    try {
      Object.assign(process.env, { LC_ALL: "tr_TR.UTF-8", TZ: "Asia/Kathmandu" });
      expect(await digest("a")).toBe(before);
    } finally {
      restore({ LC_ALL, TZ });
    }
  });

  it("F-08 changes with every byte, every name and every file", async () => {
    const variants: [string, string][][] = [
      [["SKILL.md", "a"]],
      [["SKILL.md", "b"]],
      [["SKILL.md", "a\n"]],
      [["SKILL.MD", "a"]],
      [["x/SKILL.md", "a"]],
      [
        ["SKILL.md", "a"],
        ["b", ""],
      ],
      [
        ["SKILL.md", "a"],
        ["c", ""],
      ],
      [
        ["SKILL.md", ""],
        ["b", "a"],
      ],
      [],
    ];
    const digests = new Set<string>();
    for (const [i, files] of variants.entries()) {
      await writeAll(`v${i}`, files);
      digests.add(await digest(`v${i}`));
    }
    expect(digests.size).toBe(variants.length);
  });

  it("F-08 is the same through a link to the folder", async () => {
    await writeAll("a", Object.entries(FILES));
    await symlink("a", join(root, "link"));
    expect(await digest("link")).toBe(await digest("a"));
  });

  it.each(["\n", "\u0001", "\u001B[2J", "\t", "\u007F"])(
    "F-08 refuses %j in a path",
    async (character) => {
      await writeAll("a", [
        ["SKILL.md", ""],
        [`assets/x${character}y`, ""],
      ]);
      expect(await codeOf(skillDigest(join(root, "a")))).toBe("path-unsafe");
    },
  );

  it("F-08 refuses a path that is not UTF-8", async () => {
    await writeAll("a", [["SKILL.md", ""]]);
    await writeFile(Buffer.concat([Buffer.from(`${root}/a/`), Buffer.from([0xff, 0x61])]), "");
    expect(await codeOf(skillDigest(join(root, "a")))).toBe("path-unsafe");
  });

  it.each([
    ["to a file outside", "/etc/passwd"],
    ["to a file inside", "SKILL.md"],
    ["to a folder", ".."],
    ["to nothing", "nowhere"],
  ])("F-08 refuses a link %s", async (_, target) => {
    await writeAll("a", [["SKILL.md", "x"]]);
    await symlink(target, join(root, "a/link"));
    expect(await codeOf(skillDigest(join(root, "a")))).toBe("link-refused");
  });

  it("F-08 refuses a pipe instead of waiting for it", async () => {
    await writeAll("a", [["SKILL.md", "x"]]);
    execFileSync("mkfifo", [join(root, "a/pipe")]);
    expect(await codeOf(skillDigest(join(root, "a")))).toBe("file-unreadable");
  });

  it("F-08 refuses folders nested too deep and folders that are not there", async () => {
    await mkdir(join(root, "a", ...Array.from({ length: 70 }, () => "d")), { recursive: true });
    expect(await codeOf(skillDigest(join(root, "a")))).toBe("path-unsafe");
    expect(await codeOf(skillDigest(join(root, "nowhere")))).toBe("directory-unreadable");
  });

  it("F-08 lists the hash and size of each file", async () => {
    await writeAll("a", [
      ["b", "22"],
      ["SKILL.md", "1"],
    ]);
    const files = await fileDigests(join(root, "a"));
    expect(files).toEqual([
      { path: "SKILL.md", sha256: hashOf("1"), size: 1 },
      { path: "b", sha256: hashOf("22"), size: 2 },
    ]);
    expect(combineDigests(files)).toBe(await digest("a"));
  });

  it("F-08 hashes large files and hard links like any other", async () => {
    const large = Buffer.alloc(3 * 1024 * 1024, "x");
    await writeAll("a", [["large.bin", large]]);
    await link(join(root, "a/large.bin"), join(root, "a/same.bin"));
    const hashes = (await fileDigests(join(root, "a"))).map(({ sha256 }) => sha256);
    expect(hashes).toEqual([hashOf(large), hashOf(large)]);
  });
});

async function writeAll(
  folder: string,
  files: readonly (readonly [string, string | Uint8Array])[],
): Promise<void> {
  await mkdir(join(root, folder), { recursive: true });
  for (const [path, content] of files) {
    await mkdir(join(root, folder, path, ".."), { recursive: true });
    await writeFile(join(root, folder, path), content);
  }
}

function digest(folder: string): Promise<string> {
  return skillDigest(join(root, folder));
}

function hashOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

async function codeOf(result: Promise<unknown>): Promise<string> {
  const error = await result.catch((reason: unknown) => reason);
  return SkillwrightError.isInstance(error) ? error.code : "no error";
}

function restore(values: Record<string, string | undefined>): void {
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined) delete process.env[key];
    else process.env[key] = value;
  }
}
