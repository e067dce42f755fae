import type { ScanFile } from "../../context/scan-line.ts";
import type { PlacedSuspicion, ScanCheck } from "../../scan-check.ts";

const TAGS = /(?<!\u{1F3F4}[\u{E0020}-\u{E007F}]{0,8})[\u{E0000}-\u{E007F}]{3,}/gu;
const SELECTORS = /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{4,}/gu;
const ZERO_WIDTH_RUN = /[\u200B-\u200D\u2060-\u2064\uFEFF\u180E]{8,}/g;
/** Invisible characters between Latin letters; in other writing they are spelling. */
const SPLIT_WORDS = /(?<=[A-Za-z])[\u200B-\u200D\u2060\uFEFF\u00AD]+(?=[A-Za-z])/g;
const MANY = 6;
const REORDER = /[\u202A\u202B\u202D\u202E\u2066-\u2068]/g;
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFE]/;

export const unicodeTags: ScanCheck = {
  id: "unicode-tags",
  severity: "critical",
  category: "hidden-instructions",
  summary: "Text is written in invisible tag characters or variation selectors.",
  explanation:
    "Tag characters are an invisible copy of ASCII and variation selectors can carry any bytes: people see nothing, models read them. Only flags and emoji use them, one or a few at a time.",
  *conclude(skill): Iterable<PlacedSuspicion> {
    for (const file of suspects(skill.files)) {
      for (const run of file.text.matchAll(TAGS)) {
        const hidden = Array.from(run[0], (tag) =>
          String.fromCharCode((tag.codePointAt(0) ?? 0) & 0x7f),
        ).join("");
        const shown = hidden.replaceAll(/[^ -~]/g, "").slice(0, 60);
        yield {
          line: file.lineAt(run.index),
          message: `Invisible tag characters spell "${shown}"`,
        };
      }
      for (const run of file.text.matchAll(SELECTORS)) {
        yield {
          line: file.lineAt(run.index),
          message: `${Array.from(run[0]).length} variation selectors stand in a row`,
        };
      }
    }
  },
};

export const zeroWidthText: ScanCheck = {
  id: "zero-width-text",
  severity: "high",
  category: "hidden-instructions",
  summary: "Zero-width characters encode something, or split words so that they are not found.",
  explanation:
    "A few zero-width characters come with copied text, and Persian or Indic writing needs them. Long runs of them are an encoding, and many inside of Latin words hide the words from a search.",
  *conclude(skill): Iterable<PlacedSuspicion> {
    for (const file of suspects(skill.files)) {
      for (const run of file.text.matchAll(ZERO_WIDTH_RUN)) {
        yield {
          line: file.lineAt(run.index),
          message: `${run[0].length} zero-width characters stand in a row`,
        };
      }
      const splits = /[\u200B-\u200D\u2060\uFEFF\u00AD]/.test(file.text)
        ? [...file.text.matchAll(SPLIT_WORDS)]
        : [];
      const first = splits[0];
      if (first !== undefined && splits.length >= MANY) {
        yield {
          line: file.lineAt(first.index),
          message: `${splits.length} words have invisible characters in them`,
        };
      }
    }
  },
};

export const bidiOverride: ScanCheck = {
  id: "bidi-override",
  severity: "high",
  category: "hidden-instructions",
  summary: "Direction controls make the text show in another order than it is.",
  explanation:
    "Overrides and isolates change what a reviewer sees without changing what a machine reads. Right-to-left languages rarely need them in plain text; a line without such letters never does.",
  *conclude(skill): Iterable<PlacedSuspicion> {
    for (const file of suspects(skill.files)) {
      for (const { index } of file.text.matchAll(REORDER)) {
        const line = file.lineAt(index);
        if (RIGHT_TO_LEFT.test(line.raw)) continue;
        const code = (file.text.codePointAt(index) ?? 0).toString(16).toUpperCase();
        yield {
          line,
          message: `The direction control U+${code} stands in text without right-to-left letters`,
        };
      }
    }
  },
};

function suspects(files: readonly ScanFile[]): ScanFile[] {
  return files.filter(({ hasOddCharacters }) => hasOddCharacters);
}
