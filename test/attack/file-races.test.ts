import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { listFiles, readFile } from "../../packages/core/src/files/index.ts";
import { SkillAmongSecrets } from "./skill-among-secrets.ts";

const SWAP_FOLDER = `
  renameSync("skills/a/references", "aside");
  symlinkSync("../../outside", "skills/a/references");
  unlinkSync("skills/a/references");
  renameSync("aside", "skills/a/references");`;

const SWAP_FILE = `
  renameSync("skills/a/references/guide.md", "aside.md");
  symlinkSync("../../../outside/guide.md", "skills/a/references/guide.md");
  unlinkSync("skills/a/references/guide.md");
  renameSync("aside.md", "skills/a/references/guide.md");`;

/** Some time in order, or hardly any read would get as far as the file. */
const REST = `
  for (let i = 0; i < 20; i++) statSync("skills/a/references/guide.md");`;

/** Runs while another process swaps things for links to the secret and back, as fast as it can. */
async function whileSwapping(root: string, swaps: string, act: () => Promise<void>): Promise<void> {
  const script = `
    const { renameSync, statSync, symlinkSync, unlinkSync } = require("node:fs");
    process.chdir(process.argv[1]);
    process.stdout.write("ready");
    for (;;) {${swaps}}`;
  const swapper = spawn(process.execPath, ["-e", script, root], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(swapper, "exit");
  try {
    await once(swapper.stdout, "data");
    await act();
    if (swapper.exitCode !== null) throw new Error("the other process ended before the race");
  } finally {
    swapper.kill("SIGKILL");
    await exited;
  }
}

const HARMLESS: ReadonlySet<string> = new Set([
  "# Guide\ninside\n",
  "file-changing",
  "file-not-found",
  "link-refused",
]);

const BOTH_SIDES = ["# Guide\ninside\n", "link-refused"];

describe("races", () => {
  it("D-10 leaks nothing in 60,000 reads while a folder and a file are swapped for links", async () => {
    const { root, skill } = new SkillAmongSecrets();
    const seen = new Map<string, number>();
    await whileSwapping(root, SWAP_FOLDER + SWAP_FILE + REST, async () => {
      // Until both sides of the race were seen, however the processes take turns.
      for (let i = 0; i < 60_000 || !BOTH_SIDES.every((side) => seen.has(side)); i++) {
        const result = await readFile(skill, "references/guide.md");
        const text = result.ok && result.kind === "text" ? result.text : "";
        const outcome = result.ok ? text : result.code;
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
      }
    });
    expect([...seen.keys()].filter((outcome) => !HARMLESS.has(outcome))).toEqual([]);
  }, 120_000);

  it("D-10 lists no name from outside while a folder is swapped for a link", async () => {
    const { root, skill } = new SkillAmongSecrets();
    const seen = new Set<string>();
    await whileSwapping(root, SWAP_FOLDER, async () => {
      for (let i = 0; i < 20_000 || seen.size === 0; i++) {
        const result = await listFiles(skill, { under: "references" });
        for (const { path } of result.ok ? result.files : []) seen.add(path);
      }
    });
    expect([...seen]).toEqual(["references/guide.md"]);
  });
});
