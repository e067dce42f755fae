import { OPTION_PATHS, type OptionPath } from "../option-path.ts";

/** The sections of the founding documents, each with the options it holds under their names there. */
export const FOUNDING_SECTIONS: Readonly<Record<string, FoundingNames>> = {
  AgentSkills: foundingNames("skillTools"),
  RuntimeOptions: { ...foundingNames("workspace"), ExecutionPolicy: foundingNames("execution") },
};

/** `UserSkillsDir` → `skillTools.userSkillsDir`; one of them is a section of its own. */
export interface FoundingNames {
  readonly [name: string]: OptionPath | FoundingNames;
}

/** Looks a name up as .NET does, where case is nothing. */
export function foundingName<T>(names: Readonly<Record<string, T>>, name: string): T | undefined {
  const wanted = name.toLowerCase();
  return Object.entries(names).find(([known]) => known.toLowerCase() === wanted)?.[1];
}

function foundingNames(section: string): Record<string, OptionPath> {
  const paths = OPTION_PATHS.filter((path) => path.startsWith(`${section}.`));
  return Object.fromEntries(
    paths.map((path) => [pascalCase(path.slice(section.length + 1)), path]),
  );
}

function pascalCase(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
