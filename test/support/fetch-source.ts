import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FetchedPack, FetchOptions, PackFailure } from "@skillwright/packs";
import { fetchPack } from "../../packages/packs/src/sources/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export interface FetchedSource {
  readonly result: FetchedPack | PackFailure;
  /** The result, when it must be one. */
  readonly pack: FetchedPack;
  readonly failure: PackFailure;
  readonly quarantine: string;
  /** Text of every file of every skill, by `<path of the skill>/<file>`. */
  readonly files: Readonly<Record<string, string>>;
}

export const SKILL = skillText("dates");

export function skillText(name: string, body = "# Steps\n"): string {
  return `---\nname: ${name}\ndescription: Formats dates. Use when asked.\n---\n${body}`;
}

/** Fetches into a quarantine of its own, with an empty home. */
export async function fetchSource(
  source: string,
  options: Partial<FetchOptions> = {},
): Promise<FetchedSource> {
  const folder = temporaryFolder();
  const [quarantine, home] = [join(folder, "quarantine"), join(folder, "home")];
  mkdirSync(quarantine);
  mkdirSync(home);
  const env = { PATH: process.env["PATH"], HOME: home };
  const result = await fetchPack(source, { quarantine, cwd: folder, env, ...options });
  return {
    result,
    quarantine,
    files: result.ok ? filesOf(result) : {},
    get pack() {
      if (!result.ok) throw new Error(`${result.code}: ${result.message}`);
      return result;
    },
    get failure() {
      if (result.ok) throw new Error("the fetch worked");
      return result;
    },
  };
}

function filesOf({ skills }: FetchedPack): Record<string, string> {
  const files = skills.flatMap(({ directory, path }) =>
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const file = join(entry.parentPath, entry.name);
        const name = `${path}/${file.slice(directory.length + 1)}`.replace(/^\//, "");
        return [name, readFileSync(file, "utf8")] as const;
      }),
  );
  return Object.fromEntries(files.sort(([a], [b]) => (a < b ? -1 : 1)));
}
