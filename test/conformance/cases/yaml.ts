import { type ConformanceCase, DESCRIPTION, fileOf, fileWith } from "./conformance-case.ts";

const refused = (
  id: string,
  text: string,
  code: string,
  at: readonly [number, number],
): ConformanceCase => ({
  id,
  requirement: "F-08",
  text,
  codes: [`error:${code}`],
  loaded: false,
  at,
});

const invalid = (id: string, text: string, at: readonly [number, number]): ConformanceCase => ({
  ...refused(id, text, "yaml-invalid", at),
  requirement: "F-06",
});

const described = (id: string, yaml: string, description: string): ConformanceCase => ({
  id,
  requirement: "F-01",
  text: fileOf(`name: dates\n${yaml}`),
  strict: true,
  codes: [],
  loaded: true,
  skill: { description },
});

const flow = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const KEYS = Array.from({ length: 1200 }, (_, i) => `k${i}: x`);

export const yamlCases: readonly ConformanceCase[] = [
  described(
    "a plain value over several lines",
    "description: one\n  two\n\n  three",
    "one two\nthree",
  ),
  described("a literal block", "description: |\n  one\n  two\n", "one\ntwo"),
  described("a literal block with an indentation indicator", "description: |2-\n    one", "one"),
  described("a folded block", "description: >\n  one\n  two\n\n  three\n", "one two\nthree"),
  described("a folded, stripped block", "description: >-\n  one\n  two", "one two"),
  described("single quotes", "description: 'it''s: \"so\"'", 'it\'s: "so"'),
  described(
    "double quotes with escapes",
    'description: "a\\tb\\u00e9\\x21\\n\\"c\\""',
    'a\tbé!\n"c"',
  ),
  described("a comment after a value", "description: one # two", "one"),
  described("a hash inside a word", "description: C#and F#1", "C#and F#1"),
  described(
    "a colon inside a word",
    "description: at 10:30 see https://a.example/b",
    "at 10:30 see https://a.example/b",
  ),
  described("a quoted key", '"description": one', "one"),
  described("a YAML end marker", "description: one\n...", "one"),
  described("an anchor nobody uses", "description: &d one", "one"),
  invalid("a tab as indentation", fileWith("metadata:\n\ta: b"), [5, 1]),
  invalid("a quote that is not closed", fileOf("name: 'dates\ndescription: x"), [3, 1]),
  invalid("text after a closing quote", fileOf('name: dates\ndescription: "a" b'), [3, 18]),
  invalid("a list that is not closed", fileWith("tags: [a, b"), [5, 1]),
  invalid("two documents", fileWith("--- # second\na: b"), [3, 65]),
  invalid("a mapping as key", fileWith("? {a: b}\n: c"), [4, 3]),
  invalid("a line that is no entry", fileWith("just text\nlicense: MIT"), [5, 8]),
  invalid("a NUL", fileWith("a: x\0y"), [4, 5]),
  invalid("a lone surrogate", fileWith("a: x\ud800y"), [4, 5]),
  ...(
    [
      ["an empty frontmatter", ""],
      ["a frontmatter of comments", "# nothing"],
      ["a list", "- dates\n- times"],
      ["a single text", "dates"],
      ["a number", "42"],
    ] as const
  ).map(([id, yaml]) => ({
    ...refused(`${id} is not a mapping`, fileOf(yaml), "yaml-not-a-mapping", [2, 1]),
    requirement: "F-06",
  })),
  refused("a duplicate key", fileWith("name: times"), "yaml-duplicate-key", [4, 1]),
  refused("a duplicate key in quotes", fileWith('"name": times'), "yaml-duplicate-key", [4, 2]),
  refused(
    "a nested duplicate key",
    fileWith("metadata:\n  a: 1\n  a: 2"),
    "yaml-duplicate-key",
    [6, 3],
  ),
  refused(
    "a duplicate key in a flow mapping",
    fileWith("x: {a: 1, a: 2}"),
    "yaml-duplicate-key",
    [4, 11],
  ),
  refused("an alias", fileWith("author: &me Ada\nmaintainer: *me"), "yaml-alias", [5, 13]),
  refused("an alias to itself", fileWith("x: &a [*a]"), "yaml-alias", [4, 8]),
  refused("an alias under a merge key", fileWith("x: &a {b: c}\n<<: *a"), "yaml-alias", [5, 5]),
  refused(
    "an alias bomb",
    fileWith(
      `a: &a [x, x]\n${[..."bcdefghi"].map((c, i) => `${c}: &${c} [*${"abcdefgh"[i]}, *${"abcdefgh"[i]}]`).join("\n")}`,
    ),
    "yaml-alias",
    [5, 8],
  ),
  refused("a tag that runs code", fileWith("x: !!js/function 'return 1'"), "yaml-tag", [4, 4]),
  refused("a private tag", fileWith("x: !thing {a: b}"), "yaml-tag", [4, 4]),
  refused("a standard tag", fileWith("version: !!str 1.10"), "yaml-tag", [4, 10]),
  refused(
    "a Python tag",
    fileWith('x: !!python/object/apply:os.system ["id"]'),
    "yaml-tag",
    [4, 4],
  ),
  refused("the key __proto__", fileWith("__proto__: {admin: true}"), "yaml-prototype-key", [4, 1]),
  refused("the key constructor", fileWith("constructor: x"), "yaml-prototype-key", [4, 1]),
  refused("the key toString", fileWith("toString: x"), "yaml-prototype-key", [4, 1]),
  refused("the key prototype", fileWith("prototype: x"), "yaml-prototype-key", [4, 1]),
  refused("a quoted prototype key", fileWith('"__proto__": x'), "yaml-prototype-key", [4, 2]),
  refused("an escaped prototype key", fileWith('"__pr\\x6fto__": x'), "yaml-prototype-key", [4, 2]),
  refused(
    "a prototype key in metadata",
    fileWith("metadata:\n  __proto__: x"),
    "yaml-prototype-key",
    [5, 3],
  ),
  refused("a prototype key in a list", fileWith("x: [{valueOf: 1}]"), "yaml-prototype-key", [4, 6]),
  refused("21 levels", fileWith(`x: ${flow(20)}`), "yaml-too-deep", [4, 23]),
  refused("4,000 closed levels", fileWith(`x: ${flow(4000)}`), "yaml-too-deep", [4, 23]),
  refused("8,000 open levels", fileWith(`x: ${"[".repeat(8000)}`), "yaml-too-deep", [4, 23]),
  refused("400 nested complex keys", fileWith("? ".repeat(400)), "yaml-too-deep", [4, 40]),
  refused("100,000 levels", fileWith(`x: ${"[".repeat(100_000)}`), "frontmatter-too-large", [1, 1]),
  refused("60,000 keys", fileWith(KEYS.join("\n").repeat(50)), "frontmatter-too-large", [1, 1]),
  {
    id: "1,200 unknown keys",
    requirement: "F-04",
    text: fileWith(KEYS.join("\n")),
    codes: KEYS.map(() => "info:key-unknown"),
    loaded: true,
    at: [4, 1],
  },
  {
    id: "19 levels",
    requirement: "F-08",
    text: fileWith(`x: ${flow(18)}`),
    codes: ["info:key-unknown"],
    loaded: true,
  },
  {
    id: "a merge key is a key like any other",
    requirement: "F-08",
    text: fileWith("<<: {name: evil}"),
    codes: ["warning:extra-nested"],
    loaded: true,
    skill: { name: "dates", description: DESCRIPTION, extra: { "<<": { name: "evil" } } },
  },
];
