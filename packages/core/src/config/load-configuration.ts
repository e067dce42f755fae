import { isDeepStrictEqual } from "node:util";
import { checkOptions, type OptionKinds } from "../internal/options.ts";
import { nearNames } from "../format/names.ts";
import { leadsOut } from "../internal/leads-out.ts";
import { SkillwrightError } from "../skillwright-error.ts";
import { readJsonFile } from "./read-json-file.ts";
import {
  type ConfigurationProblem,
  type ExtraOption,
  fileOptions,
  type GivenOption,
  isProjectLayer,
  LAYERS,
  type Origin,
  type Rejection,
} from "./file-options.ts";
import {
  type ConfigurationFile,
  type Environment,
  environmentName,
  environmentOptions,
  findFiles,
} from "./find-files.ts";
import { findManagedFile, unusable } from "./managed-file.ts";
import {
  limitsRoots,
  type ManagedLimits,
  type Narrowed,
  type Narrowing,
  type NarrowingContext,
  narrowManagedRoots,
  reasonForUser,
  rulesOnlyStricter,
} from "./narrowing.ts";
import {
  type Configuration,
  type ConfigurationInput,
  DEFAULTS,
  findOption,
  OPTION_PATHS,
  optionAt,
  type OptionPath,
  type OptionPlace,
  optionValue,
  placeKeys,
  placeText,
} from "./options.ts";
import { validateOption, validateOptionText, type Validated } from "./validate-option.ts";

interface MergedOptions {
  readonly values: Configuration;
  readonly rejections: readonly Rejection[];
  readonly origin: (path: string) => Origin;
  readonly limit: LoadedConfiguration["limit"];
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
  leadsOut: NarrowingContext["leadsOut"],
): MergedOptions {
  const held = new Map<string, Held>();
  const rejections: Rejection[] = [];
  let withoutProject: Configuration | undefined;
  const limits = managedLimits(
    given.filter(({ origin }) => origin.layer === "managed"),
    validate,
    leadsOut,
  );
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
    if (origin.layer !== "managed") {
      const narrowed = narrowManaged(path, value, limits);
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
    limit: (path, wanted) => narrowManaged(path, wanted, limits),
  };
}

interface Limits extends ManagedLimits {
  readonly held: Configuration;
}

/** What the administrator's options, which come first, leave to everyone else. */
function managedLimits(
  given: readonly GivenOption[],
  validate: (option: GivenOption) => Validated,
  leadsOut: NarrowingContext["leadsOut"],
): Limits {
  const values = given.flatMap((option) => {
    const { path, key, origin } = option;
    const validated = validate(option);
    if (!validated.ok) return [];
    const value = key === undefined ? validated.value : { [key]: validated.value };
    return splitEntries({ path }, value).map((entry) => ({ ...entry, origin }));
  });
  const held = buildConfiguration(values);
  const sets = new Set(given.map(({ path }) => path));
  return { held, sets, leadsOut, valueAt: (path) => optionValue(held, path as OptionPath) };
}

/** What everyone but the administrator gets of a value: an option that is not managed is free. */
function narrowManaged(path: OptionPath, wanted: unknown, limits: Limits): Narrowed {
  const { held, sets, leadsOut } = limits;
  if (limitsRoots(path, limits)) {
    const roots = Array.isArray(wanted) ? (wanted as string[]) : [wanted as string];
    const narrowed = narrowManagedRoots(path, roots, limits);
    if (Array.isArray(wanted) || !("value" in narrowed)) return narrowed;
    return { value: wanted };
  }
  const before = optionValue(held, path);
  if (!sets.has(path) || isDeepStrictEqual(wanted, before)) return { value: wanted };
  const rule = path === "lint.rules" ? rulesOnlyStricter : optionAt(path).project;
  const { refused, ...kept } = (rule as Narrowing<unknown>).narrow(wanted, before, {
    held,
    leadsOut,
  });
  return { ...kept, ...(refused !== undefined && { refused: reasonForUser(refused) }) };
}

