import type { Trajectory } from "../trajectory/trajectory.ts";
import type { LoadedConstraint } from "./constraint.ts";
import { type Evaluation, ofAll, placesOf } from "./evaluation.ts";
import { childOf, selectedSkills, skillOf } from "./step-subject.ts";

/**
 * The skill of each step was selected before. One that the person named was there from the beginning,
 * and so is one in the run that works it through. Steps that belong to no skill do not count.
 */
export function evaluateLoaded(
  { pattern }: LoadedConstraint,
  { steps, skills }: Trajectory,
): Evaluation {
  const fold = (name: string) => name.toLowerCase();
  const selectedAnywhere = new Set(steps.flatMap(selectedSkills).map(fold));
  const loaded = new Set(skills.map(fold).filter((name) => !selectedAnywhere.has(name)));
  const isLoaded = steps.map((step) => {
    const skill = skillOf(step);
    const isThere =
      skill === undefined || loaded.has(fold(skill)) || fold(childOf(step) ?? "") === fold(skill);
    for (const name of selectedSkills(step)) loaded.add(fold(name));
    return isThere;
  });
  const places = placesOf(pattern, steps).filter(
    (place) => steps[place] !== undefined && skillOf(steps[place]) !== undefined,
  );
  const wrong = places.filter((place) => isLoaded[place] !== true);
  return ofAll(places, wrong, steps, "its skill was not selected before");
}
