import { join } from "node:path";
import { expect, it } from "vitest";
import { skillText, writeTree } from "../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createConsole } from "./console.ts";
import { openSession, type SessionOptions } from "./session.ts";
import { openSessionSkills } from "./session-skills.ts";

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
