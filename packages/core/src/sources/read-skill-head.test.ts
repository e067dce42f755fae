import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { readSkillMetadata } from "../internal/index.ts";
import { parseHead, readSkillHead } from "./index.ts";

const file = () => join(temporaryFolder(), "SKILL.md");
const META = "name: a\ndescription: Does it. Use when asked.\n";

it.each([
  ["LF", "\n"],
  ["CRLF", "\r\n"],
])(
  "R-01 reads frontmatter whose end falls on any byte of the first block, %s",
  async (_, newline) => {
    const path = file();
    for (let padding = 1950; padding < 2062; padding++) {
      const text = `---\n${META}license: ${"é".repeat(20)}${"x".repeat(padding - 90)}\n---\nBody\n`;
      const full = text.replaceAll("\n", newline);
      writeFileSync(path, full);
      const head = await readSkillHead({ file: path, directoryName: "a" });
      const expected = readSkillMetadata(full, { directoryName: "a", file: path });
      expect(head, String(padding)).toMatchObject({ ok: true, ...expected });
      expect(expected.metadata?.name).toBe("a");
    }
  },
);

it.each(["-\nx: y\n---\n", " x\n---\n", "\t\n---\n"])(
  "R-01 knows the end of the frontmatter only with what follows it: %j",
  async (rest) => {
    const path = file();
    for (let end = 2040; end < 2056; end++) {
      const start = `---\n${META}license: `;
      const full = `${start}${"x".repeat(end - start.length - 4)}\n---${rest}`;
      writeFileSync(path, full);
      const expected = readSkillMetadata(full, { directoryName: "a", file: path });
      const head = await readSkillHead({ file: path, directoryName: "a" });
      expect(head, String(end)).toMatchObject({ ok: true, ...expected });
    }
  },
);

it.each([
  ["a byte order mark", `\uFEFF---\n${META}---\nx`],
  ["blanks behind the delimiter", `---  \n${META}---\t \nx`],
  ["hyphens inside of a value", `---\n${META}license: a --- b\n---\nx`],
  ["no newline at the end", `---\n${META}---`],
  ["an empty frontmatter", "---\n---\nx"],
  ["no end", `---\n${META}`],
  ["an empty file", ""],
])("R-01 gives the parser what it needs with %s", async (_, text) => {
  const path = file();
  writeFileSync(path, text);
  expect(await readSkillHead({ file: path, directoryName: "a" })).toMatchObject({
    ok: true,
    ...readSkillMetadata(text, { directoryName: "a", file: path }),
  });
});

it("R-05 says why a file cannot be read", async () => {
  const folder = temporaryFolder();
  expect(await readSkillHead({ file: join(folder, "SKILL.md"), directoryName: "a" })).toMatchObject(
    {
      ok: false,
      code: "ENOENT",
    },
  );
  expect(await readSkillHead({ file: folder, directoryName: "a" })).toMatchObject({
    ok: false,
    code: "not a regular file",
  });
});

it.each([
  "name: a\ndescription: Reads it. Triggers: b, c.\n",
  "name: a\ndescription: Use when: asked\nlicense: MIT: mine\n",
])("R-01 a colon in a text without quotes is repaired: %j", async (meta) => {
  const text = `---\n${meta}---\n`;
  const options = { file: "/a/SKILL.md", directoryName: "a" };
  const head = await parseHead({ text, isAscii: true }, options);
  const expected = readSkillMetadata(text, options);
  expect(head).toEqual(expected);
  expect(expected.diagnostics[0]?.code).toBe("yaml-repaired");
});
