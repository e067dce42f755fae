#!/usr/bin/env node
// Writes the first version of a skill, or prints it where nothing may be written.
import { randomBytes } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { command, onlyOne, UsageError } from "./lib/command.mjs";
import { descriptionProblems } from "./lib/description-problems.mjs";
import { skeleton } from "./lib/skeleton.mjs";
import { nameProblem, nearestName } from "./lib/skill-name.mjs";

const USAGE = `usage: node scripts/draft.mjs <name> --description "<text>" [--dir <folder>] [--print]
Makes <folder>/<name>. Without --dir: where the project keeps its skills, or in .agent/skills; in a run of skillwright,
which keeps scripts out of these folders, in drafts.`;
const OPTIONS = {
  description: { type: "string" },
  dir: { type: "string" },
  print: { type: "boolean" },
};
const DRAFTS = "drafts";
const USUAL = [".agent/skills", ".agents/skills", ".claude/skills", "skills"];
/** `mkdir` with its parents says ENOENT where a file system is read-only. */
const NOT_ALLOWED = new Set(["EROFS", "EACCES", "EPERM", "ENOENT"]);

await command(USAGE, OPTIONS, ({ description, dir, print }, positionals) => {
  const name = onlyOne(positionals, "name").normalize("NFKC");
  checkName(name);
  const files = skeleton(name, checkedDescription(description));
  if (print) return printFiles(files);
  // A run of skillwright keeps no skill that a script made where skills are found.
  const isRun = process.env.SKILLWRIGHT_OUTPUT !== undefined;
  const usual = USUAL.find((folder) => existsSync(folder)) ?? USUAL[0];
  const root = dir ?? (isRun ? DRAFTS : usual);
  const folder = join(root, name);
  if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined)
    throw new Error(`${folder} is there already; nothing was changed`);
  try {
    createFolder(folder, files);
  } catch (error) {
    if (!NOT_ALLOWED.has(error.code)) throw error;
    console.error(`${folder} may not be written here, so this is what belongs into it:`);
    return printFiles(files);
  }
  console.log(`created ${folder}`);
  for (const path of Object.keys(files)) console.log(`  ${path}`);
  console.log(`next: write the steps, then node scripts/check.mjs ${folder}`);
  if (dir === undefined && isRun) console.log(`then: move ${folder} to ${usual}`);
});

function checkName(name) {
  const wrong = nameProblem(name);
  if (wrong === undefined) return;
  const nearest = nearestName(name);
  throw new UsageError(
    `the name "${name.slice(0, 80)}" ${wrong}${nearest === "" ? "" : `; try ${nearest}`}`,
  );
}

function checkedDescription(given) {
  if (given === undefined)
    throw new UsageError('say what it does and when, with --description "…"');
  const description = given
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replaceAll(/[\p{Surrogate}\p{Noncharacter_Code_Point}]/gu, "")
    .trim();
  for (const { severity, message } of descriptionProblems(description)) {
    if (severity === "error") throw new UsageError(message);
    console.error(`warning: ${message}`);
  }
  return description;
}

/** Made beside its place and moved there: a half of a skill is never seen. */
function createFolder(folder, files) {
  const part = join(dirname(folder), `.draft-${randomBytes(6).toString("hex")}`);
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(part, path)), { recursive: true });
      writeFileSync(join(part, path), text, { flag: "wx" });
    }
    renameSync(part, folder);
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    throw error;
  }
}

function printFiles(files) {
  for (const [path, text] of Object.entries(files)) console.log(`==> ${path} <==\n${text}`);
}
