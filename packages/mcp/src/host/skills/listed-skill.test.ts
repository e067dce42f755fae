import fc from "fast-check";
import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { HOST_LIMITS } from "../../index.ts";
import { type ListedSkill, pathBelow, readListedSkill, skillRoot } from "../index.ts";

const DIGEST = `sha256:${"0".repeat(64)}`;

function listed(root: string, paths: readonly string[] = []): ListedSkill | string {
  const resources = ["SKILL.md", ...paths].map((path) => ({
    uri: `${root}/${path}`,
    digest: DIGEST,
    size: 1,
  }));
  const frontmatter = { name: "pdf", description: "Does pdf." };
  return readListedSkill({ uri: `${root}/SKILL.md`, frontmatter, resources }, HOST_LIMITS);
}

function pathOf(root: string): string {
  const skill = listed(root);
  if (typeof skill === "string") throw new Error(skill);
  return skill.relativePath;
}

describe("readListedSkill", () => {
  it("H-02 takes a plain URI for the path that it is", () => {
    expect(pathOf("skill://pdf")).toBe("pdf");
    expect(pathOf("skill://org/team/pdf")).toBe("org/team/pdf");
  });

  it("H-02 two URIs are two skills, however alike they are written", () => {
    const roots = [
      "skill://pdf",
      "skill:///pdf",
      "skill://x/A/pdf",
      "skill://x/%41/pdf",
      "other://x/A/pdf",
      `skill://${"a".repeat(300)}/pdf`,
    ];
    expect(new Set(roots.map(pathOf)).size).toBe(roots.length);
    // One that names itself like what stands for another.
    const [digest = ""] = pathOf("other://x/pdf").split("/");
    expect(typeof listed(`skill://${digest}/pdf`)).toBe("string");
  });

  it("H-02 the path of a skill is its own, for any URIs", () => {
    const segment = fc.constantFrom("a", "A", "%41", "%61", "b", "0", "-");
    const root = fc
      .tuple(
        fc.constantFrom("skill://", "skill:///", "other://"),
        fc.array(segment, { maxLength: 3 }),
      )
      .map(([scheme, segments]) => scheme + [...segments, "pdf"].join("/"));
    fc.assert(
      fc.property(root, root, (a, b) => {
        const [one, two] = [listed(a), listed(b)];
        if (a === b || typeof one === "string" || typeof two === "string") return;
        expect(one.relativePath).not.toBe(two.relativePath);
      }),
    );
  });

  it("H-02 says which file is elsewhere", () => {
    const reason = "it lists a file that is not below its folder, or has hidden characters";
    for (const path of ["%2e%2e%2fsecret", "a%00b"]) {
      expect(listed("skill://pdf", [path])).toBe(`${reason}: skill://pdf/${path}`);
    }
  });

  it("H-02 frontmatter that is nested too deeply is refused with a reason", () => {
    let deep: unknown = "x";
    for (let i = 0; i < 200; i++) deep = { a: deep };
    const frontmatter = { name: "pdf", description: "d", metadata: deep };
    const skill = { uri: "skill://pdf/SKILL.md", frontmatter, resources: [] };
    expect(readListedSkill(skill, HOST_LIMITS)).toBe("its frontmatter is nested too deeply");
  });

  it("H-02 a file is no folder, also in another case", () => {
    expect(listed("skill://pdf", ["a", "b/c"])).toMatchObject({ name: "pdf" });
    for (const paths of [
      ["a", "a/b"],
      ["a/b/c", "A"],
      ["a/b", "a/B/c/d"],
    ]) {
      expect(listed("skill://pdf", paths)).toBe("it lists a file that is also a folder");
    }
  });
});

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
