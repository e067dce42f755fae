import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { createWorkspaceTools } from "../../internal/index.ts";

function workspaceWith(files: Readonly<Record<string, string | Uint8Array>>) {
  const root = temporaryFolder();
  for (const [path, content] of Object.entries(files)) writeFileSync(join(root, path), content);
  const tools = createWorkspaceTools({ root, trash: join(root, "../trash") }).tools();
  const call = async (name: string, input: unknown) => {
    const tool = tools.find((one) => one.name === name)!;
    const result = (await tool.execute(input)) as Readonly<Record<string, unknown>>;
    return { ...result, shown: tool.toText(result) };
  };
  const edit = (old_text: string, new_text: string, more: object = {}) =>
    call("edit_file", { path: "a.txt", old_text, new_text, ...more });
  return { root, call, edit, read: () => readFileSync(join(root, "a.txt"), "utf8") };
}

describe("edit_file", () => {
  it("T-12 replaces what is there exactly once, and answers with the diff", async () => {
    const { edit, read } = workspaceWith({ "a.txt": "one\ntwo\nthree\n" });
    const { shown } = await edit("two\n", "2\n");
    expect(shown).toContain("Edited a.txt (1 replacement; now 3 lines, 12 bytes):\n--- a/a.txt");
    expect(shown).toContain("-two\n+2");
    expect(read()).toBe("one\n2\nthree\n");
  });

  it("T-12 D-11 takes tags of frames as they were read", async () => {
    const line = "const a = \"<skill_content name='x'>\"; // &lt;b>\n";
    const { call, edit, read } = workspaceWith({ "a.txt": line });
    const { shown } = await call("read_file", { path: "a.txt" });
    expect(shown).toContain("&lt;skill_content");
    const seen = line.replace("<skill", "&lt;skill");
    expect(await edit(seen, seen.replace("'x'", "'y'"))).toMatchObject({ ok: true });
    expect(read()).toBe(line.replace("'x'", "'y'"));
    // A file that really has the escape is edited as it is.
    const literal = workspaceWith({ "a.txt": "&lt;tool_result> and <tool_result>\n" });
    await literal.edit("&lt;tool_result> and", "&lt;tool_result> or");
    expect(literal.read()).toBe("&lt;tool_result> or <tool_result>\n");
  });

  it("T-12 says when line numbers were copied into the text", async () => {
    const { edit } = workspaceWith({ "a.txt": "one\ntwo\nthree\n" });
    const refused = await edit("1\tone\n 2\ttwo", "x");
    expect(refused).toMatchObject({ code: "text-not-found" });
    expect(refused.shown).toContain("Leave the line numbers out of old_text.");
    const { shown: other } = await edit("7\tseven", "x");
    expect(other).not.toContain("Leave the line numbers");
  });

  it("T-12 counts what it replaced", async () => {
    const { edit } = workspaceWith({ "a.txt": "a b a b a\n" });
    const { shown } = await edit("a", "c", { all: true });
    expect(shown).toContain("Edited a.txt (3 replacements; now 1 line, 10 bytes):");
  });

  it("T-12 takes the names that other agents use", async () => {
    const { call, read } = workspaceWith({ "a.txt": "one one" });
    const input = { file_path: "a.txt", old_string: "one", new_string: "1", replace_all: true };
    expect(await call("edit_file", input)).toMatchObject({ ok: true });
    expect(read()).toBe("1 1");
  });

  it("T-12 says where a text occurs that is there several times, and replaces all when told to", async () => {
    const { edit, read } = workspaceWith({ "a.txt": "x = 1\ny\nx = 1\n" });
    const refused = await edit("x = 1", "x = 2");
    expect(refused).toMatchObject({ ok: false, code: "text-ambiguous" });
    expect(refused.shown).toContain('old_text occurs 2 times in "a.txt", at lines 1, 3');
    expect(refused.shown).toContain("set all to true");
    expect(read()).toBe("x = 1\ny\nx = 1\n");
    await edit("x = 1", "x = 2", { all: true });
    expect(read()).toBe("x = 2\ny\nx = 2\n");
  });

  it("T-12 counts occurrences that overlap: which one is meant is not known", async () => {
    const { edit, read } = workspaceWith({ "a.txt": "}\n}\n}\n" });
    expect(await edit("}\n}\n", "")).toMatchObject({ code: "text-ambiguous" });
    await edit("}\n}\n", ")\n", { all: true });
    expect(read()).toBe(")\n}\n");
  });

  it("T-12 never splits a character", async () => {
    const { edit, read } = workspaceWith({ "a.txt": "a😀b" });
    expect(await edit("\ud83d", "c")).toMatchObject({ code: "text-invalid" });
    expect(await edit("b", "\ude00")).toMatchObject({ code: "text-invalid" });
    expect(read()).toBe("a😀b");
  });

  it("T-12 writes the newlines of what it replaces", async () => {
    const { edit, read } = workspaceWith({ "a.txt": "a\nb\r\nc\nd\ne\n" });
    await edit("b\nc", "B\nC");
    await edit("d\ne", "D\nE");
    expect(read()).toBe("a\nB\r\nC\nD\nE\n");
  });

  it("T-12 shows the nearest text with its line numbers when there is no match", async () => {
    const { edit } = workspaceWith({
      "a.txt": "import a\n\nfunction draw(page) {\n  return page.width;\n}\n",
    });
    const refused = await edit("function draw(page) {\n    return page.widht;\n}", "");
    expect(refused).toMatchObject({ ok: false, code: "text-not-found" });
    expect(refused.shown).toContain(
      "starts at line 3:\n3\tfunction draw(page) {\n4\t  return page.width;\n5\t}\n",
    );
    expect((await edit("qqq", "")).shown).toContain("Nothing in the file resembles it");
  });

  it("T-12 says so when only characters that are not shown differ", async () => {
    const { edit } = workspaceWith({ "a.txt": "a\u200bb\n" });
    expect((await edit("ab", "c")).shown).toContain("invisible characters there");
  });

  it("T-12 keeps newlines, byte order mark and mode, and every other byte", async () => {
    const { root, edit, read } = workspaceWith({
      "a.txt": "\ufeffone\r\ntwo\r\nthree\nfour\r\n",
    });
    chmodSync(join(root, "a.txt"), 0o750);
    await edit("one\ntwo\n", "1\n2\n2b\n");
    expect(read()).toBe("\ufeff1\r\n2\r\n2b\r\nthree\nfour\r\n");
    expect(statSync(join(root, "a.txt")).mode & 0o777).toBe(0o750);
  });

  it("T-12 an edit in a file with any newlines is that of the plain text", async () => {
    const lines = fc.array(fc.tuple(fc.constantFrom("a", "b", ""), fc.constantFrom("\n", "\r\n")), {
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(lines, lines, async (before, after) => {
        const join = (parts: [string, string][]) => parts.flat().join("");
        const { edit, read } = workspaceWith({ "a.txt": `${join(before)}HERE${join(after)}` });
        await edit("HERE", "THERE");
        expect(read()).toBe(`${join(before)}THERE${join(after)}`);
      }),
      { numRuns: 50 },
    );
  });

  it("T-12 X-10 is confined as write_file is", async () => {
    const { root, call, edit } = workspaceWith({ "a.txt": "a", "b.bin": Buffer.from([0, 1, 2]) });
    symlinkSync("a.txt", join(root, "link"));
    const on = (path: string) => call("edit_file", { path, old_text: "a", new_text: "b" });
    expect(await on("../a.txt")).toMatchObject({ code: "path-outside" });
    expect(await on(".git/config")).toMatchObject({ code: "file-protected" });
    expect(await on("link")).toMatchObject({ code: "link-refused" });
    expect(await on("b.bin")).toMatchObject({ code: "file-binary" });
    expect(await on("A.txt")).toMatchObject({ code: "file-not-found", candidates: ["a.txt"] });
    expect(await on("new/a.txt")).toMatchObject({ code: "file-not-found" });
    expect(await edit("a", "a")).toMatchObject({ code: "text-unchanged" });
  });
});

it("T-12 write_file appends, and makes the file when there is none", async () => {
  const { call, read } = workspaceWith({});
  await call("write_file", { path: "a.txt", content: "one\n", append: true });
  const { shown } = await call("write_file", { path: "a.txt", content: "two\n", append: true });
  expect(shown).toContain("+two");
  expect(read()).toBe("one\ntwo\n");
});

describe("images", () => {
  it.each([
    ["a.png", "image/png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]],
    ["a.jpg", "image/jpeg", [0xff, 0xd8, 0xff, 0xe0, 0]],
    ["a.gif", "image/gif", [...Buffer.from("GIF89a"), 0, 0]],
    ["a.webp", "image/webp", [...Buffer.from("RIFF"), 0, 0, 0, 0, ...Buffer.from("WEBPVP8 "), 0]],
    ["no-ending", "image/png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]],
  ])("X-10 read_file gives %s as %s", async (path, mediaType, bytes) => {
    const { call } = workspaceWith({ [path]: Buffer.from(bytes) });
    const data = Buffer.from(bytes).toString("base64");
    const image = { mediaType, data };
    expect(await call("read_file", { path })).toEqual({
      ok: true,
      kind: "image",
      path,
      mediaType,
      bytes: bytes.length,
      image,
      shown: `${mediaType}, ${bytes.length} bytes`,
    });
  });

  it.each([
    ["a.png", Buffer.from([0, 1, 2, 3])],
    ["large.gif", Buffer.concat([Buffer.from("GIF89a"), Buffer.alloc(5 * 1024 * 1024)])],
  ])("X-10 refuses %s, which is none or too large", async (path, bytes) => {
    const { call } = workspaceWith({ [path]: bytes });
    expect(await call("read_file", { path })).toMatchObject({ ok: false, code: "file-binary" });
  });
});
