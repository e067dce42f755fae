import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { recordTerminal } from "./record-terminal.mjs";
import { renderSvg, textOfLines, textOfSvg } from "./record-svg.mjs";
import { ROOT } from "./setup.mjs";

// `node scripts/record.mjs` writes the pictures that the pages show, from what the built command line
// prints in a terminal; `--check` only says whether they still show that.

const COLUMNS = 80;
const RECORDINGS = [
  {
    file: "docs/images/run.svg",
    title:
      "A terminal: skillwright run answers a request with a skill, whose script runs in the sandbox",
    commands: [
      'skillwright run "total amount by region in sales.csv" --yes=run_script',
      "skillwright runs list",
    ],
  },
  {
    file: "docs/images/approval.svg",
    title: "A terminal: skillwright asks before a script runs, and goes on after a yes",
    commands: [
      'skillwright run "Convert 26.2 miles to kilometres"',
      { question: "Allow run_script?", text: "y" },
    ],
  },
  {
    file: "docs/images/lint.svg",
    title: "A terminal: skillwright lint explains the problems of a skill, with their lines",
    commands: [
      "skillwright new release-notes",
      "skillwright lint --strict .agent/skills/release-notes",
    ],
  },
  {
    file: "docs/images/packs.svg",
    title: "A terminal: a skill is installed, updated after its source changed, and restored",
    files: { "shared/word-count": "examples/skills/word-count" },
    commands: [
      "skillwright install ./shared/word-count",
      "echo '- Say how long it takes to read.' >> shared/word-count/SKILL.md",
      "skillwright update",
      "skillwright undo",
    ],
  },
];

/** What differs from run to run. */
const CHANGING = [
  // The tests may have a temporary folder of their own in the temporary folder.
  [/(?:skillwright-tests-\w+\/)?skillwright-record-\w+/g, "<folder>"],
  [/\b\d{8}T\d{9}Z-[0-9a-f]{8}\b/g, "<run>"],
  [/\b\d+(?:\.\d+)? ?(?:ms|s)\b/g, "<time>"],
  [/\b[\d,.]+k? tokens\b/g, "<tokens>"],
];

for (const { file, title, commands, files } of RECORDINGS) {
  const lines = await recordTerminal(commands, { columns: COLUMNS, files });
  if (process.argv.includes("--check")) check(file, title, lines);
  else write(file, renderSvg(lines, { columns: COLUMNS, title }));
}

function write(file, svg) {
  mkdirSync(dirname(join(ROOT, file)), { recursive: true });
  writeFileSync(join(ROOT, file), svg);
  console.log(`${file}: ${svg.length} bytes`);
}

function check(file, title, lines) {
  const svg = readFileSync(join(ROOT, file), "utf8");
  const problems = [
    sameText(textOfSvg(svg), textOfLines(lines)),
    sameShape(svg, renderSvg(lines, { columns: COLUMNS, title })),
  ].filter((problem) => problem !== undefined);
  for (const problem of problems) console.error(`${file}: ${problem}`);
  if (problems.length > 0) {
    console.error("Record it again: node scripts/record.mjs");
    process.exitCode = 1;
  }
}

function sameText(shown, printed) {
  const [before, now] = [shown, printed].map((lines) => lines.map(withoutChanges));
  const at = now.findIndex((line, index) => line !== before[index]);
  if (at === -1 && before.length === now.length) return undefined;
  const place = at === -1 ? now.length : at;
  return `line ${place + 1} is now ${JSON.stringify(now[place])}, and was ${JSON.stringify(before[place])}`;
}

/** All but the text, whose lengths may differ with what changes: colours, frame, style. */
function sameShape(shown, made) {
  const [before, now] = [shown, made].map((svg) =>
    svg.replaceAll(/(?:x|textLength)="[^"]*"/g, "").replaceAll(/>[^<]*</g, "><"),
  );
  return before === now ? undefined : "it is not what the script makes";
}

function withoutChanges(line) {
  const text = CHANGING.reduce((given, [pattern, name]) => given.replaceAll(pattern, name), line);
  return text.replaceAll(/ {2,}/g, "  ");
}
