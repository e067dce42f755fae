import fc from "fast-check";

/** Separated by middle dots. */
const WORDS = [
  `pdf·Use when·a·- b·[x]·it's·"q"·x: y·x:·#c· #c·a:b·--·http://x/y#z·{a: b}·...·---·''·é中·😀`,
  "1.10·true·null·~·0x1F·2026-01-01·-1·.5·yes·tRue·+1·1e3·.inf·0o7·1_0·Null·FALSE",
  "|·>·?·? a·: b·,·]·}·[·{·@·`·%· ·  ·\t·\u00a0·\u2028·\u0085·\ufeff",
  "\\n·\\t·\\x41·\\u00e9·\\ud83d·\\u12·\\U0001F600·\\ ·\\/·\\\\",
].flatMap((words) => words.split("·"));
/** What most values consist of. */
const USUAL_WORDS = "pdf·Use when·a·it's·é中·😀·1.10·true·x-y·a:b·(c)·2026-01-01·~·null".split("·");
const REFERENCES = ["&a", "*a", "!t", "!!str", "<<: *a"] as const;
const USUAL_KEYS = "name description license author version a b c-d e_f G x1 metadata tags".split(
  " ",
);
const KEYS = [...USUAL_KEYS, "true", "1", '"q"', "'s'"];
const ALPHABET = [..."ab:- \n#\"'[]{},|>%@`\\\t0.~é?+"];

export interface YamlOptions {
  /** Also write anchors, aliases and tags. */
  readonly references: boolean;
}

/** What the parts of a mapping are made of. */
interface Style {
  readonly word: fc.Arbitrary<string>;
  readonly key: fc.Arbitrary<string>;
  readonly colon: fc.Arbitrary<string>;
  readonly blockHeader: fc.Arbitrary<string>;
  readonly lineEnd: fc.Arbitrary<string>;
}

/** Text that is nearly YAML: what people write, what they get wrong, and a wrong character here and there. */
export function yamlText(options: YamlOptions = { references: false }): fc.Arbitrary<string> {
  const word = fc.constantFrom(...WORDS, ...(options.references ? REFERENCES : []));
  const odd: Style = {
    word,
    key: fc.constantFrom(...KEYS),
    colon: mostly(": ", ":", " : ", ":  ", ":\t"),
    blockHeader: fc.constantFrom("|", ">", "|-", ">-", ">+", "|+", "|2", "> "),
    lineEnd: fc.constantFrom("\n", "\n", "\n", " \n", "\n\n", " # c\n"),
  };
  const usual: Style = {
    word: fc.oneof({ weight: 40, arbitrary: fc.constantFrom(...USUAL_WORDS) }, word),
    key: fc.constantFrom(...USUAL_KEYS),
    colon: fc.constant(": "),
    blockHeader: fc.constantFrom("|", ">", "|-", ">-"),
    lineEnd: mostly("\n", " \n", "\n\n"),
  };
  const written = fc.oneof(mapping(odd, 0, 3), mapping(usual, 0, 3));
  const typed = fc.array(fc.constantFrom(...ALPHABET), { maxLength: 24 });
  return fc.oneof(
    { weight: 4, arbitrary: written },
    { weight: 2, arbitrary: mutated(written) },
    { weight: 1, arbitrary: typed.map((characters) => `${characters.join("")}\n`) },
  );
}

/** The text with one character put in, taken away or replaced. */
function mutated(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const slip = fc.record({
    at: fc.nat(),
    added: fc.constantFrom("", ...ALPHABET),
    removed: fc.nat(2),
  });
  return fc.tuple(texts, slip).map(([text, { at, added, removed }]) => {
    const start = at % (text.length + 1);
    return text.slice(0, start) + added + text.slice(start + removed);
  });
}

/** The first text, and once in a while another one. */
function mostly(text: string, ...others: string[]): fc.Arbitrary<string> {
  return fc.oneof({ weight: 30, arbitrary: fc.constant(text) }, fc.constantFrom(...others));
}

function mapping(style: Style, indent: number, depth: number): fc.Arbitrary<string> {
  const margin = mostly(" ".repeat(indent), " ".repeat(indent + 1));
  const entry = fc
    .tuple(margin, style.key, style.colon, value(style, indent, depth))
    .map((parts) => parts.join(""));
  const gap = fc.constantFrom("", "", "", "", "\n", "# c\n", "  \n", "  # c\n");
  return fc
    .array(fc.tuple(gap, entry), { minLength: 1, maxLength: 4 })
    .map((entries) => entries.flat().join(""));
}

function value(style: Style, indent: number, depth: number): fc.Arbitrary<string> {
  const line = fc.tuple(scalar(style, indent), style.lineEnd).map((parts) => parts.join(""));
  if (depth === 0) return line;
  const item = fc.tuple(scalar(style, indent + 2), style.lineEnd).map((parts) => parts.join(""));
  const list = fc
    .tuple(fc.nat(2), fc.array(item, { minLength: 1, maxLength: 3 }))
    .map(([more, items]) => items.map((text) => `${" ".repeat(indent + more)}- ${text}`).join(""));
  const nested = fc
    .integer({ min: 1, max: 3 })
    .chain((more) => mapping(style, indent + more, depth - 1));
  return fc.oneof(
    { weight: 8, arbitrary: line },
    { weight: 1, arbitrary: fc.oneof(list, nested).map((text) => `\n${text}`) },
  );
}

function scalar(style: Style, indent: number): fc.Arbitrary<string> {
  const plain = fc
    .tuple(fc.array(style.word, { minLength: 1, maxLength: 4 }), fc.constantFrom(" ", "", "  "))
    .map(([parts, between]) => parts.join(between));
  const margin = fc.constantFrom(1, 2, 2, 2, 3).map((more) => " ".repeat(indent + more));
  const folded = fc
    .tuple(plain, fc.constantFrom("", " ", "\n"), margin, plain)
    .map(([first, end, space, second]) => `${first}${end}\n${space}${second}`);
  const quoted = fc
    .tuple(
      fc.oneof({ weight: 3, arbitrary: plain }, folded),
      fc.constantFrom('"', "'"),
      fc.constantFrom("\\", "double", ""),
    )
    .map(([text, mark, how]) => {
      return mark + text.replaceAll(mark, how === "double" ? mark + mark : how + mark) + mark;
    });
  const lines = fc.array(fc.oneof(plain, plain, fc.constantFrom("", "  x")), {
    minLength: 1,
    maxLength: 4,
  });
  const block = fc
    .tuple(style.blockHeader, margin, lines)
    .map(([header, space, texts]) => [header, ...texts.map((text) => space + text)].join("\n"));
  const flow = fc
    .tuple(
      fc.array(fc.oneof({ weight: 2, arbitrary: plain }, quoted), { maxLength: 3 }),
      fc.constantFrom(", ", ",", " , "),
      mostly("]", "] ", "", ",]"),
    )
    .map(([items, between, close]) => `[${items.join(between)}${close}`);
  const simple = fc.constantFrom("word", "some text here", "x-y", "");
  return fc.oneof(
    { weight: 3, arbitrary: simple },
    { weight: 3, arbitrary: plain },
    { weight: 2, arbitrary: quoted },
    block,
    flow,
    folded,
  );
}
