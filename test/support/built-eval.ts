import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EvalResults } from "../../packages/evals/src/index.ts";
import { EvalProcess } from "./eval-process.ts";
import { evalWorld } from "./eval-world.ts";

/** A project with skills and cases, in which the built command line runs beside the test. */
export function builtEval(files: Readonly<Record<string, string>> = {}) {
  const { folder, project, write, env: own } = evalWorld(files);
  const temporary = join(folder, "temporary");
  mkdirSync(temporary);
  const env = { ...own, TMPDIR: temporary };
  const start = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    new EvalProcess(["eval", "--trust", ...args], project, { ...env, ...more });
  const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    start(args, more).ended;
  return {
    folder,
    project,
    write,
    env,
    start,
    run,
    saved: (name: string) => JSON.parse(readFileSync(join(project, name), "utf8")) as EvalResults,
    /** What nobody took away. */
    leftOver: () => [
      ...readdirSync(temporary),
      ...filesBelow(join(folder, ".local")).filter((path) => path.endsWith("/lock")),
    ],
    /** Of the project and of the user. */
    allText: () => filesBelow(folder).map((path) => readFileSync(path, "utf8")),
  };
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );
}
