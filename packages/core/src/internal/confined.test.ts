import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ConfinedOptions, openConfined, openConfinedSync } from "./index.ts";

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

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "skillwright-")));
  skill = join(root, "skill");
  mkdirSync(join(skill, "references"), { recursive: true });
  mkdirSync(join(root, "outside"));
  writeFileSync(join(skill, "SKILL.md"), "skill");
  writeFileSync(join(skill, "references/a.md"), "inside");
  writeFileSync(join(root, "outside/a.md"), "secret");
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A system that does not tell where a descriptor leads; some time after the folders were made. */
const untold: ConfinedOptions = { openedPath: () => undefined, now: () => Date.now() + 100 };

describe.each([
  ["with /proc", {}],
  ["without /proc", untold],
] as const)("openConfinedSync %s", (_, options: ConfinedOptions) => {
  it("F-08 opens a file below the folder", () => {
    expect(read("references/a.md", options)).toBe("inside");
    expect(read("SKILL.md", options)).toBe("skill");
  });

  it.each([
    ["leak", "../outside/a.md", "leak"],
    ["out", "../outside", "out/a.md"],
    ["out", "../outside", "out/nowhere.md"],
    ["loop", "loop", "loop/x"],
  ])("F-08 refuses the link %s to %s", (name, target, path) => {
    symlinkSync(target, join(skill, name));
    expect(read(path, options)).toBe("link");
  });

  it("F-08 says what else can be wrong", () => {
    expect(read("references", options)).toBe("not-a-file");
    expect(read("nowhere", options)).toBe("missing");
    expect(read("SKILL.md/x", options)).toBe("missing");
    expect(read("x".repeat(300), options)).toBe("missing");
  });
});

describe("without /proc", () => {
  it("F-08 leaks nothing while a folder is swapped for a link", async () => {
    const swapper = spawn(process.execPath, ["-e", SWAPPER, root], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(swapper, "exit");
    const seen = new Set<string>();
    try {
      await once(swapper.stdout, "data");
      for (let i = 0; i < 20_000 || seen.size < 2; i++) {
        seen.add(read("references/a.md", { openedPath: () => undefined }));
      }
    } finally {
      swapper.kill("SIGKILL");
      await exited;
    }
    expect(seen).not.toContain("secret");
  });

  it("F-08 waits until a folder has come to rest", async () => {
    const fresh = read("references/a.md", { openedPath: () => undefined, now: changedAt });
    expect(fresh).toBe("changing");
    expect(read("references/a.md", untold)).toBe("inside");
    // A file beside SKILL.md has no folder that could be swapped.
    expect(read("SKILL.md", { openedPath: () => undefined, now: changedAt })).toBe("skill");
    const { descriptor } = await openConfined(skill, "references/a.md", {
      openedPath: () => undefined,
    });
    expect(readFileSync(descriptor, "utf8")).toBe("inside");
    closeSync(descriptor);
  });

  it("F-08 does not judge by the clock of another machine", () => {
    const now = () => Date.now() - 3_600_000;
    expect(read("references/a.md", { openedPath: () => undefined, now })).toBe("inside");
  });
});

/** The moment the folder was changed last, so that it cannot be at rest. */
function changedAt(): number {
  writeFileSync(join(skill, "new"), "");
  return Date.now();
}

/** The content, or the reason of the refusal. */
function read(path: string, options: ConfinedOptions): string {
  const opened = openConfinedSync(skill, path.split("/"), options);
  if (!opened.ok) return opened.reason;
  try {
    return readFileSync(opened.descriptor, "utf8");
  } finally {
    closeSync(opened.descriptor);
  }
}
