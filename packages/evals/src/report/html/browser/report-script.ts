import { CASE_LIST } from "./case-list.ts";
import { CASE_VIEW } from "./case-view.ts";
import { ELEMENTS } from "./elements.ts";
import { KEYBOARD } from "./keyboard.ts";
import { SEQUENCE_DIFF } from "./sequence-diff.ts";
import { SIDE_VIEW } from "./side-view.ts";
import { TIMELINE } from "./timeline.ts";

/**
 * The script of the report, as text. Libraries are built by `tsc` alone and the command line is bundled into
 * few files, so that a script file would not be found beside the module that inlines it; functions turned
 * into text by `toString()` depend on what a compiler made of them. So it is plain JavaScript in strings
 * without placeholders: the test lints it and checks its types, and drives it in a browser. It stays small: whatever can be
 * rendered beforehand is, with types.
 */
export const REPORT_SCRIPT = [
  '"use strict";\n(() => {',
  ELEMENTS,
  TIMELINE,
  SEQUENCE_DIFF,
  SIDE_VIEW,
  CASE_VIEW,
  CASE_LIST,
  KEYBOARD,
  "})();\n",
].join("");
