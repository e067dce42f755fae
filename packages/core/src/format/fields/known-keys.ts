import { nearNames } from "../text/skill-name.ts";

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
  ...KNOWN_KEYS.map((key) => [fold(key), key] as const),
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
export interface MeantKey {
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
  const surely = BY_FOLDED_KEY.get(fold(key));
  const perhaps = surely === undefined ? similarKey(key) : undefined;
  const meant: MeantKey =
    surely === undefined ? (perhaps === undefined ? {} : { perhaps }) : { surely };
  if (CACHE.size < MAX_CACHED_KEYS && key.length <= 64) CACHE.set(key, meant);
  return meant;
}

function similarKey(key: string): KnownKey | undefined {
  if (key.length < 5 || key.length > 64) return undefined;
  const [near] = nearNames(key, KNOWN_KEYS, 1);
  const plural = near !== undefined && fold(key) === `${fold(near)}s`;
  return plural ? undefined : (near as KnownKey | undefined);
}

function fold(key: string): string {
  return key.toLowerCase().replace(/[-_\s]/g, "");
}
