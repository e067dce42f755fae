import { skillDigest } from "@skillwright/core";
import { fileDigests } from "@skillwright/core/internal";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { readArchive } from "../archive/index.ts";
import type { PackOptions } from "../index.ts";
import { packSkills, renderManifest } from "./index.ts";

type More = Partial<Omit<PackOptions, "root" | "directories">>;

async function pack(folder: string, names: readonly string[], more: More = {}) {
  const directories = names.map((name) => join(folder, name));
  const output = join(folder, "out", "pack.zip");
  return packSkills({ directories, output, format: "zip", ...more });
}

async function packed(folder: string, names: readonly string[], more: More = {}) {
  const result = await pack(folder, names, more);
  if (!result.ok) throw new Error(`${result.code}: ${result.message}`);
  return result;
}

async function unpacked(file: string): Promise<string> {
  const destination = temporaryFolder();
  const read = await readArchive(file, { destination });
  if (!read.ok) throw new Error(`${read.code}: ${read.message}`);
  return destination;
}

async function pathsIn(directory: string): Promise<string[]> {
  return (await fileDigests(directory)).map(({ path }) => path);
}

describe("K-01 a pack", () => {
  test.each(["zip", "tar.gz"] as const)(
    "K-01 is a %s of folders named after their skills",
    async (format) => {
      const folder = temporaryFolder({
        "one/SKILL.md": skillText("one"),
        "one/scripts/run.sh": "#!/bin/sh\necho hello\n",
        "two/SKILL.md": skillText("two"),
        "two/references/deep/Notes.md": "notes",
      });
      const { file, skills } = await packed(folder, ["two", "one"], { format });
      const directory = await unpacked(file);
      expect(await pathsIn(directory)).toEqual([
        "manifest.json",
        "one/SKILL.md",
        "one/scripts/run.sh",
        "two/SKILL.md",
        "two/references/deep/Notes.md",
      ]);
      expect(skills.map(({ name, path }) => [name, path])).toEqual([
        ["one", "one"],
        ["two", "two"],
      ]);
      for (const { name, digest } of skills) {
        expect(digest).toBe(await skillDigest(join(folder, name)));
        expect(digest).toBe(await skillDigest(join(directory, name)));
      }
    },
  );

  test("K-01 takes all skills below a root", async () => {
    const folder = temporaryFolder({
      "skills/one/SKILL.md": skillText("one"),
      "skills/group/two/SKILL.md": skillText("two"),
    });
    const output = join(folder, "pack.zip");
    const result = await packSkills({ root: join(folder, "skills"), output, format: "zip" });
    expect(result.ok && result.skills.map(({ name }) => name)).toEqual(["one", "two"]);
  });

  test("K-04 has a manifest with the hash of every file", async () => {
    const folder = temporaryFolder({
      "one/SKILL.md": skillText("one", "Does it. Use when asked.", "version: 1.2.0\n"),
      "one/scripts/run.py": "#!/usr/bin/env python3\n",
    });
    const { file, manifest } = await packed(folder, ["one"]);
    const text = readFileSync(join(await unpacked(file), "manifest.json"), "utf8");
    expect(text).toBe(renderManifest(manifest));
    expect(JSON.parse(text)).toEqual({
      schemaVersion: 1,
      skills: [
        {
          name: "one",
          path: "one",
          version: "1.2.0",
          description: "Does it. Use when asked.",
          digest: await skillDigest(join(folder, "one")),
          files: (await fileDigests(join(folder, "one"))).map((entry) =>
            entry.path === "scripts/run.py" ? { ...entry, executable: true } : entry,
          ),
        },
      ],
    });
  });

  test("K-01 keeps a bit only where a file can be run", async () => {
    const folder = temporaryFolder({
      "one/SKILL.md": skillText("one"),
      "one/scripts/script.py": "#!/usr/bin/env python3\n",
      "one/scripts/module.py": "x = 1\n",
      "one/assets/tool": "\u007fELF",
    });
    chmodSync(join(folder, "one/SKILL.md"), 0o777);
    chmodSync(join(folder, "one/assets/tool"), 0o700);
    chmodSync(join(folder, "one/scripts/script.py"), 0o600);
    const { skills } = await packed(folder, ["one"]);
    const files = skills[0]!.files.filter(({ executable }) => executable);
    expect(files.map(({ path }) => path)).toEqual(["assets/tool", "scripts/script.py"]);
  });

  test("K-01 leaves out what belongs to tools and keeps evals", async () => {
    const folder = temporaryFolder({
      "one/SKILL.md": skillText("one"),
      "one/evals/cases.json": "[]",
      "one/.git/config": "x",
      "one/.GIT/config": "x",
      "one/.skillwright/state": "x",
      "one/node_modules/a/index.js": "x",
      "one/scripts/__pycache__/a.pyc": "x",
      "one/scripts/.DS_Store": "x",
      "one/scripts/a.py~": "x",
      "one/scripts/.a.py.swp": "x",
    });
    symlinkSync("/etc/passwd", join(folder, "one/node_modules/link"));
    const { skills, leftOut } = await packed(folder, ["one"]);
    expect(skills[0]!.files.map(({ path }) => path)).toEqual(["SKILL.md", "evals/cases.json"]);
    expect(leftOut.map((file) => file.slice(folder.length))).toContain("/one/scripts/a.py~");
  });

  test("K-01 can be laid out for hosts that take one folder, or one skill at the root", async () => {
    const folder = temporaryFolder({ "one/SKILL.md": skillText("one"), "one/a.txt": "a" });
    const bare = await packed(folder, ["one"], { layout: "folders" });
    expect(await pathsIn(await unpacked(bare.file))).toEqual(["one/SKILL.md", "one/a.txt"]);
    const root = await packed(folder, ["one"], { layout: "root", force: true });
    expect(await pathsIn(await unpacked(root.file))).toEqual(["SKILL.md", "a.txt"]);
  });

  test.each([
    ["in one file", 1, 3_000_000],
    ["in many small files", 300, 6000],
    ["in many files that are not so small", 40, 60_000],
  ])("K-01 that compresses extremely well is not taken for a bomb: %s", async (_, count, size) => {
    const folder = temporaryFolder({ "one/SKILL.md": skillText("one") });
    mkdirSync(join(folder, "one/a"));
    for (let i = 0; i < count; i++) writeFileSync(join(folder, `one/a/${i}`), "0".repeat(size));
    for (const format of ["zip", "tar.gz"] as const) {
      const { file } = await packed(folder, ["one"], { format, force: true });
      const digest = await skillDigest(join(await unpacked(file), "one"));
      expect(digest).toBe(await skillDigest(join(folder, "one")));
    }
  });
});

