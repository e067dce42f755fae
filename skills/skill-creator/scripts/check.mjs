#!/usr/bin/env node
// Checks a skill against the essential rules of the specification, and with skillwright when it is there.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { checkSkill, skillFolder } from "./lib/check-skill.mjs";
import { command, onlyOne } from "./lib/command.mjs";

const USAGE = `usage: node scripts/check.mjs <folder> [--json] [--alone]
Exit code 0: no errors; 1: errors. --alone does not look for skillwright.`;
const OPTIONS = { json: { type: "boolean" }, alone: { type: "boolean" } };
const LINT_TIME = 60_000;

await command(USAGE, OPTIONS, ({ json, alone }, positionals) => {
  const folder = skillFolder(onlyOne(positionals, "folder of a skill"));
  const problems = checkSkill(folder);
  const lint = alone ? undefined : runLint(folder);
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const warnings = problems.length - errors;
  if (errors > 0 || (lint !== undefined && lint.status !== 0)) process.exitCode = 1;
  if (json) {
    console.log(
      JSON.stringify({ folder, errors, warnings, problems, skillwright: lint ?? null }, null, 2),
    );
    return;
  }
  for (const { severity, message } of problems) console.log(`${severity}: ${message}`);
  console.log(
    problems.length === 0
      ? `${folder}: the essential rules are met`
      : `${folder}: ${count(errors, "error")}, ${count(warnings, "warning")}`,
  );
  if (lint !== undefined) console.log(`\nskillwright lint --strict:\n${lint.output}`);
  else
    console.log(
      `skillwright lint --strict ${folder} checks more; it ${alone ? "was not asked" : "is not on the PATH"}.`,
    );
});

/** Undefined when there is no skillwright. */
function runLint(folder) {
  const { error, status, stdout, stderr } = spawnSync(
    "skillwright",
    ["lint", "--strict", resolve(folder)],
    { encoding: "utf8", timeout: LINT_TIME },
  );
  if (error?.code === "ENOENT" || error?.code === "EACCES") return undefined;
  const output = [stdout, stderr, error?.message].filter(Boolean).join("\n").trim();
  return { status, output };
}

function count(number, what) {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
