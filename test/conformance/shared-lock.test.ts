import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileDigests } from "@skillwright/core/internal";
import { describe, expect, it } from "vitest";
import type { LockFile, PackOrigin } from "../../packages/packs/src/index.ts";
import {
  hasSharedHash,
  lockedSkill,
  originOfShared,
  parseSharedLock,
  renderSharedLock,
  sharedFiles,
  sharedHash,
} from "../../packages/packs/src/lock/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/**
 * The golden values were made by the peer itself, npm's `skills` 1.7.4 on Node 22 with an English
 * locale: these two skills below `src/skills`, then `skills add <source> --skill '*' -y -a universal
 * --copy` with `../src`, with `file:///tmp/peer-lock/src` (a repository) and with a well-known index
 * on localhost, and the `skills-lock.json` of each.
 *
 * To run the last part against the peer: `npm i skills@1.7.4 node@22` in some folder, and
 * `SKILLWRIGHT_SKILLS_PEER=<folder>`.
 */
const GOLDEN_HASH = "90c3461b5df8cac9898878e091c78696d652ed7afd024a8d898cf041f0104ecd";
const PLAIN_HASH = "2e7122439d638d56de6a294c6995ca88c98f6afddb9f590f2967246e5faa7d44";

const PLAIN = "---\nname: plain\ndescription: A plain skill for values.\n---\n\n# Plain\n";

const GOLDEN: Readonly<Record<string, string>> = {
  "SKILL.md": "---\nname: golden\ndescription: A skill for golden values.\n---\n\n# Golden\n",
  "B.md": "b",
  "a.md": "a",
  "empty.txt": "",
  "item10.md": "10",
  "item9.md": "9",
  "node_modules/x/y.js": "skip",
  "references/Z.md": "upper",
  "references/a-b.md": "lower",
  "references/a_b.md": "x",
  "references/é/z.md": "zz",
  "references/é/ä.md": "accent",
  "scripts/run.sh": "#!/bin/sh\necho 1\n",
};

/** What the peer wrote for a repository. */
const GIT_LOCK = `{
  "version": 1,
  "skills": {
    "golden": {
      "source": "file:///tmp/peer-lock/src",
      "sourceUrl": "file:///tmp/peer-lock/src",
      "sourceType": "git",
      "skillPath": "skills/golden/SKILL.md",
      "computedHash": "${GOLDEN_HASH}"
    },
    "plain": {
      "source": "file:///tmp/peer-lock/src",
      "sourceUrl": "file:///tmp/peer-lock/src",
      "sourceType": "git",
      "skillPath": "skills/plain/SKILL.md",
      "computedHash": "${PLAIN_HASH}"
    }
  }
}
`;

const LOCAL_LOCK = `{
  "version": 1,
  "skills": {
    "golden": {
      "source": "../src",
      "sourceType": "local",
      "computedHash": "${GOLDEN_HASH}"
    },
    "plain": {
      "source": "../src",
      "sourceType": "local",
      "computedHash": "${PLAIN_HASH}"
    }
  }
}
`;

const WELL_KNOWN_LOCK = `{
  "version": 1,
  "skills": {
    "plain": {
      "source": "localhost",
      "sourceUrl": "http://localhost:18377",
      "sourceType": "well-known",
      "computedHash": "${PLAIN_HASH}",
      "wellKnownDigest": "sha256:3f30515a7607a02c95e13349e07390fdccbc703d3c45bb21eaf25dc65451eada"
    }
  }
}
`;

function sources(): string {
  const folder = temporaryFolder({ "src/skills/plain/SKILL.md": PLAIN });
  for (const [path, text] of Object.entries(GOLDEN)) {
    mkdirSync(join(folder, "src/skills/golden", path, ".."), { recursive: true });
    writeFileSync(join(folder, "src/skills/golden", path), text);
  }
  writeFileSync(join(folder, "src/skills/golden/data.bin"), Buffer.from([0, 1, 255]));
  return folder;
}

/** Our lock for the two skills from one origin, and what the shared one has to know. */
async function installed(folder: string, origin: PackOrigin, names = ["golden", "plain"]) {
  const skills: Record<string, LockFile["skills"][string]> = {};
  const hashes = new Map<string, string>();
  for (const name of names) {
    const directory = join(folder, "src/skills", name);
    const files = await fileDigests(directory);
    const path = `.agents/skills/${name}`;
    skills[path] = lockedSkill({ name, origin, skillPath: `skills/${name}`, files });
    hashes.set(path, sharedHash(await sharedFiles(directory), new Intl.Collator("en").compare));
  }
  return { lock: { schemaVersion: 1, skills } satisfies LockFile, hashes };
}

