import type { TrajectoryStep } from "../trajectory/trajectory.ts";

const MAX_STEPS = 100;
const MAX_OBSERVATION_LENGTH = 1500;
const MAX_ARGUMENT_LENGTH = 500;

/** What of a trajectory is worth keeping in the results: a report of thousands of cases has to fit somewhere. */
export function keptSteps(steps: readonly TrajectoryStep[]): TrajectoryStep[] {
  return steps.slice(0, MAX_STEPS).map((step) => ({
    ...step,
    observation: shortened(step.observation, MAX_OBSERVATION_LENGTH),
    arguments: Object.fromEntries(
      Object.entries(step.arguments).map(([name, value]) => [name, keptValue(value)]),
    ),
  }));
}

function keptValue(value: unknown): unknown {
  if (typeof value === "string") return shortened(value, MAX_ARGUMENT_LENGTH);
  const text = JSON.stringify(value) ?? "";
  return text.length > MAX_ARGUMENT_LENGTH ? shortened(text, MAX_ARGUMENT_LENGTH) : value;
}

/** A copy: a part of a long text would keep all of it in memory. */
function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const kept = Buffer.from(text.slice(0, length), "utf8").toString("utf8");
  return `${kept}… (${text.length} characters)`;
}
