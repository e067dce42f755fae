import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { numRuns } from "../../../../test/support/suite.ts";
import { parseSkill } from "../index.ts";
import type { ReadFileOptions } from "../internal/index.ts";
import { readFile } from "./index.ts";

function skillWith(files: Readonly<Record<string, string | Uint8Array>>) {
  const directory = mkdtempSync(join(tmpdir(), "skillwright-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  return { directory };
}

/** What is read of a file with this content. */
function readOne(content: string | Uint8Array, options?: ReadFileOptions) {
  return readFile(skillWith({ "x.md": content }), "x.md", options);
}

describe("readFile", () => {
  it("D-06 gives a file with its lines and its end", async () => {
    const skill = skillWith({ "references/guide.md": "a\nb\n" });
    expect(await readFile(skill, "./references/guide.md")).toEqual({
      ok: true,
      kind: "text",
      path: "references/guide.md",
      text: "a\nb\n",
      startLine: 1,
      endLine: 2,
      totalLines: 2,
      endOfFile: true,
      size: 4,
      truncated: false,
    });
  });

  it("D-06 takes reference/ for references/ and the other way round, exact names first", async () => {
    const skill = skillWith({ "references/a": "1", "reference/b": "2", "reference/c": "3" });
    writeFileSync(join(skill.directory, "references/c"), "4");
    const textOf = async (path: string) => {
      const result = await readFile(skill, path);
      return result.ok && result.kind === "text" ? `${result.path} ${result.text}` : result;
    };
    expect(await textOf("reference/a")).toBe("references/a 1");
    expect(await textOf("references/b")).toBe("reference/b 2");
    expect(await textOf("references/c")).toBe("references/c 4");
    expect(await textOf("reference/c")).toBe("reference/c 3");
    expect(await textOf("x/reference/a")).toMatchObject({ code: "file-not-found" });
  });

  it("D-06 drops the byte order mark and gives LF", async () => {
    expect(await readOne("\uFEFFa\r\nb\rc")).toMatchObject({
      text: "a\nb\nc",
      totalLines: 3,
      size: 9,
    });
    expect(await readOne("\uFEFFa\r\nb\rc", { startLine: 1, endLine: 2 })).toMatchObject({
      text: "a\nb\n",
      endOfFile: false,
    });
    expect(await readOne("a\n\uFEFFb\n", { startLine: 2 })).toMatchObject({ text: "\uFEFFb\n" });
  });

  it("D-06 gives nothing of an empty file", async () => {
    const nothing = { text: "", startLine: 1, endLine: 0, totalLines: 0, endOfFile: true };
    expect(await readOne("")).toMatchObject(nothing);
    expect(await readOne("", { startLine: 1, endLine: 5 })).toMatchObject(nothing);
  });

  it("D-06 gives lines, with numbers when asked for", async () => {
    const text = "one\ntwo\nthree";
    expect(await readOne(text, { startLine: 2 })).toMatchObject({
      text: "two\nthree",
      startLine: 2,
      endLine: 3,
      endOfFile: true,
    });
    expect(await readOne(text, { endLine: 2, lineNumbers: true })).toMatchObject({
      text: "1\tone\n2\ttwo\n",
      endOfFile: false,
    });
    expect(await readOne(text, { startLine: 3, endLine: 99 })).toMatchObject({ endLine: 3 });
    expect(await readOne(text, { lineNumbers: true })).toMatchObject({
      text: "1\tone\n2\ttwo\n3\tthree",
    });
  });

  it.each([
    [{ startLine: 0 }],
    [{ startLine: -1 }],
    [{ startLine: 1.5 }],
    [{ startLine: Number.NaN }],
    [{ startLine: 3, endLine: 2 }],
    [{ startLine: 4 }],
    [{ endLine: 0 }],
    [{ maxBytes: 0 }],
    [{ section: "x", startLine: 1 }],
    [{ section: "x", endLine: 1 }],
  ])("T-08 refuses the range %j of three lines", async (options) => {
    expect(await readOne("1\n2\n3\n", options)).toMatchObject({ ok: false, code: "range-invalid" });
  });

  it("D-06 gives a section with its subsections", async () => {
    const text = "# A\na\n## B\nb\n### C\nc\n## D\nd\n";
    expect(await readOne(text, { section: "b" })).toMatchObject({
      text: "## B\nb\n### C\nc\n",
      startLine: 3,
      endLine: 6,
      totalLines: 8,
    });
    expect(await readOne(text, { section: "Installation" })).toMatchObject({
      code: "section-not-found",
      candidates: ["A", "B", "C", "D"],
    });
    expect(await readOne("no headings", { section: "x" })).not.toHaveProperty("candidates");
  });

  it("T-09 says that a file is too large, and how to read it", async () => {
    const text = "0123456789\n".repeat(5000);
    expect(await readOne(text)).toEqual({
      ok: false,
      code: "file-too-large",
      message: '"x.md" has 55,000 bytes and 5,000 lines, more than the limit of 51,200 bytes',
      hint: "Read a part: startLine 1 and endLine 4654 fit, then go on from line 4655; or ask for a page, or a section.",
    });
    expect(await readOne(text, { endLine: 4654 })).toMatchObject({ ok: true, truncated: false });
    expect(await readOne(text, { endLine: 4655 })).toMatchObject({ code: "file-too-large" });
    expect(await readOne("x".repeat(51_200))).toMatchObject({ ok: true });
    expect(await readOne("x".repeat(51_201))).toMatchObject({ code: "file-too-large" });
  });

  it("T-09 pages put together are the file", async () => {
    const line = fc.stringMatching(/^[aä€😀]{0,12}$/u);
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 60, max: 200 }),
        fc.boolean(),
        async (lines, maxBytes, lineNumbers) => {
          const text = lines.join("\r\n");
          const inline = { name: "x", description: "y", instructions: "", files: { x: text } };
          let all = "";
          for (let startLine = 1, done = false; !done;) {
            const options = { startLine, maxBytes, lineNumbers, page: true };
            const page = await readFile({ inline }, "x", options);
            if (!page.ok || page.kind !== "text") throw new Error(JSON.stringify(page));
            expect(Buffer.byteLength(page.text)).toBeLessThanOrEqual(maxBytes);
            all += page.text;
            done = page.endOfFile;
            startLine = page.endLine + 1;
          }
          expect(lineNumbers ? all.replace(/^\d+\t/gm, "") : all).toBe(lines.join("\n"));
        },
      ),
      { numRuns: numRuns(300) },
    );
  });

  it("T-09 cuts a line only when not even one fits, and between characters", async () => {
    expect(await readOne("äääää\nb\n", { maxBytes: 5, page: true })).toMatchObject({
      text: "ää",
      endLine: 1,
      truncated: true,
      endOfFile: false,
    });
    expect(await readOne("äääää\nb\n", { maxBytes: 5 })).toMatchObject({
      code: "file-too-large",
      hint: "Line 1 alone is longer than that; ask for a page to get its beginning, then go on with startByte.",
    });
  });

  it("T-09 every byte of a line of any length can be read, part by part", async () => {
    const characters = fc.constantFrom("a", "ä", "€", "😀", " ", "\u0000".repeat(0));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(characters, { maxLength: 60 }), { minLength: 1, maxLength: 4 }),
        fc.constantFrom("\n", "\r\n", "\r"),
        fc.constantFrom("", "\uFEFF"),
        fc.boolean(),
        fc.integer({ min: 8, max: 40 }),
        async (lines, newline, mark, lineNumbers, maxBytes) => {
          const text = lines.map((line) => line.join("")).join("\n");
          const skill = skillWith({ "x.md": mark + text.replaceAll("\n", newline) });
          let all = "";
          let place: ReadFileOptions | undefined = { startLine: 1 };
          for (let i = 0; place !== undefined && i < 200; i++) {
            const isInside = (place.startByte ?? 0) > 0;
            const options = { ...place, page: true, lineNumbers, maxBytes };
            const read = await readFile(skill, "x.md", options);
            if (!read.ok || read.kind !== "text") break;
            // The number stands before what is left of the line.
            const given = lineNumbers ? read.text.replaceAll(/^\d+\t/gm, "") : read.text;
            expect(Buffer.byteLength(read.text)).toBeLessThanOrEqual(maxBytes);
            all += given;
            expect(isInside || read.startLine === place.startLine).toBe(true);
            const { endLine, nextByte, endOfFile } = read;
            if (nextByte !== undefined) place = { startLine: endLine, startByte: nextByte };
            else place = endOfFile ? undefined : { startLine: endLine + 1 };
          }
          expect(all).toBe(text);
        },
      ),
      { numRuns: numRuns(300) },
    );
  });

  it("T-09 a place inside a character is the next one, and one behind the line is an error", async () => {
    const text = "aäb\nnext\n";
    expect(await readOne(text, { startLine: 1, startByte: 2 })).toMatchObject({
      text: "b\nnext\n",
    });
    expect(await readOne(text, { startLine: 1, startByte: 3 })).toMatchObject({
      text: "b\nnext\n",
    });
    for (const startByte of [5, 6, 5000]) {
      expect(await readOne(text, { startLine: 1, startByte })).toMatchObject({
        code: "range-invalid",
        hint: "Leave startByte out, or go on with line 2.",
      });
    }
    expect(await readOne(text, { startByte: -1 })).toMatchObject({ code: "range-invalid" });
    expect(await readOne(text, { startByte: 1, section: "x" })).toMatchObject({
      code: "range-invalid",
    });
  });

  it("T-08 what is no path is refused, not thrown", async () => {
    for (const path of [null, undefined, 5, {}]) {
      expect(await readFile(skillWith({ "x.md": "x" }), path as never)).toMatchObject({
        ok: false,
        code: "path-invalid",
      });
    }
  });

  it("T-08 tells binary by content, not by name, and gives the bytes when asked for", async () => {
    const png = Buffer.from("\x89PNG\r\n\x1a\n\0\0", "latin1");
    const expected = { ok: true, kind: "binary", path: "x.md", mediaType: "image/png", size: 10 };
    expect(await readOne(png)).toEqual(expected);
    expect(await readOne(png, { bytes: true })).toEqual({
      ...expected,
      bytes: new Uint8Array(png),
    });
    expect(await readOne(png, { bytes: true, maxBytes: 9 })).toEqual(expected);
  });

  it.each([
    ["a NUL", Buffer.from("a\0b")],
    ["Latin-1", Buffer.from("caf\xe9", "latin1")],
    ["a character cut off at the end", Buffer.from("ä").subarray(0, 1)],
    ["a surrogate in UTF-8", Buffer.from([0xed, 0xa0, 0x80])],
    ["a NUL far behind", Buffer.from(`${"a".repeat(20_000)}\0`)],
    ["UTF-16 without a mark", Buffer.from("abc", "utf16le")],
    ["half of a UTF-16 unit", Buffer.from([0xff, 0xfe, 0x41])],
    ["UTF-32", Buffer.from([0xff, 0xfe, 0, 0, 0x41, 0, 0, 0])],
  ])("T-08 takes %s for binary", async (_, content) => {
    expect(await readOne(content)).toMatchObject({ kind: "binary" });
    expect(await readOne(content, { endLine: 1 })).toMatchObject({ kind: "binary" });
    expect(await readOne(content, { section: "a" })).toMatchObject({ kind: "binary" });
  });

  it("D-06 reads UTF-16 that says so", async () => {
    const text = "\uFEFFä\r\n😀\n";
    const little = Buffer.from(text, "utf16le");
    const expected = { kind: "text", text: "ä\n😀\n", totalLines: 2, size: little.length };
    expect(await readOne(little)).toMatchObject(expected);
    expect(await readOne(Buffer.from(little).swap16())).toMatchObject(expected);
    expect(await readOne(little, { startLine: 2 })).toMatchObject({ text: "😀\n" });
  });

  it("D-06 a character across the end of the sample is no reason to call it binary", async () => {
    const text = `a${"ä\n".repeat(40_000)}`;
    expect(await readOne(text, { startLine: 2, endLine: 2 })).toMatchObject({ text: "ä\n" });
    expect(await readOne(text, { page: true, maxBytes: 8191 })).toMatchObject({ kind: "text" });
  });

  it("T-08 names the files that may have been meant", async () => {
    const skill = skillWith({ "references/FORMS.md": "", "assets/forms.json": "", "z.md": "" });
    const missing = async (path: string) => {
      const result = await readFile(skill, path);
      return result.ok ? result : [result.code, ...(result.candidates ?? [])];
    };
    expect(await missing("references/forms.md")).toEqual(["file-not-found", "references/FORMS.md"]);
    expect(await missing("FORMS.md")).toEqual(["file-not-found", "references/FORMS.md"]);
    expect(await missing("reference/FROMS.md")).toEqual(["file-not-found", "references/FORMS.md"]);
    expect(await missing("something/else.txt")).toEqual(["file-not-found"]);
    expect(await missing("references")).toEqual(["not-a-file", "references/FORMS.md"]);
    expect(await missing("nowhere/")).toEqual(["file-not-found"]);
  });

  it("T-08 says that the folder of the skill is gone", async () => {
    const result = await readFile({ directory: "/nowhere/skill" }, "SKILL.md");
    expect(result).toMatchObject({ ok: false, code: "directory-unreadable" });
  });

  it("T-08 says that a file may not be read", async () => {
    const skill = skillWith({ "x.md": "secret", "closed/y.md": "secret" });
    chmodSync(skill.directory, 0o755);
    for (const path of ["x.md", "closed"]) chmodSync(join(skill.directory, path), 0);
    for (const path of ["x.md", "closed/y.md", "closed/nowhere.md"]) {
      const result = await asNobody(() => readFile(skill, path));
      expect(result).toMatchObject({ ok: false, code: "access-denied" });
    }
  });
});

