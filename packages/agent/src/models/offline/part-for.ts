import { createSkillIndex } from "@skillwright/core";
import type { ActiveSkill } from "../model.ts";
import { requestParts } from "./request-parts.ts";

const MAX_TEXT = 4000;

/** The parts of a request that fit this one of the active skills better than the others. */
export function partFor(
  skill: ActiveSkill,
  active: readonly ActiveSkill[],
  request: string,
): string {
  const parts = requestParts(request);
  const index = createSkillIndex(
    active.map(({ name, text }, i) => ({ id: `${i}`, name, description: text.slice(0, MAX_TEXT) })),
  );
  const own = parts.filter((part) => {
    const [best] = index.search(part, { limit: 1 });
    return best !== undefined && active[Number(best.id)] === skill;
  });
  return own.length === 0 ? request : own.join("\n");
}
