import fc from "fast-check";
import { expect, it } from "vitest";
import { parseWorkspacePath } from "../index.ts";

const PLACES = { root: "/real/app", named: "/work/app" };
const parse = (path: string, platform = "linux") => parseWorkspacePath(path, PLACES, platform);

it.each([
  ["src/main.ts", ["src", "main.ts"]],
  ["./src/./main.ts", ["src", "main.ts"]],
  ["src/", ["src"]],
  [".", []],
  ["/work/app/src", ["src"]],
  ["/real/app/src", ["src"]],
  ["/work/app", []],
  ["%2e%2e/x", ["%2e%2e", "x"]],
  ["．．／x", ["．．／x"]],
  ["aux.c", ["aux.c"]],
  ["...", ["..."]],
])("X-10 takes %s", (path, segments) => {
  expect(parse(path)).toEqual({ ok: true, segments });
});

it.each([
  ["", "path-invalid"],
  ["../x", "path-outside"],
  ["a/../../x", "path-outside"],
  ["a/..", "path-outside"],
  ["..", "path-outside"],
  ["/work/app/../x", "path-outside"],
  ["/etc/passwd", "path-outside"],
  ["/work/app-evil/x", "path-outside"],
  ["/real/app2", "path-outside"],
  ["//work/app/x", "path-outside"],
  ["/work/app//etc", "path-invalid"],
  ["~/x", "path-outside"],
  ["~", "path-outside"],
  ["file:///etc/passwd", "path-outside"],
  ["C:x", "path-outside"],
  ["C:/x", "path-outside"],
  ["..\\x", "path-outside"],
  ["a\\..\\x", "path-outside"],
  ["\\\\host\\share", "path-outside"],
  ["\\\\?\\C:\\x", "path-outside"],
  ["\\??\\C:\\x", "path-outside"],
  ["a\\b", "path-invalid"],
  ["a\0b", "path-invalid"],
  ["a\nb", "path-invalid"],
  ["a\u001b[2Jb", "path-invalid"],
  ["a\u202eb", "path-invalid"],
  ["a//b", "path-invalid"],
  ["long/".repeat(1000), "path-invalid"],
  ["é".repeat(128), "path-invalid"],
])("X-10 refuses %j", (path, code) => {
  expect(parse(path)).toMatchObject({ ok: false, code });
});

it.each(["con", "NUL.md", "aux", "COM1", "a. ", "a.", "data::$DATA", "lpt¹.txt"])(
  "X-10 refuses %s where Windows means something else by it",
  (path) => {
    expect(parse(path, "win32")).toMatchObject({ ok: false, code: "path-invalid" });
    expect(parse(path, "linux")).toMatchObject({ ok: true });
  },
);

it("X-10 gives no part that could lead up, whatever the path", () => {
  const part = fc.constantFrom("..", ".", "", "a", "/", "\\", "~", "C:", "/work/app", "\0", "．．");
  fc.assert(
    fc.property(fc.array(fc.oneof(part, fc.string())), (parts) => {
      const parsed = parse(parts.join("/"));
      const segments = parsed.ok ? parsed.segments : [];
      const isPlain = (name: string) => !["", ".", ".."].includes(name) && !/[/\\\0]/.test(name);
      expect(segments.every(isPlain)).toBe(true);
    }),
  );
});
