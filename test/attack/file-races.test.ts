import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { listFiles } from "../../packages/core/src/files/list-files.ts";
import { readFile } from "../../packages/core/src/files/read-file.ts";
import { SkillAmongSecrets } from "./skill-among-secrets.ts";

/** Swaps a folder, and a file, for a link to the secret and back, as fast as it can. */
const SWAPPER = `
const { renameSync, statSync, symlinkSync, unlinkSync } = require("node:fs");
process.chdir(process.argv[1]);
process.stdout.write("ready");
for (;;) {
  renameSync("skills/a/references", "aside");
  symlinkSync("../../outside", "skills/a/references");
  unlinkSync("skills/a/references");
  renameSync("aside", "skills/a/references");
  renameSync("skills/a/references/guide.md", "aside.md");
  symlinkSync("../../../outside/guide.md", "skills/a/references/guide.md");
  unlinkSync("skills/a/references/guide.md");
  renameSync("aside.md", "skills/a/references/guide.md");
  // Some time in order, or hardly any read would get as far as the file.
  for (let i = 0; i < 20; i++) statSync("skills/a/references/guide.md");
}`;

const HARMLESS: ReadonlySet<string> = new Set([
  "# Guide\ninside\n",
  "file-changing",
  "file-not-found",
  "link-refused",
]);

describe("races", () => {
  it("D-10 leaks nothing in 60,000 reads while a folder and a file are swapped for links", async () => {
    const { root, skill } = new SkillAmongSecrets();
    const swapper = spawn(process.execPath, ["-e", SWAPPER, root], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(swapper, "exit");
    const seen = new Map<string, number>();
    try {
      await once(swapper.stdout, "data");
      for (let i = 0; i < 60_000; i += 20) {
        const reads = Array.from({ length: 20 }, () => readFile(skill, "references/guide.md"));
        for (const result of await Promise.all(reads)) {
          const text = result.ok && result.kind === "text" ? result.text : "";
          const outcome = result.ok ? text : result.code;
          seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
        }
      }
      expect(swapper.exitCode).toBeNull();
    } finally {
      swapper.kill("SIGKILL");
      await exited;
    }
    expect([...seen.keys()].filter((outcome) => !HARMLESS.has(outcome))).toEqual([]);
    // The race was run: both sides of it were seen.
    expect(seen.get("# Guide\ninside\n")).toBeGreaterThan(0);
    expect(seen.get("link-refused")).toBeGreaterThan(0);
  }, 60_000);

  it("D-10 lists no name from outside while a folder is swapped for a link", async () => {
    const { root, skill } = new SkillAmongSecrets();
    const swapper = spawn(process.execPath, ["-e", SWAPPER, root], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(swapper, "exit");
    const seen = new Set<string>();
    try {
      await once(swapper.stdout, "data");
      for (let i = 0; i < 3000; i++) {
        const result = await listFiles(skill);
        for (const { path } of result.ok ? result.files : []) seen.add(path);
      }
    } finally {
      swapper.kill("SIGKILL");
      await exited;
    }
    expect([...seen].sort()).toEqual(["SKILL.md", "references/guide.md", "scripts/run.sh"]);
  });
});
