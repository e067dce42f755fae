import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleCli } from "./bundle.mjs";
import { ensureInstalled, ROOT } from "./setup.mjs";

ensureInstalled("run");
await bundleCli();

if (process.argv.length > 2) {
  console.error(
    "This version finds, checks and discloses skills; the agent that answers requests is not in it yet.\n" +
      "docs/requirements.md lists what is there and what is planned.",
  );
  process.exit(4);
}

/** A skill with the slips that make other clients lose it. */
const BROKEN = `---
name: meeting-notes
description: Turns a transcript into notes. Use when: a meeting was recorded
user-invokable: true
version: 1.10
---

# Meeting notes

Follow [the template](references/template.md).
`;

const project = mkdtempSync(join(tmpdir(), "skillwright-start-"));
try {
  show("A new skill that lints clean:");
  skillwright("new", "release-notes");
  skillwright("lint");
  show("A skill as people write them – found, explained, mended:");
  skillwright("new", "meeting-notes", "--quiet");
  writeFileSync(join(project, ".agent/skills/meeting-notes/SKILL.md"), BROKEN);
  skillwright("lint", ".agent/skills/meeting-notes");
  skillwright("lint", ".agent/skills/meeting-notes", "--fix", "--quiet");
  show("What a model meets: the catalog, a search, the skill that it chose:");
  skillwright("prompt", "--trust");
  skillwright("search", "notes", "of", "a", "recorded", "meeting");
  const input = '{"skill_name":"meeting-notes"}';
  skillwright("tools", "call", "load_skill", "--trust", "--input", input);
  show("Your own: npx skillwright lint <folder>");
} finally {
  rmSync(project, { recursive: true, force: true });
}

function show(text) {
  console.log(`\n── ${text}\n`);
}

function skillwright(...args) {
  console.log(`$ skillwright ${args.join(" ")}`);
  const bin = join(ROOT, "packages/cli/dist/skillwright.cjs");
  const { status } = spawnSync(process.execPath, [bin, ...args], {
    cwd: project,
    stdio: "inherit",
    // Nothing of this stays behind.
    env: { ...process.env, XDG_CACHE_HOME: join(project, ".cache") },
  });
  console.log("");
  if (status === null || status > 1) process.exit(status ?? 1);
}
