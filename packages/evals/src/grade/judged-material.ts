import { createHash } from "node:crypto";
import { plainLine, promptText, truncate, truncateMiddle } from "@skillwright/core/internal";
import { stepText } from "../sequence/match-steps.ts";
import type { TrajectoryStep } from "../trajectory/trajectory.ts";

const MAX_PART = 20_000;
const MAX_STEPS = 100;
const MAX_STEP = 300;

/**
 * Texts for a judge, each between two lines that hold the digest of them all: what stands in a text
 * cannot know it, and so cannot end its block or begin another.
 */
export function judgedMaterial(parts: Readonly<Record<string, string>>): string {
  const texts = Object.entries(parts).map(
    ([name, text]) => [name, truncateMiddle(promptText(text), MAX_PART)] as const,
  );
  const digest = createHash("sha256").update(JSON.stringify(texts)).digest("hex").slice(0, 24);
  return texts
    .map(([name, text]) => `[${name} ${digest}]\n${text}\n[end of ${name} ${digest}]`)
    .join("\n\n");
}

/** What was done, one line each. */
export function stepLines(steps: readonly TrajectoryStep[]): string {
  const shown = steps.slice(0, MAX_STEPS).map((step, place) => {
    const line = `${place + 1}. ${stepText(step)} ${JSON.stringify(step.arguments)}`;
    return truncate(plainLine(line), MAX_STEP);
  });
  const more = steps.length > MAX_STEPS ? [`… ${steps.length - MAX_STEPS} more`] : [];
  return [...shown, ...more].join("\n");
}
