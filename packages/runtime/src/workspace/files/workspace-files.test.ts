import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { createWorkspaceTools, type WorkspaceOptions } from "../../internal/index.ts";
import { changeByWrite } from "../index.ts";

function workspaceWith(
  files: Readonly<Record<string, string>>,
  options: Partial<WorkspaceOptions> = {},
) {
  const parent = temporaryFolder();
  const root = join(parent, "app");
  mkdirSync(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const all = { root, trash: join(parent, "trash"), enableDeleteFile: true, ...options };
  const tools = createWorkspaceTools(all).tools();
  const toolOf = (name: string) => tools.find((tool) => tool.name === name)!;
  return {
    root,
    options: all,
    file: (path: string) => join(root, path),
    call: async (name: string, input: unknown) => toolOf(name).execute(input),
    text: async (name: string, input: unknown) => {
      const tool = toolOf(name);
      return tool.toText(await tool.execute(input));
    },
  };
}

function isOtherDisk(path: string): boolean {
  return existsSync(path) && statSync(path).dev !== statSync(tmpdir()).dev;
}

describe("read_file", () => {
  it("X-10 reads a file, or some lines of it, by a relative or absolute path", async () => {
    const { call, text, file } = workspaceWith({ "src/a.txt": "1\n2\n3\n" });
    expect(await call("read_file", { path: "src/a.txt" })).toMatchObject({
      ok: true,
      path: "src/a.txt",
      text: "1\n2\n3\n",
      totalLines: 3,
      truncated: false,
    });
    expect(await text("read_file", { path: file("src/a.txt"), start_line: 2, end_line: 2 })).toBe(
      "2\n",
    );
    expect(await text("read_file", { FilePath: "src/a.txt", lineNumbers: true })).toBe(
      "1\t1\n2\t2\n3\t3\n",
    );
  });

  it("T-09 gives whole lines within the limit and says how to read on", async () => {
    const lines = Array.from({ length: 100 }, (_, i) => `line ${i + 1}\n`).join("");
    const { text } = workspaceWith({ "a.txt": lines }, { maxOutputSizeBytes: 100 });
    const first = await text("read_file", { path: "a.txt" });
    const next = Number(/start_line (\d+)/.exec(first)?.[1]);
    expect(first).toContain(
      `line ${next - 1}\n[Lines 1 to ${next - 1} of 100. Continue with start_line ${next}.]`,
    );
    expect(await text("read_file", { path: "a.txt", start_line: next })).toMatch(
      new RegExp(`^line ${next}\n`),
    );
  });

  it("T-08 says what is wrong, and what may have been meant", async () => {
    const files = { "src/main.ts": "a", "src/x.bin": "\0\u0001", "big.txt": "x".repeat(50) };
    const { call } = workspaceWith(files, { maxFileSizeBytes: 40 });
    expect(await call("read_file", { path: "src/mian.ts" })).toMatchObject({
      code: "file-not-found",
      candidates: ["src/main.ts"],
    });
    expect(await call("read_file", { path: "SRC/Main" })).toMatchObject({ code: "file-not-found" });
    const noExtension = await call("read_file", { path: "src/Main" });
    expect(noExtension).toMatchObject({ code: "file-not-found", candidates: ["src/main.ts"] });
    expect(noExtension).not.toHaveProperty("hint");
    expect(await call("read_file", { path: "src" })).toMatchObject({ code: "not-a-file" });
    expect(await call("read_file", { path: "." })).toMatchObject({ code: "not-a-file" });
    expect(await call("read_file", { path: "src/x.bin" })).toMatchObject({ code: "file-binary" });
    expect(await call("read_file", { path: "big.txt" })).toMatchObject({ code: "file-too-large" });
    expect(await call("read_file", { path: "src/main.ts/x" })).toMatchObject({
      code: "file-not-found",
    });
    expect(await call("read_file", { path: "src/main.ts", start_line: 9 })).toMatchObject({
      code: "range-invalid",
    });
  });

  it("X-10 follows links that stay inside", async () => {
    const { text, file } = workspaceWith({ "src/a.txt": "a\n" });
    symlinkSync("src", file("link"));
    symlinkSync("src/a.txt", file("alias"));
    expect(await text("read_file", { path: "link/a.txt" })).toBe("a\n");
    expect(await text("read_file", { path: "alias" })).toBe("a\n");
  });
});

describe("list_directory", () => {
  it("X-10 lists by name, with kind and size", async () => {
    const { call, text, file } = workspaceWith({ "b.txt": "bb", "a/x": "", ".hidden": "" });
    symlinkSync("a", file("c"));
    expect(await text("list_directory", {})).toBe(".hidden\t0\na/\nb.txt\t2\nc@");
    expect(await call("list_directory", { path: "c" })).toMatchObject({
      entries: [{ name: "x", kind: "file", size: 0 }],
    });
    expect(await call("list_directory", { path: "b.txt" })).toMatchObject({
      code: "not-a-folder",
    });
    expect(await call("list_directory", { path: "none" })).toMatchObject({
      code: "file-not-found",
    });
  });

  it("T-09 stops at the limit and reads on after a name", async () => {
    const files = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`f${i}`, ""]));
    const { text } = workspaceWith(files, { maxOutputSizeBytes: 150 });
    expect(await text("list_directory", {})).toContain('[5 more. Continue with after "f3".]');
    expect(await text("list_directory", { after: "f6" })).toBe("f7\t0\nf8\t0");
  });

  it("X-10 shows no name that a terminal would obey", async () => {
    const { text } = workspaceWith({ "a\u001b[2Jb": "" });
    expect(await text("list_directory", {})).toBe("a\\u{1b}[2Jb\t0");
  });
});

