#!/usr/bin/env node
// First cases for evals/evals.json from a skill's name and description.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { skillFolder } from "./lib/check-skill.mjs";
import { command, onlyOne, UsageError } from "./lib/command.mjs";
import { neededText, readFrontMatter } from "./lib/front-matter.mjs";
import { suggestEvals } from "./lib/suggested-evals.mjs";

const USAGE = `usage: node scripts/suggest-evals.mjs <folder>
Prints the content of evals/evals.json; nothing is written.`;

await command(USAGE, {}, (_, positionals) => {
  const folder = skillFolder(onlyOne(positionals, "folder of a skill"));
  const { values } = readFrontMatter(readSkill(folder)) ?? {};
  if (values === undefined) throw new Error("SKILL.md has no front matter: run check.mjs first");
  const cases = suggestEvals(neededText(values, "name"), neededText(values, "description"));
  console.log(JSON.stringify(cases, null, 2));
});

function readSkill(folder) {
  try {
    return readFileSync(join(folder, "SKILL.md"), "utf8");
  } catch (error) {
    if (error.code === "ENOENT") throw new UsageError(`there is no SKILL.md in ${folder}`);
    throw error;
  }
}
