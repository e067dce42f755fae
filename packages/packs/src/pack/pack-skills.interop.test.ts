import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { packSkills } from "./index.ts";

const FILES = {
  "one/SKILL.md": skillText("one"),
  "one/scripts/run.sh": "#!/bin/sh\n",
  "one/references/größe.md": "x".repeat(5000),
  [`one/assets/${"n".repeat(180)}.txt`]: "long",
  "two/SKILL.md": skillText("two"),
};
const PATHS = [...Object.keys(FILES), "manifest.json"].sort();

function has(program: string): boolean {
  return spawnSync(program, ["--version"]).error === undefined;
}

function run(program: string, ...args: readonly string[]): string {
  const env = { ...process.env, LC_ALL: "C.utf8" };
  const child = spawnSync(program, args, { encoding: "utf8", env });
  if (child.status !== 0) throw new Error(`${child.stdout}${child.stderr}`);
  return child.stdout;
}

async function packed(format: "zip" | "tar.gz") {
  const folder = temporaryFolder(FILES);
  const output = join(folder, "pack");
  const result = await packSkills({
    directories: [join(folder, "one"), join(folder, "two")],
    output,
    format,
  });
  if (!result.ok) throw new Error(result.message);
  return { file: output, folder };
}

describe("K-01 other programs read what we pack", () => {
  test.skipIf(!has("unzip"))("K-01 unzip", async () => {
    const { file, folder } = await packed("zip");
    expect(run("unzip", "-t", file)).toContain("No errors detected");
    run("unzip", "-q", file, "-d", join(folder, "unzipped"));
    run("diff", "-r", join(folder, "one"), join(folder, "unzipped/one"));
    expect(run("find", join(folder, "unzipped"), "-type", "f", "-perm", "755")).toMatch(
      /^\S*run\.sh\n$/,
    );
  });

  test.skipIf(!has("python3"))("K-01 zipfile of Python", async () => {
    const { file } = await packed("zip");
    const script = `import json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
print(json.dumps([[i.filename, oct(i.external_attr >> 16), i.date_time] for i in archive.infolist()]))`;
    const listed = JSON.parse(run("python3", "-c", script, file)) as [string, string, number[]][];
    expect(listed.map(([path]) => path)).toEqual(PATHS);
    for (const [path, mode, time] of listed) {
      expect(mode).toBe(path.endsWith(".sh") ? "0o100755" : "0o100644");
      expect(time).toEqual([1980, 1, 1, 0, 0, 0]);
    }
  });

  test.skipIf(!has("tar"))("K-01 tar", async () => {
    const { file, folder } = await packed("tar.gz");
    const listed = run("tar", "--quoting-style=literal", "-tzf", file).trim().split("\n");
    expect(listed).toEqual(PATHS);
    const verbose = run("tar", "--numeric-owner", "--utc", "--full-time", "-tvzf", file)
      .trim()
      .split("\n");
    for (const line of verbose)
      expect(line).toMatch(/^-rw(?:x|-)r-.r-. 0\/0 +\d+ 1970-01-01 00:00:00 /);
    run("tar", "-xzf", file, "-C", folder, "--one-top-level=untarred");
    run("diff", "-r", join(folder, "one"), join(folder, "untarred/one"));
  });

  test.skipIf(!has("gzip"))("K-01 gzip finds neither name nor time", async () => {
    const { file } = await packed("tar.gz");
    const header = run("od", "-An", "-tx1", "-N10", file);
    expect(header.trim()).toBe("1f 8b 08 00 00 00 00 00 00 ff");
  });
});
