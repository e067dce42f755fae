import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editToml } from "../index.ts";

const ENTRY = { command: "/usr/bin/node", args: ["/opt/skill wright.cjs", "mcp"] };
const TABLE =
  '[mcp_servers.skillwright]\ncommand = "/usr/bin/node"\nargs = ["/opt/skill wright.cjs", "mcp"]\n';
const edit = (text: string) => editToml(text, "mcp_servers", "skillwright", ENTRY);

describe("editToml", () => {
  it.each([
    ["", TABLE],
    ['model = "x"\n', `model = "x"\n\n${TABLE}`],
    ['model = "x"', `model = "x"\n\n${TABLE}`],
    ["# mcp_servers.skillwright = 1\n", `# mcp_servers.skillwright = 1\n\n${TABLE}`],
    ['[mcp_servers.other]\ncommand = "a"\n', `[mcp_servers.other]\ncommand = "a"\n\n${TABLE}`],
    ["[tools]\nskillwright = true\n", `[tools]\nskillwright = true\n\n${TABLE}`],
    [
      'a = """\n[mcp_servers.skillwright]\n"""\n',
      `a = """\n[mcp_servers.skillwright]\n"""\n\n${TABLE}`,
    ],
    ["a = '''x''' # \"\"\"\n", `a = '''x''' # """\n\n${TABLE}`],
  ])("H-02 appends a table and leaves the rest as it is: %j", (before, after) => {
    expect(edit(before)).toEqual({ ok: true, text: after });
  });

  it("H-02 keeps the line ends of the file", () => {
    const result = edit("a = 1\r\n");
    expect(result.ok && result.text.replaceAll("\r\n", "")).not.toContain("\n");
  });

  it.each([
    "[mcp_servers.skillwright]\n",
    "[ mcp_servers . skillwright ]\n",
    '[mcp_servers."skillwright"]\n',
    "[mcp_servers.skillwright.env]\n",
    "mcp_servers = { }\n",
    'mcp_servers.skillwright.command = "a"\n',
    "[mcp_servers]\nskillwright = { }\n",
    "[[mcp_servers]]\n",
    'a = """\n',
  ])("H-02 refuses what it would have to understand: %j", (text) => {
    expect(edit(text)).toMatchObject({ ok: false, reason: expect.any(String) });
  });

  it.each(['model = "x"\n', 'model = "x"\r\n', ""])(
    "H-02 does nothing a second time: %j",
    (text) => {
      const once = edit(text);
      expect(once.ok && edit(once.text)).toEqual(once);
    },
  );

  it("H-02 keeps dates, large numbers and a key called __proto__", () => {
    const text = "d = 2024-02-29T10:00:00Z\nn = 9223372036854775807\n__proto__ = 1\n";
    expect(edit(text)).toEqual({ ok: true, text: `${text}\n${TABLE}` });
  });

  it.each(["a = 1\na = 2\n", "[a]\n[b]\n[a]\n", "d = 2024-13-45\n", `a = ${"[".repeat(10_000)}`])(
    "H-02 refuses what TOML forbids: %j",
    (text) => {
      expect(edit(text).ok).toBe(false);
    },
  );

  it.each(["[a\n", "a = \n", "<<<<<<< mine\n", 'a = "b\n'])(
    "H-02 refuses what is broken: %j",
    (text) => {
      expect(edit(text)).toEqual({ ok: false, reason: "it is not valid TOML" });
    },
  );

  it("H-02 what was there is always still there", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const result = edit(text);
        expect(!result.ok || result.text.startsWith(text)).toBe(true);
      }),
    );
  });

  it("H-02 texts are escaped", () => {
    const odd = { command: 'a"\\\n\u007f', args: [] };
    expect(editToml("", "mcp_servers", "x", odd)).toMatchObject({
      ok: true,
      text: expect.stringContaining('command = "a\\"\\\\\\n\\u007f"\n'),
    });
  });
});
