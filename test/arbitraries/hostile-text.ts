import fc from "fast-check";
import { yamlText } from "./yaml-text.ts";

/** Any sequence of UTF-16 units, lone surrogates and controls included. */
export const anyUnits: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xffff }),
      fc.integer({ min: 0, max: 0x7f }),
      fc.constantFrom(0xd800, 0xdc00, 0xfeff, 0x2028, 0x202e, 0x200b, 0xfffd, 0x0a, 0x0d),
    ),
    { maxLength: 60 },
  )
  .map((units) => String.fromCharCode(...units));

const bytes = fc
  .uint8Array({ maxLength: 80 })
  .chain((data) =>
    fc.constantFrom(Buffer.from(data).toString("utf8"), Buffer.from(data).toString("latin1")),
  );

/** What is known to hurt YAML parsers, in sizes around the limits. */
const bombs = fc
  .tuple(
    fc.constantFrom(
      "[",
      "{",
      "{a: ",
      "? ",
      "- ",
      "a: &a ",
      "*a ",
      "!!a ",
      "'",
      '"',
      "\\",
      "|\n ",
      "> ",
      "#",
      "%",
      "\t",
    ),
    fc.constantFrom("", "]", "}", "x", "\n"),
    fc.constantFrom(1, 5, 19, 20, 21, 100, 2000),
  )
  .map(([open, close, count]) => open.repeat(count) + close.repeat(count));

const longLine = fc
  .tuple(
    fc.constantFrom("a", "😀", "a: ", "[a]", "`", "](", "scripts/a.", "<!--", " "),
    fc.constantFrom(500, 4000),
  )
  .map(([piece, count]) => piece.repeat(count));

const lines = fc.constantFrom(
  "name: dates",
  "description: Formats dates. Use when asked.",
  "description: Use when: asked",
  "argument-hint: [file] - optional",
  "user-invokable: yes",
  "disable-model-invocation: maybe",
  "allowed-tools: Read Bash(git:*) Bash (x",
  "allowedTools: [Read, {a: b}]",
  "metadata: {a: 1.10, b: [c], d: null}",
  "run-mode: subagent",
  "context: fork",
  "version: 1.10",
  "license: 2026-11-15",
  "__proto__: x",
  "# comment",
  "",
);

const frontmatter = fc.oneof(
  { weight: 3, arbitrary: fc.array(lines, { maxLength: 8 }).map((parts) => parts.join("\n")) },
  { weight: 2, arbitrary: yamlText({ references: true }) },
  { weight: 1, arbitrary: fc.tuple(lines, yamlText(), lines).map((parts) => parts.join("\n")) },
  { weight: 1, arbitrary: anyUnits },
  { weight: 1, arbitrary: bombs.map((bomb) => `x: ${bomb}`) },
  { weight: 1, arbitrary: longLine },
);

const body = fc.oneof(
  fc.constantFrom(
    "",
    "Body.\n",
    "\n# Goal\n\nSee [a](references/a.md)\n",
    "```\n<!-- x -->",
    "a\n---\nb\n",
  ),
  anyUnits,
  longLine,
);

const delimiter = fc.oneof(
  { weight: 12, arbitrary: fc.constant("---\n") },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "--- \n",
      "---\t\n",
      " ---\n",
      "----\n",
      "--- #\n",
      "---",
      "",
      "\n---\n",
    ),
  },
);

/** A SKILL.md as nobody should write it, with LF newlines as long as no random text has others. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(delimiter, frontmatter, delimiter, body)
      .map(([open, yaml, close, rest]) => `${open}${yaml}\n${close}${rest}`),
  },
  { weight: 1, arbitrary: anyUnits },
  { weight: 1, arbitrary: bytes },
);