describe("read_file with a number of lines", () => {
  it.each([
    [{ offset: 2, limit: 2 }, "2\n3\n"],
    [{ start_line: 4, count: 9 }, "4\n5\n"],
    [{ lines: 1 }, "1\n"],
    [{ start_line: 2, end_line: 4, limit: 1 }, "2\n"],
    [{ start_line: 2, end_line: 3, limit: 9 }, "2\n3\n"],
  ])("X-10 counts %j from the first line", async (range, expected) => {
    const { call } = workspaceWith({ a: "1\n2\n3\n4\n5\n" });
    const result = await call("read_file", { path: "a", ...range });
    expect((result as { text: string }).text.trimEnd()).toBe(expected.trimEnd());
  });
});

describe("write_file", () => {
  it("X-10 writes a new file with its folders and shows it as a diff", async () => {
    const { call, file, root } = workspaceWith({});
    const result = await call("write_file", { path: "a/b/c.txt", content: "one\n" });
    expect(result).toMatchObject({ ok: true, created: true, bytes: 4 });
    expect(result).toHaveProperty("diff", expect.stringContaining("+one"));
    expect(readFileSync(file("a/b/c.txt"), "utf8")).toBe("one\n");
    expect(readdirSync(join(root, "a/b"))).toEqual(["c.txt"]);
  });

  it("X-10 replaces a file and keeps its mode", async () => {
    const { call, file } = workspaceWith({ "run.sh": "a\n" });
    chmodSync(file("run.sh"), 0o750);
    const result = await call("write_file", { path: "run.sh", content: "b\n" });
    expect(result).toMatchObject({ created: false, diff: expect.stringContaining("-a\n+b\n") });
    expect(statSync(file("run.sh")).mode & 0o777).toBe(0o750);
  });

  it("X-10 writes an empty file and says when nothing changes", async () => {
    const { text, file } = workspaceWith({ a: "x" });
    expect(await text("write_file", { path: "a", content: "" })).toMatch(
      /^Replaced a \(now 0 lines, 0 bytes\):\n/,
    );
    expect(await text("write_file", { path: "a", content: "" })).toBe(
      "a already had this content (0 lines, 0 bytes).",
    );
    expect(readFileSync(file("a"), "utf8")).toBe("");
  });

  it("X-10 says in a line what it made or added, and counts in words", async () => {
    const { text } = workspaceWith({ "a.txt": "" });
    const write = (path: string, content: string, append = false) =>
      text("write_file", { path, content, append });
    expect(await write("new.txt", "one\ntwo\n")).toBe("Created new.txt (2 lines, 8 bytes).");
    expect(await write("b.txt", "x", true)).toBe("Created b.txt (1 line, 1 byte).");
    expect(await write("a.txt", "x")).toMatch(/^Replaced a\.txt \(now 1 line, 1 byte\):\n/);
    expect(await write("a.txt", "y", true)).toMatch(
      /^Appended to a\.txt \(now 1 line, 2 bytes\):\n/,
    );
  });

  it("X-10 refuses folders, read-only files and too much, and leaves nothing behind", async () => {
    const { call, file, root } = workspaceWith({ "a/x": "x" }, { maxFileSizeBytes: 10 });
    chmodSync(file("a/x"), 0o444);
    const code = async (path: string, content = "y") => {
      const result = await call("write_file", { path, content });
      return (result as { code?: string }).code;
    };
    expect(await code("a")).toBe("not-a-file");
    expect(await code("new/")).toBe("not-a-file");
    expect(await code(".")).toBe("not-a-file");
    expect(await code("a/x")).toBe("file-read-only");
    expect(await code("a/x/y")).toBe("not-a-folder");
    expect(await code("new/big", "x".repeat(11))).toBe("file-too-large");
    expect(await code("new/x".padEnd(300, "x"))).toBe("path-invalid");
    expect(readdirSync(root)).toEqual(["a"]);
    expect(readdirSync(join(root, "a"))).toEqual(["x"]);
    expect(readFileSync(file("a/x"), "utf8")).toBe("x");
  });

  it("X-10 compares with what it can, and cuts long diffs", async () => {
    const { call, file } = workspaceWith({ binary: "\0", long: "" }, { maxOutputSizeBytes: 200 });
    expect(await call("write_file", { path: "binary", content: "a" })).toHaveProperty(
      "diff",
      "The previous file was binary and had 1 byte.\n",
    );
    const result = await call("write_file", { path: "long", content: "line\n".repeat(100) });
    expect(result).toMatchObject({ diffTruncated: true });
    expect(statSync(file("long")).size).toBe(500);
  });

  it("P-02 a preview shows the same change and writes nothing", async () => {
    const { options, call, root, file } = workspaceWith({ a: "1\n" });
    const preview = await changeByWrite(options, { path: "a", content: "2\n" }, "preview");
    expect(readFileSync(file("a"), "utf8")).toBe("1\n");
    expect(await call("write_file", { path: "a", content: "2\n" })).toEqual(preview);
    expect(await changeByWrite(options, { path: "new/b", content: "b" }, "preview")).toMatchObject({
      ok: true,
      created: true,
    });
    expect(await changeByWrite(options, { path: ".env", content: "b" }, "preview")).toMatchObject({
      code: "file-protected",
    });
    expect(readdirSync(root)).toEqual(["a"]);
  });
});

