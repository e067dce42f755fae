import type { findSkills as FindSkills } from "./directory/find-skills.ts";
import type { fixSkill as FixSkill } from "./directory/fix-skill.ts";
import type { lintSkill as LintSkill } from "./directory/lint-skill.ts";
import type { openSkills as OpenSkills } from "./registry/open-skills.ts";
import type { openSwitchStore as OpenSwitchStore } from "./registry/switch-store.ts";
import type {
  createTrustDecision as CreateTrustDecision,
  openTrustStore as OpenTrustStore,
} from "./registry/trust-store.ts";
import type { loadConfiguration as LoadConfiguration } from "./config/load-configuration.ts";
import type {
  setConfigurationValue as SetConfigurationValue,
  unsetConfigurationValue as UnsetConfigurationValue,
} from "./config/set-value.ts";
import type { listFiles as ListFiles } from "./files/list-files.ts";
import type { readFile as ReadFile } from "./files/read-file.ts";

// Functions whose modules are loaded by the first call, which keeps the import of this package short.

/**
 * Finds the skills at and below a folder, within bounds. A folder with a SKILL.md is a skill and is
 * not searched further; a link is taken when it leads straight to a skill and never searched.
 */
export const findSkills: typeof FindSkills = async (...args) =>
  (await import("./directory/find-skills.ts")).findSkills(...args);

/**
 * Applies the automatic fixes to SKILL.md and returns how many there were. The rest of the file stays
 * as it is byte for byte, permissions included, and it is replaced in one step. A file that is not
 * UTF-8 is left alone.
 */
export const fixSkill: typeof FixSkill = async (...args) =>
  (await import("./directory/fix-skill.ts")).fixSkill(...args);

/** Checks a skill's folder: SKILL.md with all rules, and the files around it. Changes nothing. */
export const lintSkill: typeof LintSkill = async (...args) =>
  (await import("./directory/lint-skill.ts")).lintSkill(...args);

export const openSwitchStore: typeof OpenSwitchStore = async (...args) =>
  (await import("./registry/switch-store.ts")).openSwitchStore(...args);

/** Decides for the command line: project skills need a trusted folder or a trusted digest. */
export const createTrustDecision: typeof CreateTrustDecision = async (...args) =>
  (await import("./registry/trust-store.ts")).createTrustDecision(...args);

/** Opens the user's decisions. A damaged file is an error: silence could mean trust or its loss. */
export const openTrustStore: typeof OpenTrustStore = async (...args) =>
  (await import("./registry/trust-store.ts")).openTrustStore(...args);

/**
 * Defaults, then the user's files, the project's `appsettings.json` and `.agent/config.json`, the
 * environment, and flags. Throws `configuration-unreadable` if a file cannot be read or parsed and
 * no listener is given.
 */
export const loadConfiguration: typeof LoadConfiguration = async (...args) =>
  (await import("./config/load-configuration.ts")).loadConfiguration(...args);

/**
 * Sets one option in a configuration file, which is made if it does not exist. Comments and layout
 * stay; the file changes in one step or not at all.
 */
export const setConfigurationValue: typeof SetConfigurationValue = async (...args) =>
  (await import("./config/set-value.ts")).setConfigurationValue(...args);

/** Removes one option from a configuration file in the same way. */
export const unsetConfigurationValue: typeof UnsetConfigurationValue = async (...args) =>
  (await import("./config/set-value.ts")).unsetConfigurationValue(...args);

/**
 * The files of a skill in byte order of their paths, as far as they can be read: no links, no
 * special files, no names with control or invisible characters, no second names (hard links). Folders of tools, such as `.git` and
 * `node_modules`, are left out unless `under` names one. Files and folders together count to 2,000.
 */
export const listFiles: typeof ListFiles = async (...args) =>
  (await import("./files/list-files.ts")).listFiles(...args);

/**
 * Reads a file of a skill, or some lines of it, and nothing outside of the skill's folder. Text is
 * UTF-8, or UTF-16 with a byte order mark; it comes without the mark and with LF. Anything else is
 * binary. Never throws for what a path or a file can be.
 */
export const readFile: typeof ReadFile = async (...args) =>
  (await import("./files/read-file.ts")).readFile(...args);

/** Finds all skills and gives a model its way to them. */
export const openSkills: typeof OpenSkills = async (...args) =>
  (await import("./registry/open-skills.ts")).openSkills(...args);
