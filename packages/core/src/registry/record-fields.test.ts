import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { openSkills } from "../host/index.ts";
import { diskCache, inlineSource, type OpenSkillsOptions, storageSource } from "../index.ts";

const head = (name: string, fields: string) =>
  `---\nname: ${name}\ndescription: Does ${name}. Use when asked.\n${fields}---\nDo it.\n`;

const FILES = {
  "block/SKILL.md": head(
    "block",
    'metadata:\n  author: "Ann"\n  rating: 4.50\n  deep:\n    kept: no\nallowed-tools: Read, Bash(git:*)\n',
  ),
  "json/SKILL.md": head(
    "json",
    'metadata: {"author":"Bob","tags":["x"]}\nallowed-tools: ["Read"]\n',
  ),
  // The full parser reads what is spelt otherwise.
  "special/SKILL.md": head(
    "special",
    "metadata: { author: 'C<d>' }\nallowed_tools:\n\t- Read\n".replace("\t", "  "),
  ),
  "none/SKILL.md": head("none", "allowed-tools: []\n"),
  "plain/SKILL.md": skillText("plain"),
};

const EXPECTED = {
  block: {
    metadata: { author: "Ann", rating: "4.50" },
    allowedTools: [{ tool: "Read" }, { tool: "Bash", specifier: "git:*" }],
  },
  json: { metadata: { author: "Bob" }, allowedTools: [{ tool: "Read" }] },
  special: { metadata: { author: "C<d>" }, allowedTools: [{ tool: "Read" }] },
  none: { metadata: {}, allowedTools: [] },
  plain: { metadata: {}, allowedTools: undefined },
};

async function fields(options: OpenSkillsOptions) {
  const { all } = await openSkills(options);
  return Object.fromEntries(
    all.map(({ name, metadata, allowedTools }) => [name, { metadata, allowedTools }]),
  );
}

describe("metadata and allowedTools of a record", () => {
  it("R-08 come from the files, and from the cache on disk", async () => {
    const folder = temporaryFolder(FILES);
    const cache = () => diskCache(join(folder, ".cache"));
    expect(await fields({ roots: [folder], cache: cache() })).toEqual(EXPECTED);
    let reads = 0;
    const counted = {
      ...cache(),
      async read(key: string) {
        const index = await cache().read(key);
        if (index !== undefined) reads++;
        return index;
      },
    };
    expect(await fields({ roots: [folder], cache: counted })).toEqual(EXPECTED);
    expect(reads).toBe(1);
  });

  it("R-08 come from code and from a store", async () => {
    const { block } = EXPECTED;
    const code = inlineSource([
      {
        name: "block",
        description: "Does it. Use when asked.",
        instructions: "Do it.",
        metadata: block.metadata,
        allowedTools: "Read Bash(git:*)",
      },
    ]);
    expect(await fields({ roots: [code] })).toEqual({ block });
    const db = storageSource({
      label: "db",
      list: () => Promise.resolve([{ path: "block", files: [{ path: "SKILL.md" }] }]),
      read: () => Promise.resolve(FILES["block/SKILL.md"]),
    });
    expect(await fields({ roots: [db] })).toEqual({ block });
  });

  it("R-08 D-09 survive a saved state, also when the folder is gone", async () => {
    const folder = temporaryFolder(FILES);
    const skills = await openSkills({ roots: [folder] });
    const saved: unknown = JSON.parse(JSON.stringify(skills.conversation().save()));
    const moved = JSON.parse(JSON.stringify(saved).replaceAll(folder, `${folder}-gone`)) as unknown;
    expect(await fields({ restore: saved })).toEqual(EXPECTED);
    expect(await fields({ restore: moved })).toEqual(EXPECTED);
  });

  it("R-08 a model sees neither at level 1, in no form of the catalog and no tool", async () => {
    const folder = temporaryFolder({
      "secret/SKILL.md": head(
        "secret",
        "metadata:\n  author: Zaphod\nallowed-tools: Heart(gold:*)\n",
      ),
    });
    const skills = await openSkills({ roots: [folder] });
    const chat = skills.conversation();
    expect(skills.get("secret")?.metadata).toEqual({ author: "Zaphod" });
    const shown = JSON.stringify([
      chat.instructions(),
      ...(["xml", "markdown", "json"] as const).map((format) => chat.catalog({ format })),
      chat.tools(),
      await chat.search("secret"),
      await Promise.all(
        chat
          .tools()
          .filter(({ name }) => name !== "load_skill")
          .map((tool) => tool.execute({ name: "secret", query: "secret" })),
      ),
    ]);
    expect(shown).toContain("secret");
    expect(shown).not.toMatch(/Zaphod|Heart/);
  });
});
