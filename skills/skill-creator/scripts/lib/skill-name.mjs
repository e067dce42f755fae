const MAX_NAME = 64;

/** What keeps a text from being a skill's name, or undefined. */
export function nameProblem(text) {
  const name = text.normalize("NFKC");
  if (name === "") return "is empty";
  if ([...name].length > MAX_NAME) return `has more than ${MAX_NAME} characters`;
  if (!/^[\p{L}\p{N}-]+$/u.test(name) || /\p{Default_Ignorable_Code_Point}/u.test(name))
    return "may hold only letters, digits and hyphens";
  if (name !== name.toLowerCase()) return "must be in lower case";
  if (name.startsWith("-") || name.endsWith("-")) return "must not begin or end with a hyphen";
  return name.includes("--") ? "must not hold two hyphens in a row" : undefined;
}

/** The nearest name that is allowed; empty when nothing can be kept. */
export function nearestName(text) {
  const words = text
    .normalize("NFKC")
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1-$2")
    .toLowerCase()
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-");
  return [...words]
    .slice(0, MAX_NAME)
    .join("")
    .replaceAll(/^-+|-+$/g, "");
}
