import type { SavedActivation } from "./context.ts";
import { type ConfigurationInput, DEFAULTS } from "../config/options.ts";
import { isObject } from "../internal/json.ts";
import { isPrototypeKey } from "../format/names.ts";
import type { OpenSkillsOptions, RegistryOptions } from "../registry/registry-options.ts";
import { defined } from "../internal/options.ts";
import type { SkillRecord } from "../registry/skill-record.ts";
import type { FoundSkill, SkillSource } from "../sources/skill-source.ts";

/** The options that can be written down; sources and functions made of code cannot. */
export interface SavedOptions {
  readonly cwd?: string;
  readonly roots?: readonly string[];
  readonly directory?: string;
  readonly names?: readonly string[];
  readonly disabled?: readonly string[];
  readonly configuration?: ConfigurationInput;
}

/** Everything that makes a conversation go on where it was. Plain JSON. */
export interface SkillsState {
  readonly schemaVersion: 1;
  readonly options: SavedOptions;
  readonly skills: readonly SkillRecord[];
  /** What is in context. */
  readonly ledger: readonly SavedActivation[];
}

/** Plain JSON of what can be written down. */
export function saveState(
  { cwd, roots, directory, names, disabled, configuration }: OpenSkillsOptions,
  skills: readonly SkillRecord[],
  ledger: readonly SavedActivation[],
): SkillsState {
  const folders = roots?.filter(isText);
  const options = defined({ cwd, roots: folders, directory, names, disabled, configuration });
  return structuredClone({ schemaVersion: 1, options, skills, ledger });
}

/** No folder is looked at: a state that nobody can read is no reason to look elsewhere. */
const EMPTY: SkillsState = { schemaVersion: 1, options: { roots: [] }, skills: [], ledger: [] };

/** Reads a saved state. What has another shape, such as that of an older version, restores to nothing. */
export function restoreState(saved: unknown): SkillsState {
  const data = typeof saved === "string" ? parseJson(saved) : saved;
  if (!isObject(data) || data["schemaVersion"] !== 1) return EMPTY;
  return {
    schemaVersion: 1,
    options: restoreOptions(data["options"]),
    skills: listOf(data["skills"], isRecord),
    ledger: listOf(data["ledger"], isActivation),
  };
}

function restoreOptions(value: unknown): SavedOptions {
  if (!isObject(value)) return {};
  const options: Record<string, unknown> = {};
  for (const key of ["cwd", "directory"]) {
    if (typeof value[key] === "string") options[key] = value[key];
  }
  for (const key of ["roots", "names", "disabled"]) {
    if (Array.isArray(value[key])) options[key] = listOf(value[key], isText);
  }
  if (isObject(value["configuration"])) {
    options["configuration"] = restoreConfiguration(value["configuration"]);
  }
  return options;
}

/** Only options that there are, with values of their kind. */
function restoreConfiguration(value: Record<string, unknown>): ConfigurationInput {
  return pickKnown(value, DEFAULTS);
}

function pickKnown(value: Record<string, unknown>, known: object): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const [key, normal] of Object.entries(known) as [string, unknown][]) {
    if (!Object.hasOwn(value, key)) continue;
    const given = value[key];
    const isSection = isObject(normal) && Object.keys(normal).length > 0;
    if (isSection && isObject(given)) picked[key] = pickKnown(given, normal);
    else if (!isSection && isOfKind(given, normal)) picked[key] = withoutPrototypeKeys(given);
  }
  return picked;
}

function isOfKind(value: unknown, normal: unknown): boolean {
  if (normal === undefined) return isText(value) || (Array.isArray(value) && value.every(isText));
  if (Array.isArray(normal)) return Array.isArray(value) && value.every(isText);
  return typeof value === typeof normal && isObject(value) === isObject(normal);
}

function withoutPrototypeKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototypeKeys);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !isPrototypeKey(key))
      .map(([key, part]) => [key, withoutPrototypeKeys(part)]),
  );
}

function listOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): Item[] {
  return Array.isArray(value) ? value.filter(isItem) : [];
}

