import { describe, expect, it } from "vitest";
import { meantTrust, trustedSkills } from "../index.ts";

const DIGESTS = new Map([
  ["1", "skill://remote/SKILL.md remote@mcp:zoo"],
  ["2", "skill://a/remote/SKILL.md a/remote@mcp:zoo"],
  ["3", "skill://a/lion/SKILL.md a/lion@mcp:zoo"],
  ["4", "skill://b/lion/SKILL.md b/lion@mcp:zoo"],
  ["5", "skill://remote/SKILL.md remote@mcp:other"],
  ["6", "remote"],
  ["7", "old@mcp:zoo"],
  ["8", "other://x/cat/SKILL.md uri:0123/cat@mcp:zoo"],
]);
const meant = (name: string) =>
  meantTrust(name, trustedSkills({ digests: DIGESTS })).map(({ digest }) => digest);

describe("meantTrust", () => {
  it.each([
    ["remote@mcp:zoo", ["1"]],
    ["Remote@ZOO", ["1"]],
    ["a/remote@mcp:zoo", ["2"]],
    ["a/remote", ["2"]],
    ["mcp:zoo:a/remote", ["2"]],
    ["mcp:zoo:a/remote@1.0", ["2"]],
    ["skill://a/remote/SKILL.md", ["2"]],
    ["skill://remote/SKILL.md", ["1", "5"]],
    ["skill://remote/SKILL.md@mcp:other", ["5"]],
    ["remote", ["1", "2", "5", "6"]],
    ["remote@project", ["6"]],
    ["project:remote", ["6"]],
    ["tools/remote", ["6"]],
    ["old@mcp:zoo", ["7"]],
    ["a/old@mcp:zoo", ["7"]],
    ["cat@mcp:zoo", ["8"]],
    ["uri:0123/cat@mcp:zoo", ["8"]],
    ["remote@mcp:gone", []],
    ["nobody", []],
  ])("R-12 %s", (name, digests) => {
    expect(meant(name)).toEqual(digests);
  });

  it("R-12 asks which, where a name may mean two skills of a server", () => {
    expect(() => meant("lion@mcp:zoo")).toThrow("lion@mcp:zoo may mean several trusted skills");
  });
});
