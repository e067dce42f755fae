import { isMerged, isOptionPath, isSection, type OptionPath } from "../option-path.ts";
import { cleanJson } from "./clean-json.ts";
import { FOUNDING_SECTIONS, foundingName, type FoundingNames } from "./founding-names.ts";
import type { ExtraOption, GivenLayer, GivenOption, Origin, Rejection } from "./given-option.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The options that a file gives. Its `AgentSkills` and `RuntimeOptions` sections count less than the
 * same options under our names. Of an `appsettings.json` only those sections are ours.
 */
export function fileOptions(content: JsonObject, origin: Origin): GivenLayer {
  const collected = createCollector(origin);
  for (const [name, value] of Object.entries(content)) {
    const names = foundingName(FOUNDING_SECTIONS, name);
    if (names !== undefined) collectFounding(collected, name, names, collected.clean(name, value));
  }
  if (origin.layer !== "appsettings") collectOptions(collected, content);
  return collected;
}

function collectOptions(collected: Collector, content: JsonObject): void {
  const ours = Object.entries(content).filter(
    ([name]) => name !== "$schema" && foundingName(FOUNDING_SECTIONS, name) === undefined,
  );
  const options = collected.clean("", Object.fromEntries(ours)) as JsonObject;
  for (const [name, value] of Object.entries(options)) {
    if (!isSection(name)) {
      collected.add(name, name, value);
    } else if (isObject(value)) {
      for (const [option, inner] of Object.entries(value)) {
        collected.add(`${name}.${option}`, `${name}.${option}`, inner);
      }
    } else {
      collected.reject(name, "must be an object");
    }
  }
}

function collectFounding(
  collected: Collector,
  section: string,
  names: FoundingNames,
  content: unknown,
): void {
  if (!isObject(content)) {
    if (content !== null) collected.reject(section, "must be an object");
    return;
  }
  for (const [name, value] of Object.entries(content)) {
    const known = foundingName(names, name);
    const path = `${section}.${name}`;
    if (typeof known === "object") collectFounding(collected, path, known, value);
    // In .NET, null is how a setting is left to its default.
    else if (known === undefined || value !== null) collected.add(known ?? path, path, value);
  }
}

interface Collector {
  readonly options: GivenOption[];
  readonly extra: ExtraOption[];
  readonly rejections: Rejection[];
  /** `written` is the path as it stands in the file. */
  add(path: string, written: string, value: unknown): void;
  reject(path: string, reason: string): void;
  /** The value without what must not get any further. */
  clean(path: string, value: unknown): unknown;
}

function createCollector(origin: Origin): Collector {
  const options: GivenOption[] = [];
  const extra: ExtraOption[] = [];
  const rejections: Rejection[] = [];
  const reject = (path: string, reason: string) => {
    rejections.push({ path, reason, origin });
  };
  return {
    options,
    extra,
    rejections,
    reject,
    add(path, written, value) {
      if (!isOptionPath(path)) extra.push({ path: written, value, origin });
      else if (path === written) options.push(...entries(path, value, origin));
      else options.push({ path, value, origin, written });
    },
    clean(path, value) {
      const cleaned = cleanJson(value);
      for (const { path: below, reason } of cleaned.dropped) {
        reject([...(path === "" ? [] : [path]), ...below].join("."), reason);
      }
      return cleaned.value;
    },
  };
}

/** Each entry for itself, so that a wrong one does not take the others with it. */
function entries(path: OptionPath, value: unknown, origin: Origin): GivenOption[] {
  if (!isMerged(path) || !isObject(value)) return [{ path, value, origin }];
  return Object.entries(value).map(([key, value]) => ({ path, key, value, origin }));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
