#!/usr/bin/env node
// Two folders 1:1: which files were added, removed, changed or moved.
import { statSync } from "node:fs";
import { command, twoPaths, UsageError, wholeNumber } from "./lib/command.mjs";
import { foldersReport } from "./lib/folders-report.mjs";
import { keyMaker, OPTIONS } from "./lib/normalise.mjs";
import { output } from "./lib/output.mjs";
import { visible } from "./lib/visible.mjs";

const USAGE = `usage: node scripts/compare-folders.mjs <first folder> <second folder> [--ignore-case] [--ignore-space] [--normalize nfc|nfkc] [--skip <name>] [--limit <n>] [--summary] [--out <file>] [--exit-zero]
exit code: 0 the same, 1 different, 2 wrong usage or unreadable; with --exit-zero a difference is 0 too`;

await command(
  USAGE,
  {
    ...OPTIONS,
    skip: { type: "string", multiple: true },
    limit: { type: "string" },
    summary: { type: "boolean" },
    out: { type: "string" },
  },
  async (values, positionals) => {
    const [a, b] = twoPaths(positionals);
    const limit = wholeNumber(values.limit, "limit", 500);
    keyMaker(values);
    for (const path of [a, b]) {
      if (!statSync(path).isDirectory()) throw new UsageError(`${path} is not a folder`);
    }
    const { isSame, verdict, details } = await foldersReport(a, b, values);
    console.log(verdict);
    if (values.out !== undefined) {
      await output([verdict, ...details], { out: values.out });
      console.log(`written to ${visible(values.out)}`);
    } else if (!values.summary) await output(details, { limit });
    return isSame;
  },
);
