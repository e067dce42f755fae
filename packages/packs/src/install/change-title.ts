const MAX_NAMES = 5;

/** What a change is called in the history: `install a, b, c, d, e and 7 more`. */
export function changeTitle(verb: string, names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(", ");
  const rest = names.length - MAX_NAMES;
  return `${verb} ${shown}${rest > 0 ? ` and ${rest} more` : ""}`;
}