/** Root may read everything, so it steps down while the file is opened, which happens at once. */
function asNobody<T>(act: () => T): T {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    return act();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

describe("readFile of a skill defined in code", () => {
  const inline = {
    name: "dates",
    description: "Formats dates.",
    instructions: () => Promise.resolve("# Goal\n"),
    files: {
      "references/a.md": "a\n",
      "b.md": () => "b\n",
      "broken.md": () => {
        throw new Error("no network");
      },
    },
  };

  it("D-06 reads texts, made when they are asked for", async () => {
    expect(await readFile({ inline }, "reference/a.md")).toMatchObject({
      path: "references/a.md",
      text: "a\n",
    });
    expect(await readFile({ inline }, "./b.md")).toMatchObject({ text: "b\n", size: 2 });
  });

  it("D-06 reads what is no text like a binary file in a folder", async () => {
    const bytes = Uint8Array.from([0x25, 0x50, 0x44, 0x46, 0x2d, 0, 0xff]);
    const files = { "a.pdf": bytes, "b.pdf": () => Promise.resolve(bytes) };
    const skill = { inline: { ...inline, files } };
    const binary = { ok: true, kind: "binary", mediaType: "application/pdf", size: 7, bytes };
    for (const path of ["a.pdf", "b.pdf"]) {
      expect(await readFile(skill, path, { bytes: true })).toEqual({ ...binary, path });
    }
  });

  it("D-06 gives the SKILL.md of a source that has one", async () => {
    const files = { "SKILL.md": () => "---\nname: dates\n---\nverbatim\n" };
    expect(await readFile({ inline: { ...inline, files } }, "SKILL.md")).toMatchObject({
      text: expect.stringContaining("verbatim"),
    });
  });

  it("D-06 has a SKILL.md like any other", async () => {
    const result = await readFile({ inline }, "SKILL.md");
    const text = result.ok && result.kind === "text" ? result.text : "";
    expect(parseSkill(text, { directoryName: "dates" }).skill).toMatchObject({
      name: "dates",
      description: "Formats dates.",
      body: "# Goal\n",
    });
  });

  it("T-08 finds no property of objects, and says when a text cannot be made", async () => {
    for (const path of ["__proto__", "constructor", "toString"]) {
      expect(await readFile({ inline }, path)).toMatchObject({ code: "file-not-found" });
    }
    expect(await readFile({ inline }, "broken.md")).toMatchObject({
      code: "file-unreadable",
      message: '"broken.md" could not be made: no network',
    });
    expect(await readFile({ inline }, "../b.md")).toMatchObject({ code: "path-outside" });
    expect(await readFile({ inline }, "B.md")).toMatchObject({ candidates: ["b.md"] });
    expect(await readFile({ inline }, "references")).toMatchObject({ code: "not-a-file" });
  });
});
