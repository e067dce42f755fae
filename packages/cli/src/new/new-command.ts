import { lstat, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import {
  lintSkillText,
  nameProblem,
  slugify,
  leadsOut,
  makeFolder,
  temporaryPath,
} from "@skillwright/core/internal";
import type { Console, GlobalOptions } from "../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-code.ts";
import { relativePath } from "../terminal/relative-path.ts";
import { existingRoots, namedBase } from "@skillwright/app/internal";
import { type Part, PARTS, skillTemplate } from "./skill-template.ts";

export interface NewCommandOptions extends GlobalOptions {
  readonly description?: string;
  readonly dir?: string;
  /** What to put beside SKILL.md, with commas between. */
  readonly with?: string;
}

export async function newCommand(
  name: string,
  options: NewCommandOptions,
  console: Console,
): Promise<ExitCode> {
  checkName(name);
  const { root, base } = await targetRoot(options, console);
  if (leadsOut(base, root)) throw linkRefused(root, base);
  const directory = join(root, name);
  const parts = partsOf(options.with);
  const files = skillTemplate({ name, description: options.description, parts });
  checkDescription(files["SKILL.md"] ?? "", console);
  await createDirectory(directory, files);
  report(name, directory, Object.keys(files), console);
  return EXIT.done;
}

function partsOf(given = "evals"): Part[] {
  const words = given.split(",").map((word) => word.trim());
  const unknown = words.find((word) => !PARTS.some((part) => part === word));
  if (unknown === undefined) return words as Part[];
  throw new CommandFailure(EXIT.usage, `--with does not know "${unknown}"`, {
    hint: `it takes ${PARTS.join(", ")}, with commas between`,
  });
}

function checkName(name: string): void {
  const problem =
    nameProblem(name) ?? (name.length > 64 ? "has more than 64 characters" : undefined);
  if (problem === undefined) return;
  const suggestion = slugify(name);
  throw new CommandFailure(EXIT.usage, `the name "${name}" ${problem}`, {
    ...(suggestion === "" ? undefined : { hint: `try: skillwright new ${suggestion}` }),
  });
}

/** What the author says of the skill is held to the same rules as the rest of it. */
function checkDescription(text: string, console: Console): void {
  const findings = lintSkillText(text).diagnostics.filter(
    ({ severity, code }) => severity !== "info" && code !== "placeholder",
  );
  const error = findings.find(({ severity }) => severity === "error");
  if (error !== undefined) {
    const { message, hint } = error;
    throw new CommandFailure(EXIT.usage, message, hint === undefined ? {} : { hint });
  }
  for (const { message, hint } of findings) console.note(`warning: ${message}; ${hint ?? ""}`);
}

/** Where the skill goes, and the folder that this must really lie in. */
async function targetRoot(
  options: NewCommandOptions,
  console: Console,
): Promise<{ readonly root: string; readonly base: string }> {
  if (options.dir !== undefined) {
    const root = resolve(console.cwd, options.dir);
    return { root, base: namedBase(root, console) };
  }
  const [root] = await existingRoots(options, console);
  if (root !== undefined && options.root !== undefined) {
    return { root, base: namedBase(root, console) };
  }
  const base = options.source === "user" ? (console.env["HOME"] ?? console.cwd) : console.cwd;
  return { root: root ?? join(base, ".agent/skills"), base };
}

function linkRefused(root: string, base: string): CommandFailure {
  const message = `${root} is a link, or lies behind one, that leads out of ${base}`;
  return new CommandFailure(EXIT.usage, message, {
    hint: "name the folder that it leads to with --dir",
  });
}

/** The folder appears whole, by a rename. */
async function createDirectory(directory: string, files: Record<string, string>): Promise<void> {
  if ((await lstat(directory).catch(() => undefined)) !== undefined) {
    throw new CommandFailure(EXIT.usage, `${directory} exists already`);
  }
  const temporary = temporaryPath(directory);
  try {
    for (const [path, text] of Object.entries(files)) {
      makeFolder(dirname(join(temporary, path)), 0o777);
      await writeFile(join(temporary, path), text);
    }
    await rename(temporary, directory);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
}

function report(name: string, directory: string, files: readonly string[], console: Console): void {
  const path = relativePath(directory, console.cwd);
  if (console.json) return console.printJson({ name, path, files });
  const { bold, green } = console.colors;
  console.print(`${green("Created")} ${bold(path)}`);
  if (console.quiet) return;
  for (const file of files) console.print(`  ${file}`);
  console.print(
    `\nReplace each TODO in it, then check it with:\n  skillwright lint --strict ${path}`,
  );
}
