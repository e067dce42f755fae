import type { Frontmatter } from "./verbatim-frontmatter.ts";

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * Why hosts would refuse an entry with this frontmatter: the rules of the extension, by which official
 * clients refuse a whole list for one entry. Undefined when they would not. That `metadata` has texts
 * only is seen to before.
 */
export function entryProblem(frontmatter: Frontmatter, expectedName: string): string | undefined {
  const { name, description, compatibility } = frontmatter;
  if (typeof name !== "string" || typeof description !== "string") {
    return "its frontmatter has no name and description that are text";
  }
  if (name !== expectedName) return `its frontmatter names it ${JSON.stringify(name)}`;
  if (name.length > 64 || !NAME.test(name)) {
    return "its name is not made of lower-case letters, digits and single hyphens, 64 at most";
  }
  if (!isTextOf(description, 1024)) return "its description does not have 1 to 1,024 characters";
  if (compatibility !== undefined && !isTextOf(compatibility, 500)) {
    return "its compatibility is not text of 1 to 500 characters";
  }
  return undefined;
}

function isTextOf(value: unknown, most: number): boolean {
  return typeof value === "string" && value !== "" && Array.from(value).length <= most;
}
