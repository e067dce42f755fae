import { combineDigests } from "@skillwright/core/internal";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PackManifest } from "../index.ts";
import { canonicalText, type ManifestFile, readManifest, renderManifest } from "./index.ts";

function fileNamed(path: string, more: object = {}): ManifestFile {
  return { path, sha256: "a".repeat(64), size: 1, ...more };
}

function manifestOf(paths: readonly string[], more: object = {}): PackManifest {
  const files = paths.map((path) => fileNamed(path));
  const skill = {
    name: "one",
    path: "one",
    description: "d",
    digest: combineDigests(files),
    files,
  };
  return { schemaVersion: 1, skills: [{ ...skill, ...more }] };
}

function refusal(text: string): string {
  const read = readManifest(text);
  if (read.ok) return "taken";
  expect(read.code).toBe("lock-invalid");
  return read.message.replace("manifest.json cannot be used: ", "");
}

describe("K-04 a manifest", () => {
  test("K-04 is read as it was written", () => {
    const manifest = manifestOf(["SKILL.md", "a.txt"], { version: "1.0.0" });
    expect(readManifest(renderManifest(manifest))).toEqual({ ok: true, manifest });
    expect(renderManifest(manifest)).toMatch(/^\{\n {2}"schemaVersion": 1,[\s\S]*\}\n$/);
  });

  test("K-05 has one text only: no other spelling of the same is taken", () => {
    const text = renderManifest(manifestOf(["SKILL.md"]));
    const other = "its text is not in the canonical form";
    expect(refusal(text.trimEnd())).toBe(other);
    expect(refusal(JSON.stringify(JSON.parse(text)))).toBe(other);
    expect(refusal(text.replace('"name"', '"\\u006eame"'))).toBe(other);
    const twice = text.replace('"name": "one"', '"name": "evil",\n      "name": "one"');
    expect(twice).not.toBe(text);
    expect(refusal(twice)).toBe(other);
    expect(refusal(`\uFEFF${text}`)).toBe("it is not JSON");
  });

  test.each([
    ["", "it is not JSON"],
    ["[]", "it is not an object"],
    ["null", "it is not an object"],
    ['{"schemaVersion":2,"skills":[]}', "`schemaVersion` is not 1"],
    ['{"schemaVersion":1,"skills":[]}', "it lists no skill"],
    ['{"schemaVersion":1,"skills":{}}', "`skills` is not a list"],
    ['{"schemaVersion":1,"skills":[],"__proto__":{}}', 'it has an unknown "__proto__"'],
  ])("K-05 is refused: %s", (text, reason) => {
    expect(refusal(text)).toBe(reason);
  });

  test.each([
    ["../SKILL.md", "in its path"],
    ["/SKILL.md", "absolute"],
    ["a\\b", "backslash"],
    ["a//b", "empty part"],
    ["./a", "not a plain relative path"],
    ["a/", "not a plain relative path"],
    ["c:x", "drive letter"],
    ["nul.txt", "Windows"],
    ["a\u0000b", "NUL"],
    ["a\u202eb", "characters"],
    ["\ud800", "characters"],
    [`${"x/".repeat(600)}x`, "too long"],
  ])("K-05 with the path %#, %.20j, is refused", (path, reason) => {
    const paths = ["SKILL.md", path].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(refusal(renderManifest(manifestOf(paths)))).toContain(reason);
  });

  test("K-05 whose parts do not fit together is refused", () => {
    const text = (value: PackManifest) => canonicalText(value);
    expect(refusal(text(manifestOf(["a.txt"])))).toContain("has no SKILL.md");
    expect(refusal(text(manifestOf(["a", "SKILL.md"])))).toContain("out of order");
    expect(refusal(text(manifestOf(["SKILL.md", "SKILL.md"])))).toContain("out of order");
    expect(refusal(text(manifestOf(["SKILL.md", "skill.md"])))).toContain("twice");
    expect(refusal(text(manifestOf(["SKILL.md", "a", "a/b"])))).toContain("file and a folder");
    expect(
      refusal(text(manifestOf(["SKILL.md"], { digest: `sha256:${"0".repeat(64)}` }))),
    ).toContain("digest");
    expect(refusal(text(manifestOf(["SKILL.md"], { path: "other" })))).toContain(
      "folder of its name",
    );
    expect(refusal(text(manifestOf(["SKILL.md"], { name: "../x", path: "../x" })))).toContain(
      "name",
    );
    expect(refusal(text(manifestOf(["SKILL.md"], { extra: 1 })))).toContain("unknown");
    expect(
      refusal(text(manifestOf(["SKILL.md"], { files: [fileNamed("SKILL.md", { size: -1 })] }))),
    ).toContain("size");
    expect(
      refusal(text(manifestOf(["SKILL.md"], { files: [fileNamed("SKILL.md", { size: 1e300 })] }))),
    ).toContain("size");
    expect(
      refusal(
        text(manifestOf(["SKILL.md"], { files: [fileNamed("SKILL.md", { executable: false })] })),
      ),
    ).toContain("executable");
    expect(
      refusal(
        text(
          manifestOf(["SKILL.md"], { files: [fileNamed("SKILL.md", { sha256: "A".repeat(64) })] }),
        ),
      ),
    ).toContain("SHA-256");
    const two = {
      schemaVersion: 1,
      skills: [
        ...manifestOf(["SKILL.md"], { path: "" }).skills,
        ...manifestOf(["SKILL.md"]).skills,
      ],
    };
    expect(refusal(canonicalText(two))).toContain("single skill");
  });

  test("K-05 of any text or value is read or refused, never thrown at", () => {
    const value = fc.oneof(fc.string(), fc.json(), fc.jsonValue().map(canonicalText));
    fc.assert(
      fc.property(value, (text) => {
        expect(readManifest(text)).toMatchObject({ ok: false, code: "lock-invalid" });
      }),
    );
    expect(refusal("[".repeat(1_000_000))).toBe("it is not JSON");
    expect(refusal(`${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`)).toBe("it is not an object");
    expect(refusal(" ".repeat(9_000_000))).toBe("it is too long");
  });
});
