import { mkdirSync, readdirSync, readFileSync, realpathSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { copyFiles, type CopyOptions, walkDirectory } from "./index.ts";

const OPTIONS: CopyOptions = { maxBytes: 100, mode: (mode) => (mode & 0o100) | 0o400 };

describe("copyFiles", () => {
  it("X-02 copies what a walk found, with its bytes and the permissions asked for", async () => {
    const folder = temporaryFolder({ "from/a.txt": "a", "from/b/c.txt": "c" });
    const root = realpathSync(join(folder, "from"));
    const { entries } = await walkDirectory(root);
    const seen: string[] = [];
    const onFile = (path: string, bytes: Buffer) => seen.push(`${path}: ${bytes.toString()}`);
    expect(await copyFiles(root, entries, join(folder, "to"), { ...OPTIONS, onFile })).toEqual({
      ok: true,
    });
    expect(seen).toEqual(["a.txt: a", "b/c.txt: c"]);
    expect(readFileSync(join(folder, "to/b/c.txt"), "utf8")).toBe("c");
    expect(statSync(join(folder, "to/a.txt")).mode & 0o777).toBe(0o400);
  });

  it("X-02 a file or folder that became a link since the walk is refused", async () => {
    const folder = temporaryFolder({ "from/b/c.txt": "c", "secret/c.txt": "secret" });
    const root = realpathSync(join(folder, "from"));
    const entry = { kind: "file", size: 1, mode: 0o600, links: 1 } as const;
    symlinkSync("../secret", join(root, "linked"));
    symlinkSync("../secret/c.txt", join(root, "link.txt"));
    for (const path of ["linked/c.txt", "link.txt"]) {
      const to = join(folder, `to-${path.length}`);
      expect(await copyFiles(root, [{ ...entry, path }], to, OPTIONS)).toMatchObject({
        ok: false,
        path,
        reason: "link",
      });
      expect(readdirSync(to)).toEqual([]);
    }
  });

  it("X-05 stops before it copies more than it may, and at what is not a file", async () => {
    const folder = temporaryFolder({ "from/a": "x".repeat(60), "from/b": "x".repeat(60) });
    const root = realpathSync(join(folder, "from"));
    const { entries } = await walkDirectory(root);
    expect(await copyFiles(root, entries, join(folder, "to"), OPTIONS)).toEqual({
      ok: false,
      path: "b",
      reason: "too-large",
    });
    expect(readdirSync(join(folder, "to"))).toEqual(["a"]);
    mkdirSync(join(root, "folder"));
    const gone = { path: "gone", kind: "file", size: 1, mode: 0o600, links: 1 } as const;
    for (const [path, reason] of [
      ["gone", "missing"],
      ["folder", "not-a-file"],
    ] as const) {
      const result = await copyFiles(root, [{ ...gone, path }], join(folder, "other"), OPTIONS);
      expect(result).toMatchObject({ ok: false, path, reason });
    }
  });
});