/** What a project gets of a valid value, given the configuration without the project. */
export function narrowOption(
  path: OptionPath,
  wanted: unknown,
  held: Configuration,
  leadsOut: NarrowingContext["leadsOut"],
): Narrowed {
  return optionAt(path).project.narrow(wanted, optionValue(held, path), { held, leadsOut });
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
function flagOptions(flags: ConfigurationInput): GivenOption[] {
  const given: Record<string, unknown> = { ...flags };
  return OPTION_PATHS.flatMap((path) => {
    const [name = "", option] = path.split(".");
    const outer = given[name];
    const value = option === undefined ? outer : (outer as Record<string, unknown>)?.[option];
    return value === undefined ? [] : [{ path, value, origin: { layer: "flag" } }];
  });
}

function splitEntries({ path }: OptionPlace, value: unknown): (OptionPlace & { value: unknown })[] {
  if (!optionAt(path).isMerged) return [{ path, value }];
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

export interface LoadConfigurationOptions {
  /** What `configFile` is relative to. */
  readonly cwd: string;
  /** The project's folder; `cwd` when not given. */
  readonly project?: string;
  readonly home: string;
  readonly env: Environment;
  /** Whether the project's own configuration is read at all. It can only narrow. */
  readonly projectTrusted: boolean;
  /** Takes the place of the user's files. */
  readonly configFile?: string;
  /** The strongest layer, checked by whoever read the command line. */
  readonly flags?: ConfigurationInput;
  /** Told of each file that cannot be read, which is then passed over. Without it that is thrown. */
  readonly onUnreadable?: (error: SkillwrightError) => void;
}

const OPTIONS: OptionKinds<LoadConfigurationOptions> = {
  cwd: "string",
  project: "string",
  home: "string",
  env: "object",
  projectTrusted: "boolean",
  configFile: "string",
  flags: "object",
  onUnreadable: "function",
};

export interface LoadedConfiguration {
  readonly values: Configuration;
  /** What is not used because it is not valid, or not a project's to say; and rules that cannot be read. */
  readonly problems: readonly ConfigurationProblem[];
  /** What a person may want to know, such as a file that was not read. */
  readonly notes: readonly ConfigurationNote[];
  readonly extra: readonly ExtraOption[];
  /** The files that were read, from the weakest to the strongest. */
  readonly files: readonly ConfigurationFile[];
  /** Where an option such as "skillTools.cacheSkills" or "lint.rules.key-unknown" got its value. */
  readonly origin: (path: string) => Origin;
  /** What managed settings leave of a value that a flag gives; all of it where they set nothing. */
  readonly limit: (path: OptionPath, wanted: unknown) => Narrowed;
}

export interface ConfigurationNote {
  readonly message: string;
  readonly file?: string;
  /** A misspelt option that was meant to restrict: what it forbids is allowed. */
  readonly isWarning?: true;
}

export async function loadConfiguration(
  options: LoadConfigurationOptions,
): Promise<LoadedConfiguration> {
  checkOptions("loadConfiguration", options, OPTIONS);
  const { cwd, project = cwd, home, env, projectTrusted, configFile, flags = {} } = options;
  const found = findFiles({ cwd, project, home, env, configFile });
  const managed = await readManaged(options);
  const read = [
    ...managed,
    ...(await readFiles([...found.user, ...(projectTrusted ? found.project : [])], options)),
  ];
  const files = read.map(({ origin }) => origin);
  const layers = read.map(({ content, origin }) => fileOptions(content, origin));
  const variables = environmentOptions(env);
  const given = [...layers.flatMap((layer) => layer.options), ...variables.options];
  const merged = mergeOptions([...given, ...flagOptions(flags)], validateGiven, (path) =>
    leadsOut(project, path),
  );
  const rejections = [...layers.flatMap((layer) => layer.rejections), ...merged.rejections];
  const extra = layers.flatMap((layer) => layer.extra);
  return {
    values: merged.values,
    origin: merged.origin,
    limit: merged.limit,
    problems: rejections.map(({ origin, ...rejection }) => ({
      ...rejection,
      used: usedValue(merged.values, rejection.path),
      ...origin,
    })),
    notes: [
      ...(projectTrusted ? [] : found.project.map(notRead)),
      ...extra.map(unknownOption),
      ...variables.unknown.map(unknownVariable),
    ],
    extra,
    files,
  };
}

interface ReadFile {
  readonly origin: ConfigurationFile;
  readonly content: Readonly<Record<string, unknown>>;
}

function isManaged({ origin }: { readonly origin: Origin }): boolean {
  return origin.layer === "managed";
}

/** No link is followed any more: what was checked is what is read. */
async function readManaged(options: LoadConfigurationOptions): Promise<ReadFile[]> {
  try {
    const origin = findManagedFile(options.env);
    if (origin === undefined) return [];
    const { content } = await readJsonFile(origin.file, false);
    const { options: given, rejections } = fileOptions(content, origin);
    const invalid = given.map(validateGiven).find(({ ok }) => !ok) as Rejection | undefined;
    // Half of what an administrator forbids is not what was meant.
    const wrong = rejections[0] ?? invalid;
    if (wrong) throw unusable(origin.file, `${wrong.path} ${wrong.reason}`, "correct it");
    return [{ origin, content }];
  } catch (error) {
    if (options.onUnreadable === undefined || !SkillwrightError.isInstance(error)) throw error;
    options.onUnreadable(error);
    return [];
  }
}

async function readFiles(
  files: readonly ConfigurationFile[],
  { onUnreadable }: LoadConfigurationOptions,
): Promise<ReadFile[]> {
  const read: ReadFile[] = [];
  for (const origin of files) {
    try {
      read.push({ origin, content: (await readJsonFile(origin.file)).content });
    } catch (error) {
      if (onUnreadable === undefined || !SkillwrightError.isInstance(error)) throw error;
      onUnreadable(error);
    }
  }
  return read;
}

function validateGiven(option: GivenOption): Validated {
  const { value, origin, isText = false } = option;
  if (origin.layer === "flag") return { ok: true, value };
  return isText ? validateOptionText(option, String(value)) : validateOption(option, value);
}

/** The value at the option that a path leads to or into. */
function usedValue(values: Configuration, path: string): unknown {
  for (let text = path; text !== ""; text = text.slice(0, Math.max(0, text.lastIndexOf(".")))) {
    const option = findOption(text);
    if (option === undefined) continue;
    if (optionAt(option.path).isSecretive) return undefined;
    const value: unknown = optionValue(values, option.path);
    return option.key === undefined ? value : (value as Record<string, unknown>)[option.key];
  }
  return undefined;
}

function notRead({ file }: ConfigurationFile): ConfigurationNote {
  return { message: "not read, because the project is not trusted", file };
}

/** Sections whose options take something away. */
const RESTRICTIONS = /^(?:policy|approvals|execution|security)(?:\.|$)/;

function unknownOption({ path, origin }: ExtraOption): ConfigurationNote {
  const [near] = nearNames(path, OPTION_PATHS);
  const hint = near === undefined ? "" : `; did you mean ${near}?`;
  return {
    message: `${path} is not an option of this version and has no effect${hint}`,
    ...(origin.file === undefined ? undefined : { file: origin.file }),
    ...((isManaged({ origin }) || RESTRICTIONS.test(path)) && { isWarning: true }),
  };
}

function unknownVariable(variable: string): ConfigurationNote {
  const [near] = nearNames(variable, OPTION_PATHS.map(environmentName));
  const hint = near === undefined ? "" : `; did you mean ${near}?`;
  return { message: `${variable} names no option${hint}` };
}
