import { skillEntry } from "@modelcontextprotocol/server/ext/skills";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { servedSkillFile } from "../index.ts";

const skill = (more: string) => `---\nname: pdf\ndescription: Joins. Use it.\n${more}---\n# Goal\n`;

/** What official clients read in a text. */
const readByClients = async (text: string) =>
  (await skillEntry("pdf", { "SKILL.md": text })).frontmatter;

describe("servedSkillFile", () => {
  it("H-02 F-01 a text that clients can read is served byte for byte", async () => {
    for (const text of [skill(""), skill("license: MIT # ours\nmetadata:\n  version: '1.0'\n")]) {
      const served = await servedSkillFile(text, "pdf");
      expect(served).toMatchObject({ ok: true, text, isRewritten: false });
      expect(served.ok && served.frontmatter).toEqual(await readByClients(text));
    }
  });

  it.each([
    ["a number", "metadata:\n  version: 1.10\n"],
    ["a list and a mapping", "metadata:\n  tags: [a, b]\n  more:\n    x: 1\n"],
    ["nothing", "metadata:\n"],
    ["a text of two lines", 'license: "one\n  two"\n'],
    ["an indentation that is said", "license: |1\n  one\n"],
    ["a key that is quoted", '"null": 1\nmetadata: { "a b": yes, 1: 2 }\n'],
    ["odd characters", 'license: "\\u2028\\u0085\\uFEFF\\x7f\\U0001F600"\nmetadata: { a: 1 }\n'],
  ])("H-02 F-01 %s in the frontmatter is written so that clients read it", async (_, more) => {
    const served = await servedSkillFile(skill(more), "pdf");
    if (!served.ok) throw new Error(served.problem);
    expect(served.isRewritten).toBe(true);
    expect(served.text.endsWith("---\n# Goal\n")).toBe(true);
    expect(await readByClients(served.text)).toEqual(served.frontmatter);
    expect(await servedSkillFile(served.text, "pdf")).toEqual({ ...served, isRewritten: false });
  });

  it("H-02 F-01 whatever the metadata is, clients can read it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.json(), async (metadata, extra) => {
        const served = await servedSkillFile(skill(`metadata: ${metadata}\nx: ${extra}\n`), "pdf");
        const { text = skill(""), frontmatter } = served.ok ? served : {};
        const read = await readByClients(text);
        expect(read).toEqual(frontmatter ?? read);
      }),
    );
  });

  it("H-02 F-01 a repair is none of it", async () => {
    const text = "---\nname: pdf\ndescription: Joins: it. Use it.\n---\n";
    expect(await servedSkillFile(text, "pdf")).toMatchObject({
      ok: false,
      problem: expect.stringContaining("repair") as unknown,
    });
  });
});
