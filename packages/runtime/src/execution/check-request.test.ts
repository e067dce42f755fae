import fc from "fast-check";
import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { numRuns } from "../../../../test/support/suite.ts";
import { parseScriptPath } from "./index.ts";

describe("parseScriptPath", () => {
  it.each([
    ["analyze.py", "scripts/analyze.py"],
    ["scripts/analyze.py", "scripts/analyze.py"],
    ["./analyze.py", "scripts/analyze.py"],
    ["./scripts/a/b.sh", "scripts/a/b.sh"],
    ["..hidden.py", "scripts/..hidden.py"],
    ["50%.py", "scripts/50%.py"],
    ["naïve.py", "scripts/naïve.py"],
  ])("X-02 %j is the script %j", (script, path) => {
    expect(parseScriptPath(script)).toEqual({ ok: true, path });
  });

  it.each([
    "..",
    "a/../b",
    "/a",
    "~",
    "~root/x",
    "c:\\x",
    "file:x",
    "%2E%2E/x",
    "‥/x",
    "a\\b",
    "a//b",
  ])("X-02 refuses %j", (script) => {
    expect(parseScriptPath(script)).toMatchObject({ ok: false });
  });

  it("X-02 shows no character of a refused path that a terminal obeys", () => {
    const result = parseScriptPath("../\u001b[2J\u202e");
    expect(result).toMatchObject({ ok: false, code: "script-outside" });
    // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
    expect(JSON.stringify(result)).not.toMatch(/[\u0000-\u001f\u202e]/);
  });

  it("X-02 whatever the text, what is accepted stays below scripts", () => {
    const part = fc.oneof(
      fc.constantFrom("..", ".", "/", "\\", "~", "%2e", "scripts", "a.py", "\0", ":", "．．"),
      fc.string({ maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const result = parseScriptPath(parts.join(""));
        if (!result.ok) return;
        expect(posix.normalize(result.path)).toBe(result.path);
        expect(posix.join("/skill", result.path).startsWith("/skill/scripts/")).toBe(true);
        expect(parseScriptPath(result.path)).toEqual(result);
      }),
      { numRuns: numRuns(2000) },
    );
  });
});
