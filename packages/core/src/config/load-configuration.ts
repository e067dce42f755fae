import { nearNames } from "../format/text/near-names.ts";
import { SkillwrightError } from "../skillwright-error.ts";
import { readJsonFile } from "./json/read-json-file.ts";
import {
  type Environment,
  environmentName,
  environmentOptions,
} from "./layers/environment-options.ts";
import { fileOptions } from "./layers/file-options.ts";
import { type ConfigurationFile, findFiles } from "./layers/find-files.ts";
import type {
  ConfigurationProblem,
  ExtraOption,
  GivenOption,
  Origin,
} from "./layers/given-option.ts";
import { flagOptions, mergeOptions } from "./layers/merge-options.ts";
import { leadsOut } from "../internal/leads-out.ts";
import { findOption, OPTION_PATHS, type OptionPath, optionValue } from "./option-path.ts";
import type { Configuration, ConfigurationInput } from "./options.ts";
import type { Validated } from "./validate-option.ts";

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
  const { cwd, project = cwd, home, env, projectTrusted, configFile, flags = {} } = options;
  const found = findFiles({ cwd, project, home, env, configFile });
  const read = await readFiles([...found.user, ...(projectTrusted ? found.project : [])], options);
  const files = read.map(({ origin }) => origin);
  const layers = read.map(({ content, origin }) => fileOptions(content, origin));
  const variables = environmentOptions(env);
  const given = [...layers.flatMap((layer) => layer.options), ...variables.options];
  const merged = mergeOptions(
    [...given, ...flagOptions(flags)],
    await loadValidator(given),
    (path) => leadsOut(project, path),
  );
  const rejections = [...layers.flatMap((layer) => layer.rejections), ...merged.rejections];
  const extra = layers.flatMap((layer) => layer.extra);
  return {
    values: merged.values,
    origin: merged.origin,
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

/** The schema library is only worth its start-up time when there is something to check. */
async function loadValidator(
  given: readonly GivenOption[],
): Promise<(option: GivenOption) => Validated> {
  if (given.length === 0) return ({ value }) => ({ ok: true, value });
  const { validateOption, validateOptionText } = await import("./validate-option.ts");
  return (option) => {
    const { value, origin, isText = false } = option;
    if (origin.layer === "flag") return { ok: true, value };
    return isText ? validateOptionText(option, String(value)) : validateOption(option, value);
  };
}

/** Options that may hold secrets; problems are printed and logged. */
const SECRETIVE: ReadonlySet<OptionPath> = new Set(["model.params", "mcpServers"]);

/** The value at the option that a path leads to or into. */
function usedValue(values: Configuration, path: string): unknown {
  for (let text = path; text !== ""; text = text.slice(0, Math.max(0, text.lastIndexOf(".")))) {
    const option = findOption(text);
    if (option === undefined) continue;
    if (SECRETIVE.has(option.path)) return undefined;
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
    ...(RESTRICTIONS.test(path) && { isWarning: true }),
  };
}

function unknownVariable(variable: string): ConfigurationNote {
  const [near] = nearNames(variable, OPTION_PATHS.map(environmentName));
  const hint = near === undefined ? "" : `; did you mean ${near}?`;
  return { message: `${variable} names no option${hint}` };
}
