import { nearNames } from "../text/near-names.ts";

/** Every key this version gives a meaning to, in the order in which a skill is written. */
const KNOWN_KEYS = [
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
  ...KNOWN_KEYS.map((key) => [fold(key), key] as const),
  ["userinvokable", "user-invocable"],
  ["userinvocabel", "user-invocable"],
  ["allowedtool", "allowed-tools"],
  ["disablemodelinvokation", "disable-model-invocation"],
]);

export function isKnownKey(key: string): key is KnownKey {
  return KNOWN.has(key);
}

/** The key that was surely meant, when only its spelling differs. */
export function misspeltKey(key: string): KnownKey | undefined {
  return BY_FOLDED_KEY.get(fold(key));
}

/** The key that was probably meant; not sure enough to act on. */
export function similarKey(key: string): KnownKey | undefined {
  if (key.length < 5) return undefined;
  const [near] = nearNames(key, KNOWN_KEYS, 1);
  const plural = near !== undefined && fold(key) === `${fold(near)}s`;
  return plural ? undefined : (near as KnownKey | undefined);
}

function fold(key: string): string {
  return key.toLowerCase().replace(/[-_\s]/g, "");
}
