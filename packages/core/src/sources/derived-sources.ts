import { rootDiagnostic } from "./root-diagnostic.ts";
import { sourceFailed } from "./scan-rules.ts";
import type { FoundSkill, ScanContext, SkillSource, SourceScan } from "./skill-source.ts";

/** Several sources as one, in order of precedence. One that fails takes no other with it. */
export function combinedSource(sources: readonly SkillSource[]): SkillSource {
  return {
    roots: sources.flatMap(({ roots }) => roots),
    async scan(context) {
      const scans = await Promise.all(sources.map((source, i) => scanSource(source, i, context)));
      return {
        skills: scans.flatMap(({ skills }) => skills),
        diagnostics: scans.flatMap(({ diagnostics }) => diagnostics),
      };
    },
  };
}

async function scanSource(
  source: SkillSource,
  index: number,
  context: ScanContext,
): Promise<SourceScan> {
  try {
    const scan = await source.scan(context);
    if (Array.isArray(scan.skills) && Array.isArray(scan.diagnostics)) return scan;
    throw new TypeError("scan() gave no lists of skills and diagnostics");
  } catch (error) {
    const where = source.roots.length === 0 ? "" : ` (${source.roots.join(", ")})`;
    const reason = error instanceof Error ? error.message : String(error);
    const message = `source ${index + 1}${where} failed, and its skills are not known: ${reason}`;
    const file = source.roots[0] ?? `source ${index + 1}`;
    return { skills: [], diagnostics: [rootDiagnostic(sourceFailed, file, message)] };
  }
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
