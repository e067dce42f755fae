import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SkillwrightError } from "../index.ts";
import { openConfined } from "./index.ts";

const READS = 3000;

/** Swaps `skill/references` between a folder and a link to `outside`, as fast as it can. */
const SWAPPER = `
const { renameSync, symlinkSync, unlinkSync } = require("node:fs");
process.chdir(process.argv[1]);
process.stdout.write("ready");
for (;;) {
  renameSync("skill/references", "aside");
  symlinkSync("../outside", "skill/references");
  unlinkSync("skill/references");
  renameSync("aside", "skill/references");
}`;

let root = "";
let skill = "";

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "skillwright-")));
  skill = join(root, "skill");
  await mkdir(join(skill, "references"), { recursive: true });
  await mkdir(join(root, "outside"));
  await writeFile(join(skill, "references/a.md"), "inside");
  await writeFile(join(root, "outside/a.md"), "secret");
});

afterEach(() => rm(root, { recursive: true, force: true }));

describe("openConfined", () => {
  it("F-08 opens a file below the folder", async () => {
    expect(await read("references/a.md")).toBe("inside");
  });

  it.each([
    ["a link to a file outside", "leak", "../outside/a.md"],
    ["a link to a file inside", "alias", "references/a.md"],
    ["a dangling link", "dangling", "nowhere"],
    ["a link to itself", "loop", "loop"],
    ["a link into /proc", "environ", "/proc/self/environ"],
  ])("F-08 refuses %s", async (_, name, target) => {
    await symlink(target, join(skill, name));
    expect(await read(name)).toBe("link-refused");
  });

  it("F-08 refuses a file behind a link to a folder", async () => {
    await symlink("../outside", join(skill, "linked"));
    await symlink("references", join(skill, "same"));
    expect(await read("linked/a.md")).toBe("link-refused");
    expect(await read("same/a.md")).toBe("link-refused");
  });

  it("F-08 refuses what is no regular file, without waiting", async () => {
    execFileSync("mkfifo", [join(skill, "pipe")]);
    const server = createServer().listen(join(skill, "socket"));
    await once(server, "listening");
    try {
      expect(await read("pipe")).toBe("file-unreadable");
      expect(await read("socket")).toBe("file-unreadable");
      expect(await read("references")).toBe("file-unreadable");
    } finally {
      server.close();
    }
  });

  it.each(["", ".", "..", "../b/SKILL.md", "a/../b", "a//b", "./a", "/etc/passwd"])(
    "F-08 refuses the path %j",
    async (path) => {
      expect(await read(path)).toBe("path-unsafe");
    },
  );

  it.each(["nowhere.md", "references/a.md/b", "a\0b", "x".repeat(300)])(
    "F-08 says that %j cannot be read",
    async (path) => {
      expect(await read(path)).toBe("file-unreadable");
    },
  );

  it("F-08 leaks nothing while a folder is swapped for a link", async () => {
    const swapper = spawn(process.execPath, ["-e", SWAPPER, root], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(swapper, "exit");
    const seen = new Map<string, number>();
    try {
      await once(swapper.stdout, "data");
      // Until the race was seen to happen, however slow the machine is.
      for (let i = 0; i < READS || seen.size < 2; i++) {
        const result = await read("references/a.md");
        seen.set(result, (seen.get(result) ?? 0) + 1);
      }
      expect(swapper.exitCode).toBeNull();
    } finally {
      swapper.kill("SIGKILL");
      await exited;
    }
    expect(seen.get("secret")).toBeUndefined();
    expect([...seen.keys()].filter((result) => !EXPECTED.has(result))).toEqual([]);
  });
});

const EXPECTED: ReadonlySet<string> = new Set(["inside", "link-refused", "file-unreadable"]);

/** The content, or the code of the refusal. */
async function read(path: string): Promise<string> {
  try {
    const { descriptor } = await openConfined(skill, path);
    try {
      return readFileSync(descriptor, "utf8");
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (!SkillwrightError.isInstance(error)) throw error;
    return error.code;
  }
}
