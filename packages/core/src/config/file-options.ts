import { isObject } from "../internal/json.ts";
import { isPrototypeKey } from "../format/names.ts";
import {
  isOptionPath,
  isSection,
  OPTION_PATHS,
  optionAt,
  type OptionPath,
  type OptionPlace,
} from "./options.ts";

const MAX_DEPTH = 64;

interface CleanedJson {
  readonly value: unknown;
  /** What was left out: a path below the value, and why. */
  readonly dropped: readonly { readonly path: readonly string[]; readonly reason: string }[];
}

/** A copy of parsed JSON that careless code can merge: no keys of `Object.prototype`, bounded depth. */
export function cleanJson(value: unknown): CleanedJson {
  const dropped: { path: readonly string[]; reason: string }[] = [];
  const copy = (value: unknown, path: readonly string[]): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (path.length >= MAX_DEPTH) {
      dropped.push({ path, reason: `is nested deeper than ${MAX_DEPTH} levels` });
      return undefined;
    }
    if (Array.isArray(value)) {
      return value.map((item: unknown, index) => copy(item, [...path, String(index)]));
    }
    const kept: [string, unknown][] = [];
    for (const [key, item] of Object.entries(value)) {
      if (isPrototypeKey(key)) {
        const reason = "is the name of a built-in property of objects and never an option";
        dropped.push({ path: [...path, key], reason });
      } else {
        kept.push([key, copy(item, [...path, key])]);
      }
    }
    return Object.fromEntries(kept);
  };
  return { value: copy(value, []), dropped };
}

/** The sections of the founding documents, each with the options it holds under their names there. */
export const FOUNDING_SECTIONS: Readonly<Record<string, FoundingNames>> = {
  AgentSkills: foundingNames("skillTools"),
  RuntimeOptions: { ...foundingNames("workspace"), ExecutionPolicy: foundingNames("execution") },
};

/** `UserSkillsDir` → `skillTools.userSkillsDir`; one of them is itself a section. */
export interface FoundingNames {
  readonly [name: string]: OptionPath | FoundingNames;
}

/** Looks a name up as .NET does, ignoring case. */
function foundingName<T>(names: Readonly<Record<string, T>>, name: string): T | undefined {
  const wanted = name.toLowerCase();
  return Object.entries(names).find(([known]) => known.toLowerCase() === wanted)?.[1];
}

function foundingNames(section: string): Record<string, OptionPath> {
  const paths = OPTION_PATHS.filter((path) => path.startsWith(`${section}.`));
  return Object.fromEntries(
    paths.map((path) => [pascalCase(path.slice(section.length + 1)), path]),
  );
}

function pascalCase(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * From the weakest to the strongest. `appsettings` and `project` belong to the project and only narrow
 * what is below them. `managed` belongs to the administrator: all above it only narrow it.
 */
export const LAYERS = [
  "default",
  "managed",
  "user",
  "appsettings",
  "project",
  "environment",
  "flag",
] as const;

export type Layer = (typeof LAYERS)[number];

/** Where a value came from. */
export interface Origin {
  readonly layer: Layer;
  readonly file?: string;
  /** The environment variable. */
  readonly variable?: string;
}

/** An option as some layer gives it, not yet checked. */
export interface GivenOption extends OptionPlace {
  readonly origin: Origin;
  readonly value: unknown;
  /** The path in the file, if the option has another name there. */
  readonly written?: string;
  /** The value is a text that stands for one, as in the environment. */
  readonly isText?: boolean;
}

/** Something in the configuration that is not used, or that can hardly be meant. */
export interface ConfigurationProblem {
  readonly path: string;
  readonly reason: string;
  /** The value that holds instead. Undefined where there is none, or where it may be a secret. */
  readonly used: unknown;
  /** The path in the file, if the option has another name there. */
  readonly written?: string;
  readonly layer: Layer;
  readonly file?: string;
  readonly variable?: string;
}

/**
 * An option that this version does not know, kept for the one that does. It was neither checked nor
 * narrowed: look at `origin` before you use it.
 */
export interface ExtraOption {
  readonly path: string;
  readonly value: unknown;
  readonly origin: Origin;
}

/** A problem before it is known which value holds in the end. */
export interface Rejection {
  readonly path: string;
  readonly reason: string;
  readonly written?: string;
  readonly origin: Origin;
}

/** It sets no entry, and yet is set: managed settings allow no others then. */
function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

export function isProjectLayer({ layer }: Origin): boolean {
  return layer === "appsettings" || layer === "project";
}

/** What a file gives, before it is checked. */
interface FileOptions {
  readonly options: readonly GivenOption[];
  readonly extra: readonly ExtraOption[];
  readonly rejections: readonly Rejection[];
}

/**
 * The options that a file gives. Its `AgentSkills` and `RuntimeOptions` sections count less than the
 * same options under our names. Of an `appsettings.json` only those sections are ours.
 */
export function fileOptions(
  content: Readonly<Record<string, unknown>>,
  origin: Origin,
): FileOptions {
  const options: GivenOption[] = [];
  const extra: ExtraOption[] = [];
  const rejections: Rejection[] = [];
  const others: [string, unknown][] = [];
  for (const [name, value] of Object.entries(content)) {
    const names = foundingName(FOUNDING_SECTIONS, name);
    if (names !== undefined) addFounding(name, names, clean([name], value));
    else if (name !== "$schema") others.push([name, value]);
  }
  if (origin.layer !== "appsettings") addOwn(clean([], Object.fromEntries(others)) as object);
  return { options, extra, rejections };

  function addOwn(content: object): void {
    for (const [name, value] of Object.entries(content) as [string, unknown][]) {
      if (!isSection(name)) addOption(name, name, value);
      else if (!isObject(value)) reject(name, "must be an object");
      else {
        for (const [option, inner] of Object.entries(value)) {
          addOption(`${name}.${option}`, `${name}.${option}`, inner);
        }
      }
    }
  }

  function addFounding(section: string, names: FoundingNames, content: unknown): void {
    if (!isObject(content)) {
      if (content !== null) reject(section, "must be an object");
      return;
    }
    for (const [name, value] of Object.entries(content)) {
      const known = foundingName(names, name);
      const path = `${section}.${name}`;
      if (typeof known === "object") addFounding(path, known, value);
      // In .NET, null is how a setting is left to its default.
      else if (known === undefined || value !== null) addOption(known ?? path, path, value);
    }
  }

  /** `written` is the path as the file has it. */
  function addOption(path: string, written: string, value: unknown): void {
    if (!isOptionPath(path)) extra.push({ path: written, value, origin });
    else if (path !== written) options.push({ path, value, origin, written });
    else if (optionAt(path).isMerged !== true || !isObject(value) || isEmpty(value)) {
      options.push({ path, value, origin });
    } else {
      // Each entry on its own, so that a wrong one does not take the others with it.
      for (const [key, inner] of Object.entries(value)) {
        options.push({ path, key, value: inner, origin });
      }
    }
  }

  function clean(path: readonly string[], value: unknown): unknown {
    const cleaned = cleanJson(value);
    for (const { path: below, reason } of cleaned.dropped) {
      reject([...path, ...below].join("."), reason);
    }
    return cleaned.value;
  }

  function reject(path: string, reason: string): void {
    rejections.push({ path, reason, origin });
  }
}
