import { isPrototypeKey } from "../format/yaml/prototype-keys.ts";
import { type Configuration, DEFAULTS, type Section } from "./options.ts";

/** An option's place, such as "skillTools.cacheSkills". */
export type OptionPath = Exclude<keyof Configuration, Section> | SectionPath;

type SectionPath = { [S in Section]: `${S}.${keyof Configuration[S] & string}` }[Section];

export type OptionValue<P extends OptionPath> = P extends `${infer S extends Section}.${infer K}`
  ? K extends keyof Configuration[S]
    ? Configuration[S][K]
    : never
  : P extends keyof Configuration
    ? Configuration[P]
    : never;

/** An option, or one entry of an option that is merged entry by entry. */
export interface OptionPlace {
  readonly path: OptionPath;
  readonly key?: string;
}

const SECTIONS: Readonly<Record<Section, true>> = {
  trust: true,
  skillTools: true,
  workspace: true,
  model: true,
  execution: true,
  policy: true,
  approvals: true,
  runs: true,
  packs: true,
  security: true,
  lint: true,
};

/** Options whose entries come together from all layers instead of replacing each other. */
const MERGED = new Set<OptionPath>([
  "model.prices",
  "policy.risks",
  "packs.limits",
  "lint.rules",
  "mcpServers",
]);

export const OPTION_PATHS: readonly OptionPath[] = Object.entries(DEFAULTS).flatMap(
  ([name, value]) =>
    (isSection(name)
      ? Object.keys(value as object).map((option) => `${name}.${option}`)
      : [name]) as OptionPath[],
);

const KNOWN: ReadonlySet<string> = new Set(OPTION_PATHS);

export function isSection(name: string): name is Section {
  return Object.hasOwn(SECTIONS, name);
}

export function isOptionPath(path: string): path is OptionPath {
  return KNOWN.has(path);
}

export function isMerged(path: OptionPath): boolean {
  return MERGED.has(path);
}

/** The option that a text such as "lint.rules.key-unknown" names. */
export function findOption(text: string): OptionPlace | undefined {
  if (isOptionPath(text)) return { path: text };
  for (const path of MERGED) {
    const key = text.startsWith(`${path}.`) ? text.slice(path.length + 1) : "";
    if (key !== "" && !isPrototypeKey(key)) return { path, key };
  }
  return undefined;
}

export function placeText({ path, key }: OptionPlace): string {
  return key === undefined ? path : `${path}.${key}`;
}

/** The keys that lead to a place, as they stand in a file. */
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
