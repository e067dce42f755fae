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
    '{ "json": true }\n',
    `a = ${"[".repeat(10_000)}`,
  ])("H-02 refuses %j", (text) => {
    expect(isToml(text)).toBe(false);
  });
});
