import type { SkillSource } from "@skillwright/core";
import type { DefaultSourceOptions } from "@skillwright/core/internal";
import { AppFailure } from "../failure.ts";
import type { PlaceOptions } from "../host.ts";

const SOURCES = ["project", "user", "builtin"] as const;

type Source = (typeof SOURCES)[number];

/** What `--source` chooses; anything else than a source there is ends the command. */
export function sourceOption({ source }: PlaceOptions): Source | undefined {
  const known = SOURCES.find((one) => one === source);
  if (source === undefined || known !== undefined) return known;
  throw new AppFailure("usage", `there is no source ${JSON.stringify(source)}`, {
    hint: `there are ${SOURCES.join(", ")}`,
  });
}

/** Only the roots of one source, so that nothing of another shadows its skills. */
export function placesOfSource(places: DefaultSourceOptions, source: Source): DefaultSourceOptions {
  const { skillRoots, dataDir, builtinDirectory, ...others } = places;
  return {
    ...others,
    ...(source !== "project" && { enableProjectSkills: false }),
    ...(source !== "user" && { enableUserSkills: false }),
    ...(source !== "builtin" && skillRoots !== undefined && { skillRoots }),
    ...(source === "project" && dataDir !== undefined && { dataDir }),
    ...(source === "builtin" && builtinDirectory !== undefined && { builtinDirectory }),
  };
}

/** Roots that are configured may be of either source, and say so only with what is in them. */
export function ofSource(source: SkillSource, wanted: Source): SkillSource {
  return {
    ...source,
    async scan(context) {
      const { skills, diagnostics } = await source.scan(context);
      const kept = skills.filter((skill) => skill.source === wanted);
      const isOther = kept.length === 0 && skills.length > 0;
      return { skills: kept, diagnostics: isOther ? [] : diagnostics };
    },
  };
}
