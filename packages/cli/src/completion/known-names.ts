import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { projectFolder } from "@skillwright/core/internal";
import type { Console, GlobalOptions } from "../console.ts";
import type { KnownNames } from "./find-candidates.ts";
import type { TypedCommand } from "./typed-command.ts";

/** The skills and runs of the place that a command line is about. */
export function knownNames(console: Console): KnownNames {
  return {
    async skills(typed) {
      const place = placeOf(typed, console);
      const { openRegistry } = await import("./open-registry.ts");
      const { all } = await openRegistry(optionsOf(typed), place);
      // A name that begins like an option would be taken for one.
      return all
        .filter(({ name }) => !name.startsWith("-"))
        .map(({ name, description }) => ({ value: name, description }));
    },
    async runs(typed) {
      const { cwd, env } = placeOf(typed, console);
      const folder = join(projectFolder(cwd, env["HOME"] ?? homedir()), ".agent/runs");
      const entries = await readdir(folder, { withFileTypes: true });
      const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
      return names
        .filter((name) => /^\w[\w.-]*$/.test(name))
        .sort()
        .reverse()
        .map((value) => ({ value }));
    },
  };
}

/** Nobody reads what is said beside the answer. */
function placeOf({ options }: TypedCommand, console: Console): Console {
  const { cwd, env, builtinDirectory } = console;
  const nothing = () => undefined;
  const silent = { ...console, note: nothing, progress: nothing, print: nothing };
  return { ...silent, env, builtinDirectory, cwd: resolve(cwd, options["cwd"]?.at(-1) ?? ".") };
}

function optionsOf({ options }: TypedCommand): GlobalOptions {
  const { root, source, config } = options;
  const last = { source: source?.at(-1), config: config?.at(-1) };
  return {
    ...(root !== undefined && { root }),
    ...(last.source !== undefined && { source: last.source }),
    ...(last.config !== undefined && { config: last.config }),
  };
}
