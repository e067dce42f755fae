/** A first configuration: nothing is set, and what projects set most often waits as a comment. */
export const FIRST_CONFIGURATION = `{
  // A project can only narrow what its user allows. The schema beside this file names every option.
  "$schema": "./config.schema.json",

  // The values below are the defaults; take the slashes away to change one.

  // Tools that always ask. A project can add to them:
  // "execution": { "require_approval_for": ["write_file", "run_script", "network"] },

  // What tools may never do here, such as "Bash(git push:*)":
  // "policy": { "deny": [] },

  // Whether the user's own skills are used in this project as well:
  // "skillTools": { "enableUserSkills": true },

  // Skills that are there but not used:
  // "disabledSkills": [],

  // A severity per rule of the linter, such as "body-too-long": "off":
  // "lint": { "rules": {} },
}
`;

/** The files of a configuration, by their names. */
export async function configurationFiles(): Promise<Record<string, string>> {
  const { configurationSchemaText } = await import("@skillwright/core/config-schema");
  return { "config.json": FIRST_CONFIGURATION, "config.schema.json": configurationSchemaText() };
}
