import { join } from "node:path";
import { expect, it } from "vitest";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { directorySource } from "../index.ts";

async function found(files: Readonly<Record<string, string>>, isProject = true) {
  const project = temporaryFolder({
    ".agent/skills/kept/SKILL.md": skillText("kept"),
    ".agent/skills/org/drafts/SKILL.md": skillText("drafts"),
    ".agent/skills/drafts/SKILL.md": skillText("drafts"),
    ...files,
  });
  const root = join(project, ".agent/skills");
  const options = isProject ? { label: "project", project } : { label: "user" };
  const { skills } = await directorySource(root, options).scan({});
  return skills.map(({ relativePath }) => relativePath);
}

it.each([
  ["a name", "drafts/\n", ["kept"]],
  ["an anchored path", "/.agent/skills/drafts\n", ["kept", "org/drafts"]],
  ["a namespace", "org/\n", ["drafts", "kept"]],
  ["a pattern with an exception", "drafts\n!/.agent/skills/org/drafts\n", ["kept", "org/drafts"]],
  ["comments only", "# drafts\n", ["drafts", "kept", "org/drafts"]],
])("R-05 honours %s in the project's .gitignore", async (_, text, expected) => {
  expect(await found({ ".gitignore": text })).toEqual(expected);
});

it("R-05 honours the .gitignore of the folder of skills itself", async () => {
  expect(await found({ ".agent/skills/.gitignore": "/drafts\n" })).toEqual(["kept", "org/drafts"]);
});

it("R-05 reads no .gitignore for roots that are not a project's", async () => {
  const files = { ".gitignore": "drafts\n", ".agent/skills/.gitignore": "*\n" };
  expect(await found(files, false)).toEqual(["drafts", "kept", "org/drafts"]);
});

it("R-05 lets a .gitignore further down take back what one above ignores, as git does", async () => {
  const files = {
    ".gitignore": "drafts\norg\n",
    ".agent/skills/.gitignore": "!drafts\n!org\n",
    ".agent/skills/org/.gitignore": "drafts\n",
    ".agent/skills/org/more/SKILL.md": skillText("more"),
  };
  expect(await found(files)).toEqual(["drafts", "kept", "org/more"]);
});
