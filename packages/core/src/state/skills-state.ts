import type { SavedActivation } from "../activation/ledger.ts";
import { DEFAULTS, type ConfigurationInput } from "../config/options.ts";
import { isPrototypeKey } from "../format/yaml/prototype-keys.ts";
import type { SkillRecord } from "../registry/skill-record.ts";

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
    (value["runMode"] === "inline" || value["runMode"] === "subagent")
  );
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
