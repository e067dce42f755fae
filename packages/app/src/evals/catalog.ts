import {
  defaultSources,
  directorySource,
  type FoundSkill,
  type SkillRecord,
  type Skills,
  type SkillSource,
} from "@skillwright/core";
import {
  combineDigests,
  combinedSource,
  fileDigests,
  filteredSource,
  type RegistryOptions,
} from "@skillwright/core/internal";
import { realPath } from "./paths.ts";

/** Of a skill without its evals. */
export async function skillContent(skill: SkillRecord, skills: Skills): Promise<string> {
  if (skill.path.startsWith("inline:")) return skills.digest(skill);
  try {
    const files = await fileDigests(skill.path);
    return combineDigests(files.filter(({ path }) => !/^evals?\//.test(path)));
  } catch {
    return "unreadable";
  }
}

export type CatalogChange = (options: RegistryOptions) => RegistryOptions;

/** The catalog of this command line with these sources before all others; they are trusted by this decision. */
export function withSources(sources: readonly SkillSource[], isTrusted: boolean): CatalogChange {
  const roots = new Set(sources.flatMap((source) => source.roots));
  return (options) => ({
    ...options,
    roots: [...sources, ...sourcesOf(options)],
    isTrusted: (skill, onlyFor) => {
      if (isTrusted && roots.has(skill.root)) return true;
      return options.isTrusted?.(skill, onlyFor) ?? true;
    },
  });
}

/** The same catalog without skills of these names, wherever they lie. */
export function withoutSkills(names: readonly string[]): CatalogChange {
  const left = new Set(names.map(foldName));
  const keep = ({ metadata }: FoundSkill) => !left.has(foldName(metadata?.name ?? ""));
  return (options) => ({
    ...options,
    roots: [filteredSource(combinedSource(sourcesOf(options)), keep)],
  });
}

/** After each other. */
export function chained(...changes: readonly CatalogChange[]): CatalogChange {
  return (options) => changes.reduce((changed, change) => change(changed), options);
}

/** One skill by its folder, whatever lies in it. */
export function skillAt(folder: string, label: string): SkillSource {
  const isIt = ({ directory }: FoundSkill) =>
    directory !== undefined && realPath(directory) === realPath(folder);
  return filteredSource(directorySource(folder, { label }), isIt);
}

/** As the registry compares names. */
export function foldName(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}

function sourcesOf(options: RegistryOptions): SkillSource[] {
  const { roots, cwd = process.cwd() } = options;
  if (roots === undefined) return defaultSources({ ...options, cwd });
  return roots.map((root) =>
    typeof root === "string" ? directorySource(root, { label: "project" }) : root,
  );
}
