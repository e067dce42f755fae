import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ROOT } from "./setup.mjs";

const ID = /\b[A-Z]-\d{2}\b/g;
const ROW = /^\| ([A-Z]-\d{2}) \| (.*) \| ([^|]*) \|$/gm;
const TITLE =
  /\b(?:it|test|describe)(?:\.(?!skip|todo)\w+)*(?:\([^)]*\))?\(\s*(["'`])((?:(?!\1)[^\\]|\\.)*)\1/g;

const requirements = new Map(
  [...readFileSync(join(ROOT, "docs/requirements.md"), "utf8").matchAll(ROW)].map(
    ([, id, text, status]) => [
      id,
      { text, planned: status.startsWith("planned"), status, tests: new Set() },
    ],
  ),
);
const problems = [];

for (const file of testFiles(["packages", "test", "examples", "skills"])) {
  for (const [, , title] of readFileSync(file, "utf8").matchAll(TITLE)) {
    for (const [id] of title.matchAll(ID)) {
      const requirement = requirements.get(id);
      if (requirement === undefined)
        problems.push(`${relative(ROOT, file)} names ${id}, which is no requirement`);
      else requirement.tests.add(relative(ROOT, file));
    }
  }
}

// Titles made from tables are only known from a run: those that passed in the last one of each suite count too.
for (const suite of ["fast", "system"]) {
  const report = join(ROOT, `node_modules/.cache/skillwright/${suite}-report.json`);
  if (!existsSync(report)) continue;
  for (const { name, assertionResults } of JSON.parse(readFileSync(report, "utf8")).testResults) {
    for (const { fullName, status } of existsSync(name) ? assertionResults : []) {
      if (status !== "passed") continue;
      for (const [id] of fullName.matchAll(ID))
        requirements.get(id)?.tests.add(relative(ROOT, name));
    }
  }
}

for (const [id, { planned, status, tests }] of requirements) {
  const where = tests.size > 0 ? [...tests].join(", ") : planned ? status : "NO TEST";
  console.log(`${id}  ${where}`);
  if (tests.size === 0 && !planned) problems.push(`${id} has no test and is not planned`);
}

const original = join(ROOT, "../shared/REQUIREMENTS.md");
if (existsSync(original)) {
  for (const [, id, text] of readFileSync(original, "utf8").matchAll(ROW)) {
    const ours = requirements.get(id);
    if (ours === undefined) problems.push(`${id} is missing in docs/requirements.md`);
    else if (ours.text !== text) problems.push(`${id} is worded differently in ${original}`);
  }
}

const tested = [...requirements.values()].filter(({ tests }) => tests.size > 0).length;
console.log(`\n${requirements.size} requirements, ${tested} with tests`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

function testFiles(folders) {
  return folders
    .filter((folder) => existsSync(join(ROOT, folder)))
    .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes("node_modules"));
}
