const PLAIN_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const ALLOWED_CHARACTERS = /^[\p{L}\p{N}-]*$/u;
/** Some letters, such as the Hangul filler, are not to be seen. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

const ASCII_CHARACTERS = /^[A-Za-z0-9-]*$/;
// oxlint-disable-next-line no-control-regex -- ASCII has no other forms
const ASCII = /^[\x00-\x7f]*$/;

/** What keeps a text from being a skill's name, or undefined. Length is a rule of its own. */
export function nameProblem(text: string): string | undefined {
  if (PLAIN_NAME.test(text)) return undefined;
  const name = text.normalize("NFKC");
  if (name === "") return "is empty";
  if (!hasAllowedCharacters(name)) return "may hold only letters, digits and hyphens";
  if (name !== name.toLowerCase()) return "must be lowercase";
  if (name.startsWith("-") || name.endsWith("-")) return "must not start or end with a hyphen";
  return name.includes("--") ? "must not hold two hyphens in a row" : undefined;
}

/** Expressions about all of Unicode take longer to make than to use. */
function hasAllowedCharacters(name: string): boolean {
  if (ASCII.test(name)) return ASCII_CHARACTERS.test(name);
  return ALLOWED_CHARACTERS.test(name) && !INVISIBLE.test(name);
}

/** The nearest valid name; empty when nothing of the text can be kept. */
export function slugify(text: string): string {
  const words = ASCII.test(text) ? asciiWords(text) : unicodeWords(text);
  return words.replace(/^-+|-+$/g, "").replace(/-+/g, "-");
}

function asciiWords(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 64);
}

function unicodeWords(text: string): string {
  const words = text
    .normalize("NFKC")
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1-$2")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+|\p{Default_Ignorable_Code_Point}+/gu, "-");
  return Array.from(words.slice(0, 256)).slice(0, 64).join("");
}
