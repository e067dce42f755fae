import { narrowOption } from "../narrowing.ts";
import type { LeadsOut } from "../narrowing-kinds.ts";
import { isMerged, OPTION_PATHS, type OptionPlace, placeKeys, placeText } from "../option-path.ts";
import { type Configuration, type ConfigurationInput, DEFAULTS } from "../options.ts";
import type { Validated } from "../validate-option.ts";
import {
  type GivenOption,
  isProjectLayer,
  LAYERS,
  type Origin,
  type Rejection,
} from "./given-option.ts";

export interface MergedOptions {
  readonly values: Configuration;
  readonly rejections: readonly Rejection[];
  readonly origin: (path: string) => Origin;
}

/** One value that holds so far. */
interface Held extends OptionPlace {
  readonly value: unknown;
  readonly origin: Origin;
}

/**
 * Puts options from all layers together, given from the weakest to the strongest. What is not valid
 * or not a project's to say is left out, so that the value below it holds. The project is held
 * against the layers below all of its files, so that one of them may take back what another says.
 */
export function mergeOptions(
  given: readonly GivenOption[],
  validate: (option: GivenOption) => Validated,
  leadsOut: LeadsOut,
): MergedOptions {
  const held = new Map<string, Held>();
  const rejections: Rejection[] = [];
  let withoutProject: Configuration | undefined;
  for (const option of given) {
    const { path, key, origin, written } = option;
    const reject = (path: string, reason: string) =>
      rejections.push({ path, reason, origin, ...(written === undefined ? {} : { written }) });
    const validated = validate(option);
    if (!validated.ok) {
      reject(validated.path, validated.reason);
      continue;
    }
    for (const doubt of validated.doubts ?? []) reject(doubt.path, doubt.reason);
    let value = key === undefined ? validated.value : { [key]: validated.value };
    if (isProjectLayer(origin)) {
      withoutProject ??= buildConfiguration(held.values());
      const narrowed = narrowOption(path, value, withoutProject, leadsOut);
      if (narrowed.refused !== undefined) reject(placeText(option), narrowed.refused);
      if (!("value" in narrowed)) continue;
      value = narrowed.value;
    }
    for (const entry of splitEntries({ path }, value)) {
      held.set(placeText(entry), { ...entry, origin });
    }
  }
  return {
    values: buildConfiguration(held.values()),
    rejections,
    origin: (path) => held.get(path)?.origin ?? originOfEntries(path, held.values()),
  };
}

/** Of an option that came together from several layers: the strongest of them. */
function originOfEntries(path: string, held: Iterable<Held>): Origin {
  let strongest: Origin = { layer: "default" };
  for (const { path: other, origin } of held) {
    const isStronger = LAYERS.indexOf(origin.layer) >= LAYERS.indexOf(strongest.layer);
    if (other === path && isStronger) strongest = origin;
  }
  return strongest;
}

/** The options that flags give; they were checked when the command line was read. */
export function flagOptions(flags: ConfigurationInput): GivenOption[] {
  const given: Record<string, unknown> = { ...flags };
  return OPTION_PATHS.flatMap((path) => {
    const [name = "", option] = path.split(".");
    const outer = given[name];
    const value = option === undefined ? outer : (outer as Record<string, unknown>)?.[option];
    return value === undefined ? [] : [{ path, value, origin: { layer: "flag" } }];
  });
}

function splitEntries({ path }: OptionPlace, value: unknown): (OptionPlace & { value: unknown })[] {
  if (!isMerged(path)) return [{ path, value }];
  return Object.entries(value as object).map(([key, value]) => ({ path, key, value }));
}

function buildConfiguration(held: Iterable<Held>): Configuration {
  const configuration = structuredClone(DEFAULTS);
  for (const { value, ...place } of held) {
    const keys = placeKeys(place);
    const last = keys.pop() ?? "";
    let target: unknown = configuration;
    for (const name of keys) target = (target as Record<string, unknown>)[name];
    (target as Record<string, unknown>)[last] = value;
  }
  return configuration;
}
