import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fetchSource, SKILL, skillText } from "../../../../../test/support/fetch-source.ts";
import { GitRepository } from "../../../../../test/support/git-repository.ts";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { fetchParsed, latestSourceOf, resolveLatest, sourceOf } from "../index.ts";

const FILES = {
  "README.md": "about",
  "skills/dates/SKILL.md": SKILL,
  "skills/dates/references/a.md": "one\r\ntwo\n",
  "skills/times/SKILL.md": skillText("times"),
  "large/data.bin": "x".repeat(200_000),
};

describe("what is fetched", () => {
  it("K-02 the skills of a bare repository and nothing else", async () => {
    const repository = new GitRepository(FILES);
    const commit = repository.git("rev-parse", "HEAD");
    const bare = repository.bare();
    const { pack, files, quarantine } = await fetchSource(bare);
    expect(pack.origin).toEqual({ type: "git", source: bare, resolved: commit });
    expect(pack.skills.map(({ name, path }) => [name, path])).toEqual([
      ["dates", "skills/dates"],
      ["times", "skills/times"],
    ]);
    expect(files).toEqual({
      "skills/dates/SKILL.md": SKILL,
      "skills/dates/references/a.md": "one\r\ntwo\n",
      "skills/times/SKILL.md": skillText("times"),
    });
    expect(readdirSync(quarantine)).toEqual(["pack"]);
  });

  it("K-02 one folder of it, by file:// URL", async () => {
    const bare = new GitRepository(FILES).bare();
    const { pack, files } = await fetchSource(`file://${bare}//skills/dates`);
    expect(pack.origin).toMatchObject({ source: `file://${bare}`, path: "skills/dates" });
    expect(pack.skills).toMatchObject([{ name: "dates", path: "" }]);
    expect(Object.keys(files)).toEqual(["SKILL.md", "references/a.md"]);
  });

  it("K-02 a repository that is one skill, with its executable bits", async () => {
    const repository = new GitRepository({ "SKILL.md": SKILL, "scripts/run.sh": "echo\n" });
    repository.git("update-index", "--chmod=+x", "scripts/run.sh");
    repository.git("commit", "--quiet", "--message", "mode");
    const { pack } = await fetchSource(repository.bare());
    const file = join(pack.skills[0]!.directory, "scripts/run.sh");
    expect(execFileSync("stat", ["-c", "%a", file], { encoding: "utf8" })).toMatch(/^7/);
    expect(pack.skills).toMatchObject([{ name: "dates", path: "" }]);
  });

  it("K-02 only the files of the skill that is named, where its folder says so", async () => {
    const bare = new GitRepository(FILES).bare();
    const { pack } = await fetchSource(`${bare}#@times`);
    expect(pack.skills.map(({ name }) => name)).toEqual(["times"]);
  });

  it("K-02 bytes as they were committed, whatever attributes say", async () => {
    const repository = new GitRepository({ "SKILL.md": SKILL, "a.txt": "$Id$\nline\n" });
    const attributes = "*.txt text eol=crlf ident working-tree-encoding=UTF-16LE\n";
    writeFileSync(join(repository.folder, ".gitattributes"), attributes);
    repository.git("add", ".gitattributes");
    repository.git("commit", "--quiet", "--message", "attributes");
    const { files } = await fetchSource(repository.bare());
    expect(files["a.txt"]).toBe("$Id$\nline\n");
  });
});

describe("which commit", () => {
  it("K-02 a branch, a tag, an annotated tag, a full and a short commit", async () => {
    const repository = new GitRepository({ "SKILL.md": SKILL });
    const first = repository.git("rev-parse", "HEAD");
    repository.git("tag", "v1");
    repository.git("tag", "--annotate", "--message", "release", "pkg@1.0.0");
    repository.git("checkout", "--quiet", "-b", "feature/x");
    const second = repository.commit({ "a.md": "on a branch" });
    repository.git("checkout", "--quiet", "main");
    const third = repository.commit({ "b.md": "later" });
    const bare = repository.bare();
    for (const [ref, commit] of [
      ["v1", first],
      ["pkg@1.0.0", first],
      ["feature/x", second],
      ["refs/heads/main", third],
      [first, first],
      [first.slice(0, 9), first],
    ] as const) {
      const { pack } = await fetchSource(`${bare}#${ref}`);
      expect(pack.origin, ref).toMatchObject({ ref, resolved: commit });
    }
    const { pack } = await fetchSource(bare);
    expect(pack.origin).toEqual({ type: "git", source: bare, resolved: third });
  });

  it("K-02 a branch comes before a tag, and that is said", async () => {
    const repository = new GitRepository({ "SKILL.md": SKILL });
    repository.git("tag", "same");
    repository.git("checkout", "--quiet", "-b", "same");
    const branch = repository.commit({ "a.md": "x" });
    const { pack } = await fetchSource(`${repository.bare()}#same`);
    expect(pack.origin.resolved).toBe(branch);
    expect(pack.notes.join()).toContain("is a branch and a tag");
  });

  it("K-02 the recorded commit again, although the branch has moved", async () => {
    const repository = new GitRepository({ "SKILL.md": SKILL });
    const { folder } = repository;
    const { pack } = await fetchSource(`file://${folder}#main`);
    const latest = repository.commit({ "b.md": "later" });
    const again = await fetchSource(sourceOf(pack.origin));
    expect(again.pack.origin.resolved).toBe(pack.origin.resolved);
    expect(Object.keys(again.files)).toEqual(["SKILL.md"]);
    const updated = await fetchSource(latestSourceOf(pack.origin));
    expect(updated.pack.origin).toEqual({ ...pack.origin, resolved: latest });
    const options = { cwd: folder, env: { PATH: process.env["PATH"] } };
    expect(await resolveLatest(pack.origin, options)).toEqual({ ok: true, resolved: latest });
  });
});

