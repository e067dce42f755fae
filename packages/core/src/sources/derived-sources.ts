import type { FoundSkill, SkillSource } from "./skill-source.ts";

/** Several sources as one, in order of precedence. */
export function combinedSource(sources: readonly SkillSource[]): SkillSource {
  return {
    roots: sources.flatMap(({ roots }) => roots),
    async scan(context) {
      const scans = await Promise.all(sources.map((source) => source.scan(context)));
      return {
        skills: scans.flatMap(({ skills }) => skills),
        diagnostics: scans.flatMap(({ diagnostics }) => diagnostics),
      };
    },
  };
}

/** Only the skills that pass; skills that cannot be used are kept, so that their errors are seen. */
export function filteredSource(
  source: SkillSource,
  keep: (skill: FoundSkill) => boolean,
): SkillSource {
  return mappedSource(source, (skill) =>
    skill.metadata === undefined || keep(skill) ? skill : undefined,
  );
}

/** The same skills under other names: `renamedSource(source, (name) => `acme-${name}`)`. */
export function renamedSource(source: SkillSource, rename: (name: string) => string): SkillSource {
  return mappedSource(source, (skill) =>
    skill.metadata === undefined
      ? skill
      : { ...skill, metadata: { ...skill.metadata, name: rename(skill.metadata.name) } },
  );
}

/** The same skills under another source's label. */
export function labelledSource(source: SkillSource, label: string): SkillSource {
  return mappedSource(source, (skill) => ({ ...skill, source: label }));
}

function mappedSource(
  source: SkillSource,
  map: (skill: FoundSkill) => FoundSkill | undefined,
): SkillSource {
  return {
    roots: source.roots,
    async scan(context) {
      const { skills, diagnostics } = await source.scan(context);
      const mapped = skills.map(map).filter((skill) => skill !== undefined);
      return { skills: mapped, diagnostics };
    },
  };
}
