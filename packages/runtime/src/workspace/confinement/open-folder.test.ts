import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { type OpenedFolder, type OpenFolder, openFolder } from "../index.ts";

const openFiles = () => readdirSync("/proc/self/fd").length;

function folderOf(opened: OpenedFolder): OpenFolder {
  if (!opened.ok) throw new Error(opened.reason);
  return opened.folder;
}

describe.each([
  ["descriptors", true],
  ["names", false],
])("by %s", (_, byDescriptor) => {
  const options = { byDescriptor };

  it("X-10 opens a folder and what is in it", () => {
    const root = temporaryFolder({ "a/b/c.txt": "c" });
    const folder = folderOf(openFolder(root, ["a", "b"], options));
    expect(readdirSync(folder.itself)).toEqual(["c.txt"]);
    expect(existsSync(folder.child("c.txt"))).toBe(true);
    expect(folder.isInPlace()).toBe(true);
    folder.close();
  });

  it("X-10 makes what is missing, and takes it back", () => {
    const root = temporaryFolder({ "a/x": "" });
    const folder = folderOf(openFolder(root, ["a", "b", "c"], { ...options, create: true }));
    expect(existsSync(join(root, "a/b/c"))).toBe(true);
    folder.undoMade();
    folder.close();
    expect(readdirSync(join(root, "a"))).toEqual(["x"]);
  });

  it("X-10 refuses links, files and what is missing", () => {
    const root = temporaryFolder({ "a/x": "", "b/y": "" });
    symlinkSync("../b", join(root, "a/link"));
    const reason = (segments: readonly string[], create = false) => {
      const opened = openFolder(root, segments, { ...options, create });
      return opened.ok ? "opened" : opened.reason;
    };
    expect(reason(["a", "link"])).toBe("link");
    expect(reason(["a", "link", "new"], true)).toBe("link");
    expect(reason(["a", "x"])).toBe("not-a-folder");
    expect(reason(["a", "none"])).toBe("missing");
    expect(readdirSync(join(root, "b"))).toEqual(["y"]);
  });

  it("X-10 notices that the folder was moved", () => {
    const root = temporaryFolder({ "a/x": "" });
    const folder = folderOf(openFolder(root, ["a"], options));
    renameSync(join(root, "a"), join(root, "moved"));
    mkdirSync(join(root, "a"));
    expect(folder.isInPlace()).toBe(false);
    folder.close();
  });

  it("X-10 refuses a root that has become a link", () => {
    const parent = temporaryFolder({ "root/x": "", "other/x": "" });
    renameSync(join(parent, "root"), join(parent, "aside"));
    symlinkSync("other", join(parent, "root"));
    expect(openFolder(join(parent, "root"), [], options)).toMatchObject({ ok: false });
  });
});

it.runIf(process.platform === "linux")("X-10 keeps to the folder that was opened", () => {
  const root = temporaryFolder({ "a/x": "", "outside/x": "" });
  const folder = folderOf(openFolder(root, ["a"]));
  renameSync(join(root, "a"), join(root, "aside"));
  symlinkSync("outside", join(root, "a"));
  writeFileSync(folder.child("new"), "");
  folder.close();
  expect(readdirSync(join(root, "outside"))).toEqual(["x"]);
  expect(readdirSync(join(root, "aside"))).toEqual(["new", "x"]);
});

it.runIf(process.platform === "linux")("X-10 leaves no descriptor open", () => {
  const root = temporaryFolder({ "a/b/x": "" });
  symlinkSync("a", join(root, "link"));
  const before = openFiles();
  for (let i = 0; i < 20; i++) {
    openFolder(root, ["a", "x"]);
    openFolder(root, ["link", "b"], { create: true });
    openFolder(root, ["new", "x".repeat(300)], { create: true });
    folderOf(openFolder(root, ["a", "new", "newer"], { create: true })).close();
  }
  expect(openFiles()).toBe(before);
  expect(existsSync(join(root, "new"))).toBe(false);
});
