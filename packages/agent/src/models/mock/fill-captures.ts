const CAPTURE = /\$\{(\w{1,64})\}/g;
const MAX_DEPTH = 20;

/**
 * Puts captures in the place of `${name}` in every text of an action. What is put in is data: it is
 * not looked through again and cannot become a key. Unknown names stay as they are.
 */
export function fillCaptures(
  value: unknown,
  groups: Readonly<Record<string, string>> | undefined,
  depth = 0,
): unknown {
  if (typeof value === "string") {
    return value.replace(CAPTURE, (whole, name: string) =>
      groups !== undefined && Object.hasOwn(groups, name) ? (groups[name] ?? "") : whole,
    );
  }
  if (depth >= MAX_DEPTH || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => fillCaptures(item, groups, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, fillCaptures(item, groups, depth + 1)]),
  );
}
