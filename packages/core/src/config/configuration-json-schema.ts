import * as z from "zod/mini";
import { FOUNDING_SECTIONS, type FoundingNames } from "./layers/file-options.ts";
import { isSection, type OptionPath, optionValue } from "./option-path.ts";
import { DEFAULTS } from "./options.ts";
import { optionSchemas } from "./schema.ts";

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  trust: "What is trusted. Only in the user's configuration.",
  skillTools: "Where skills come from, and the tools that disclose them.",
  workspace: "The workspace tools, and named loading.",
  model: "The model that is asked. Only in the user's configuration.",
  execution: "How scripts and tools are run.",
  policy: "What tools may do: without asking, only when asked, or never.",
  approvals: "How something is approved.",
  runs: "Which records of runs are kept. Only in the user's configuration.",
  packs: "What is asked of skills before they are installed.",
  security: "What is expected of a skill.",
  lint: "What is reported about skills.",
  AgentSkills: "The options of skillTools under their names in an appsettings.json.",
  RuntimeOptions:
    "The options of workspace and execution under their names in an appsettings.json.",
  ExecutionPolicy: "The options of execution.",
};

/** What stands where: an option, or a group of things with names. */
type Layout = { readonly [name: string]: OptionPath | Layout };

type Metadata = { title?: string; description?: string; default?: unknown };

/** The JSON schema (draft 2020-12) of a configuration file, for editors. */
export function configurationJsonSchema(): Record<string, unknown> {
  const metadata = z.registry<Metadata>();
  const address = z.string();
  const file = group({ ...ownLayout(), ...FOUNDING_SECTIONS }, metadata, { $schema: address });
  metadata.add(address, { description: "Where this schema is, for editors." });
  metadata.add(file, {
    title: "Skillwright configuration",
    description: "A project's .agent/config.json, or a user's ~/.config/skillwright/config.json.",
  });
  return { ...z.toJSONSchema(file, { metadata, target: "draft-2020-12" }) };
}

/** The text of `schema/config.schema.json`. */
export function configurationSchemaText(): string {
  return `${JSON.stringify(configurationJsonSchema(), null, 2)}\n`;
}

function ownLayout(): Layout {
  return mapValues(DEFAULTS, (value, name) =>
    isSection(name)
      ? mapValues(value as object, (_, option) => `${name}.${option}` as OptionPath)
      : (name as OptionPath),
  );
}

function group(
  layout: Layout | FoundingNames,
  metadata: z.core.$ZodRegistry<Metadata>,
  others: Record<string, z.ZodMiniType> = {},
): z.ZodMiniType {
  const shape = mapValues(layout, (inner, name) => {
    const schema = typeof inner === "string" ? optionSchemas[inner].schema : group(inner, metadata);
    metadata.add(schema, typeof inner === "string" ? optionMetadata(inner) : sectionMetadata(name));
    return schema;
  });
  return z.looseObject(mapValues({ ...others, ...shape }, (schema) => z.optional(schema)));
}

function optionMetadata(path: OptionPath): Metadata {
  const { description } = optionSchemas[path];
  const value: unknown = optionValue(DEFAULTS, path);
  return value === undefined ? { description } : { description, default: value };
}

function sectionMetadata(name: string): Metadata {
  const description = DESCRIPTIONS[name];
  return description === undefined ? {} : { description };
}

function mapValues<T, R>(
  object: { readonly [name: string]: T } | object,
  map: (value: T, name: string) => R,
): Record<string, R> {
  const entries = Object.entries(object) as [string, T][];
  return Object.fromEntries(entries.map(([name, value]) => [name, map(value, name)]));
}
