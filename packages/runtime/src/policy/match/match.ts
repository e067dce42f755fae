/** Whether a rule covers a call; `unclear` when that cannot be told. */
export type Match = "yes" | "unclear" | "no";

const ORDER = ["no", "unclear", "yes"] as const;

export function best(matches: Iterable<Match>): Match {
  let found: Match = "no";
  for (const match of matches) {
    if (match === "yes") return "yes";
    if (match === "unclear") found = match;
  }
  return found;
}

export function worst(matches: Iterable<Match>): Match {
  let found: Match = "yes";
  for (const match of matches) {
    if (match === "no") return "no";
    if (ORDER.indexOf(match) < ORDER.indexOf(found)) found = match;
  }
  return found;
}
