import type { PlacedSuspicion, ScanCheck } from "../../scan-check.ts";

export const largeUnscannedFile: ScanCheck = {
  id: "large-unscanned-file",
  severity: "medium",
  category: "mismatch",
  summary:
    "A text or script is too large, or too full of suspicious words, to be looked at wholly.",
  explanation:
    "Only the first and the last two mebibytes of a text are read, and each rule has a bound for its work in one file. What is hidden behind enough padding is not seen. No skill needs a text of that size; ship data as data, and libraries as packages.",
  *conclude(skill): Iterable<PlacedSuspicion> {
    for (const file of skill.files) {
      if (file.leftOut > 0) {
        const size = (file.leftOut / 1024 / 1024).toFixed(1);
        yield {
          line: file.line(0),
          message: `${size} MiB in the middle of ${file.path} were not looked at`,
        };
      } else if (file.notLookedAt !== undefined)
        yield {
          line: file.notLookedAt,
          message: `${file.path} has more suspicious words than can be looked at; from here on some were not`,
        };
    }
  },
};
