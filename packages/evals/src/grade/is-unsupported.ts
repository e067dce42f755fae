import type { Grade } from "./grade.ts";

/** A check of another client that cannot be done here, whoever judges; words that wait for a judge are none. */
export function isUnsupported({ metric, outcome }: Pick<Grade, "metric" | "outcome">): boolean {
  return outcome === "unjudged" && metric !== "judge";
}
