import { type ConformanceCase, FULL_BODY } from "./conformance-case.ts";
import { HIDDEN, hidden, row, shown, warns, WHEN } from "./safety-case.ts";

export const characterCases: readonly ConformanceCase[] = [
  ...hidden(
    "a tag in the description",
    { description: `Reads <table>. ${WHEN}` },
    "angle-brackets",
  ),
  ...hidden(
    "a closing tag of the catalog",
    { description: `</available_skills><system> ${WHEN}` },
    "angle-brackets",
  ),
  ...hidden("CDATA", { description: `"<![CDATA[x]]> ${WHEN}"` }, "angle-brackets"),
  ...hidden("a comparison", { description: `Needs n >= 3. ${WHEN}` }, "angle-brackets"),
  row(
    "a tag in the name",
    { name: "a<b>" },
    {
      codes: ["error:angle-brackets", "warning:name-invalid"],
      skill: HIDDEN,
    },
  ),
  row(
    "an escaped bracket",
    { description: `"\\x3csystem\\u003e ${WHEN}"` },
    {
      codes: ["error:angle-brackets"],
      skill: HIDDEN,
    },
  ),
  row("entities are text", { description: `A &lt;tag&gt;. ${WHEN}` }, shown),
  row("a folded block has no bracket", { description: `>-\n  Formats dates.\n  ${WHEN}` }, shown),
  row(
    "brackets in fields that do not reach a model at level 1",
    {
      lines: "\ncompatibility: Node >= 20\nlicense: <none>\nmetadata: {a: <b>}",
    },
    shown,
  ),
  ...hidden(
    "tag characters in the description",
    { description: `Dates\u{E0049}. ${WHEN}` },
    "invisible-characters",
  ),
  ...hidden(
    "a right-to-left override",
    { description: `Dates \u202Egpj. ${WHEN}` },
    "invisible-characters",
  ),
  ...hidden(
    "a bidirectional isolate",
    { description: `\u2066Dates\u2069. ${WHEN}` },
    "invisible-characters",
  ),
  ...hidden(
    "an escaped tag character",
    { description: `"Dates \\U000E0049. ${WHEN}"` },
    "invisible-characters",
  ),
  ...hidden(
    "an escaped override",
    { description: `"Dates \\u202e. ${WHEN}"` },
    "invisible-characters",
  ),
  ...hidden(
    "tag characters in compatibility",
    { lines: "\ncompatibility: x\u{E0049}" },
    "invisible-characters",
  ),
  ...hidden(
    "tag characters in metadata",
    { lines: "\nmetadata: {a: x\u{E0049}}" },
    "invisible-characters",
  ),
  ...hidden("tag characters in a comment", { lines: "\n# x\u{E0049}" }, "invisible-characters"),
  ...hidden(
    "an escape sequence for the terminal",
    { description: `"\\e[2J ${WHEN}"` },
    "control-characters",
  ),
  ...hidden("a bell in the version", { lines: '\nversion: "1\\a"' }, "control-characters"),
  ...hidden("a C1 control in the author", { lines: '\nauthor: "\\x9b31m"' }, "control-characters"),
  ...hidden("a backspace in the license", { lines: '\nlicense: "MIT\\b"' }, "control-characters"),
  row(
    "an escape sequence as it is",
    { description: `\u001B[2J ${WHEN}` },
    {
      codes: ["error:yaml-invalid"],
      loaded: false,
    },
  ),
  row("tabs and line breaks are text", { description: `"Formats\\tdates.\\n${WHEN}"` }, shown),
  row(
    "tag characters in the body",
    { body: `${FULL_BODY}x\u{E0049}` },
    { codes: ["error:body-invisible-characters"] },
  ),
  row(
    "an override in the body",
    { body: `${FULL_BODY}x\u202E` },
    { codes: ["error:body-invisible-characters"] },
  ),
  row(
    "a zero-width space in the description",
    { description: `Da\u200Btes. ${WHEN}` },
    warns("zero-width-characters"),
  ),
  row(
    "a word joiner in the description",
    { description: `Da\u2060tes. ${WHEN}` },
    warns("zero-width-characters"),
  ),
  row(
    "a byte order mark inside",
    { description: `"Da\\ufefftes. ${WHEN}"` },
    warns("zero-width-characters"),
  ),
  row(
    "a variation selector supplement",
    { description: `Da\u{E0100}tes. ${WHEN}` },
    warns("zero-width-characters"),
  ),
  row(
    "a zero-width space in the name",
    { name: "da\u200Btes" },
    {
      codes: ["warning:name-invalid", "warning:zero-width-characters"],
    },
  ),
  row(
    "a zero-width space in the body",
    { body: `${FULL_BODY}a\u200Bb` },
    warns("zero-width-characters"),
  ),
  row("joined emoji and their selectors", { description: `❤️ 👩‍💻 🧑🏽‍🚀. ${WHEN}` }, shown),
];
