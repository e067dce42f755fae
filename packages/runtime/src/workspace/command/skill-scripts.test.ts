import { openSkills } from "@skillwright/core";
import fc from "fast-check";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { skillText } from "../../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { findSkillScript, hiddenScripts, skillScriptFolders } from "../index.ts";

async function world() {
  const root = temporaryFolder({
    "skills/pdf/SKILL.md": skillText("pdf"),
    "skills/pdf/scripts/join.py": "",
    "skills/pdf/scripts/lib/part.py": "",
    "skills/pdf/references/scripts/other.py": "",
    "own/scripts/x.py": "",
  });
  symlinkSync("skills", join(root, "link"));
  const skills = await openSkills({ roots: [join(root, "skills")] });
  const folders = skillScriptFolders(skills.all);
  const find = (argv: readonly string[], cwd = root) => findSkillScript(argv, cwd, folders);
  return { root, folders, find };
}

it("X-02 no way to write the path of a script makes it an ordinary command", async () => {
  const { root, find } = await world();
  const detour = fc.constantFrom(".", "own/..", "link/..", "skills/../own/..", "");
  const start = fc.constantFrom(
    "skills/pdf",
    "link/pdf",
    "link/../skills//pdf",
    `${root}/link/pdf`,
  );
  const program = fc.constantFrom(
    [],
    ["python3"],
    ["/usr/bin/env", "python3.12", "-u"],
    ["nice", "-n", "5", "python3"],
    ["bash", "-c"],
    ["sh", "-lc", "true;"],
    ["cat"],
    ["python3", "-X", "importtime"],
  );
  const file = fc.constantFrom("scripts/join.py", "scripts/./lib/../join.py", "scripts/none.py");
  fc.assert(
    fc.property(detour, start, program, file, (before, folder, words, name) => {
      const isAbsolute = folder.startsWith("/");
      const path = `${isAbsolute || before === "" ? "" : `${before}/`}${folder}/${name}`;
      expect(find([...words, path])).toBeDefined();
    }),
  );
});

it("X-02 a path as SKILL.md writes it means the only skill that has it", async () => {
  const { root, find, folders } = await world();
  const script = { ok: true, script: "scripts/join.py", args: ["a"] };
  for (const path of ["scripts/join.py", "./scripts/join.py"]) {
    expect(find(["python3", path, "a"])).toMatchObject({ ...script, skill: { name: "pdf" } });
  }
  expect(find(["scripts/join.py"])).toMatchObject({ ok: true, args: [] });
  expect(find(["cat", "scripts/join.py"])).toBeUndefined();
  // A file of the working directory is an ordinary one, and nothing leads out of the folder.
  expect(find(["python3", "scripts/x.py"], join(root, "own"))).toBeUndefined();
  expect(find(["python3", "scripts/none.py"])).toBeUndefined();
  expect(find(["python3", "scripts/../../dates/x.py"])).toBeUndefined();
  const [pdf] = folders;
  const hidden = folders.map((folder) => ({ ...folder, isRunnable: false }));
  expect(findSkillScript(["python3", "scripts/join.py"], root, hidden)).toBeUndefined();
  // Two skills that have it: neither is meant.
  const twice = [...folders, ...(pdf === undefined ? [] : [{ ...pdf, skill: { ...pdf.skill } }])];
  expect(findSkillScript(["python3", "scripts/join.py"], root, twice)).toBeUndefined();
});

it("X-02 gives the script below its skill, and its arguments", async () => {
  const { find } = await world();
  expect(find(["python3", "link/pdf/scripts/lib/part.py", "-u", ""])).toMatchObject({
    ok: true,
    skill: { name: "pdf" },
    script: "scripts/lib/part.py",
    args: ["-u", ""],
  });
});

it.each([
  [["python3", "own/scripts/x.py"]],
  [["python3", "skills/pdf/references/scripts/other.py"]],
  [["git", "log", "scripts/join.py"]],
  [["python3", "-c", "print('scripts')"]],
  [["ls", "skills/pdf"]],
  [["join.py"]],
])("X-10 %j is an ordinary command", async (argv) => {
  const { find } = await world();
  expect(find(argv)).toBeUndefined();
});

it("X-02 hides single folders, or where there are very many the roots that hold them", async () => {
  const { root, folders } = await world();
  expect(hiddenScripts(folders, [], root)).toEqual([join(root, "skills/pdf/scripts")]);
  const [folder] = folders;
  if (folder === undefined) throw new Error("there is no folder");
  const many = Array.from({ length: 100 }, (_, i) => ({
    ...folder,
    path: join(root, `skills/s${i}/scripts`),
  }));
  expect(hiddenScripts(many, [], root)).toEqual([join(root, "skills")]);
  // Here the root of the skills is the working directory itself.
  mkdirSync(join(root, "skills/work"));
  expect(hiddenScripts(many, [], join(root, "skills/work"))).toHaveLength(100);
});
