import type { RegistryOptions } from "../registry/registry-options.ts";
import type { SkillRecord } from "../registry/skill-record.ts";
import type { FoundSkill, SkillSource } from "../sources/skill-source.ts";
import type { SavedOptions, SkillsState } from "./skills-state.ts";

/** The options that say where skills come from. */
const PLACES = ["roots", "directory", "names"] as const;
type Place = (typeof PLACES)[number];

/** Saved options under those that are given. Who names a place wants that one alone. */
export function restoredOptions<Given extends RegistryOptions>(
  { options: saved }: SkillsState,
  given: Given,
): Given & (SavedOptions | Omit<SavedOptions, Place>) {
  if (!namesPlace(given)) return { ...saved, ...given };
  const others = Object.entries(saved).filter(([key]) => !PLACES.some((place) => place === key));
  return { ...(Object.fromEntries(others) as Omit<SavedOptions, Place>), ...given };
}

/** Who was not trusted when the state was saved is not trusted now, unless the host decides anew. */
export function trustAsSaved({ skills }: SkillsState): Pick<RegistryOptions, "isTrusted"> {
  const untrusted = new Set(skills.filter(({ trusted }) => !trusted).map(({ path }) => path));
  if (untrusted.size === 0) return {};
  return { isTrusted: ({ directory = "" }) => !untrusted.has(directory) };
}

/**
 * A source whose first look also gives the saved skills that are not there any more, in their
 * places: a conversation goes on with what it knew. Later looks give what there is.
 */
export function restoredSource(
  source: SkillSource,
  { skills }: SkillsState,
  given: RegistryOptions,
): SkillSource {
  if (skills.length === 0 || namesPlace(given)) return source;
  let isFirst = true;
  return {
    roots: source.roots,
    lookFor: (wanted) => source.lookFor?.(wanted) ?? [],
    async scan(context) {
      const found = await source.scan(context);
      if (!isFirst) return found;
      isFirst = false;
      return { ...found, skills: withMissing(found.skills, skills) };
    },
  };
}

function withMissing(found: readonly FoundSkill[], saved: readonly SkillRecord[]): FoundSkill[] {
  const places = new Set(found.map(placeOf));
  const missing = new Map<string, FoundSkill[]>();
  let before = "";
  for (const record of saved) {
    const skill = foundFrom(record);
    const place = placeOf(skill);
    if (places.has(place)) before = place;
    else if (!missing.get(before)?.push(skill)) missing.set(before, [skill]);
  }
  const behind = (place: string) => missing.get(place) ?? [];
  return [...behind(""), ...found.flatMap((skill) => [skill, ...behind(placeOf(skill))])];
}

function placeOf({ source, root, relativePath }: FoundSkill): string {
  return [source, root, relativePath].join("\n");
}

function foundFrom(record: SkillRecord): FoundSkill {
  const { source, root, relativePath, path, diagnostics } = record;
  const { name, description, version, modelInvocable, userInvocable, runMode } = record;
  return {
    source,
    root,
    relativePath,
    directory: path,
    diagnostics,
    metadata: {
      name,
      description,
      ...(version === undefined ? undefined : { version }),
      disableModelInvocation: !modelInvocable,
      hiddenFromModel: false,
      userInvocable,
      runMode,
    },
  };
}

function namesPlace(given: RegistryOptions): boolean {
  return PLACES.some((place) => given[place] !== undefined);
}
