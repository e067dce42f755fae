const PLAIN_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const ALLOWED_CHARACTERS = /^[\p{L}\p{N}-]*$/u;
/** Some letters, such as the Hangul filler, are not to be seen. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

const ASCII_CHARACTERS = /^[A-Za-z0-9-]*$/;
// oxlint-disable-next-line no-control-regex -- ASCII has no other forms
const ASCII = /^[\x00-\x7f]*$/;

/** What keeps a text from being a skill's name, or undefined. Length is a separate rule. */
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

/** The candidates that `name` was most likely meant to be, nearest first; ties keep their order. */
export function nearNames(name: string, candidates: Iterable<string>, limit = 3): string[] {
  const wanted = fold(name);
  const allowed = Math.max(1, Math.floor(wanted.length / 4));
  const near: { candidate: string; distance: number }[] = [];
  for (const candidate of candidates) {
    const folded = fold(candidate);
    if (Math.abs(folded.length - wanted.length) > allowed) continue;
    const distance = editDistance(wanted, folded, allowed);
    if (distance <= allowed) near.push({ candidate, distance });
  }
  near.sort((a, b) => a.distance - b.distance);
  return near.slice(0, limit).map(({ candidate }) => candidate);
}

function fold(name: string): string {
  return name.normalize("NFKC").toLowerCase().replace(/[_\s]/g, "-").slice(0, 128);
}

/**
 * Insertions, deletions, substitutions and swaps of neighbours, as far as there are at most `limit`
 * of them; otherwise some number above it.
 */
function editDistance(a: string, b: string, limit: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row: number[] = [];
    row[0] = i;
    let smallest = i;
    const from = Math.max(1, i - limit);
    const to = Math.min(b.length, i + limit);
    for (let j = from; j <= to; j++) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, at(beforeLast, j - 2) + 1);
      }
      row[j] = best;
      if (best < smallest) smallest = best;
    }
    if (smallest > limit) return limit + 1;
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

/** Outside of the band that is looked at, the distance is more than anyone asks for. */
function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}

/** Characters as a person counts them in the specification: code points, not UTF-16 units. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      count--;
    }
  }
  return count;
}

/** Every key this version gives a meaning to, in the order in which a skill is written. */
export const KNOWN_KEYS = [
  "name",
  "description",
  "license",
  "compatibility",
  "version",
  "author",
  "metadata",
  "allowed-tools",
  "disable-model-invocation",
  "user-invocable",
  "run-mode",
] as const;

export type KnownKey = (typeof KNOWN_KEYS)[number];

const KNOWN: ReadonlySet<string> = new Set(KNOWN_KEYS);

/** `allowedTools`, `allowed_tools` and `Allowed-Tools` all fold to `allowedtools`. */
const BY_FOLDED_KEY: ReadonlyMap<string, KnownKey> = new Map([
  ...KNOWN_KEYS.map((key) => [foldKey(key), key] as const),
  ["userinvokable", "user-invocable"],
  ["userinvocabel", "user-invocable"],
  ["allowedtool", "allowed-tools"],
  ["disablemodelinvokation", "disable-model-invocation"],
]);

/** All of them, in lowercase letters only. */
export const FOLDED_KEYS: readonly string[] = [...BY_FOLDED_KEY.keys()];

export function isKnownKey(key: string): key is KnownKey {
  return KNOWN.has(key);
}

/** What an unknown key was meant to be. */
interface MeantKey {
  /** Only the spelling differs: sure enough to act on. */
  readonly surely?: KnownKey;
  /** A few letters differ: worth a question. */
  readonly perhaps?: KnownKey;
}

/** The same few hundred keys come up in every skill; an attacker's endless ones are not kept. */
const CACHE = new Map<string, MeantKey>();
const MAX_CACHED_KEYS = 1000;

export function meantKey(key: string): MeantKey {
  const cached = CACHE.get(key);
  if (cached !== undefined) return cached;
  const surely = BY_FOLDED_KEY.get(foldKey(key));
  const perhaps = surely === undefined ? similarKey(key) : undefined;
  const meant: MeantKey =
    surely === undefined ? (perhaps === undefined ? {} : { perhaps }) : { surely };
  if (CACHE.size < MAX_CACHED_KEYS && key.length <= 64) CACHE.set(key, meant);
  return meant;
}

function similarKey(key: string): KnownKey | undefined {
  if (key.length < 5 || key.length > 64) return undefined;
  const [near] = nearNames(key, KNOWN_KEYS, 1);
  const plural = near !== undefined && foldKey(key) === `${foldKey(near)}s`;
  return plural ? undefined : (near as KnownKey | undefined);
}

function foldKey(key: string): string {
  return key.toLowerCase().replace(/[-_\s]/g, "");
}

/** Keys that would reach `Object.prototype` in careless code; no skill needs one. */
export const PROTOTYPE_KEYS: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  "prototype",
]);

export function isPrototypeKey(key: string): boolean {
  return PROTOTYPE_KEYS.has(key);
}
