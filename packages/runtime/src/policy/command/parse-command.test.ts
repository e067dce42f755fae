import { describe, expect, it } from "vitest";
import { parseCommand } from "../../index.ts";

function words(text: string): string[][] {
  return parseCommand(text).commands.map((command) => command.words.map(({ value }) => value));
}

describe("parseCommand", () => {
  it.each<[string, string[][]]>([
    ["", []],
    ["ls", [["ls"]]],
    ["ls -l  'a b' \"c d\"", [["ls", "-l", "a b", "c d"]]],
    ["a&&b||c;d|e&f\ng", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"], ["g"]]],
    ["a |& b", [["a"], ["b"]]],
    ["a\\ b c\\;d", [["a b", "c;d"]]],
    ["a\\\nb", [["ab"]]],
    ["a \\\n b", [["a", "b"]]],
    ["'' a", [["", "a"]]],
    ["$'\\x72\\155\\u0061\\n\\'' x", [["rma\n'", "x"]]],
    ["a # b; c\nd", [["a"], ["d"]]],
    ["a#b", [["a#b"]]],
    ["(a; b) && { c; }", [["a"], ["b"], ["c"]]],
    ["echo $(a $(b))", [["b"], ["a", "$(b)"], ["echo", "$(a $(b))"]]],
    ['echo "$(a)"', [["a"], ["echo", "$(a)"]]],
    ["echo '$(a)'", [["echo", "$(a)"]]],
    ['echo "\\$(a)"', [["echo", "$(a)"]]],
    [
      "echo `a b`",
      [
        ["a", "b"],
        ["echo", "`a b`"],
      ],
    ],
    ["a <(b) >(c)", [["b"], ["c"], ["a", "<(b)", ">(c)"]]],
    ["a <<X b\n$(c)\nX\nd", [["a", "b"], ["c"], ["d"]]],
    ["a <<'X'\n$(c)\nX\nd", [["a"], ["d"]]],
    ["a <<-X\n\tb\n\tX\nd", [["a"], ["d"]]],
    ["a <<X <<Y\n1\nX\n2\nY\nb", [["a"], ["b"]]],
    ["for x in a b; do c $x; done", [["c", "$x"]]],
    ["while a; do b; done", [["a"], ["b"]]],
    ["$(<a)", [[], ["$(<a)"]]],
  ])("P-01 finds the commands of %j", (text, expected) => {
    expect(words(text)).toEqual(expected);
    expect(parseCommand(text).unclear).toEqual([]);
  });

  it("P-01 keeps assignments, redirections and what is not known apart", () => {
    expect(parseCommand("A=b C=$(d) e $f *.g 2>>h <i &>j").commands[1]).toEqual({
      assignments: [
        { name: "A", word: expect.objectContaining({ value: "A=b", dynamic: false }) as unknown },
        { name: "C", word: expect.objectContaining({ dynamic: true }) as unknown },
      ],
      words: [
        { value: "e", dynamic: false, glob: false },
        { value: "$f", dynamic: true, glob: false },
        { value: "*.g", dynamic: false, glob: true },
      ],
      redirections: [
        { operator: ">>", target: expect.objectContaining({ value: "h" }) as unknown },
        { operator: "<", target: expect.objectContaining({ value: "i" }) as unknown },
        { operator: "&>", target: expect.objectContaining({ value: "j" }) as unknown },
      ],
      source: "A=b C=$(d) e $f *.g 2>>h <i &>j",
      piped: false,
    });
  });

  it("P-01 gives a here-document to the command that reads it", () => {
    const [command] = parseCommand("bash <<X\nrm a\nX\n").commands;
    expect(command?.redirections[0]?.target.value).toBe("rm a\n");
  });

  it.each([
    "'a",
    '"a',
    "$'a",
    "a \\",
    "$(a",
    "`a",
    "${a",
    "(a",
    "a)",
    "a <<X",
    "a >",
    "a() { b; }",
    "a=(b c)",
    "case a in b) c;; esac",
    "[[ a ]]",
    "((a))",
    "a\rb",
    "a\u00a0b",
    "a\u200bb",
    "a\u202eb",
    "a\u0000b",
    "a \u001b[2K",
    "${a:-'}'}",
    '${a:-"}"}',
    "`a \\`b\\``",
    "=a",
    "((1<<X))\nrm -rf /\nX",
    "echo $((rm<<X))\nrm -rf /\nX",
    "echo $[1<<X]\nrm -rf /\nX",
    "a[1<<X]=2\nrm -rf /\nX",
    "a[1 <<X]=2\nrm -rf /\nX",
    "cat <<X\nX\\\n\nrm -rf /\nX",
    "(".repeat(100),
  ])("P-01 says that %j is not understood", (text) => {
    expect(parseCommand(text).unclear).not.toEqual([]);
  });
});
