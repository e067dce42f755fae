#!/usr/bin/env node
// Two files 1:1: what differs, line by line or word by word.
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { command, twoPaths, UsageError, wholeNumber } from "./lib/command.mjs";
import { firstDifferentLine } from "./lib/compare-streams.mjs";
import { compareTexts } from "./lib/compare-texts.mjs";
import { foldersReport } from "./lib/folders-report.mjs";
import { keyMaker, OPTIONS } from "./lib/normalise.mjs";
import { output } from "./lib/output.mjs";
import { firstDifferentByte, MAX_BYTES, readText, sizeOfFile } from "./lib/read-text.mjs";
import { describeCounts, reportLines } from "./lib/report.mjs";
import { shortened, visible } from "./lib/visible.mjs";

const USAGE = `usage: node scripts/compare.mjs <first file> <second file> [--words] [--characters] [--ignore-case] [--ignore-space] [--normalize nfc|nfkc] [--context <n>] [--limit <n>] [--summary] [--out <file>] [--exit-zero]
exit code: 0 the same, 1 different, 2 wrong usage or unreadable; with --exit-zero a difference is 0 too`;

const isDirectory = (path) => statSync(path).isDirectory();

await command(
  USAGE,
  {
    ...OPTIONS,
    words: { type: "boolean" },
    characters: { type: "boolean" },
    context: { type: "string" },
    limit: { type: "string" },
    summary: { type: "boolean" },
    out: { type: "string" },
  },
  async (values, positionals) => {
    const [a, b] = twoPaths(positionals);
    const context = wholeNumber(values.context, "context", 3);
    const limit = wholeNumber(values.limit, "limit", 500);
    const keyOf = keyMaker(values);
    if (values.out !== undefined && [a, b].some((path) => resolve(path) === resolve(values.out))) {
      throw new UsageError("--out would overwrite one of the two files");
    }
    const report =
      isDirectory(a) && isDirectory(b)
        ? await foldersReport(a, b, values)
        : await filesReport(a, b, values, { context, keyOf });
    const { isSame, verdict, details } = report;
    if (values.out === undefined || values.summary) {
      console.log(verdict);
      if (!values.summary) await output(details, { limit });
      return isSame;
    }
    await output([verdict, ...details], { out: values.out });
    console.log(`${verdict}\nwritten to ${visible(values.out)}`);
    return isSame;
  },
);

async function filesReport(a, b, values, { context, keyOf }) {
  const names = `${visible(a)} and ${visible(b)}`;
  const sizes = [await sizeOfFile(a), await sizeOfFile(b)];
  const byte = await firstDifferentByte(a, b);
  const answer = (isSame, text, details = []) => ({ isSame, verdict: `${names} ${text}`, details });
  if (byte === undefined) return answer(true, `are the same, byte by byte (${sizes[0]} bytes)`);
  if (Math.max(...sizes) > MAX_BYTES) return streamReport(a, b, keyOf, answer);
  const [left, right] = [await readText(a), await readText(b)];
  if (left.isBinary || right.isBinary) {
    const which = left.isBinary && right.isBinary ? "both are" : `${left.isBinary ? a : b} is`;
    return answer(
      false,
      `are different: ${visible(which)} binary; ${sizes[0]} and ${sizes[1]} bytes, the first different one is byte ${byte + 1}`,
    );
  }
  const compared = compareTexts(left, right, keyOf, values["ignore-space"] === true);
  const counts = describeCounts(compared.counts);
  if (compared.isSame) return answer(true, `are the same, apart from what is ignored (${counts})`);
  const granularity = values.characters ? "grapheme" : values.words ? "word" : undefined;
  const notes = compared.notes.map((note) => `\n! ${note}`).join("");
  const rough = compared.isRough
    ? "\n! so many differences that the fewest were not looked for: all that is shown differs, but a shorter list may exist"
    : "";
  const options = { context, granularity, keyOf, isWhole: values.out !== undefined };
  return answer(false, `are different: ${counts}${notes}${rough}`, reportLines(compared, options));
}

async function streamReport(a, b, keyOf, answer) {
  const limit = `larger than ${MAX_BYTES / 1024 / 1024} MB: compared only up to the first difference`;
  const found = await firstDifferentLine(a, b, keyOf);
  if (found === undefined) {
    const isExact = keyOf(" A") === " A";
    return isExact
      ? answer(false, `are different, but no line differs: line ends or byte order mark (${limit})`)
      : answer(true, `are the same, apart from what is ignored (${limit})`);
  }
  const show = (mark, line) =>
    line === undefined ? `${mark} (no such line)` : `${mark} ${shortened(line, 500)}`;
  return answer(false, `are different: first in line ${found.number} (${limit})`, [
    show("-", found.left),
    show("+", found.right),
  ]);
}
