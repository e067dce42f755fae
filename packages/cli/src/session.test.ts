import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { skillText, writeTree } from "../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { workplace } from "../../../test/support/workplace.ts";
import { createConsole, openSession, openSessionSkills, type SessionOptions } from "./index.ts";

interface Place {
  readonly user?: object;
  readonly project?: object;
  readonly options?: SessionOptions;
}

/** What is found from a folder below a project, and whether it is trusted. */
async function found(make: (folder: string) => Place) {
  const folder = temporaryFolder({
    "project/.git/HEAD": "",
    "project/src/x": "",
    "project/inner/pdf/SKILL.md": skillText("pdf"),
    "outside/csv/SKILL.md": skillText("csv"),
    "home/x": "",
  });
  const { user = {}, project, options = {} } = make(folder);
  const files = { "home/.agent/config.json": user, "project/.agent/config.json": project };

  for (const [path, content] of Object.entries(files)) {
    if (content !== undefined) writeTree(folder, { [path]: JSON.stringify(content) });
  }
  const console = createConsole(
    {
      stdout: { write: () => true },
      stderr: { write: () => true },
      env: { HOME: join(folder, "home") },
      cwd: join(folder, "project/src"),
    },
    options,
  );
  const session = await openSession(options, console);
  const skills = await openSessionSkills(session, options, console);
  return skills.all.map(({ name, trusted }) => `${name} ${trusted ? "trusted" : "untrusted"}`);
}

it("R-03 C-02 a relative folder for named loading counts from the project", async () => {
  const user = { workspace: { skillsDirectory: "inner", skillNames: ["pdf"] } };
  expect(await found(() => ({ user }))).toEqual(["pdf untrusted"]);
  const nothing = { workspace: { skillsDirectory: "", skillNames: ["pdf"] } };
  expect(await found(() => ({ user: nothing }))).toEqual([]);
});

it("R-12 roots by the user's configuration are trusted, whichever option names them", async () => {
  const options: ((outside: string) => object)[] = [
    (outside) => ({ skill_roots: [`${outside}/`] }),
    (outside) => ({ skillTools: { dataDir: outside } }),
    (outside) => ({ skillTools: { projectSkillsDir: outside } }),
    (outside) => ({ workspace: { skillsDirectory: outside, skillNames: ["csv"] } }),
    () => ({ skill_roots: ["~/../outside"] }),
  ];
  for (const option of options) {
    const user = (folder: string) => ({ user: option(join(folder, "outside")) });
    expect(await found(user)).toEqual(["csv trusted"]);
  }
});

it("R-12 a relative root leads into whatever project is open, and is not trusted", async () => {
  expect(await found(() => ({ user: { skill_roots: ["inner"] } }))).toEqual(["pdf untrusted"]);
});

it("R-12 a project's own roots are read with --trust, and only inside of it", async () => {
  const project = { skill_roots: ["inner", "../outside"] };
  expect(await found(() => ({ project }))).toEqual([]);
  const options = { trust: true };
  expect(await found(() => ({ project, options }))).toEqual(["pdf trusted"]);
});

it("R-12 a folder in trust.roots covers the project in it, also by a link", async () => {
  const roots =
    (...folders: string[]) =>
    (folder: string) => {
      const user = { trust: { roots: folders.map((path) => join(folder, path)) } };
      writeTree(folder, { "project/skills/zip/SKILL.md": skillText("zip") });
      symlinkSync(join(folder, "project"), join(folder, "link"));
      return { user };
    };
  expect(await found(roots("project"))).toEqual(["zip trusted"]);
  expect(await found(roots("project/skills"))).toEqual(["zip trusted"]);
  expect(await found(roots("link"))).toEqual(["zip trusted"]);
  expect(await found(roots(""))).toEqual(["zip untrusted"]);
  expect(await found(() => ({ user: { trust: { roots: ["."] } } }))).toEqual([]);
});

it("R-12 C-02 a project cannot make its own folder the user's", async () => {
  const project = { skillTools: { userSkillsDir: "inner" } };
  expect(await found(() => ({ project, options: { trust: true } }))).toEqual([]);
});

it("R-10 the strict validator runs at the start where its log is read", async () => {
  const text = skillText("pdf", "Works. Use when asked. ".repeat(100));
  const { run } = workplace({}, { ".agent/skills/pdf/SKILL.md": text });
  const strict = /^(?:warning|error): .*SKILL\.md:\d+: /m;
  expect((await run("list")).stderr).not.toMatch(strict);
  expect((await run("list", "--verbose")).stderr).toMatch(strict);
  await run("config", "set", "--user", "skillTools.validateOnStartup", "true");
  expect((await run("list")).stderr).toMatch(strict);
  await run("config", "set", "--user", "skillTools.validateOnStartup", "false");
  expect((await run("list", "--verbose")).stderr).not.toMatch(strict);
});
