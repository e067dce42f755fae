import { skillDigest } from "@skillwright/core";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { readArchive } from "../archive/index.ts";
import type { PackOptions } from "../index.ts";
import { packSkills } from "./index.ts";

const FILES = {
  "skills/plain/SKILL.md": skillText("plain"),
  "skills/full/SKILL.md": skillText("full"),
  "skills/full/references/a b.md": "x",
};

interface Index {
  readonly $schema: string;
  readonly skills: readonly { name: string; type: string; url: string; digest: string }[];
}

async function publish(
  folder: string,
  more: Partial<Omit<PackOptions, "root" | "directories">> = {},
) {
  const root = join(folder, "skills");
  return packSkills({ root, output: join(folder, "site"), format: "well-known", ...more });
}

function indexIn(folder: string): Index {
  const file = join(folder, "site/.well-known/agent-skills/index.json");
  return JSON.parse(readFileSync(file, "utf8")) as Index;
}

/** A folder with what a client makes of a served file. */
async function servedSkill(file: string, type: string): Promise<string> {
  if (type === "skill-md") return temporaryFolder({ "SKILL.md": readFileSync(file, "utf8") });
  const destination = temporaryFolder();
  await readArchive(file, { destination });
  return destination;
}

describe("K-01 the files of a static host", () => {
  test("K-01 are an index, plain skills and archives with SKILL.md at the root", async () => {
    const folder = temporaryFolder(FILES);
    const result = await publish(folder);
    expect(result).toMatchObject({ ok: true, unchanged: false });
    const { $schema, skills } = indexIn(folder);
    expect($schema).toBe("https://schemas.agentskills.io/discovery/0.2.0/schema.json");
    expect(skills.map(({ name, type }) => [name, type])).toEqual([
      ["full", "archive"],
      ["plain", "skill-md"],
    ]);
    for (const { name, url, digest, type } of skills) {
      expect(url).toMatch(/^[\w-]+\/[0-9a-f]{16}\/(?:SKILL\.md|full\.tar\.gz)$/);
      const file = join(folder, "site/.well-known/agent-skills", url);
      const hash = createHash("sha256").update(readFileSync(file)).digest("hex");
      expect(digest).toBe(`sha256:${hash}`);
      const served = await servedSkill(file, type);
      expect(await skillDigest(served)).toBe(await skillDigest(join(folder, "skills", name)));
    }
  });

  test("K-01 may be zip archives at absolute addresses", async () => {
    const folder = temporaryFolder(FILES);
    const baseUrl = "https://host.example/team";
    expect(await publish(folder, { archives: "zip", baseUrl })).toMatchObject({ ok: true });
    const [full] = indexIn(folder).skills;
    expect(full!.url).toMatch(
      /^https:\/\/host\.example\/team\/\.well-known\/agent-skills\/full\/[0-9a-f]{16}\/full\.zip$/,
    );
  });

  test("K-05 have no address that is not plain https", async () => {
    const folder = temporaryFolder(FILES);
    for (const baseUrl of [
      "http://host.example",
      "nonsense",
      "https://user:secret@host.example",
      "https://host.example/?a",
    ]) {
      expect(await publish(folder, { baseUrl })).toMatchObject({
        ok: false,
        code: "source-invalid",
      });
    }
    expect(existsSync(join(folder, "site"))).toBe(false);
  });

  test("K-01 include the older index when asked for, SKILL.md first", async () => {
    const folder = temporaryFolder({ ...FILES, "skills/full/A.md": "before S" });
    expect(await publish(folder, { olderIndex: true })).toMatchObject({ ok: true });
    const site = join(folder, "site/.well-known/skills");
    const index = JSON.parse(readFileSync(join(site, "index.json"), "utf8")) as unknown;
    expect(index).toEqual({
      skills: [
        {
          name: "full",
          description: "Does it. Use when asked.",
          files: ["SKILL.md", "A.md", "references/a b.md"],
        },
        { name: "plain", description: "Does it. Use when asked.", files: ["SKILL.md"] },
      ],
    });
    expect(await skillDigest(join(site, "full"))).toBe(
      await skillDigest(join(folder, "skills/full")),
    );
  });

  test("K-01 of a new index leave what the old one points to", async () => {
    const folder = temporaryFolder(FILES);
    await publish(folder);
    const before = indexIn(folder);
    expect(await publish(folder)).toMatchObject({ ok: true, unchanged: true });
    writeFileSync(join(folder, "skills/full/references/a b.md"), "y");
    expect(await publish(folder)).toMatchObject({ ok: false, code: "name-taken" });
    expect(indexIn(folder)).toEqual(before);
    expect(await publish(folder, { force: true })).toMatchObject({ ok: true, unchanged: false });
    const after = indexIn(folder);
    expect(after).not.toEqual(before);
    for (const { url } of [...before.skills, ...after.skills]) {
      expect(existsSync(join(folder, "site/.well-known/agent-skills", url))).toBe(true);
    }
  });

  test("K-05 are limited each, not all together", async () => {
    const folder = temporaryFolder(FILES);
    expect(await publish(folder, { limits: { files: 2 } })).toMatchObject({ ok: true });
    rmSync(join(folder, "site"), { recursive: true });
    expect(await publish(folder, { limits: { files: 1 } })).toMatchObject({
      code: "limit-exceeded",
    });
  });

  test("K-05 do not lie among the skills, where they would be found as such", async () => {
    const folder = temporaryFolder(FILES);
    const output = join(folder, "skills/site");
    expect(await publish(folder, { output })).toMatchObject({ ok: false, code: "root-unwritable" });
    rmSync(join(folder, "skills"), { recursive: true });
    expect((await publish(folder)).ok).toBe(false);
  });
});
