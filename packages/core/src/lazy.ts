/** A function whose module is loaded by the first call, which keeps the import of this package short. */
function lazy<Arguments extends readonly unknown[], Result>(
  load: () => Promise<(...args: Arguments) => Promise<Result>>,
): (...args: Arguments) => Promise<Result> {
  return async (...args) => (await load())(...args);
}

/**
 * Finds the skills at and below a folder, within bounds. A folder with a SKILL.md is a skill and is
 * not searched further; a link is taken when it leads straight to a skill and never searched.
 */
export const findSkills = lazy(async () => (await import("./directory/find-skills.ts")).findSkills);

/**
 * Applies the automatic fixes to SKILL.md and returns how many there were. The rest of the file stays
 * as it is byte for byte, permissions included, and it is replaced in one step. A file that is not
 * UTF-8 is left alone.
 */
export const fixSkill = lazy(async () => (await import("./directory/fix-skill.ts")).fixSkill);

/** Checks a skill's folder: SKILL.md with all rules, and the files around it. Changes nothing. */
export const lintSkill = lazy(async () => (await import("./directory/lint-skill.ts")).lintSkill);

export const openSwitchStore = lazy(
  async () => (await import("./registry/switch-store.ts")).openSwitchStore,
);

/** Decides for the command line: project skills need a trusted folder or a trusted digest. */
export const createTrustDecision = lazy(
  async () => (await import("./registry/trust-store.ts")).createTrustDecision,
);

/** Opens the user's decisions. A damaged file is an error: silence could mean trust or its loss. */
export const openTrustStore = lazy(
  async () => (await import("./registry/trust-store.ts")).openTrustStore,
);

/**
 * Defaults, then the user's files, the project's `appsettings.json` and `.agent/config.json`, the
 * environment, and flags. Throws `configuration-unreadable` if a file cannot be read or parsed and
 * no listener is given.
 */
export const loadConfiguration = lazy(
  async () => (await import("./config/load-configuration.ts")).loadConfiguration,
);

/**
 * Sets one option in a configuration file, which is made if it does not exist. Comments and layout
 * stay; the file changes in one step or not at all.
 */
export const setConfigurationValue = lazy(
  async () => (await import("./config/set-value.ts")).setConfigurationValue,
);

/** Removes one option from a configuration file in the same way. */
export const unsetConfigurationValue = lazy(
  async () => (await import("./config/set-value.ts")).unsetConfigurationValue,
);

/**
 * The files of a skill in byte order of their paths, as far as they can be read: no links, no
 * special files, no names with control or invisible characters, no second names (hard links). Folders of tools, such as `.git` and
 * `node_modules`, are left out unless `under` names one. Files and folders together count to 2,000.
 */
export const listFiles = lazy(async () => (await import("./files/list-files.ts")).listFiles);

/**
 * Reads a file of a skill, or some lines of it, and nothing outside of the skill's folder. Text is
 * UTF-8, or UTF-16 with a byte order mark; it comes without the mark and with LF. Anything else is
 * binary. Never throws for what a path or a file can be.
 */
export const readFile = lazy(async () => (await import("./files/read-file.ts")).readFile);

/** Finds all skills and gives a model its way to them. */
export const openSkills = lazy(async () => (await import("./registry/open-skills.ts")).openSkills);
