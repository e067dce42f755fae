import { isPrototypeKey } from "../format/names.ts";
import { type Option, OPTIONS } from "./option-table.ts";

type Options = typeof OPTIONS;

/** An option's place, such as "skillTools.cacheSkills". */
export type OptionPath = keyof Options;

export type OptionValue<P extends OptionPath> =
  Options[P] extends Option<infer _Value, infer Held> ? Held : never;

type Section = OptionPath extends infer P ? (P extends `${infer S}.${string}` ? S : never) : never;

/**
 * The effective configuration. Every option is there; one that nothing sets is undefined. Paths are
 * as they were written: relative ones count from the project, `~` is the home directory.
 */
export type Configuration = {
  readonly [P in OptionPath as P extends `${string}.${string}` ? never : P]: OptionValue<P>;
} & {
  readonly [S in Section]: {
    readonly [P in OptionPath as P extends `${S}.${infer Name}` ? Name : never]: OptionValue<P>;
  };
};

/** Some of the options, as flags give them. */
export type ConfigurationInput = {
  readonly [K in keyof Configuration]?: K extends Section
    ? { readonly [O in keyof Configuration[K]]?: Configuration[K][O] | undefined }
    : Configuration[K] | undefined;
};

/** An option, or one entry of an option that is merged entry by entry. */
export interface OptionPlace {
  readonly path: OptionPath;
  readonly key?: string;
}

export const OPTION_PATHS = Object.keys(OPTIONS) as readonly OptionPath[];

const SECTIONS: ReadonlySet<string> = new Set(
  OPTION_PATHS.filter((path) => path.includes(".")).map((path) => path.slice(0, path.indexOf("."))),
);

export const DEFAULTS = buildDefaults();

function buildDefaults(): Configuration {
  const defaults: Record<string, unknown> = {};
  for (const path of OPTION_PATHS) {
    const [name = "", option] = path.split(".");
    const value: unknown = OPTIONS[path].default;
    if (option === undefined) defaults[name] = value;
    else ((defaults[name] ??= {}) as Record<string, unknown>)[option] = value;
  }
  return defaults as Configuration;
}

export function isSection(name: string): boolean {
  return SECTIONS.has(name);
}

export function isOptionPath(path: string): path is OptionPath {
  return Object.hasOwn(OPTIONS, path);
}

/** A row of the table without the type of its values. */
export function optionAt(path: OptionPath): Option<unknown> {
  return OPTIONS[path] as Option<unknown>;
}

/** The option that a text such as "lint.rules.key-unknown" names. */
export function findOption(text: string): OptionPlace | undefined {
  if (isOptionPath(text)) return { path: text };
  const path = OPTION_PATHS.find((one) => optionAt(one).isMerged && text.startsWith(`${one}.`));
  const key = path === undefined ? "" : text.slice(path.length + 1);
  return path === undefined || key === "" || isPrototypeKey(key) ? undefined : { path, key };
}

export function placeText({ path, key }: OptionPlace): string {
  return key === undefined ? path : `${path}.${key}`;
}

/** The keys that lead to a place, as a file has them. */
export function placeKeys({ path, key }: OptionPlace): string[] {
  return key === undefined ? path.split(".") : [...path.split("."), key];
}

/** What a configuration has at a path. */
export function optionValue<P extends OptionPath>(
  configuration: Configuration,
  path: P,
): OptionValue<P> {
  let value: unknown = configuration;
  for (const name of path.split(".")) value = (value as Record<string, unknown>)[name];
  return value as OptionValue<P>;
}
