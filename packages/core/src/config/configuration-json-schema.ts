import { FOUNDING_SECTIONS, type FoundingNames } from "./file-options.ts";
import { OPTION_PATHS, optionAt } from "./options.ts";

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

/** The JSON schema (draft 2020-12) of a configuration file, for editors. */
export function configurationJsonSchema(): Record<string, unknown> {
  const { properties, ...rest } = group({ ...ownNames(), ...FOUNDING_SECTIONS });
  const address = { type: "string", description: "Where this schema is, for editors." };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { $schema: address, ...properties },
    ...rest,
    title: "Skillwright configuration",
    description: "A project's .agent/config.json, or a user's ~/.config/skillwright/config.json.",
  };
}

/** The text of `schema/config.schema.json`. */
export function configurationSchemaText(): string {
  return `${JSON.stringify(configurationJsonSchema(), null, 2)}\n`;
}

function ownNames(): FoundingNames {
  const names: Record<string, FoundingNames[string]> = {};
  for (const path of OPTION_PATHS) {
    const [name = "", option] = path.split(".");
    if (option === undefined) names[name] = path;
    else names[name] = { ...(names[name] as FoundingNames), [option]: path };
  }
  return names;
}

function group(names: FoundingNames): { properties: object; additionalProperties: object } {
  const properties = Object.entries(names).map(([name, inner]) => {
    if (typeof inner !== "string") {
      return [name, { type: "object", ...group(inner), description: DESCRIPTIONS[name] }];
    }
    const { kind, description, default: value } = optionAt(inner);
    return [name, { ...kind.schema, description, ...(value !== undefined && { default: value }) }];
  });
  return { properties: Object.fromEntries(properties), additionalProperties: {} };
}
