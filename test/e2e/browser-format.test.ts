import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { rolldown } from "rolldown";
import { beforeAll, describe, expect, it } from "vitest";
import { lintSkillText, parseSkill, renderSkill } from "@skillwright/core/format";

const ENTRY = fileURLToPath(new URL("../../packages/core/src/format/index.ts", import.meta.url));

/** What the entry imports at once and later, from ours and other packages. */
let modules: string[] = [];
let code = "";

beforeAll(async () => {
  const bundle = await rolldown({ input: ENTRY, platform: "browser", logLevel: "silent" });
  const { output } = await bundle.generate({
    format: "iife",
    name: "format",
    codeSplitting: false,
  });
  await bundle.close();
  const [chunk] = output;
  modules = [...chunk.imports, ...chunk.dynamicImports, ...chunk.moduleIds];
  code = chunk.code;
});

/** A page: the language, and none of Node. */
function page() {
  const context = createContext({});
  runInContext(`${code}; globalThis.format = format;`, context);
  return (expression: string): unknown =>
    JSON.parse(runInContext(`JSON.stringify(${expression})`, context) as string);
}

const SKILL = `---
name: pdf
description: "Merges PDF files: quickly. Use for PDFs."
license: MIT
metadata:
  author: ada
allowed-tools: Read Bash(git:*)
hooks: {a: [1, 2, {b: "c"}]}
---
# PDF

See [forms](references/forms.md). \u{1F600} Größe 你好
`;

describe("the format in a browser", () => {
  it("H-02 F-06 imports nothing of Node", () => {
    expect(modules.filter((id) => id.startsWith("node:"))).toEqual([]);
    expect(modules.some((id) => id.endsWith("/format/parse-skill.ts"))).toBe(true);
    expect(code).not.toMatch(/\brequire\(|from ["']node:|import\(["']node:/);
  });

  it.each([
    ["usual", SKILL],
    ["broken", "---\nname: pdf\ndescription: [\n---\n"],
    ["repaired", "---\nname: pdf\ndescription: Use when: a colon is there\n---\n"],
    ["strange", '---\nname: "p\\u0064f"\ndescription: >-\n  a\n  b\nx: &a {b: *a}\n---\n'],
    ["hidden", "---\nname: pdf\ndescription: a\u200Bb <b> \u202Ec\n---\n"],
    ["empty", ""],
  ])("F-06 reads and checks a %s skill as Node does", (_, text) => {
    const run = page();
    const given = JSON.stringify(text);
    for (const [name, own] of [
      ["parseSkill", parseSkill],
      ["lintSkillText", lintSkillText],
    ] as const) {
      const options = { directoryName: "pdf" };
      const expected: unknown = JSON.parse(JSON.stringify(own(text, options)));
      expect(run(`format.${name}(${given}, {directoryName: "pdf"})`)).toEqual(expected);
    }
  });

  it("F-03 writes what it reads", () => {
    const run = page();
    const { skill } = parseSkill(SKILL);
    const text = run(`format.renderSkill(format.parseSkill(${JSON.stringify(SKILL)}).skill)`);
    expect(text).toBe(renderSkill(skill!));
    expect(parseSkill(text as string).skill).toEqual({
      ...skill,
      bodyLine: expect.any(Number) as number,
    });
  });

  it("H-01 unknown options throw there too", () => {
    const context = createContext({});
    runInContext(`${code}; globalThis.format = format;`, context);
    expect(() => {
      runInContext('format.parseSkill("", { directory: "x" })', context);
    }).toThrow("directoryName");
  });
});
