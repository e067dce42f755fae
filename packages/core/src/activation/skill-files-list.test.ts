import { chatOf } from "../../../../test/support/chat-of.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { inlineSource, openSkills, type ToolOptions } from "../index.ts";
import { type ActivateOptions, estimateTokens } from "../internal/index.ts";

async function activate(
  body: string,
  files: Readonly<Record<string, string>>,
  options: ActivateOptions = {},
) {
  const inSkill = Object.entries(files).map(([path, text]) => [`xlsx/${path}`, text] as const);
  const root = temporaryFolder({
    "xlsx/SKILL.md": `${skillText("xlsx")}${body}`,
    ...Object.fromEntries(inSkill),
  });
  const skills = await openSkills({ roots: [root] });
  const activation = await chatOf(skills).activate("xlsx", options);
  if (!activation.ok) throw new Error(activation.message);
  return activation;
}

async function listed(...args: Parameters<typeof activate>): Promise<string[]> {
  const { text } = await activate(...args);
  const [, list = ""] = /\n<skill_files>\n([^]*?)\n<\/skill_files>/.exec(text) ?? [];
  return list.split("\n");
}

function tree(paths: readonly string[]): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, "x"]));
}

function numbered(count: number, nameOf: (i: string) => string): string[] {
  return Array.from({ length: count }, (_, i) => nameOf(String(i).padStart(3, "0")));
}

const SCHEMAS = [
  ...numbered(26, (i) => `ISO-IEC29500-4_2016/part-${i}.xsd`),
  ...numbered(4, (i) => `ecma/fouth-edition/opc-${i}.xsd`),
  "mce/mc.xsd",
  ...numbered(8, (i) => `microsoft/wml-${i}.xsd`),
];