describe("the page of a forge", () => {
  it("K-02 leads to the longest branch, and the folder after it", async () => {
    const repository = new GitRepository(FILES);
    repository.git("branch", "feature/x");
    const { folder } = repository;
    const quarantine = temporaryFolder();
    const page = { ok: true, kind: "git", source: "acme/skills", notes: [] } as const;
    const place = { url: `file://${folder}`, transport: "file" } as const;
    const options = { quarantine, cwd: folder, env: { PATH: process.env["PATH"] } };
    const tree = "feature/x/skills/dates";
    const fetched = await fetchParsed({ ...page, ...place, tree }, options);
    expect(fetched).toMatchObject({
      ok: true,
      origin: { source: "acme/skills", ref: "feature/x", path: "skills/dates" },
      skills: [{ name: "dates", path: "" }],
    });
    const missing = { ...page, ...place, tree: "mian/skills" };
    const failed = await fetchParsed(missing, { ...options, quarantine: temporaryFolder() });
    expect(failed).toMatchObject({ ok: false, code: "source-missing", candidates: ["main"] });
  });
});

it("K-05 ssh is told to ask nothing, and runs without a terminal", async () => {
  const folder = temporaryFolder();
  const script = `#!/bin/sh\necho "$@" > ${folder}/arguments\n(: < /dev/tty) 2>/dev/null && echo tty >> ${folder}/arguments\nexit 255\n`;
  writeFileSync(join(folder, "ssh"), script, { mode: 0o755 });
  const env = { PATH: `${folder}:${process.env["PATH"]}`, HOME: temporaryFolder() };
  const { failure } = await fetchSource("git@host.test:acme/skills", { env });
  expect(failure.code).toMatch(/^source-/);
  const said = readFileSync(join(folder, "arguments"), "utf8");
  expect(said).toContain("-oBatchMode=yes");
  expect(said).not.toContain("tty");
});

describe("what fails", () => {
  it("K-05 names that are not there, with near ones", async () => {
    const repository = new GitRepository({ "skills/dates/SKILL.md": SKILL });
    repository.git("tag", "release-1");
    const bare = repository.bare();
    const { failure } = await fetchSource(`${bare}#relaese-1`);
    expect(failure).toMatchObject({ code: "source-missing", candidates: ["release-1"] });
    const folder = await fetchSource(`${bare}//skill/dates`);
    expect(folder.failure).toMatchObject({ code: "source-missing", candidates: ["skills/dates"] });
    const commit = await fetchSource(`${bare}#${"a".repeat(40)}`);
    expect(commit.failure).toMatchObject({ code: "source-missing" });
    expect(readdirSync(commit.quarantine)).toEqual([]);
  });

  it.each([
    ["file:///nowhere/at-all.git", "source-missing"],
    ["./nothing.git", "source-missing"],
  ])("K-05 %s is %s", async (source, code) => {
    expect((await fetchSource(source)).failure.code).toBe(code);
  });

  it("K-05 an empty repository, and one without a skill", async () => {
    const empty = await fetchSource(`file://${new GitRepository().folder}`);
    expect(empty.failure.code).toBe("source-missing");
    const { failure } = await fetchSource(new GitRepository({ "a.md": "x" }).bare());
    expect(failure).toMatchObject({ code: "skill-missing" });
  });

  it("K-05 git that is not installed, with what to install", async () => {
    const bare = new GitRepository({ "SKILL.md": SKILL }).bare();
    const { failure } = await fetchSource(bare, { env: { PATH: temporaryFolder() } });
    expect(failure).toMatchObject({
      code: "program-missing",
      hint: expect.stringContaining("Install git"),
    });
  });

  it("K-05 more bytes or files than allowed", async () => {
    const text = Array.from({ length: 20_000 }, (_, i) => `${i * 7919}`).join("\n");
    const bare = new GitRepository({ "SKILL.md": SKILL, "a.md": text, "b.md": "b" }).bare();
    const bytes = await fetchSource(bare, { limits: { archiveBytes: 1000 } });
    expect(bytes.failure.code).toBe("limit-exceeded");
    expect(readdirSync(bytes.quarantine)).toEqual([]);
    const files = await fetchSource(bare, { limits: { files: 2 } });
    expect(files.failure.code).toBe("limit-exceeded");
  });

  it("K-05 a fetch that is canceled", async () => {
    const bare = new GitRepository({ "SKILL.md": SKILL }).bare();
    const { failure } = await fetchSource(bare, { signal: AbortSignal.abort() });
    expect(failure.code).toBe("canceled");
  });
});

it("K-05 a skill with a link is left out, its neighbours are not", async () => {
  const repository = new GitRepository({ "skills/dates/SKILL.md": SKILL });
  const { folder } = repository;
  mkdirSync(join(folder, "skills/linked"));
  symlinkSync("/etc/passwd", join(folder, "skills/linked/passwd"));
  symlinkSync("skills", join(folder, "elsewhere"));
  repository.commit({ "skills/linked/SKILL.md": skillText("linked") });
  const bare = repository.bare();
  const { pack } = await fetchSource(bare);
  expect(pack.skills.map(({ name }) => name)).toEqual(["dates"]);
  expect(pack.notes.join()).toContain("skills/linked/passwd");
  expect((await fetchSource(`${bare}#@linked`)).failure.code).toBe("archive-unsafe");
  expect((await fetchSource(`${bare}//elsewhere`)).failure.code).toBe("archive-unsafe");
});
