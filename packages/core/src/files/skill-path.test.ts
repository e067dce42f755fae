import { describe, expect, it } from "vitest";
import { parseSkillPath, quotePath } from "./index.ts";

describe("parseSkillPath", () => {
  it.each([
    ["references/x.md", "references/x.md"],
    ["./references/x.md", "references/x.md"],
    ["references/./x.md", "references/x.md"],
    ["references/", "references"],
    [".", ""],
    ["./", ""],
    [".hidden/..x/x..md", ".hidden/..x/x..md"],
    ["~notes.md", "~notes.md"],
    ["日本語/é.md", "日本語/é.md"],
    ["a b/c:d.md", "a b/c:d.md"],
  ])("D-10 takes %j as %j", (path, plain) => {
    expect(parseSkillPath(path, "linux")).toEqual({ ok: true, path: plain });
  });

  it.each(["x::$DATA", "CON", "nul.md", "a/aux/b", "COM1.txt", "x.", "x ", "a:b/c"])(
    "D-10 refuses %j where it means something else",
    (path) => {
      expect(parseSkillPath(path, "win32").ok).toBe(false);
    },
  );

  it("D-10 says what to do instead", () => {
    expect(parseSkillPath("../x")).toEqual({
      ok: false,
      code: "path-outside",
      message: 'the path "../x" has ".." in it',
      hint: 'Give a path relative to the skill with "/" between its parts, such as "references/guide.md".',
    });
  });
});

describe("quotePath", () => {
  it("D-10 shows what cannot be seen, and not too much of it", () => {
    expect(quotePath("a\u202Eb\u001b\u{E0041}")).toBe('"a\\u{202e}b\\u001b\\u{e0041}"');
    expect(quotePath("x".repeat(1000))).toHaveLength(202);
  });
});
