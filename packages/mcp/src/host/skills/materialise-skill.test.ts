import { describe, expect, it } from "vitest";
import { HOST_LIMITS } from "../../index.ts";
import {
  type ListedSkill,
  materialiseSkill,
  type ReadContext,
  windowsNameProblem,
} from "../index.ts";

describe("windowsNameProblem", () => {
  it.each(["what?.md", "a:b", "nul", "x/COM1.txt", "end.", "end /x"])("H-02 %j", (path) => {
    expect(windowsNameProblem(path)).toContain("Windows");
  });

  it.each(["~notes.md", "a b/c.md", "console.md", ".env"])("H-02 %j is fine", (path) => {
    expect(windowsNameProblem(path)).toBeUndefined();
  });

  it("H-02 is said with the file before anything is fetched or written there", async () => {
    const file = { path: "docs/what?.md", uri: "", sha256: "", size: 0 };
    const skill = { name: "pdf", digest: "sha256:0", files: [file] } as unknown as ListedSkill;
    const context = { limits: HOST_LIMITS } as ReadContext;
    expect(await materialiseSkill(skill, "/nowhere", context, "win32")).toEqual({
      ok: false,
      code: "skill-unverified",
      message:
        'pdf cannot be kept here, because of its file "docs/what?.md": Windows has no names with ?',
    });
  });
});