function isRecord(value: unknown): value is SkillRecord {
  if (!isObject(value)) return false;
  const texts = ["id", "name", "description", "source", "root", "relativePath", "path"];
  const flags = ["modelInvocable", "userInvocable", "trusted", "enabled"];
  const lists = ["alsoAt", "alsoFrom", "diagnostics"];
  return (
    texts.every((key) => isText(value[key])) &&
    flags.every((key) => typeof value[key] === "boolean") &&
    lists.every((key) => Array.isArray(value[key])) &&
    isMetadata(value["metadata"]) &&
    (value["allowedTools"] === undefined || isToolRules(value["allowedTools"])) &&
    (value["runMode"] === "inline" || value["runMode"] === "subagent")
  );
}

function isMetadata(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isText);
}

function isToolRules(value: unknown): boolean {
  return Array.isArray(value) && value.every(isToolRule);
}

function isToolRule(rule: unknown): boolean {
  if (!isObject(rule) || !isText(rule["tool"])) return false;
  return rule["specifier"] === undefined || isText(rule["specifier"]);
}

function isActivation(value: unknown): value is SavedActivation {
  if (!isObject(value)) return false;
  const { byPerson } = value;
  return (
    [value["id"], value["name"], value["digest"]].every(isText) &&
    (byPerson === undefined || byPerson === true)
  );
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The options that say where skills come from. */
const PLACES = ["roots", "directory", "names"] as const;
type Place = (typeof PLACES)[number];

/** Saved options under those that are given. Who names a place wants that one alone. */
export function restoredOptions<Given extends RegistryOptions>(
  { options: saved }: SkillsState,
  given: Given,
): Given & (SavedOptions | Omit<SavedOptions, Place>) {
  if (!namesPlace(given)) return { ...saved, ...given };
  const others = Object.entries(saved).filter(([key]) => !PLACES.some((place) => place === key));
  return { ...(Object.fromEntries(others) as Omit<SavedOptions, Place>), ...given };
}

/** Who was not trusted when the state was saved is not trusted now, unless the host decides anew. */
export function trustAsSaved({ skills }: SkillsState): Pick<RegistryOptions, "isTrusted"> {
  const untrusted = new Set(skills.filter(({ trusted }) => !trusted).map(({ path }) => path));
  if (untrusted.size === 0) return {};
  return { isTrusted: ({ directory = "" }) => !untrusted.has(directory) };
}

/**
 * A source whose first look also gives the saved skills that are not there any more, in their
 * places: a conversation goes on with what it knew. Later looks give what there is.
 */
export function restoredSource(
  source: SkillSource,
  { skills }: SkillsState,
  given: RegistryOptions,
): SkillSource {
  if (skills.length === 0 || namesPlace(given)) return source;
  let isFirst = true;
  return {
    roots: source.roots,
    lookFor: (wanted) => source.lookFor?.(wanted) ?? [],
    async scan(context) {
      const found = await source.scan(context);
      if (!isFirst) return found;
      isFirst = false;
      return { ...found, skills: withMissing(found.skills, skills) };
    },
  };
}

function withMissing(found: readonly FoundSkill[], saved: readonly SkillRecord[]): FoundSkill[] {
  const places = new Set(found.map(placeOf));
  const missing = new Map<string, FoundSkill[]>();
  let before = "";
  for (const record of saved) {
    const skill = foundFrom(record);
    const place = placeOf(skill);
    if (places.has(place)) before = place;
    else if (!missing.get(before)?.push(skill)) missing.set(before, [skill]);
  }
  const behind = (place: string) => missing.get(place) ?? [];
  return [...behind(""), ...found.flatMap((skill) => [skill, ...behind(placeOf(skill))])];
}

function placeOf({ source, root, relativePath }: FoundSkill): string {
  return [source, root, relativePath].join("\n");
}

function foundFrom(record: SkillRecord): FoundSkill {
  const { source, root, relativePath, path, diagnostics } = record;
  const { name, description, version, modelInvocable, userInvocable, runMode } = record;
  const { metadata, allowedTools } = record;
  return {
    source,
    root,
    relativePath,
    directory: path,
    diagnostics,
    metadata: {
      name,
      description,
      ...defined({ version, allowedTools }),
      metadata,
      disableModelInvocation: !modelInvocable,
      hiddenFromModel: false,
      userInvocable,
      runMode,
    },
  };
}

function namesPlace(given: RegistryOptions): boolean {
  return PLACES.some((place) => given[place] !== undefined);
}
