import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import {
  directorySource,
  lintSkill,
  openSkills,
  parseSkill,
  SkillwrightError,
  skillsPlugin,
} from "../index.ts";

const root = () => temporaryFolder({ "pdf/SKILL.md": skillText("pdf") });

/** What a program without types could pass. */
const any = (value: unknown): never => value as never;

async function messageOf(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    if (SkillwrightError.isInstance(error) && error.code === "option-invalid") return error.message;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("wrong options in code", () => {
  it.each([
    [{ root: "skills" }, 'openSkills: there is no "root"; did you mean "roots"?'],
    ["skills", 'openSkills: the options must be an object such as { cwd: … }, got "skills"'],
    [
      { roots: "skills" },
      /^openSkills: "roots" must be a list of folders and sources; .*got "skills"$/,
    ],
    [{ roots: [pathToFileURL("/skills")] }, /fileURLToPath\(url\), got a list$/],
    [{ watch: "yes" }, 'openSkills: "watch" must be true or false, got "yes"'],
    [{ names: ["pdf", 5] }, 'openSkills: "names" must be a list of strings, got a list'],
    [{ cacheSeconds: Number.NaN }, 'openSkills: "cacheSeconds" must be a number, got NaN'],
    [{ constructor: 1 }, /^openSkills: there is no "constructor"; there are cwd, home, /],
  ])("H-02 openSkills(%j) throws", async (options, message) => {
    expect(await messageOf(() => openSkills(any(options)))).toMatch(message);
  });

  it("H-02 every other entry checks its options as well", async () => {
    const skills = await openSkills({ roots: [root()] });
    const chat = skills.conversation();
    const calls: readonly (readonly [() => unknown, string])[] = [
      [() => skills.conversation(any({ name: "pdf" })), 'conversation: there is no "name"'],
      [() => skills.conversation(any({ include: "pdf" })), "a list of names or a function"],
      [() => skills.conversation(any({ scripts: { ok: false } })), "with ok: true"],
      [() => skills.conversation({ limits: any({ rom: 1 }) }), 'limits: there is no "rom"'],
      [
        () => chat.tools(any({ preset: "mine" })),
        '"preset" must be "standard", "lookup", "scripts"',
      ],
      [() => chat.tools({ enabled: { load_skil: false } }), 'did you mean "load_skill"?'],
      [() => chat.tools({ rename: { read_skill: "x" } }), 'rename: there is no "read_skill"'],
      [() => chat.catalog(any({ budget: 5 })), 'did you mean "budgetTokens"?'],
      [() => chat.activate("pdf", any({ by: "me" })), '"by" must be "model" or "person"'],
      [() => chat.readFile("pdf", "SKILL.md", any({ lines: 5 })), 'readFile: there is no "lines"'],
      [() => chat.listFiles("pdf", any({ below: "x" })), 'listFiles: there is no "below"'],
      [() => parseSkill("", any({ strikt: true })), 'did you mean "strict"?'],
      [() => lintSkill(root(), any({ strikt: true })), 'did you mean "strict"?'],
      [() => directorySource(root(), any({ labl: "x" })), 'did you mean "label"?'],
      [() => skillsPlugin(any({ setting: {} })), 'did you mean "settings"?'],
      [() => skillsPlugin({ settings: any({ root: "x" }) }).start(), 'did you mean "roots"?'],
    ];
    for (const [call, message] of calls) expect(await messageOf(call)).toContain(message);
  });

  it("H-02 an option that is undefined is one that is not given", async () => {
    const skills = await openSkills(any({ roots: [root()], watch: undefined, restore: undefined }));
    expect(skills.conversation(any({ include: undefined })).skills).toHaveLength(1);
  });
});