describe("delete_file", () => {
  const idOf = (result: unknown) => (result as { trashId: string }).trashId;

  it.each([
    ["outside", "../trash"],
    ["inside", "tmp/trash"],
  ])(
    "X-10 keeps what it deletes in a trash %s, with what is needed to restore it",
    async (_, trash) => {
      const { call, file, root } = workspaceWith({ "a/x": "text" }, {});
      const options = { root, trash: join(root, trash), enableDeleteFile: true };
      const tool = createWorkspaceTools(options)
        .tools()
        .find(({ name }) => name === "delete_file")!;
      chmodSync(file("a/x"), 0o640);
      const result = await tool.execute({ path: "a/x" });
      expect(result).toMatchObject({ ok: true, kind: "file", path: "a/x", trashId: "0001" });
      expect(existsSync(file("a/x"))).toBe(false);
      expect(await call("write_file", { path: "a/x", content: "new" })).toMatchObject({ ok: true });
      expect(idOf(await tool.execute({ path: "a/x" }))).toBe("0002");
      const item = (id: string) => join(options.trash, id, "item");
      expect([item("0001"), item("0002")].map((path) => readFileSync(path, "utf8"))).toEqual([
        "text",
        "new",
      ]);
      expect(statSync(item("0001")).mode & 0o777).toBe(0o640);
      const entry = readFileSync(join(options.trash, "0001/entry.json"), "utf8");
      expect(JSON.parse(entry)).toMatchObject({ path: "a/x", kind: "file" });
    },
  );

  it.runIf(isOtherDisk("/dev/shm"))("X-10 keeps it also on another disk", async () => {
    const trash = mkdtempSync("/dev/shm/skillwright-test-");
    onTestFinished(() => rmSync(trash, { recursive: true }));
    const { call, file } = workspaceWith({ a: "text", "b/x": "" }, { trash });
    symlinkSync("a", file("link"));
    chmodSync(file("a"), 0o640);
    for (const path of ["a", "link"]) {
      const result = await call("delete_file", { path });
      expect(result).toMatchObject({ ok: true });
      expect(existsSync(file(path))).toBe(false);
    }
    expect(readFileSync(join(trash, "0001/item"), "utf8")).toBe("text");
    expect(statSync(join(trash, "0001/item")).mode & 0o777).toBe(0o640);
    expect(readlinkSync(join(trash, "0002/item"))).toBe("a");
  });

  it("X-10 deletes a link and not what it stands for", async () => {
    const { call, file, options } = workspaceWith({ "a/x": "text" });
    symlinkSync("a", file("link"));
    const result = await call("delete_file", { path: "link" });
    expect(result).toMatchObject({ ok: true, kind: "link" });
    expect(readFileSync(file("a/x"), "utf8")).toBe("text");
    expect(readlinkSync(join(options.trash, idOf(result), "item"))).toBe("a");
  });

  it("X-10 deletes a folder only when it is empty", async () => {
    const { call, file, options } = workspaceWith({ "a/b/x": "text" });
    expect(await call("delete_file", { path: "a/b" })).toMatchObject({ code: "folder-not-empty" });
    expect(existsSync(options.trash) ? readdirSync(options.trash) : []).toEqual([]);
    await call("delete_file", { path: "a/b/x" });
    const result = await call("delete_file", { path: "a/b/" });
    expect(result).toMatchObject({ ok: true, kind: "folder" });
    expect(readdirSync(file("a"))).toEqual([]);
    expect(lstatSync(join(options.trash, idOf(result), "item")).isDirectory()).toBe(true);
  });

  it("X-10 refuses the working directory, the trash and what is not there", async () => {
    const { root } = workspaceWith({ a: "" });
    const options = { root, trash: join(root, "out/trash"), enableDeleteFile: true };
    const remove = createWorkspaceTools(options)
      .tools()
      .find(({ name }) => name === "delete_file")!;
    await remove.execute({ path: "a" });
    const code = async (path: string) =>
      ((await remove.execute({ path })) as { code?: string }).code;
    expect(await code(".")).toBe("not-a-file");
    expect(await code("out/trash/0001/item")).toBe("file-protected");
    expect(await code("none")).toBe("file-not-found");
    expect(readdirSync(join(root, "out/trash/0001")).sort()).toEqual(["entry.json", "item"]);
  });
});
