import { describe, expect, it } from "vitest";
import { isToml } from "./is-toml.ts";

describe("isToml", () => {
  it.each([
    "",
    "# only a comment",
    'model = "x" # why\r\n[a.b]\r\nc = 1\r\n',
    "a.\"b c\".'d' = true\n[[x]]\ny = [\n  1, # one\n  [ \"a\", 'b' ],\n]\n",
    'a = """\n[not a table\n"quoted" \\""""\nb = \'\'\'\n= \'\'\'\n',
    "a = { b = 1, c = { d = -1.5e3 } }\nt = 1979-05-27T07:32:00Z\nu = 0xff_ff\nv = 07:32:00\n",
    "empty = {}\nnone = []\n",
    "[a.b]\nx = 1\n[a]\ny = 2\n[a.c]\n",
    "[[a]]\nx = 1\n[a.b]\n[[a]]\nx = 2\n[a.b]\n[[a.c]]\n[[a.c]]\n",
    "a.b = 1\na.c = 2\n[d]\na.b = 1\n[d.a.e]\n",
    "a = [{ x = 1 }, { x = 1 }]\nb = { x.y = 1, x.z = 2 }\n__proto__ = 1\nconstructor = 2\n",
    "d = 2024-02-29\ne = 23:59:60\nf = 0001-12-31 00:00:00.5+23:59\ng = -0\nh = 1_000.5e-1_0\n",
  ])("H-02 takes %j", (text) => {
    expect(isToml(text)).toBe(true);
  });

  it.each([
    "[a\n",
    "[a]]\n",
    "[[a]\n",
    "[]\n",
    "a\n",
    "a =\n",
    "= 1\n",
    "a = 1 b = 2\n",
    "a = yes\n",
    'a = "b\n',
    'a = """b\n',
    "a = [1, 2\n",
    "a = [1 2]\n",
    "a = { b = 1\n}\n",
    "a = { b }\n",
    "<<<<<<< mine\n",
    "a = 1\na = 2\n",
    "a = 1\n'a' = 2\n",
    'a = 1\n"\\u0061" = 2\n',
    'a = 1\n"\\U00000061" = 2\n',
    "a = { b = 1, b = 2 }\n",
    "a = [{ b = 1, b = 2 }]\n",
    "[a]\n[b]\n[a]\n",
    "[a]\nb = 1\n[a.b]\n",
    "[a]\nb = 1\n[a.b.c]\n",
    "a = { b = 1 }\n[a.c]\n",
    "a = { b = 1 }\na.c = 1\n",
    "a.b = 1\n[a]\n",
    "a = 1\na.b = 2\n",
    "[a.b]\n[a]\nb.c = 1\n",
    "[[a]]\n[a]\n",
    "[a]\n[[a]]\n",
    "a = []\n[[a]]\n",
    "d = 2024-13-45\n",
    "d = 2023-02-29\n",
    "d = 2024-00-10\n",
    "d = 2024-01-00\n",
    "d = 24:00:00\n",
    "d = 2024-01-01T10:60:00Z\n",
    "d = 2024-01-01T10:00:61Z\n",
    "d = 2024-01-01T10:00:00+24:00\n",
    "n = 01\n",
    "n = 1__0\n",
    "n = 1_\n",
    '{ "json": true }\n',
    `a = ${"[".repeat(10_000)}`,
  ])("H-02 refuses %j", (text) => {
    expect(isToml(text)).toBe(false);
  });
});