describe("the lock that other clients share", () => {
  it("K-04 has the hash that the peer computes", async () => {
    const files = await sharedFiles(join(sources(), "src/skills/golden"));
    expect(sharedHash(files, new Intl.Collator("en").compare)).toBe(GOLDEN_HASH);
    expect(hasSharedHash(files, GOLDEN_HASH)).toBe(true);
    expect(hasSharedHash(files, PLAIN_HASH)).toBe(false);
  });

  it.each<[string, PackOrigin, readonly string[], string]>([
    ["a folder", { type: "local", source: "../src" }, ["golden", "plain"], LOCAL_LOCK],
    [
      "a repository",
      { type: "git", source: "file:///tmp/peer-lock/src" },
      ["golden", "plain"],
      GIT_LOCK,
    ],
    [
      "a well-known index",
      {
        type: "well-known",
        source: "http://localhost:18377",
        integrity: "sha256:3f30515a7607a02c95e13349e07390fdccbc703d3c45bb21eaf25dc65451eada",
      },
      ["plain"],
      WELL_KNOWN_LOCK,
    ],
  ])("K-04 is for %s byte for byte what the peer writes", async (_, origin, names, golden) => {
    const { lock, hashes } = await installed(sources(), origin, [...names]);
    expect(renderSharedLock(undefined, lock, { hashes })).toEqual({ text: golden, notes: [] });
    // And its own file is not touched by ours when nothing changed.
    expect(renderSharedLock(golden, lock, { before: lock, hashes: new Map() }).text).toBe(golden);
  });

  it.each<[string, string, string, object]>([
    ["a folder", LOCAL_LOCK, "golden", { origin: { type: "local", source: "../src" } }],
    [
      "a repository",
      GIT_LOCK,
      "golden",
      { origin: { type: "git", source: "file:///tmp/peer-lock/src" }, skillPath: "skills/golden" },
    ],
    [
      "a well-known index",
      WELL_KNOWN_LOCK,
      "plain",
      { origin: { type: "well-known", source: "http://localhost:18377" } },
    ],
  ])("K-04 leads back to %s", (_, text, name, expected) => {
    const parsed = parseSharedLock(text);
    const entry = parsed.ok ? parsed.lock.skills[name]! : undefined;
    const { computedHash } = entry!;
    expect(originOfShared(entry!)).toEqual({ ...expected, computedHash });
  });
});

const peer = process.env["SKILLWRIGHT_SKILLS_PEER"];

describe.skipIf(peer === undefined)("the peer itself", () => {
  function runPeer(cwd: string, ...args: string[]): void {
    const node = join(peer!, "node_modules/.bin/node");
    const cli = join(peer!, "node_modules/skills/bin/cli.mjs");
    execFileSync(node, [cli, ...args], {
      cwd,
      env: {
        PATH: process.env["PATH"],
        HOME: join(cwd, ".."),
        DISABLE_TELEMETRY: "1",
        LC_ALL: "en_US.UTF-8",
      },
      stdio: "ignore",
    });
  }

  it.each(["local", "git"] as const)(
    "K-04 restores from our lock (%s) what we locked",
    async (type) => {
      const folder = sources();
      const project = join(folder, "project");
      mkdirSync(project);
      const git = (...args: string[]) => execFileSync("git", ["-C", join(folder, "src"), ...args]);
      git("init", "-q");
      git("add", "-A", "-f");
      git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "skills");
      // With another ending the peer takes the folder of the skill for a part of the URL.
      const source = type === "local" ? "../src" : `file://${folder}/src/.git`;
      const { lock, hashes } = await installed(folder, { type, source });
      const { text } = renderSharedLock(undefined, lock, { hashes });
      writeFileSync(join(project, "skills-lock.json"), text!);
      runPeer(project, "experimental_install", "-y");
      for (const name of ["golden", "plain"]) {
        const restored = await sharedFiles(join(project, ".agents/skills", name));
        expect(sharedHash(restored)).toBe(hashes.get(`.agents/skills/${name}`));
      }
      // It computed the same hashes and wrote the same file.
      expect(readFileSync(join(project, "skills-lock.json"), "utf8")).toBe(text);
    },
  );
});