describe("the list of files of an activated skill", () => {
  it("D-04 D-05 names the script that SKILL.md mentions, and makes one line of 39 schemas", async () => {
    const files = tree([
      "LICENSE.txt",
      "recalc.py",
      ...SCHEMAS.map((path) => `ooxml/schemas/${path}`),
    ]);
    expect(await listed("Run `python recalc.py out.xlsx` at the end.\n", files)).toEqual([
      "recalc.py (1 byte)",
      "LICENSE.txt (1 byte)",
      "ooxml/schemas/ (39 .xsd files)",
      "and 39 more files; list a folder to see its files",
    ]);
  });

  it("D-04 finds scripts among data, as the newer layout of the public skill has them", async () => {
    const files = tree([
      "LICENSE.txt",
      ...SCHEMAS.map((path) => `scripts/office/schemas/${path}`),
      ...["pack", "unpack", "validate", "soffice"].map((name) => `scripts/office/${name}.py`),
      ...["__init__", "base", "docx"].map((name) => `scripts/office/validators/${name}.py`),
      "scripts/recalc.py",
    ]);
    const lines = await listed("Use `scripts/office/unpack.py`, then scripts/recalc.py.\n", files);
    expect(lines.map((line) => line.replace(" (1 byte)", ""))).toEqual([
      "scripts/office/unpack.py",
      "scripts/recalc.py",
      "scripts/office/pack.py",
      "scripts/office/soffice.py",
      "scripts/office/validate.py",
      "scripts/office/validators/base.py",
      "scripts/office/validators/docx.py",
      "LICENSE.txt",
      "scripts/office/schemas/ (39 .xsd files)",
      "scripts/office/validators/__init__.py",
      "and 39 more files; list a folder to see its files",
    ]);
  });

  it("D-04 keeps nested folders apart where other files lie between them", async () => {
    const files = tree([
      ...numbered(12, (i) => `ooxml/schemas/ISO/${i}.xsd`),
      ...numbered(30, (i) => `ooxml/fonts/${i}.ttf`),
      "ooxml/README",
      "assets/a.png",
      "assets/b.svg",
    ]);
    expect(await listed("", files)).toEqual([
      "assets/a.png (1 byte)",
      "assets/b.svg (1 byte)",
      "ooxml/README (1 byte)",
      "ooxml/fonts/ (30 .ttf files)",
      "ooxml/schemas/ISO/ (12 .xsd files)",
      "and 42 more files; list a folder to see its files",
    ]);
  });

  it("D-04 puts mentioned files first, in the order of the text, however they are mentioned", async () => {
    const files = tree([
      "a.md",
      "references/forms.md",
      "references/intro.md",
      "references/my guide.md",
      "references/表格.md",
      "scripts/fill.py",
      "themes/dark.md",
      "z.md",
    ]);
    const body =
      "先读references/intro.md文件和`references/表格.md`。See [the guide](<references/my guide.md>), FORMS.md, ${SKILL_DIR}/z.md.\n" +
      "Run `~/.claude/skills/xlsx/scripts/fill.py`.\n";
    const lines = await listed(body, files);
    expect(lines.map((line) => line.replace(" (1 byte)", ""))).toEqual([
      "references/intro.md",
      "references/表格.md",
      "references/my guide.md",
      "references/forms.md",
      "z.md",
      "scripts/fill.py",
      "a.md",
      "themes/dark.md",
    ]);
  });

  it("D-04 a word that happens to be a name is no mention", async () => {
    const files = tree(["LICENSE", "a.txt", "b/guide.md", "c/guide.md"]);
    const lines = await listed("The license says: read the guide.md of your team.\n", files);
    expect(lines.map((line) => line.split(" ")[0])).toEqual([
      "LICENSE",
      "a.txt",
      "b/guide.md",
      "c/guide.md",
    ]);
  });

  it("D-04 counts what is left of a folder whose mentioned file is named", async () => {
    const files = tree(numbered(40, (i) => `themes/theme-${i}.md`));
    expect(await listed("Default: themes/theme-007.md\n", files)).toEqual([
      "themes/theme-007.md (1 byte)",
      "themes/ (39 more .md files)",
      "and 39 more files; list a folder to see its files",
    ]);
  });

  it("D-04 T-06 names the tool that lists files, if there is one", async () => {
    const files = tree(numbered(20, (i) => `data/${i}.csv`));
    expect((await listed("", files, { listTool: "list_skill_files" })).at(-1)).toBe(
      "and 20 more files; call list_skill_files with a folder to see its files",
    );
    const root = temporaryFolder({
      "xlsx/SKILL.md": skillText("xlsx"),
      ...tree(Object.keys(files).map((path) => `xlsx/${path}`)),
    });
    const skills = await openSkills({ roots: [root] });
    const load = async (options: ToolOptions) => {
      const tool = skills.conversation().tools(options)[0];
      return tool?.toText(await tool.execute({ skill_name: "xlsx" }));
    };
    expect(await load({})).toContain("call list_skill_files with a folder");
    expect(await load({ rename: { list_skill_files: "ls" } })).toContain("call ls with a folder");
    expect(await load({ enabled: { list_skill_files: false } })).toContain("; list a folder");
  });

  it.each([".", "a/", "a.", "./", "../", "[a](", "漢/", "references/a.md "])(
    "D-04 T-11 a body that repeats %j does not keep the list waiting",
    async (piece) => {
      const body = piece.repeat(Math.floor(900_000 / Buffer.byteLength(piece)));
      const files = tree(numbered(1900, (i) => `${i}/a/a/a/a.md`));
      const inline = { name: "tree", description: "A tree.", instructions: `${body}x\n`, files };
      const skills = await openSkills({ roots: [inlineSource([inline])] });
      const before = performance.now();
      await chatOf(skills).activate("tree");
      expect(performance.now() - before).toBeLessThan(5000);
    },
  );

  it("D-04 stays within about 400 tokens, and counts every file, whatever the tree is", async () => {
    const segment = fc.constantFrom("a", "scripts", "schemas", "long-folder-name", "表");
    const name = fc.constantFrom("x.py", "y.xsd", "guide.md", "LICENSE", "data.json", "z");
    const path = fc
      .tuple(fc.array(segment, { maxLength: 4 }), name, fc.nat(40))
      .map(([folders, file, i]) => [...folders, `${i}-${file}`].join("/"));
    const paths = fc.uniqueArray(path, { maxLength: 120 });
    const mentions = fc.array(fc.nat(119), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(paths, mentions, async (files, picks) => {
        const body = picks.map((i) => `- ${files[i] ?? "none.md"}\n`).join("");
        const inline = {
          name: "tree",
          description: "A tree. Use it.",
          instructions: body,
          files: tree(files),
        };
        const skills = await openSkills({ roots: [inlineSource([inline])] });
        const activation = await chatOf(skills).activate("tree");
        const text = activation.ok ? activation.text : "";
        const [list = "", content = ""] = /<skill_files>\n([^]*)\n<\/skill_files>/.exec(text) ?? [];
        expect(estimateTokens(list)).toBeLessThanOrEqual(430);
        const lines = content.split("\n");
        const more = Number(/^and (\d+) more file/.exec(lines.at(-1) ?? "")?.[1] ?? 0);
        const named = lines.filter((line) => line.endsWith(" (1 byte)"));
        expect(named.length + more).toBe(files.length);
        expect(new Set(lines).size).toBe(lines.length);
      }),
      { numRuns: 60 },
    );
  });
});
