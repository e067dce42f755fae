import { lstatSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { checkBody } from "./check-body.mjs";
import { UsageError } from "./command.mjs";
import { descriptionProblems, problem } from "./description-problems.mjs";
import { readFrontMatter } from "./front-matter.mjs";
import { listFiles } from "./list-files.mjs";
import { nameProblem, nearestName } from "./skill-name.mjs";

const KEYS = new Set([
  "name",
  "description",
  "license",
  "compatibility",
  "metadata",
  "allowed-tools",
]);
const MAX_COMPATIBILITY = 500;
const MAX_BYTES = 1024 * 1024;

/** The essential rules of the Agent Skills specification, for one folder. */
export function checkSkill(folder) {
  const { files, links } = listFiles(folder);
  const problems = links.map((path) =>
    problem("error", `${path} is a link or a special file; a skill holds plain files`),
  );
  const text = readSkillText(folder, files, problems);
  if (text === undefined) return problems;
  const read = readFrontMatter(text);
  if (read === undefined) {
    const message = "SKILL.md does not begin with front matter: ---, name, description, ---";
    return [...problems, problem("error", message)];
  }
  const { values, unread, repeated, body } = read;
  return [
    ...problems,
    ...repeated.map((key) => problem("error", `the key ${key} is there twice`)),
    ...unread.map((line) =>
      problem(
        "error",
        `this line of the front matter cannot be read; put its value in quotes: ${line.slice(0, 80)}`,
      ),
    ),
    ...checkName(values.get("name"), basename(resolve(folder))),
    ...checkFields(values),
    ...checkBody(body, files),
  ];
}

export function skillFolder(path) {
  const folder = basename(path) === "SKILL.md" ? resolve(path, "..") : path;
  const found = lstatSync(resolve(folder), { throwIfNoEntry: false });
  if (found === undefined) throw new UsageError(`there is no folder ${folder}`);
  if (!found.isDirectory() && !found.isSymbolicLink())
    throw new UsageError(`${folder} is not a folder`);
  return folder;
}

function readSkillText(folder, files, problems) {
  if (!files.includes("SKILL.md")) {
    const other = files.find((file) => file.toLowerCase() === "skill.md");
    const hint = other === undefined ? "" : `; ${other} must be written SKILL.md`;
    problems.push(problem("error", `there is no SKILL.md${hint}`));
    return undefined;
  }
  const bytes = readFileSync(join(folder, "SKILL.md"));
  if (bytes.length > MAX_BYTES) {
    problems.push(problem("error", "SKILL.md is larger than 1 MiB"));
    return undefined;
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    problems.push(problem("error", "SKILL.md is not UTF-8"));
    return undefined;
  }
}

function checkName(name, folderName) {
  if (typeof name !== "string") return [problem("error", "the front matter has no name")];
  const wrong = nameProblem(name);
  const problems = [];
  if (wrong !== undefined) {
    const nearest = nearestName(name);
    const hint = nearest === "" || nearest === name ? "" : `; try ${nearest}`;
    problems.push(problem("error", `the name "${name.slice(0, 80)}" ${wrong}${hint}`));
  }
  if (name.normalize("NFKC") !== folderName.normalize("NFKC"))
    problems.push(
      problem("error", `the name is ${name.slice(0, 80)}, but the folder ${folderName}`),
    );
  return problems;
}

function checkFields(values) {
  const problems = [];
  const description = values.get("description");
  if (typeof description === "string") problems.push(...descriptionProblems(description));
  else problems.push(problem("error", "the front matter has no description"));
  const compatibility = values.get("compatibility");
  if (typeof compatibility === "string" && Array.from(compatibility).length > MAX_COMPATIBILITY)
    problems.push(problem("error", `compatibility has more than ${MAX_COMPATIBILITY} characters`));
  for (const key of values.keys())
    if (!KEYS.has(key))
      problems.push(
        problem("warning", `the specification has no key ${key}; put it below metadata`),
      );
  return problems;
}
