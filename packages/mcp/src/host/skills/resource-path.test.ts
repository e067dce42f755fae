import fc from "fast-check";
import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { pathBelow, skillRoot } from "./resource-path.ts";

describe("skillRoot", () => {
  it.each([
    ["skill://pdf/SKILL.md", "skill://pdf", ["pdf"]],
    ["skill://org/pdf/SKILL.md", "skill://org/pdf", ["org", "pdf"]],
    [
      "https://example.com/s/pdf/SKILL.md",
      "https://example.com/s/pdf",
      ["example.com", "s", "pdf"],
    ],
  ])("H-02 %s", (uri, root, segments) => {
    expect(skillRoot(uri)).toEqual({ uri: root, segments });
  });

  it.each([
    "skill://SKILL.md",
    "skill:///SKILL.md",
    "skill://pdf/skill.md",
    "skill://pdf/../x/SKILL.md",
    "skill://a@pdf/SKILL.md",
    "skill://pdf:80/SKILL.md",
    "skill://pdf//SKILL.md",
    "skill://x/~/pdf/SKILL.md",
    "skill://x/a%3Ab/pdf/SKILL.md",
    "skill://pdf/SKILL.md?x",
    "SKILL.md",
    "",
  ])("H-02 %j is none", (uri) => {
    expect(skillRoot(uri)).toBeUndefined();
  });
});

describe("pathBelow", () => {
  it("H-02 decodes a name once", () => {
    expect(pathBelow("skill://pdf", "skill://pdf/a%20b/c%2525.md")).toBe("a b/c%25.md");
  });

  it.each(["~notes.md", "what%3F.md", "nul", "a%3Ab", "end."])("H-02 %s is a file", (name) => {
    expect(pathBelow("skill://pdf", `skill://pdf/${name}`)).toBe(decodeURIComponent(name));
  });

  it("H-02 whatever the URI, the path stays below the folder", () => {
    const part = fc.oneof(
      fc.constantFrom("..", ".", "%2e%2e", "%2f", "%5c", "a", "%00", "~", "C:", "", "%252e"),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const path = pathBelow("skill://pdf", `skill://pdf/${parts.join("/")}`);
        if (path === undefined) return;
        expect(posix.normalize(path)).toBe(path);
        expect(posix.join("/root", path).startsWith("/root/")).toBe(true);
        expect(path).not.toMatch(/[\\\p{Cc}]/u);
      }),
    );
  });
});