describe("K-05 packing refuses, and writes nothing", () => {
  const good = { "one/SKILL.md": skillText("one") };

  async function refusal(files: Readonly<Record<string, string>>, more: More = {}) {
    const folder = temporaryFolder(files);
    const names = [...new Set(Object.keys(files).map((path) => path.split("/")[0]!))];
    const result = await pack(folder, names, more);
    expect(existsSync(join(folder, "out"))).toBe(false);
    return result.ok ? "packed" : `${result.code}: ${result.message.replaceAll(folder, "")}`;
  }

  test("K-05 what is not a skill", async () => {
    expect(await refusal({ "one/README.md": "x" })).toMatch(/^skill-missing: /);
    expect(await refusal({ "one/SKILL.md": "no frontmatter" })).toMatch(
      /^skill-invalid: \/one\/SKILL.md:1:1: /,
    );
    expect(await refusal({ ...good, "one/a:b.txt": "x" })).toMatch(
      /^skill-invalid: .*\[path-unsafe\]/,
    );
    expect(await refusal({ ...good, "one/A.txt": "x", "one/a.txt": "x" })).toMatch(
      /\[path-collision\]/,
    );
    expect(await refusal({ ...good, "one/straße.md": "", "one/strasse.md": "" })).toMatch(
      /^skill-invalid: .*many systems/,
    );
    expect(await refusal({ ...good, "one/~": "x" })).toMatch(/^skill-invalid: .*home folder/);
    expect(await refusal({ "aux/SKILL.md": skillText("aux") })).toMatch(
      /^skill-invalid: .*Windows/,
    );
  });

  test("K-05 what the linter warns about, if that is wanted", async () => {
    const files = { "other/SKILL.md": skillText("one") };
    expect(await refusal(files, { strict: true })).toMatch(/^skill-invalid: .*\[name-mismatch\]/);
  });

  test.each([
    [".env", "TOKEN=x"],
    [".env.production", "TOKEN=x"],
    ["keys/id_rsa", "x"],
    [
      "keys/server.pem",
      "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n-----BEGIN RSA PRIVATE KEY-----\n",
    ],
    ["assets/anything", "-----BEGIN OPENSSH PRIVATE KEY-----\n"],
    [".npmrc", "//host.example/:_authToken=npm_secret"],
    ["assets/account.json", '{"private_key": "-----BEGIN PRIVATE KEY-----\\n"}'],
    ["assets/store.p12", "x"],
  ])("K-05 a secret: %s", async (path, content) => {
    const files = { ...good, [`one/${path}`]: content };
    expect(await refusal(files)).toMatch(/^scan-refused: "\/one\/.* and would be published$/);
  });

  test("K-05 no secret that is allowed, an example, a certificate or quoted", async () => {
    const folder = temporaryFolder({
      ...good,
      "one/.env.example": "TOKEN=",
      "one/.npmrc": "//host.example/:_authToken=${NPM_TOKEN}",
      "one/references/keys.md": "A key starts with -----BEGIN PRIVATE KEY-----.",
      "one/assets/ca.pem": "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
      "two/SKILL.md": skillText("two"),
      "two/.env": "x",
    });
    expect((await pack(folder, ["one"])).ok).toBe(true);
    expect((await pack(folder, ["two"], { allowSecrets: true, force: true })).ok).toBe(true);
  });

  test("K-05 links", async () => {
    const folder = temporaryFolder(good);
    symlinkSync("/etc/passwd", join(folder, "one/passwd"));
    expect(await pack(folder, ["one"])).toMatchObject({ code: "skill-invalid" });
    expect(existsSync(join(folder, "out"))).toBe(false);
  });

  test("K-05 too much", async () => {
    const files = { ...good, "one/a.txt": "a", "one/b.txt": "b".repeat(1000) };
    // The manifest does not count.
    expect(await refusal(files, { limits: { files: 2 } })).toMatch(/^limit-exceeded: /);
    expect(await refusal(files, { limits: { bytes: 1000 } })).toMatch(/^limit-exceeded: /);
    expect(await refusal(files, { limits: { archiveBytes: 500 } })).toMatch(/^limit-exceeded: /);
    const deep = { ...good, "one/a/b/c/d/e/f.txt": "" };
    expect(await refusal(deep, { limits: { files: 5 } })).toMatch(/^limit-exceeded: .* 6 folders/);
    // The content fits, with the manifest it does not.
    expect(await refusal(files, { limits: { bytes: 1200 } })).toMatch(/^limit-exceeded: .* unpack/);
  });

  test("K-05 two skills of one name, several at the root, and none", async () => {
    const twice = { "one/SKILL.md": skillText("one"), "uno/SKILL.md": skillText("one") };
    expect(await refusal(twice)).toMatch(/^name-taken: "\/uno" and "\/one" are both named "one"/);
    const two = { ...good, "two/SKILL.md": skillText("two") };
    expect(await refusal(two, { layout: "root" })).toMatch(/^source-invalid: /);
    expect(await refusal({})).toMatch(/^skill-missing: /);
    const folder = temporaryFolder();
    const output = join(folder, "pack.zip");
    const missing = await packSkills({ directories: [join(folder, "no")], output, format: "zip" });
    expect(missing).toMatchObject({ ok: false, code: "source-missing" });
  });

  test("K-05 when it is canceled", async () => {
    expect(await refusal(good, { signal: AbortSignal.abort() })).toMatch(/^canceled: /);
    const controller = new AbortController();
    const onProgress = () => controller.abort();
    expect(await refusal(good, { signal: controller.signal, onProgress })).toMatch(/^canceled: /);
  });
});

describe("K-01 the output", () => {
  test("K-01 is not replaced unless it is the same or that is forced", async () => {
    const folder = temporaryFolder({ "one/SKILL.md": skillText("one") });
    const first = await packed(folder, ["one"]);
    expect(first.unchanged).toBe(false);
    expect((await packed(folder, ["one"])).unchanged).toBe(true);
    const before = readFileSync(first.file);
    writeFileSync(join(folder, "one/more.txt"), "more");
    expect(await pack(folder, ["one"])).toMatchObject({ ok: false, code: "name-taken" });
    expect(readFileSync(first.file)).toEqual(before);
    expect((await packed(folder, ["one"], { force: true })).unchanged).toBe(false);
    expect(readFileSync(first.file)).not.toEqual(before);
    expect(readdirSync(join(folder, "out"))).toEqual(["pack.zip"]);
  });

  test("K-01 does not lie in what is packed, even by way of a link", async () => {
    const folder = temporaryFolder({ "one/SKILL.md": skillText("one") });
    symlinkSync(join(folder, "one"), join(folder, "link"));
    for (const place of ["one/pack.zip", "one/new/pack.zip", "link/pack.zip", "one"]) {
      const result = await pack(folder, ["one"], { output: join(folder, place) });
      expect(result).toMatchObject({ ok: false, code: "root-unwritable" });
    }
    expect(readdirSync(join(folder, "one"))).toEqual(["SKILL.md"]);
    expect((await pack(folder, ["one"], { output: join(folder, "one.zip") })).ok).toBe(true);
  });

  test("K-01 is no folder, link or file below a file", async () => {
    const folder = temporaryFolder({ "one/SKILL.md": skillText("one"), plain: "x" });
    mkdirSync(join(folder, "taken.zip"));
    symlinkSync(join(folder, "plain"), join(folder, "link.zip"));
    for (const [place, code] of [
      ["taken.zip", "name-taken"],
      ["link.zip", "name-taken"],
      ["plain/pack.zip", "root-unwritable"],
    ] as const) {
      const result = await pack(folder, ["one"], { output: join(folder, place), force: true });
      expect(result).toMatchObject({ ok: false, code });
    }
    expect(readFileSync(join(folder, "plain"), "utf8")).toBe("x");
  });

  test("K-01 holds what was linted, though the folder changes meanwhile", async () => {
    const folder = temporaryFolder({
      "one/SKILL.md": skillText("one"),
      "two/SKILL.md": skillText("two"),
    });
    const onProgress = () => writeFileSync(join(folder, "one/SKILL.md"), "changed");
    const { file } = await packed(folder, ["one", "two"], { onProgress });
    const text = readFileSync(join(await unpacked(file), "one/SKILL.md"), "utf8");
    expect(text).toBe(skillText("one"));
    expect(dirname(file)).toBe(join(folder, "out"));
  });
});
