import { nameInvalid } from "../format/rules/field-rules.ts";
import { nameProblem } from "../format/names.ts";
import { rootDiagnostic, sourceFailed } from "./scan-rules.ts";
import type {
  FoundSkill,
  MissedSkill,
  ScanContext,
  SkillSource,
  SourceScan,
  WantedSkill,
} from "./skill-source.ts";

/** Several sources as one, in order of precedence. One that fails takes no other with it. */
export function combinedSource(sources: readonly SkillSource[]): SkillSource {
  return {
    roots: sources.flatMap(({ roots }) => roots),
    async scan(context) {
      const asked = withoutRepeats(sources);
      const scans = await Promise.all(asked.map((source, i) => scanSource(source, i, context)));
      return {
        skills: scans.flatMap(({ skills }) => skills),
        diagnostics: scans.flatMap(({ diagnostics }) => diagnostics),
      };
    },
    lookFor: (wanted) => sources.flatMap((source) => missedIn(source, wanted)),
  };
}

/** The same folder may be given twice, or by a link. */
function withoutRepeats(sources: readonly SkillSource[]): SkillSource[] {
  const known = new Set<string>();
  return sources.filter((source) => {
    const identity = source.identity?.();
    if (identity === undefined) return true;
    const isNew = !known.has(identity);
    known.add(identity);
    return isNew;
  });
}

function missedIn(source: SkillSource, wanted: WantedSkill): readonly MissedSkill[] {
  try {
    return source.lookFor?.(wanted) ?? [];
  } catch {
    return [];
  }
}

async function scanSource(
  source: SkillSource,
  index: number,
  context: ScanContext,
): Promise<SourceScan> {
  const failed = (reason: string) => {
    const where = source.roots.length === 0 ? "" : ` (${source.roots.join(", ")})`;
    const message = `source ${index + 1}${where} failed, and its skills are not known: ${reason}`;
    return rootDiagnostic(sourceFailed, source.roots[0] ?? `source ${index + 1}`, message);
  };
  try {
    const { skills, diagnostics }: Partial<SourceScan> = await source.scan(context);
    if (!Array.isArray(skills) || !Array.isArray(diagnostics)) {
      throw new TypeError("scan() gave no lists of skills and diagnostics");
    }
    if (skills.every(isFound)) return { skills, diagnostics };
    const wrong = failed("scan() gave something among its skills that is none");
    return { skills: skills.filter(isFound), diagnostics: [...diagnostics, wrong] };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { skills: [], diagnostics: [failed(reason)] };
  }
}

/** A source may be anybody's code. */
function isFound(skill: unknown): skill is FoundSkill {
  if (typeof skill !== "object" || skill === null) return false;
  const { source, root, relativePath, diagnostics, metadata } = skill as Partial<FoundSkill>;
  return (
    typeof source === "string" &&
    typeof root === "string" &&
    typeof relativePath === "string" &&
    Array.isArray(diagnostics) &&
    (metadata === undefined || isMetadata(metadata))
  );
}

function isMetadata(metadata: unknown): boolean {
  if (typeof metadata !== "object" || metadata === null) return false;
  const { name, description } = metadata as { name?: unknown; description?: unknown };
  return typeof name === "string" && typeof description === "string";
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

/**
 * The same skills under other names: `renamedSource(source, (name) => `acme-${name}`)`. The new name
 * is held to the rules for names; a skill for which there is none cannot be used.
 */
export function renamedSource(source: SkillSource, rename: (name: string) => string): SkillSource {
  return mappedSource(source, (skill) => {
    const { metadata, ...rest } = skill;
    if (metadata === undefined) return skill;
    const name = newName(rename, metadata.name);
    const problem = name === undefined ? "is not text" : nameProblem(name);
    if (name !== undefined && problem === undefined) {
      return { ...skill, metadata: { ...metadata, name } };
    }
    const old = JSON.stringify(metadata.name);
    const message = `the new name of ${old}, ${JSON.stringify(name ?? null)}, ${problem}`;
    const file = skill.directory ?? `${skill.root}:${skill.relativePath}`;
    const diagnostics = [...skill.diagnostics, rootDiagnostic(nameInvalid, file, message)];
    if (name === undefined || name === "") return { ...rest, diagnostics };
    return { ...skill, metadata: { ...metadata, name }, diagnostics };
  });
}

/** Undefined when the function gives no text. */
function newName(rename: (name: string) => unknown, name: string): string | undefined {
  try {
    const renamed = rename(name);
    return typeof renamed === "string" ? renamed : undefined;
  } catch {
    return undefined;
  }
}

/** The same skills under another source's label. */
export function labelledSource(source: SkillSource, label: string): SkillSource {
  const labelled = mappedSource(source, (skill) =>
    // Skills defined in code have no folder: their root is their label.
    skill.inline === undefined
      ? { ...skill, source: label }
      : { ...skill, source: label, root: label },
  );
  const lookFor = (wanted: WantedSkill) =>
    missedIn(source, wanted).map((missed) => ({ ...missed, source: label }));
  return { ...labelled, lookFor };
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
    lookFor: (wanted) => missedIn(source, wanted),
  };
}
